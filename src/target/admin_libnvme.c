// SPDX-License-Identifier: MIT
/* Admin commands through the controller's character device. The only file that knows libnvme. */
#include "admin.h"

#include <errno.h>
#include <fcntl.h>
#include <libnvme.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sysfs.h"

struct admin_node {
	struct admin admin; /* first: the other way round is a cast */
	int fd;
};

static int fd_of(const struct admin *admin)
{
	return ((const struct admin_node *)admin)->fd;
}

/* libnvme: 0, a positive NVMe status, or -1 and errno. */
static int answer_of(int ret)
{
	return ret < 0 ? -errno : ret;
}

static int node_identify(struct admin *admin, enum admin_identify what, uint32_t nsid,
			 uint8_t page[ADMIN_IDENTIFY_BYTES])
{
	struct nvme_identify_args args = {
		.args_size = sizeof(args),
		.fd = fd_of(admin),
		.timeout = NVME_DEFAULT_IOCTL_TIMEOUT,
		.cns = (enum nvme_identify_cns)what,
		.nsid = nsid,
		.csi = NVME_CSI_NVM,
		.cns_specific_id = NVME_CNSSPECID_NONE,
		.cntid = NVME_CNTLID_NONE,
		.uuidx = NVME_UUID_NONE,
		.data = page,
	};

	return answer_of(nvme_identify(&args));
}

static int node_get_log(struct admin *admin, enum admin_log log, uint32_t nsid, void *data,
			uint32_t bytes)
{
	struct nvme_get_log_args args = {
		.args_size = sizeof(args),
		.fd = fd_of(admin),
		.timeout = NVME_DEFAULT_IOCTL_TIMEOUT,
		.lid = (enum nvme_cmd_get_log_lid)log,
		.nsid = nsid,
		.csi = NVME_CSI_NVM,
		.lsi = NVME_LOG_LSI_NONE,
		.uuidx = NVME_UUID_NONE,
		.rae = true, /* events stay for whoever waits for them */
		.log = data,
		.len = bytes,
	};

	return answer_of(nvme_get_log(&args));
}

static int node_get_feature(struct admin *admin, enum admin_feature feature, uint32_t nsid,
			    uint32_t *value)
{
	uint8_t data[256] = {0}; /* the table that comes with autonomous power */
	struct nvme_get_features_args args = {
		.args_size = sizeof(args),
		.fd = fd_of(admin),
		.timeout = NVME_DEFAULT_IOCTL_TIMEOUT,
		.fid = (uint8_t)feature,
		.nsid = nsid,
		.sel = NVME_GET_FEATURES_SEL_CURRENT,
		.uuidx = NVME_UUID_NONE,
		.data = feature == FEATURE_AUTONOMOUS_POWER ? data : NULL,
		.data_len = feature == FEATURE_AUTONOMOUS_POWER ? sizeof(data) : 0,
		.result = value,
	};

	return answer_of(nvme_get_features(&args));
}

/* A format takes as long as it takes; when the kernel loses patience it resets the controller. */
#define ERASE_TIMEOUT_MS (24U * 3600 * 1000)

static int submit(struct admin *admin, struct nvme_passthru_cmd *command)
{
	return answer_of(nvme_submit_admin_passthru(fd_of(admin), command, NULL));
}

static int node_format(struct admin *admin, uint32_t nsid, uint32_t dword10)
{
	struct nvme_passthru_cmd command = {
		.opcode = nvme_admin_format_nvm,
		.nsid = nsid,
		.cdw10 = dword10,
		.timeout_ms = ERASE_TIMEOUT_MS,
	};

	/* The last word: whatever went wrong before, other people's namespaces are not formatted. */
	if (nsid == 0 || nsid == ADMIN_NSID_ALL)
		return -EINVAL;
	return submit(admin, &command);
}

static int node_sanitize(struct admin *admin, uint32_t dword10)
{
	struct nvme_passthru_cmd command = {
		.opcode = nvme_admin_sanitize_nvm,
		.cdw10 = dword10,
		.timeout_ms = ERASE_TIMEOUT_MS,
	};

	return submit(admin, &command);
}

static void node_close(struct admin *admin)
{
	close(fd_of(admin));
	free(admin);
}

static const struct admin_ops node_ops = {
	.identify = node_identify,
	.get_log = node_get_log,
	.get_feature = node_get_feature,
	.format = node_format,
	.sanitize = node_sanitize,
	.close = node_close,
};

/* Is @fd the controller that sysfs calls @name? A node may be left from another one. */
static bool is_controller_node(int fd, const struct target_roots *roots, const char *name)
{
	char entry[PATH_MAX], dir[PATH_MAX];
	struct stat st;
	dev_t number;

	return !path_format(entry, "class/nvme/%s", name) &&
	       !sysfs_resolve(roots->sys, entry, dir) && !sysfs_device_number(dir, &number) &&
	       !fstat(fd, &st) && S_ISCHR(st.st_mode) && st.st_rdev == number;
}

int admin_open(struct admin **admin, const struct target_roots *roots, const char *name,
	       struct error *err)
{
	struct admin_node *node;
	char path[PATH_MAX];
	int fd, ret = sysfs_node_path(roots, name, path);

	if (ret)
		return error_set(err, ret, "%s: the path is too long", name);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return error_set(err, -errno, "%s: %s%s", path, strerror(errno),
				 errno == EACCES ? "; run as root" : "");
	if (!is_controller_node(fd, roots, name)) {
		close(fd);
		return error_set(err, -ENODEV, "%s: not the controller %s of sysfs", path, name);
	}
	node = calloc(1, sizeof(*node));
	if (!node) {
		close(fd);
		return error_set(err, -ENOMEM, "%s: out of memory", path);
	}
	*node = (struct admin_node){.admin.ops = &node_ops, .fd = fd};
	*admin = &node->admin;
	return 0;
}
