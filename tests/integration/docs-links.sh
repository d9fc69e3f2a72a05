#!/bin/bash
# SPDX-License-Identifier: MIT
# Every relative link of README.md and docs/*.md leads to a file, and to a heading where it names
# one; every path of the project that they or the code's comments name is there.
. "$(dirname "$0")/lib.sh"
cd "$SSDBENCH_SOURCE_DIR"
documents=(README.md docs/*.md)
faults=0
fault() { echo "$*" >&2; faults=$((faults + 1)); }

# The anchors that a forge makes of the headings of a Markdown file.
anchors() { # FILE
	sed -n 's/^##* *//p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

links=0
for document in "${documents[@]}"; do
	while read -r link; do
		links=$((links + 1))
		[[ $link != *://* ]] || continue
		file=${link%%#*}
		file=${file:+$(dirname "$document")/$file}
		file=${file:-$document}
		[[ -e $file ]] || { fault "$document: $link: no such file"; continue; }
		[[ $link = *#* ]] || continue
		anchors "$file" | grep -qxF -e "${link#*#}" || fault "$document: $link: no such heading"
	done < <(grep -oE '\]\([^)]+\)' "$document" | sed 's/^](//; s/)$//')
done
[[ $links -gt 0 ]] || fail "found no link at all"

# Paths that the documents name; NAME and test_X stand for what the reader fills in.
paths() { # FILE...
	local before='(^|[^A-Za-z0-9_./-])' rest='[A-Za-z0-9_.*/-]*[A-Za-z0-9*]'
	grep -ohE "$before(\.ci|cmake|docs|include|profiles|scripts|src|tests)/$rest" "$@" |
		sed -E 's,^[^A-Za-z0-9.]*,,' | grep -vE 'NAME|test_X' | sort -u
}
mapfile -t named < <(paths "${documents[@]}")
[[ ${#named[@]} -gt 10 ]] || fail "found next to no path"
for path in "${named[@]}"; do
	compgen -G "$path" >/dev/null ||
		fault "$(grep -lF -e "$path" "${documents[@]}" | paste -sd ' '): $path is not there"
done

# Documents that comments refer to.
while IFS=: read -r file document; do
	[[ -e $document ]] || fault "$file: $document is not there"
done < <(grep -roE 'docs/[A-Za-z0-9_/.-]+\.(md|json|[15])\>' include src scripts cmake tests)

[[ $faults = 0 ]] || fail "$faults faults, above"
