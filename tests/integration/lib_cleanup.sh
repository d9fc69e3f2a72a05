#!/bin/bash
# SPDX-License-Identifier: MIT
# lib_cleanup.sh DIR [PID] - undo what a test left: run the commands of DIR.cleanup, the last one
# first, and remove DIR. With a PID, wait for the end of that process before. The second of two runs
# finds nothing to do.
[[ -z ${2-} ]] || tail --pid="$2" -s 0.5 -f /dev/null
[[ -e $1.cleanup ]] || exit 0
cd /
tac "$1.cleanup" >"$1.cleaning"
rm "$1.cleanup"
# shellcheck source=/dev/null
. "$1.cleaning"
rm -rf --one-file-system "$1" "$1.cleaning"
