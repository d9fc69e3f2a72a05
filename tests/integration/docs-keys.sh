#!/bin/bash
# SPDX-License-Identifier: MIT
# Every key and every word of the schemas of profiles and results is in the man page of each, and
# the pages describe no others.
. "$(dirname "$0")/lib.sh"
need_python

# Writes the files keys and words: the names of all properties of a schema, however deep, and the
# words that its enumerations allow. Percentiles such as "99.9" are data, not keys.
read_schema() { # FILE
	"$PYTHON" - "$1" <<'END'
import json
import sys

keys, words = set(), set()


def walk(node):
    if isinstance(node, dict):
        for name, value in node.items():
            if name == "properties":
                keys.update(value)
                value = list(value.values())
            elif name in ("enum", "const"):
                words.update(w for w in ([value] if name == "const" else value) if isinstance(w, str))
            walk(value)
    elif isinstance(node, list):
        for item in node:
            walk(item)


def save(path, names):
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(f"{name}\n" for name in sorted(names))


with open(sys.argv[1], encoding="utf-8") as file:
    walk(json.load(file))
save("keys", {key for key in keys if not key[0].isdigit()})
save("words", words)
END
}

# Keys stand in the pages as arguments of the macro Cm: in items, or in the words of another key's.
page_keys() { # PAGE ITEM: a pattern of what stands before the macro
	grep -oE "^\.$2Cm .*" "$1" | sed -E 's/^\.(It )?Cm //; s/ Pq .*//' | tr ' ' '\n' |
		grep -xE '[a-z][a-z0-9_]*' | sort -u
}

for kind in profile result; do
	page=$SSDBENCH_SOURCE_DIR/docs/man/ssdbench-$kind.5
	read_schema "$SSDBENCH_SOURCE_DIR/docs/schema/$kind.schema.json"
	[[ $(wc -l <keys) -gt 10 ]] || fail "the schema of a $kind has next to no key"

	page_keys "$page" '(It )?' >named
	expect_none "keys that ssdbench-$kind(5) lacks" "$(comm -23 keys named)"
	page_keys "$page" 'It ' >described
	sort -u keys words >known
	expect_none "keys of ssdbench-$kind(5) that the schema lacks" "$(comm -13 known described)"
	while read -r word; do
		grep -qwF -e "$word" "$page" || fail "ssdbench-$kind(5) lacks the word $word"
	done <words
done
