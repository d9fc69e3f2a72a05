#!/bin/bash
# SPDX-License-Identifier: MIT
# The man pages are correct mdoc and render.
. "$(dirname "$0")/lib.sh"
need_command mandoc
pages=(ssdbench.1 ssdbench-profile.5 ssdbench-result.5)

for page in "${pages[@]}"; do
	source=$SSDBENCH_SOURCE_DIR/docs/man/$page
	# By convention examples stand near the end, but they are what most readers come for.
	mandoc -T lint -W warning "$source" >warnings || :
	sed -i '/WARNING: sections out of conventional order: /d' warnings
	expect_empty warnings
	expect_status 0 mandoc -T utf8 "$source"
	name=${page%.*} section=${page##*.}
	expect_line stdout "^${name^^}\($section\) "
	sed -i 's/.\x08//g' stdout # no bold, no underline
	for heading in NAME DESCRIPTION 'SEE ALSO'; do
		expect_line stdout "^$heading$"
	done
	# Examples come before anything that is only looked up.
	first=$(grep -E '^[A-Z]' stdout | grep -vE '\(|^(NAME|SYNOPSIS|DESCRIPTION)$' | head -n 1)
	[[ $first = EXAMPLE* ]] || fail "$page: the first section after the description is $first"
	expect_no_line stdout '.{120}'
done
