/* SPDX-License-Identifier: MIT */
/* What sysfs tells of a controller's PCI device. */
#ifndef SSDBENCH_TARGET_LINK_H
#define SSDBENCH_TARGET_LINK_H

#include "ssdbench/target.h"

/* Read the link of the controller whose sysfs directory is @controller; 0 where sysfs does not tell. */
void link_read(struct pcie_link *link, const char *controller);

/*
 * Set link->slow and link->narrow: below what the drive can do. @dual_port: half of the lanes is all
 * that each port of a dual-port drive has, though the drive says that it could use them all.
 */
void link_judge(struct pcie_link *link, bool dual_port);

/*
 * The controller's smallest memory page, which is the unit of MDTS, from its register CAP (offset 0,
 * MPSMIN in bits 51:48; base specification 2.0, figure 36). 0: the kernel does not let us look.
 */
uint32_t controller_page_bytes(const char *controller);

#endif
