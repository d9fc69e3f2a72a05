#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""ssdbench-result(5) names every key and word of the schema: result_man.py SOURCE_DIR.

The unit tests hold what is written to the schema, so the page follows the code. It renders without a
warning.
"""
import json
import pathlib
import re
import subprocess
import sys


def objects(schema):
    """Every part of the schema that describes an object or an enumeration."""
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from objects(value)


def names(schema):
    """Keys that the page explains one by one; percentiles are a list of numbers there."""
    keys, words, percentiles = set(), set(), set()
    for part in objects(schema):
        if isinstance(part.get("properties"), dict):
            found = set(part["properties"])
            numbers = {key for key in found if re.fullmatch(r"[0-9.]+", key)}
            percentiles |= numbers
            keys |= found - numbers
        words |= {word for word in part.get("enum", []) if isinstance(word, str)}
        if isinstance(part.get("const"), list):
            words |= set(part["const"])
    return keys, words | percentiles


def main():
    source = pathlib.Path(sys.argv[1])
    path = source / "docs/man/ssdbench-result.5"
    page = path.read_text()
    keys, words = names(json.loads((source / "docs/schema/result.schema.json").read_text()))
    entries = set(re.findall(r"^\.It Cm (\S+)", page, re.MULTILINE))
    failures = [f"no entry for the key {key}" for key in sorted(keys - entries)]
    failures += [f"an entry for {entry}, which is no key" for entry in sorted(entries - keys - words)]
    failures += [f"the word {word} is missing" for word in sorted(words)
                 if not re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w-])", page)]
    lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(path)],
                          stdout=subprocess.PIPE, text=True, check=False)
    failures += lint.stdout.splitlines()
    print("\n".join(failures) or "the page agrees with the schema")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
