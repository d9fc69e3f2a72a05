#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""ssdbench-profile(5) names every key and word of the schema: profile_man.py SOURCE_DIR.

The unit test of phase_keys.c holds the schema to the parser's table, so the page follows the parser.
Its examples are valid, and it renders without a warning.
"""
import json
import pathlib
import re
import subprocess
import sys

import jsonschema


def headings(page):
    """The keys that have an entry of their own."""
    return set(re.findall(r"^\.It Cm (\S+)", page, re.MULTILINE))


def words(schema):
    """Every word of an enumeration."""
    if isinstance(schema, dict):
        found = {w for w in schema.get("enum", []) if isinstance(w, str)}
        return found.union(*(words(v) for v in schema.values()))
    if isinstance(schema, list):
        return set().union(*(words(v) for v in schema))
    return set()


def examples(page):
    """The JSON of the literal blocks: whole profiles and single phases."""
    for block in re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", page, re.MULTILINE | re.DOTALL):
        if block.startswith("{"):
            yield json.loads(block)


def as_profile(example):
    return example if "phases" in example else {"name": "x", "title": "x", "phases": [example]}


def main():
    source = pathlib.Path(sys.argv[1])
    path = source / "docs/man/ssdbench-profile.5"
    page = path.read_text()
    schema = json.loads((source / "docs/schema/profile.schema.json").read_text())
    keys = set(schema["properties"]) | set(schema["$defs"]["phase"]["properties"])
    failures = [f"no entry for the key {key}" for key in sorted(keys - headings(page))]
    failures += [f"an entry for {key}, which is no key" for key in sorted(headings(page) - keys)]
    failures += [f"the word {word} is missing" for word in sorted(words(schema))
                 if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", page)]

    validator = jsonschema.Draft202012Validator(schema)
    found = list(examples(page))
    failures += [] if len(found) >= 3 else ["examples were not found"]
    failures += [f"example: {e.message}" for example in found
                 for e in validator.iter_errors(as_profile(example))]

    lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(path)],
                          stdout=subprocess.PIPE, text=True, check=False)
    failures += lint.stdout.splitlines()
    print("\n".join(failures) or "the page agrees with the schema")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
