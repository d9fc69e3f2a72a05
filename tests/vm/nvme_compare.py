#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`ssdbench drives` and nvme-cli say the same of the same drives: nvme_compare.py DIRECTORY.

DIRECTORY holds drives.json and, of each controller, what nvme id-ctrl, id-ns and smart-log print as JSON.
nvme-cli prints a counter as a number or as a string, by its version.
"""
import json
import pathlib
import sys


def kelvin(celsius):
    return 0 if celsius is None else celsius + 273


def controller_pairs(drive, told):
    ours = drive["nvme"]["controller"]
    yield "vid", ours["vendor_id"], told["vid"]
    yield "ssvid", ours["subsystem_vendor_id"], told["ssvid"]
    yield "sn", drive["serial"], told["sn"].rstrip()
    yield "mn", drive["model"], told["mn"].rstrip()
    yield "fr", drive["firmware"], told["fr"].rstrip()
    yield "cntlid", ours["controller_id"], told["cntlid"]
    yield "mdts", ours["max_transfer_bytes"], 4096 << told["mdts"]
    yield "oacs", ours["oacs"], told["oacs"]
    yield "oncs", ours["oncs"], told["oncs"]
    yield "sanicap", ours["sanicap"], told["sanicap"]
    yield "fna", ours["fna"], told["fna"]
    yield "wctemp", kelvin(ours["warning_temperature_c"]), told["wctemp"]
    yield "cctemp", kelvin(ours["critical_temperature_c"]), told["cctemp"]
    yield "npss", len(ours["power_states"]) - 1, told["npss"]
    yield "subnqn", ours["nqn"], told["subnqn"]


def namespace_pairs(drive, told):
    ours = drive["nvme"]["namespace"]
    yield "nsze", ours["size_blocks"], told["nsze"]
    yield "ncap", ours["capacity_blocks"], told["ncap"]
    yield "nuse", ours["use_blocks"], told["nuse"]
    yield "flbas", ours["format_index"], told["flbas"] & 0xf
    yield "dlfeat", ours["dlfeat"], told["dlfeat"]
    yield "nlbaf", len(ours["formats"]), len(told["lbafs"])
    yield "lbafs", [f["data_bytes"] for f in ours["formats"]], [1 << f["ds"] for f in told["lbafs"]]
    yield "ms", [f["metadata_bytes"] for f in ours["formats"]], [f["ms"] for f in told["lbafs"]]


def health_pairs(drive, told):
    ours = drive["health"]
    yield "temperature", kelvin(ours["temperature_c"]), told["temperature"]
    yield "critical_warning", ours["critical_warning"], told["critical_warning"]
    yield "avail_spare", ours["spare_percent"], told["avail_spare"]
    yield "percent_used", ours["used_percent"], told["percent_used"]
    for key, their_key in (("data_units_written", "data_units_written"), ("host_writes", "host_write_commands"),
                           ("power_cycles", "power_cycles"), ("unsafe_shutdowns", "unsafe_shutdowns"),
                           ("media_errors", "media_errors")):
        yield key, ours[key], int(float(told[their_key]))


def main():
    directory = pathlib.Path(sys.argv[1])
    drives = json.loads((directory / "drives.json").read_text())["drives"]
    failures = []
    compared = 0
    for path in sorted(directory.glob("id-ctrl-*.json")):
        number = path.stem.rsplit("-", 1)[1]
        # One disk of each controller is named after it here: no multipath.
        found = [d for d in drives if d["disk"] == f"nvme{number}n1"]
        pairs = []
        pairs += controller_pairs(found[0], json.loads(path.read_text()))
        pairs += namespace_pairs(found[0], json.loads((directory / f"id-ns-{number}.json").read_text()))
        pairs += health_pairs(found[0], json.loads((directory / f"smart-{number}.json").read_text()))
        compared += len(pairs)
        failures += [f"nvme{number} {key}: {ours}, nvme-cli has {theirs}"
                     for key, ours, theirs in pairs if ours != theirs]
    print("\n".join(failures) or f"{compared} figures agree")
    return 1 if failures or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
