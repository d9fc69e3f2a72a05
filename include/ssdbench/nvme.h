/* SPDX-License-Identifier: MIT */
/*
 * What an NVMe drive tells of itself: identify data, and its health. Numbers are the drive's own, in
 * the unit that the name says; section and figure numbers are of the NVMe base specification 2.0.
 */
#ifndef SSDBENCH_NVME_H
#define SSDBENCH_NVME_H

#include <stdbool.h>
#include <stdint.h>

/* Of a temperature in degrees Celsius. A drive says 0 kelvin for one that it does not measure. */
#define TEMPERATURE_UNKNOWN INT32_MIN

struct nvme_lba_format {
	uint32_t data_bytes;     /* 0: this format is not available */
	uint32_t metadata_bytes; /* per logical block */
	uint8_t performance;     /* RP: 0 best, 1 better, 2 good, 3 degraded */
};

struct nvme_power_state {
	uint32_t max_power_uw100; /* units of 100 microwatts; 0: not told */
	bool operational;         /* I/O is served in it */
	uint32_t entry_latency_us, exit_latency_us;
};

#define NVME_POWER_STATES_MAX 32
#define NVME_FORMATS_MAX      64

/* Bits of OACS, ONCS, SANICAP, FNA and CMIC that are used here (section 5.17.2.1, figure 275). */
#define NVME_OACS_FORMAT            (1U << 1)
#define NVME_OACS_NAMESPACES        (1U << 3)
#define NVME_ONCS_DEALLOCATE        (1U << 2)
#define NVME_SANICAP_CRYPTO         (1U << 0)
#define NVME_SANICAP_BLOCK          (1U << 1)
#define NVME_SANICAP_OVERWRITE      (1U << 2)
#define NVME_FNA_FORMAT_REACHES_ALL (1U << 0)
#define NVME_FNA_ERASE_REACHES_ALL  (1U << 1)
#define NVME_FNA_CRYPTO             (1U << 2)
#define NVME_CMIC_PORTS             (1U << 0)

/* Identify Controller. */
struct nvme_controller {
	char serial[20], model[40],
		firmware[8]; /* as they are: padded, any byte, no NUL at the end */
	char nqn[257];       /* up to its NUL */
	uint16_t vendor_id, subsystem_vendor_id, controller_id;
	uint32_t version; /* 0x010400 is 1.4.0 */
	uint8_t cmic, mdts, fna;
	uint16_t oacs, oncs;
	uint32_t sanicap;
	uint32_t nr_namespaces; /* NN: the largest NSID that there can be */
	bool write_cache;       /* VWC: there is a volatile one */
	bool apst;              /* can change power states by itself */
	int32_t warning_temperature_c, critical_temperature_c;
	unsigned __int128 total_capacity_bytes, unallocated_capacity_bytes; /* 0: not told */
	struct nvme_power_state power_state[NVME_POWER_STATES_MAX];
	uint32_t nr_power_states;
};

/* Identify Namespace (NVM command set specification 1.0, figure 97). */
struct nvme_namespace {
	uint64_t size_blocks, capacity_blocks, use_blocks;
	unsigned __int128 capacity_bytes; /* NVMCAP; 0: not told */
	struct nvme_lba_format format[NVME_FORMATS_MAX];
	uint32_t nr_formats, format_in_use;
	bool metadata_extended; /* metadata follows the data of each block, not in a buffer apart */
	uint8_t protection;     /* DPS: 0 none, else the type of end-to-end protection */
	uint8_t dlfeat;
	bool write_protected;
	/* In logical blocks; 0: not told. */
	uint32_t preferred_write_blocks, optimal_write_blocks, preferred_deallocate_blocks;
	uint8_t nguid[16], eui64[8]; /* all zero: none */
};

/* How the drive answers reads of deallocated blocks: DLFEAT bits 2:0. */
#define NVME_DLFEAT_READS        0x7U
#define NVME_DLFEAT_WRITE_ZEROES (1U << 3) /* Write Zeroes can deallocate */

struct nvme_facts {
	bool has_controller, has_namespace; /* false: the part below is all zero, a gap says why */
	struct nvme_controller controller;
	struct nvme_namespace ns;
	char *nqn;                   /* NULL: none; owned */
	uint64_t max_transfer_bytes; /* by MDTS; 0: no limit, or unknown */
	uint32_t min_page_bytes; /* by CAP.MPSMIN, the unit of MDTS; 0: unread, 4096 is assumed */
	/* Features: -1 where unknown. */
	int write_cache_on, apst_on, power_state_now;
};

/* A health reading: SMART / Health Information (log 02h, figure 207) and, where the drive has it, OCP's
 * extended one (log C0h, Datacenter NVMe SSD Specification 2.0, section 4.8.4). */
struct drive_health {
	uint64_t realtime_ns; /* when it was taken */
	int32_t temperature_c;
	int32_t sensor_c[8];
	uint8_t critical_warning; /* bits, NVME_WARNING_... */
	uint8_t spare_percent, spare_threshold_percent;
	uint8_t used_percent; /* of the rated life; may pass 100, ends at 255 */
	unsigned __int128 data_units_read, data_units_written; /* of NVME_DATA_UNIT bytes */
	unsigned __int128 host_reads, host_writes;             /* commands */
	unsigned __int128 busy_minutes, power_cycles, power_on_hours, unsafe_shutdowns;
	unsigned __int128 media_errors, error_log_entries;
	uint32_t warning_temperature_minutes, critical_temperature_minutes;
	/* Host-controlled thermal management: light (1) and heavy (2) throttling. */
	uint32_t thermal_transitions[2], thermal_seconds[2];
	bool has_ocp; /* the rest is told */
	unsigned __int128 physical_written_bytes, physical_read_bytes;
	uint8_t throttling_status; /* 0: not throttled, 1 to 3: first to third level */
	uint8_t throttling_events; /* counts up to 255 */
	uint32_t incomplete_shutdowns;
	uint64_t pcie_correctable_errors, pcie_link_retrainings;
	uint8_t free_blocks_percent;
};

#define NVME_DATA_UNIT 512000U

#define NVME_WARNING_SPARE       (1U << 0)
#define NVME_WARNING_TEMPERATURE (1U << 1)
#define NVME_WARNING_RELIABILITY (1U << 2)
#define NVME_WARNING_READ_ONLY   (1U << 3)
#define NVME_WARNING_BACKUP      (1U << 4)
#define NVME_WARNING_PMR         (1U << 5)

#endif
