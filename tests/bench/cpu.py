#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPU time per I/O of ssdbench and of fio, in the same run on the same CPU.

    cpu.py [--list] [--quick] [--check] [--rounds N] [--seconds S] [--json FILE] [ROW...]

For each row every program runs once a round, in an order that turns from round to round. What is
compared are user and system time of the whole process, less those of a run that does next to
nothing, per I/O; the ratio to each other program is taken within a round. Other work on the machine
slows both alike, so ratios stay where times do not.

A ROW is a name, or its first words: zram-32 is zram-32-libaio too. With --check the status is 1 where the median ratio
is above its bound. --quick does a little of everything, to see that it works. docs/performance.md
explains the rows and keeps results.
"""
import argparse
import dataclasses
import json
import statistics
import sys

import devices
import process
from contenders import Contender, engine_step, fio, ssdbench


@dataclasses.dataclass
class Row:
    name: str
    device: object  # a function of devices.py
    depth: int
    ours: Contender
    others: list  # (Contender, bound of ours / theirs or None)


def rows(folder):
    """All of them. Bounds are those that this version must keep."""
    buffered = {"direct": False}
    result = [
        Row("null-32", devices.null, 32, ssdbench(folder),
            [(fio("null"), None), (fio("null", tuned=True), None)]),
        # Offsets over 245.76 TB and 32 sizes, against one size over 100 GiB.
        Row("null-32-mix", devices.null, 32, ssdbench(folder, sizes=32),
            [(fio("null"), 1 / 12), (fio("null", random_map=True), 1 / 12)]),
    ]
    for depth in (32, 128):
        result += [
            Row(f"page-cache-{depth}", devices.page_cache, depth, engine_step("io_uring"),
                [(fio("io_uring", **buffered), 0.58),
                 (fio("io_uring", tuned=True, **buffered), None)]),
            Row(f"zram-{depth}", devices.zram, depth, ssdbench(folder, "io_uring"),
                [(fio("io_uring"), 0.58), (fio("io_uring", tuned=True), None)]),
            Row(f"zram-{depth}-libaio", devices.zram, depth, ssdbench(folder, "libaio"),
                [(fio("libaio"), None), (fio("libaio", tuned=True), None)]),
        ]
    return result + [
        Row("tmpfs-32", devices.tmpfs, 32, ssdbench(folder, "io_uring"),
            [(fio("io_uring"), None), (fio("io_uring", tuned=True), None)]),
        Row("loop-32", devices.loop, 32, ssdbench(folder, "io_uring"),
            [(fio("io_uring"), None), (fio("io_uring", tuned=True), None)]),
        Row("page-cache-1", devices.page_cache, 1, engine_step(), [(fio("psync", **buffered), None)]),
        Row("zram-1", devices.zram, 1, ssdbench(folder), [(fio("psync"), None)]),
    ]


def cost_per_io(contender, target, depth, seconds, start_ns, cpu):
    cost = process.run(contender.command(target, depth, seconds), cpu)
    ios = contender.ios(cost.output)
    if ios < 1:
        raise SystemExit(f"{contender.name}: no I/O")
    return (cost.cpu_ns - start_ns) / ios


def measure(row, target, rounds, seconds, cpu):
    """ns per I/O of each contender by name, a list with one entry a round."""
    contenders = [row.ours] + [other for other, _ in row.others]
    start = {c.name: process.run(c.command(target, row.depth, None), cpu).cpu_ns
             for c in contenders}
    times = {c.name: [] for c in contenders}
    for turn in range(rounds):
        first = turn % len(contenders)
        for c in contenders[first:] + contenders[:first]:
            times[c.name].append(
                cost_per_io(c, target, row.depth, seconds, start[c.name], cpu))
    return times, start


def report(row, times, start):
    """Print a row; returns it as a dictionary."""
    ours = times[row.ours.name]
    answer = {"row": row.name, "depth": row.depth, "contenders": []}
    for contender, bound in [(row.ours, None), *row.others]:
        ratios = [a / b for a, b in zip(ours, times[contender.name])]
        spread = [min(ratios), statistics.median(ratios), max(ratios)]
        line = (f"{row.name:19} {contender.name:25} {statistics.median(times[contender.name]):9.1f}"
                f" {start[contender.name] / 1e6:6.0f}")
        if contender is not row.ours:
            line += "   %6.3f %6.3f %6.3f" % tuple(spread)
        if bound:
            line += f"   <= {bound:.3f} " + ("ok" if spread[1] <= bound else "MISSED")
        print(line, flush=True)
        answer["contenders"].append({
            "name": contender.name, "cpu_ns_per_io": times[contender.name],
            "start_cpu_ns": start[contender.name], "ratios": ratios, "bound": bound,
            "missed": bool(bound and spread[1] > bound),
        })
    return answer


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("row", nargs="*")
    parser.add_argument("--list", action="store_true", help="name the rows and end")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3, help="length of each run")
    parser.add_argument("--cpu", type=int, default=process.last_cpu(), help="which to run on")
    parser.add_argument("--json", help="write all figures to this file")
    given = parser.parse_args()
    if given.quick:
        given.rounds, given.seconds = 2, 1
    return given


def chosen(all_rows, words):
    def is_one(row, word):
        return f"{row.name}-".startswith(f"{word}-")

    unknown = [w for w in words if not any(is_one(row, w) for row in all_rows)]
    if unknown:
        raise SystemExit(f"no row is called {unknown[0]}; --list names them")
    return [row for row in all_rows if not words or any(is_one(row, w) for w in words)]


def main():
    given = arguments()
    folder = devices.directory()
    selected = chosen(rows(folder), given.row)
    if given.list:
        print("\n".join(row.name for row in selected))
        return 0
    print(f"{given.rounds} rounds of {given.seconds} s a run, on CPU {given.cpu}; "
          "ratio: CPU per I/O of ssdbench / of the other, least, median, most")
    print(f"{'row':19} {'program':25} {'ns an I/O':>9} {'ms start':>6}   ratio")
    targets, answers = {}, []
    for row in selected:
        try:
            if row.device not in targets:
                targets[row.device] = row.device(folder)
        except devices.Missing as reason:
            print(f"SKIP: {row.name}: {reason}")
            continue
        figures = measure(row, targets[row.device], given.rounds, given.seconds, given.cpu)
        answers.append(report(row, *figures))
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(answers, file, indent=1)
    missed = any(c["missed"] for answer in answers for c in answer["contenders"])
    return 1 if given.check and missed else 0


sys.exit(main())
