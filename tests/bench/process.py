# SPDX-License-Identifier: MIT
"""Run a program alone on a CPU and tell what it cost: CPU time, memory, when it began."""
import dataclasses
import os
import signal
import subprocess
import tempfile
import time


@dataclasses.dataclass
class Cost:
    cpu_ns: int  # user and system, of the process, its threads and its children
    peak_bytes: int  # resident memory at its highest
    started: float  # seconds since 1970, before the program was loaded
    output: str


def pinned(cpu):
    """The set-up of a child: one CPU, and before all other work of the machine where that is allowed.

    A session has a share of the CPU of its own (sched(7), autogroup); without one of its own, and
    with every other job of the machine beside it, a run gets half of the time and less."""

    def set_up():
        os.setsid()
        os.sched_setaffinity(0, {cpu})
        try:
            with open("/proc/self/autogroup", "w", encoding="ascii") as group:
                group.write("-20")
        except OSError:
            pass  # no autogroups, or not root: more noise

    return set_up


def run(argv, cpu, interrupt_s=None):
    """The Cost of a program, which must end well: with status 0, or as interrupted after a time."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as messages:
        started = time.time()
        child = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=output, stderr=messages, preexec_fn=pinned(cpu)
        )
        try:
            if interrupt_s:
                time.sleep(interrupt_s)
                child.send_signal(signal.SIGINT)
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            os.killpg(child.pid, signal.SIGKILL)
            raise
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        messages.seek(0)
        if child.returncode != (130 if interrupt_s else 0):
            words = (output.read() + messages.read())[-2000:]
            raise SystemExit(f"status {child.returncode}: {' '.join(argv)}\n{words}")
        cpu_s = usage.ru_utime + usage.ru_stime
        return Cost(round(cpu_s * 1e9), usage.ru_maxrss * 1024, started, output.read())


def last_cpu():
    """The CPU for the runs: the last one, as interrupts and small work tend to the first."""
    return max(os.sched_getaffinity(0))
