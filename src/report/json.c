// SPDX-License-Identifier: MIT
#include "json.h"

#include <errno.h>
#include <jansson.h>

#include "page.h"

int json_write(struct json_t *root, FILE *stream)
{
	struct page page;
	int rc;

	if (!root)
		return -ENOMEM;
	rc = page_open(&page);
	if (rc == 0) {
		if (json_dumpf(root, page.out, JSON_INDENT(2) | JSON_REAL_PRECISION(15)))
			rc = -ENOMEM;
		fputc('\n', page.out);
		rc = page_write(&page, stream, rc);
	}
	json_decref(root);
	return rc;
}
