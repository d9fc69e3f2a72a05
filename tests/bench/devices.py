# SPDX-License-Identifier: MIT
"""What the bench reads: files and devices that it makes, full of random data, and removes.

Each is undone by a small process of its own that waits for the end of this one, so that nothing is
left behind however that comes.
"""
import os
import subprocess
import tempfile
from pathlib import Path

SIZE = 256 << 20


class Missing(Exception):
    """What a row needs is not to be had here; the text says why."""


def _at_end(script, *words):
    """Run a shell script, with $1 and so on, when this process has ended."""
    # A child that reads a device when we are killed lets go of it a moment later: try again.
    waiting = (
        'tail --pid="$0" -s 0.2 -f /dev/null; '
        "for i in 1 2 3 4 5 6 7 8 9; do " + script + " && break; sleep 0.5; done"
    )
    subprocess.Popen(
        ["sh", "-c", waiting, str(os.getpid()), *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def directory():
    """A directory for this run."""
    path = Path(tempfile.mkdtemp(prefix="ssdbench-bench."))
    _at_end('rm -rf "$1"', path)
    return path


def _fill(path, size):
    with open(path, "r+b" if path.exists() else "wb") as file:
        for _ in range(size >> 20):
            file.write(os.urandom(1 << 20))
        file.flush()
        os.fsync(file.fileno())


def page_cache(folder, size=SIZE):
    """A file whose pages are all in memory, to be read through the page cache."""
    path = folder / "hot"
    _fill(path, size)
    path.read_bytes()
    return str(path)


def tmpfs(folder, size=SIZE):
    """A file in memory that opens with O_DIRECT, as Linux 6.6 and later allow."""
    try:
        file, name = tempfile.mkstemp(prefix="ssdbench-bench.", dir="/dev/shm")
        os.close(file)
        path = Path(name)
        _at_end('rm -f "$1"', path)
        _fill(path, size)
        os.close(os.open(path, os.O_RDONLY | os.O_DIRECT))
    except OSError as error:
        raise Missing(f"no O_DIRECT file in /dev/shm: {error.strerror}") from error
    return str(path)


def loop(folder, size=SIZE):
    """A loop device on a file in the page cache: a kernel thread reads it for us."""
    try:
        found = subprocess.run(
            ["losetup", "--find", "--show", "--read-only", page_cache(folder, size)],
            check=True, capture_output=True, text=True,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise Missing(f"no loop device: {getattr(error, 'stderr', error)}".strip()) from error
    device = found.stdout.strip()
    _at_end('losetup --detach "$1"', device)
    return device


def zram(folder, size=SIZE):
    """A zram device of ours, written with data that does not compress: each read is a copy."""
    control = Path("/sys/class/zram-control")
    try:
        number = int((control / "hot_add").read_text())
        _at_end(
            'echo 1 >"/sys/block/zram$1/reset" && echo "$1" >/sys/class/zram-control/hot_remove',
            number,
        )
        Path(f"/sys/block/zram{number}/disksize").write_text(str(size))
        _fill(Path(f"/dev/zram{number}"), size)
    except OSError as error:
        raise Missing(f"no zram device: {error.filename}: {error.strerror}") from error
    return f"/dev/zram{number}"


def null(folder, size=SIZE):
    """No device at all; both programs have an engine that completes at once."""
    return "null:245.76TB"
