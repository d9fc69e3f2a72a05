/* SPDX-License-Identifier: MIT */
/* Shared by the table's rows and the document's steps, so that both show the same figures. */
#ifndef SSDBENCH_RESULT_ROW_H
#define SSDBENCH_RESULT_ROW_H

#include "ssdbench/result.h"

/* Does @outcome hold figures of @drive (ROW_TOTAL: of any drive)? */
bool outcome_has_figures(const struct step_outcome *outcome, uint32_t drive);

/* Length of the window that the figures of @drive count; of ROW_TOTAL, the longest of all. */
uint64_t outcome_counted_ns(const struct step_outcome *outcome, uint32_t drive);

/* The totals of one direction of @drive, or of all drives that ran for ROW_TOTAL. */
void outcome_totals(struct io_totals *totals, const struct step_outcome *outcome, uint32_t drive,
		    enum direction dir);

/* Failed I/Os of @drive, or of all drives for ROW_TOTAL. */
uint64_t outcome_errors(const struct step_outcome *outcome, uint32_t drive);

/* Sets row->flag: those of one drive, or for ROW_TOTAL each that any drive has, its drive named. */
void row_flags_build(struct row *row, const struct step_outcome *outcome, uint32_t drive);

#endif
