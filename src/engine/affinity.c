// SPDX-License-Identifier: MIT
#include "affinity.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

/* The kernel's own limit is NR_CPUS, at most 8192 on x86-64; masks may be longer. */
#define CPUS_MAX 65536U

int affinity_pin(unsigned int cpu, struct error *err)
{
	const size_t size = CPU_ALLOC_SIZE(cpu + 1);
	cpu_set_t *set = CPU_ALLOC(cpu + 1);
	int rc = 0;

	if (!set)
		return error_set(err, -ENOMEM, "no memory for a CPU mask");
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	if (sched_setaffinity(0, size, set) < 0)
		rc = error_set(err, -errno, "cannot run a worker on CPU %u: %s", cpu,
			       strerror(errno));
	CPU_FREE(set);
	return rc;
}

int affinity_check(const unsigned int *cpus, size_t nr, struct error *err)
{
	const size_t size = CPU_ALLOC_SIZE(CPUS_MAX);
	cpu_set_t *set = CPU_ALLOC(CPUS_MAX);
	char missing[256] = "";
	size_t used = 0;
	int rc = 0;

	if (!set)
		return error_set(err, -ENOMEM, "no memory for a CPU mask");
	CPU_ZERO_S(size, set);
	if (sched_getaffinity(0, size, set) < 0) {
		rc = error_set(err, -errno, "cannot read the allowed CPUs: %s", strerror(errno));
		goto out;
	}
	for (size_t i = 0; i < nr; i++) {
		if ((cpus[i] < CPUS_MAX && CPU_ISSET_S(cpus[i], size, set)) ||
		    used >= sizeof(missing))
			continue;
		used += (size_t)snprintf(missing + used, sizeof(missing) - used, "%s%u",
					 used ? "," : "", cpus[i]);
	}
	if (used)
		rc = error_usage(err,
				 "CPUs %s are not among those this process may run on "
				 "(%d allowed, see taskset -p or the container's cpuset)",
				 missing, CPU_COUNT_S(size, set));
out:
	CPU_FREE(set);
	return rc;
}

unsigned int affinity_count(void)
{
	const size_t size = CPU_ALLOC_SIZE(CPUS_MAX);
	cpu_set_t *set = CPU_ALLOC(CPUS_MAX);
	int count = 0;

	if (set) {
		CPU_ZERO_S(size, set);
		count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
	}
	CPU_FREE(set);
	return (unsigned int)count;
}
