# SPDX-License-Identifier: MIT
"""Truth against ssdbench and fio: prints what both say of devices whose behaviour is known, and
ends with status 1 where ssdbench is out of bounds.

    truth.py rate RATE:SETTINGS:TOOL:DEVICE...     RATE: requests a second
    truth.py delay NS:SETTINGS:TOOL:DEVICE...      NS: what each request takes
    truth.py change NAME:SETTINGS:TOOL:DEVICE...   hostdev.sh's NAME changes its rate in mid-run
    truth.py stall NAME:SETTINGS:TOOL:DEVICE...    ... and stands still for four seconds

SETTINGS are those of reads.json, NAME=VALUE,...; TOOL is fio or the engine of ssdbench. All run at once, on twins of a device, so that each is beside
fio. A measurement is repeated, up to three times in all, where the machine was disturbed and for no
other reason: fio was out of the bounds too, or a thread that sleeps 5 ms at a time woke up later
than the bounds allow for. Where all three were disturbed, nothing can be said: status 77, skipped.

$CGROUP names the cgroup.procs of a cgroup that the tools are to run in.
"""
import os
import signal
import subprocess
import sys
import time

from tools import Fio, Ssdbench, run_together

SKIPPED = 77
ATTEMPTS = 3


class Verdict:
    """What is out of bounds, each with its tool."""

    def __init__(self):
        self.faults = []

    def within(self, tool, what, got, want, percent):
        if abs(got - want) > want * percent / 100:
            self.add(tool, f"{what} is {got:.6g}, not {want:.6g} within {percent} %")

    def add(self, tool, text):
        self.faults.append((tool, f"{tool.name}: {text}"))


def make_tool(settings, word, device):
    settings = [setting for setting in settings.split(",") if setting]
    cgroup = os.environ.get("CGROUP")
    if word == "fio":
        return Fio(settings, device, cgroup)
    return Ssdbench(word, settings, device, cgroup)


def is_fio(tool):
    return isinstance(tool, Fio)


def off(got, want):
    return f"{100 * (got - want) / want:+.2f} %"


def print_row(truth, depth, tool, *cells):
    cells = "".join(f"{cell:>11}" for cell in cells)
    print(f"{truth:<10}{depth:>8}  {tool:<18}{cells}")


# --- rate and delay -----------------------------------------------------------------


def by_row(pairs):
    """(truth, depth, [(tool, row)...], fio's row) of [(truth, tool)...]."""
    groups = {}
    for truth, tool in pairs:
        for row in tool.rows():
            groups.setdefault((truth, row.depth), []).append((tool, row))
    for (truth, depth), rows in groups.items():
        (fio,) = [row for tool, row in rows if is_fio(tool)]
        yield truth, depth, rows, fio


def judge_rate(pairs, verdict):
    print_row("TRUTH", "IODEPTH", "TOOL", "IOPS", "OFF", "MiB/s", "MEAN ms", "IOPS*MEAN", "OFF")
    for truth, depth, rows, fio in by_row(pairs):
        for tool, row in rows:
            print_row(f"{truth} IOPS", depth, tool.name, f"{row.iops:.2f}", off(row.iops, truth),
                      f"{row.iops * tool.bs / 2**20:.3f}", f"{row.mean / 1e6:.3f}",
                      f"{row.in_flight:.4f}", off(row.in_flight, depth))
            verdict.within(tool, f"IOPS at depth {depth}", row.iops, truth, 0.5)
            if not is_fio(tool):
                verdict.within(tool, "IOPS by fio's", row.iops, fio.iops, 0.5)
                verdict.within(tool, "IOPS * mean latency", row.in_flight, depth, 0.5)


def judge_delay(pairs, verdict):
    print_row("TRUTH", "IODEPTH", "TOOL", "P50 ms", "OFF", "P99 ms", "OFF", "IOPS*MEAN", "OFF")
    for truth, depth, rows, fio in by_row(pairs):
        for tool, row in rows:
            print_row(f"{truth / 1e6:.0f} ms", depth, tool.name, f"{row.p50 / 1e6:.3f}",
                      off(row.p50, truth), f"{row.p99 / 1e6:.3f}", off(row.p99, truth),
                      f"{row.in_flight:.4f}", off(row.in_flight, depth))
            verdict.within(tool, f"p50 at depth {depth}", row.p50, truth, 3)
            verdict.within(tool, f"p99 at depth {depth}", row.p99, truth, 5)
            if not is_fio(tool):
                verdict.within(tool, f"p50 at depth {depth} by fio's", row.p50, fio.p50, 2)
                verdict.within(tool, f"p99 at depth {depth} by fio's", row.p99, fio.p99, 2)
                verdict.within(tool, "IOPS * mean latency", row.in_flight, depth, 0.5)


def steady(judge, words):
    pairs = []
    for word in words:
        truth, *of_tool = word.split(":")
        pairs.append((int(truth), make_tool(*of_tool)))

    def attempt():
        tools = [tool for _, tool in pairs]
        verdict, witness = Verdict(), run_together(tools)
        judge(pairs, verdict)
        return tools, verdict, witness

    return attempt


# --- change and stall ---------------------------------------------------------------


