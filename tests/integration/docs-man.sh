#!/bin/bash
# SPDX-License-Identifier: MIT
# ssdbench(1) describes every command, every option where its command's section or that of several
# commands has it, and every exit status; it describes no option that is not there. The documents
# use no other option of ssdbench either.
. "$(dirname "$0")/lib.sh"
page=$SSDBENCH_SOURCE_DIR/docs/man/ssdbench.1

help_options() { # [COMMAND]
	"$SSDBENCH" "$@" --help | grep -oE '^ +(-., )?--[a-z_-]+[^ ]*(, --[a-z_-]+[^ ]*)*' |
		grep -oE -e '--[a-z_-]+' | sort -u
}

# The items ".It Fl q , Fl -quiet" of the sections whose heading names the word. Headings of
# sections that hold for all name "every command".
page_options() { # WORD
	awk -v word="$1" '
		/^\.S[hs] / { inside = $0 ~ "[ ,]" word "(,|$| )" || index($0, "every command") }
		/^\.It / && inside' "$page" | grep -oE ' -[a-z_-]+' | sed 's/^ /-/' | sort -u
}

mapfile -t commands < <("$SSDBENCH" --help | grep -oE '^  [a-z]+' | tr -d ' ')
[[ ${#commands[@]} -ge 6 ]] || fail "ssdbench --help names ${#commands[@]} commands"

: >every
for command in "${commands[@]}"; do
	expect_status 0 "$SSDBENCH" "$command" --help
	expect_line "$page" "^\.Ss .*\b$command\b"
	help_options "$command" >want
	[[ -s want ]] || fail "ssdbench $command --help shows no option"
	page_options "$command" >got
	expect_none "options of $command that the page lacks" "$(comm -23 want got)"
	expect_none "options of $command on the page that are not there" "$(comm -13 want got)"
	cat want >>every
done
printf '%s\n' --help --version >>every
sort -u -o every every

for document in README.md docs/method.md docs/architecture.md; do
	grep -oE 'ssdbench [^`#]*' "$SSDBENCH_SOURCE_DIR/$document" | grep -oE -e ' --[a-z_-]+' |
		tr -d ' ' | sort -u >used || :
	expect_none "options in $document that are not there" "$(comm -23 used every)"
done

awk '/^\.Sh / { inside = $0 == ".Sh EXIT STATUS" } /^\.It / && inside' "$page" >statuses
for status in 0 1 2 3 4 5 129 130 143; do
	expect_line statuses "[ ,]$status( |$)"
done
