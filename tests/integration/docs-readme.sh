#!/bin/bash
# SPDX-License-Identifier: MIT
# README.md lists the profiles that there are, and its plan without a drive can be printed.
. "$(dirname "$0")/lib.sh"
readme=$SSDBENCH_SOURCE_DIR/README.md

sed -nE 's/^\| \x60([a-z0-9-]+)\x60 \|.*/\1/p' "$readme" | sort >listed
"$SSDBENCH" list --format json >list.json
json list.json '"\n".join(sorted(profile["name"] for profile in doc["profiles"]))' >there
expect_equal "$(paste -sd ' ' there)" "$(paste -sd ' ' listed)" "profiles in README.md"

mapfile -t plans < <(grep -oE 'ssdbench plan --capacity [A-Za-z0-9. -]+' "$readme" | sort -u)
[[ ${#plans[@]} -gt 0 ]] || fail "README.md plans for no drive that is not there"
for plan in "${plans[@]}"; do
	read -r -a words <<<"${plan#ssdbench }"
	expect_status 0 "$SSDBENCH" "${words[@]}"
done
