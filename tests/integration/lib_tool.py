# SPDX-License-Identifier: MIT
"""What lib.sh asks Python for: JSON, read strictly, and whether io_uring is to be had.

    lib_tool.py value FILE EXPRESSION   the value of a Python expression over the document, "doc"
    lib_tool.py validate SCHEMA FILE    status 1, and the faults on stderr, if FILE is not valid
    lib_tool.py uring                   "ok", or the kernel's reason to refuse a ring
"""
import ctypes
import json
import math
import os
import re
import sys


def unique(pairs):
    """An object of JSON from its pairs; the json module would let the last of two equal keys win."""
    keys = [key for key, _ in pairs]
    twice = {key for key in keys if keys.count(key) > 1}
    if twice:
        raise ValueError(f"key given twice: {', '.join(sorted(twice))}")
    return dict(pairs)


def not_json(word):
    raise ValueError(f"{word} is not JSON")


def load(path):
    with open(path, "rb") as file:
        text = file.read().decode("utf-8")
    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=not_json)
    except ValueError as error:
        sys.exit(f"{path}: {error}")


def value(path, expression):
    names = {"doc": load(path), "math": math, "re": re}
    result = eval(f"({expression})", names)  # the expression is that of a test of ours
    print(result if isinstance(result, str) else json.dumps(result, ensure_ascii=False))


def validate(schema_path, path):
    import jsonschema

    schema = load(schema_path)
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    faults = sorted(validator(schema).iter_errors(load(path)), key=lambda fault: list(fault.path))
    for fault in faults[:10]:
        pointer = "".join(f"/{step}" for step in fault.absolute_path)
        print(f"{path}: {pointer or '/'}: {fault.message[:500]}", file=sys.stderr)
    sys.exit(1 if faults else 0)


def uring():
    libc = ctypes.CDLL(None, use_errno=True)
    io_uring_setup, entries, params = 425, 1, ctypes.create_string_buffer(120)
    fd = libc.syscall(io_uring_setup, entries, params)
    print("ok" if fd >= 0 else os.strerror(ctypes.get_errno()))


{"value": value, "validate": validate, "uring": uring}[sys.argv[1]](*sys.argv[2:])
