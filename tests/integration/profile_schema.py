#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Validate profiles with an independent validator: profile_schema.py SOURCE_DIR PROFILE_TEXT.

The schema itself, each shipped profile, what profile_text prints of it, and the invalid profiles of
the unit tests, of which the schema must refuse those that no parameter or sum is needed to refuse.
"""
import json
import pathlib
import subprocess
import sys

import jsonschema

# What JSON Schema cannot say: sums, units that divide, names, uses of parameters.
BEYOND_SCHEMA = {
    "bs-odd", "bs-too-large", "bs-too-small", "bs-twice", "map-granule-and-blockalign", "map-granule-and-sizes", "map-of-sequential",
    "map-region-below-granule", "nothing-enabled",
    "offset-all", "offset-and-size", "order-apart", "parameter-inside-array", "parameter-of-none",
    "parameter-of-parameter", "parameter-unknown", "parameter-unused", "parameter-value-wrong",
    "phase-names-twice", "rows-in-all", "rows-in-one-phase", "runtime-too-long", "runtime-zero",
    "rwmixread-without-mix", "share-of-three-decimals", "share-size-twice", "shares-above-100",
    "shares-below-100", "size-above-drive", "size-zero",
}


def refuses(validator, path):
    """True: not JSON, or not valid; the parser's --set cases are none of the schema's business."""
    try:
        return not validator.is_valid(json.loads(path.read_text()))
    except ValueError:
        return True


def main():
    source, profile_text = pathlib.Path(sys.argv[1]), sys.argv[2]
    schema = json.loads((source / "docs/schema/profile.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []

    for path in sorted((source / "profiles").glob("*.json")):
        printed = subprocess.run([profile_text, path.stem], check=True, stdout=subprocess.PIPE)
        for name, text in ((path.name, path.read_text()), ("text of " + path.stem, printed.stdout)):
            failures += [f"{name}: {e.json_path}: {e.message}"
                         for e in validator.iter_errors(json.loads(text))]

    for folder in sorted((source / "tests/unit/profile-invalid").iterdir()):
        if (folder / "set.txt").exists():
            continue
        if refuses(validator, folder / "input.json") == (folder.name in BEYOND_SCHEMA):
            failures.append(f"{folder.name}: the schema and BEYOND_SCHEMA disagree")

    print("\n".join(failures) or "profiles and schema agree")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