class Device:
    """A throttled device of hostdev.sh, and its past: (begin, end of a change, IOPS from then on)."""

    def __init__(self, name):
        self.name = name
        self.changes = []

    def change(self, iops, act):
        begin = time.time()
        act()
        self.changes.append((begin, time.time(), iops))

    def limit(self, iops):
        hostdev = os.environ["SSDBENCH_SOURCE_DIR"] + "/tests/vm/hostdev.sh"
        command = [hostdev, "limits", self.name, f"iops={iops}"]
        self.change(iops, lambda: subprocess.run(command, check=True))

    def stop(self):
        self.change(0, lambda: os.kill(self.pid(), signal.SIGSTOP))

    def go_on(self, iops):
        self.change(iops, lambda: os.kill(self.pid(), signal.SIGCONT))

    def pid(self):
        with open(f"{os.environ['HOSTDEV_DIR']}/{self.name}/pid", encoding="utf-8") as file:
            return int(file.read())

    def rate_in(self, start):
        """The rate in force in the second that begins at start; None where it changed."""
        margin = 0.05
        current = None
        for begin, end, iops in self.changes:
            if begin - margin < start + 1 and start < end + margin:
                return None
            if end <= start:
                current = iops
        return current


RATES = (500, 2000, 1000)
STALL_S = 4


def play_change(devices):
    time.sleep(4.5)
    for iops in RATES[1:]:
        for device in devices:
            device.limit(iops)
        time.sleep(4.5)


def judge_change(cast, verdict):
    print_row("TRUTH", "SECOND", "TOOL", "I/Os", "OFF")
    for device, tool in cast:
        seen = []
        for second, (start, ios) in enumerate(tool.seconds()):
            truth = device.rate_in(start)
            if truth is None or second == 0:
                print_row("ramp" if second == 0 else "changes", second, tool.name, ios)
                continue
            print_row(f"{truth} IOPS", second, tool.name, ios, off(ios, truth))
            verdict.within(tool, f"I/Os in second {second}", ios, truth, 3)
            seen.append(truth)
        if not is_fio(tool) and min(seen.count(iops) for iops in RATES) < 2:
            verdict.add(tool, f"there are less than two whole seconds at a rate: {seen}")


def play_stall(devices):
    time.sleep(4.5)
    for device in devices:
        device.stop()
    time.sleep(STALL_S)
    for device in devices:
        device.go_on(RATES[0])


def judge_stall(cast, verdict):
    print_row("TRUTH", "IODEPTH", "TOOL", "LONGEST ms", "OFF", "0 I/Os", "IOPS*MEAN", "OFF")
    for device, tool in cast:
        (row,) = tool.rows()
        _, (_, begin, _), (_, end, _) = device.changes
        truth = end - begin
        still = [ios for start, ios in tool.seconds() if device.rate_in(start) == 0]
        print_row(f"{truth * 1000:.0f} ms", row.depth, tool.name, f"{row.longest / 1e6:.1f}",
                  off(row.longest / 1e9, truth), f"{still.count(0)} of {len(still)} s",
                  f"{row.in_flight:.4f}", off(row.in_flight, row.depth))
        verdict.within(tool, "longest latency in s", row.longest / 1e9, truth, 2)
        if not is_fio(tool):
            verdict.within(tool, "IOPS * mean latency", row.in_flight, row.depth, 0.5)
            if any(still) or len(still) < STALL_S - 2:
                verdict.add(tool, f"I/Os in the seconds of the stall: {still}")


def in_mid_run(play, judge, words):
    cast = []
    for word in words:
        name, *of_tool = word.split(":")
        cast.append((Device(name), make_tool(*of_tool)))

    def attempt():
        devices, tools = zip(*cast)
        for device in devices:
            device.changes.clear()
            device.limit(RATES[0])
        verdict, witness = Verdict(), run_together(tools, lambda: play(devices))
        judge(cast, verdict)
        return tools, verdict, witness

    return attempt


# --- the verdict --------------------------------------------------------------------


def disturbance(verdict, witness, bound):
    """Why an attempt says nothing on ssdbench, or None."""
    for tool, text in verdict.faults:
        if is_fio(tool):
            return text
    percent, seconds = bound
    late = witness.percentile(percent)
    if late > seconds:
        return f"a sleep of 5 ms ended {late * 1000:.2f} ms too late in the {percent}th percentile"
    return None


def judge(attempt, bound):
    broken = []
    for _ in range(ATTEMPTS):
        tools, verdict, witness = attempt()
        print(f"A sleep of 5 ms ended {witness.percentile(99) * 1000:.2f} ms too late in the "
              f"99th percentile, {witness.percentile(100) * 1000:.2f} ms at most.")
        broken = [f"{tool.name}: {fault}" for tool in tools for fault in tool.faults()]
        for text in broken + [text for _, text in verdict.faults]:
            print(text)
        if not broken and not verdict.faults:
            return 0
        reason = disturbance(verdict, witness, bound)
        if verdict.faults and not reason:
            return "out of bounds, and nothing disturbed the machine"
        print(f"Again: {reason or 'another process may have read a device.'}\n")
    if broken:
        return "not by chance so often"
    print(f"SKIP: the machine was disturbed {ATTEMPTS} times", file=sys.stderr)
    return SKIPPED


def main(scenario, *words):
    # A lateness that uses up half of a bound, and the percentile of it that must be lower.
    half_of_0_5_percent_of_21_s = (100, 0.05)
    half_of_2_percent_of_20_ms = (99.9, 0.0002)
    half_of_3_percent_of_1_s = (100, 0.015)
    attempt, bound = {
        "rate": lambda: (steady(judge_rate, words), half_of_0_5_percent_of_21_s),
        "delay": lambda: (steady(judge_delay, words), half_of_2_percent_of_20_ms),
        "change": lambda: (in_mid_run(play_change, judge_change, words), half_of_3_percent_of_1_s),
        "stall": lambda: (in_mid_run(play_stall, judge_stall, words), half_of_3_percent_of_1_s),
    }[scenario]()
    sys.exit(judge(attempt, bound))


main(*sys.argv[1:])
