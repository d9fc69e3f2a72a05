#!/bin/bash
# SPDX-License-Identifier: MIT
# cmake --install puts the program and its man pages where they are looked for; the installed
# program needs nothing of the source or build tree.
. "$(dirname "$0")/lib.sh"
need_command cmake

build=$(dirname "$SSDBENCH")
while [[ ! -e $build/CMakeCache.txt ]]; do
	[[ $build != / ]] || skip "$SSDBENCH is not in a build tree"
	build=$(dirname "$build")
done

expect_status 0 cmake --install "$build" --prefix "$PWD/prefix"
installed=$PWD/prefix/bin/ssdbench
for page in man1/ssdbench.1 man5/ssdbench-profile.5 man5/ssdbench-result.5; do
	[[ -s prefix/share/man/$page ]] || fail "$page is not installed"
done

expect_equal "$("$SSDBENCH" --version)" "$("$installed" --version)" "version"
mkdir elsewhere && cd elsewhere
for profile in $("$SSDBENCH" list --format json | grep -oP '"name": "\K[^"]+'); do
	expect_status 0 env -i "$installed" show "$profile"
	[[ -s stdout ]] || fail "the installed program shows nothing for $profile"
done
