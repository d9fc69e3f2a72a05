# SPDX-License-Identifier: MIT
"""The programs that are compared, each told to do the same: 4 KiB random reads with replacement by
one job, with a latency taken of each.

A contender is a function of (target, depth, seconds) that gives a command line, and one that finds
the number of I/Os in what it printed. Without seconds it does next to nothing: its start and end.
"""
import dataclasses
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
SSDBENCH = os.environ.get("SSDBENCH", str(SOURCE / "build/ssdbench"))
ENGINE_STEP = os.environ.get("ENGINE_STEP", str(SOURCE / "build/tests/bench/engine_step"))


@dataclasses.dataclass(frozen=True)
class Contender:
    name: str
    command: Callable  # (target, depth, seconds) -> argv; seconds None: as little as it can do
    ios: Callable  # (what it printed) -> I/Os


def equal_shares(sizes):
    """A mix of 4 KiB, 8 KiB and so on in shares that sum to 100 %."""
    share, rest = divmod(10000, sizes)
    points = [share + rest] + [share] * (sizes - 1)
    return [{"bs": f"{4 * (i + 1)}KiB", "percent": p / 100} for i, p in enumerate(points)]


def profile(folder, name, phase):
    """The path of a profile with one phase."""
    path = folder / f"{name}.json"
    path.write_text(json.dumps({
        "name": "bench", "title": "One phase of the bench",
        "source": [{"mark": "ours", "text": "Compares programs, not drives."}],
        "phases": [{"name": "bench", "numjobs": 1, **phase}],
    }))
    return str(path)


def ssdbench_run(folder, *words):
    """The words of a run whose result is all that it prints."""
    return [SSDBENCH, "run", *words, "--format", "json", "--quiet",
            "--output", tempfile.mkdtemp(dir=folder)]


def ssdbench(folder, engine="auto", sizes=1):
    """The program as users run it: O_DIRECT, a result with samples and histograms."""
    bs = {"bs": "4KiB"} if sizes == 1 else {"bssplit": equal_shares(sizes)}

    def command(target, depth, seconds):
        phase = {"kind": "measure", "rw": "randread", **bs, "blockalign": "4KiB",
                 "iodepth": depth, "runtime": f"{seconds or 0.001}s"}
        return ssdbench_run(folder, profile(folder, f"{depth}-{sizes}", phase), target,
                            "--assume-filled", "--engine", engine)

    def ios(output):
        drives = (drive for step in json.loads(output)["steps"] for drive in step["drives"])
        return sum(drive["read"]["ios"] for drive in drives)

    return Contender("ssdbench", command, ios)


def engine_step(engine="auto"):
    """The engine alone, since the program reads nothing through the page cache."""

    def command(target, depth, seconds):
        return [ENGINE_STEP, "--buffered", "--engine", engine, "--iodepth", str(depth),
                "--runtime", f"{seconds or 0.001}s", target]

    return Contender("ssdbench's engine", command, lambda output: int(output.split()[0]))


# What an expert adds, all of fio 3.33: batches, registered buffers and file, aligned memory. It
# still takes every latency.
TUNED = ["--iodepth_batch_submit=16", "--iodepth_batch_complete_max=16", "--mem_align=4096"]
TUNED_URING = ["--registerfiles=1", "--fixedbufs=1", "--nonvectored=1", *TUNED]


def fio(engine, tuned=False, random_map=False, direct=True):
    """fio with its own defaults, but without its random map, as we keep none, and without dropping
    the page cache first, as it is what we read from."""
    extra = (TUNED_URING if engine == "io_uring" else TUNED) if tuned else []

    def command(target, depth, seconds):
        where = ["--size=100g"] if engine == "null" else [f"--filename={target}", "--readonly"]
        length = ["--time_based", f"--runtime={seconds}"] if seconds else ["--number_ios=1"]
        return ["fio", "--name=bench", f"--ioengine={engine}", f"--direct={int(direct)}",
                "--rw=randread", "--bs=4k", "--invalidate=0", f"--iodepth={depth}", "--output-format=json",
                *([] if random_map else ["--norandommap"]), *where, *length, *extra]

    def ios(output):
        jobs = json.loads(output[output.index("{"):])["jobs"]
        return sum(job["read"]["total_ios"] for job in jobs)

    name = f"fio {engine}" + (" tuned" if tuned else " with random map" if random_map else "")
    return Contender(name, command, ios)
