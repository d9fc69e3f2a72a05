#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Memory, start-up CPU and time to the first I/O of ssdbench, beside their bounds.

    footprint.py [--quick] [--check]

Each figure is that of the whole process. With --check the status is 1 where a bound is missed;
--quick leaves out what takes gigabytes. docs/performance.md explains the rows and keeps results.
"""
import argparse
import datetime
import json
import os
import statistics
import sys

import devices
import process
from contenders import profile, ssdbench_run

MIB = 1 << 20
TRIES = 5


class Report:
    """Prints figures as they come, and remembers whether a bound was missed."""

    def __init__(self):
        self.missed = False

    def line(self, what, value, unit, bound=None):
        verdict = ""
        if bound is not None:
            self.missed |= value > bound
            verdict = f"<= {bound} " + ("ok" if value <= bound else "MISSED")
        print(f"{what:58} {value:8.2f} {unit:4} {verdict}", flush=True)


def first_io_ms(cost):
    """From before the program was loaded to the tick at which its workers begin."""
    begin = json.loads(cost.output)["steps"][0]["window"]["started_at"].replace("Z", "+00:00")
    return (datetime.datetime.fromisoformat(begin).timestamp() - cost.started) * 1e3


def once(report, folder, cpu):
    """A pass over each block of a large drive needs no map of it: it begins at once, and takes the
    memory of random writes with replacement. The pass would take half an hour: interrupted."""
    def costs(name, phase):
        path = profile(folder, name, {"bs": "4KiB", "iodepth": 32, **phase})
        words = [path, "null:245.76TB"]
        return [process.run(ssdbench_run(folder, *words), cpu, interrupt_s=0.5)
                for _ in range(TRIES)]

    with_map = costs("once", {"kind": "random-fill"})
    without = costs("any", {"kind": "measure", "rw": "randwrite", "runtime": "1h"})
    extra = [(a.peak_bytes - b.peak_bytes) / MIB for a, b in zip(with_map, without)]
    report.line("once over 245.76 TB: memory above that of any order", max(extra), "MiB", 1)
    report.line("once over 245.76 TB: memory of the process",
                max(c.peak_bytes for c in with_map) / MIB, "MiB")
    report.line("once over 245.76 TB: start of the process to first I/O",
                statistics.median(map(first_io_ms, with_map)), "ms", 50)


def start(report, folder, cpu):
    path = profile(folder, "start", {"kind": "measure", "rw": "randread", "bs": "4KiB",
                                     "iodepth": 32, "runtime": "1ms"})
    costs = [process.run(ssdbench_run(folder, path, "null:1TB"), cpu) for _ in range(TRIES)]
    report.line("a step of 1 ms: CPU time of the process",
                statistics.median(c.cpu_ns for c in costs) / 1e6, "ms", 50)


def object_storage(report, folder, cpu, quick):
    """The profile's own rows, 1 job x 40 and 4 x 10, on a sparse file in memory with O_DIRECT."""
    file = devices.tmpfs(folder, size=0)
    os.truncate(file, 8 << 30)
    common = ["object-storage", file, "--destroy", file, "--runtime", "1s", "--idle", "0",
              "--size", "4GiB", "--assume-filled"]

    def peak(*words):
        return process.run(ssdbench_run(folder, *common, *words), cpu).peak_bytes / MIB

    report.line("object-storage, reads: memory of the process", peak("--only", "read"), "MiB", 256)
    if quick:
        return
    writes = ["--only", "write", "--set", "writes=true"]
    report.line("object-storage, writes: memory of the process", peak(*writes), "MiB")
    report.line("object-storage, writes with --memory 192MiB",
                peak(*writes, "--memory", "192MiB"), "MiB", 256)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--cpu", type=int, default=process.last_cpu(), help="which to run on")
    given = parser.parse_args()
    report, folder = Report(), devices.directory()
    start(report, folder, given.cpu)
    once(report, folder, given.cpu)
    try:
        object_storage(report, folder, given.cpu, given.quick)
    except devices.Missing as reason:
        print(f"SKIP: object-storage: {reason}")
    return 1 if given.check and report.missed else 0


sys.exit(main())
