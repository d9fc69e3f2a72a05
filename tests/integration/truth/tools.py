# SPDX-License-Identifier: MIT
"""ssdbench and fio, running the same profile at the same time, and what each says of it."""
import calendar
import json
import os
import re
import shutil
import subprocess
import threading
import time

SEED = "20240229"


class Row:
    """What a tool says of one step; latencies in ns."""

    def __init__(self, depth, iops, mean, p50, p99, longest):
        self.depth, self.iops, self.mean = depth, iops, mean
        self.p50, self.p99, self.longest = p50, p99, longest

    @property
    def in_flight(self):
        """Little's law: the mean number of requests under way, which is the depth."""
        return self.iops * self.mean / 1e9


class Tool:
    """A tool on a device, with settings for the profile as for --set, in a cgroup if one is named."""

    profile = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reads.json")

    def __init__(self, name, settings, device, cgroup=None):
        self.name, self.settings, self.device, self.cgroup = name, settings, device, cgroup
        with open(self.profile, encoding="utf-8") as file:
            profile = json.load(file)
        values = {key: entry["value"] for key, entry in profile["parameters"].items()}
        values.update(setting.split("=") for setting in settings)
        depths = values["iodepth"]
        self.depths = depths if isinstance(depths, list) else [int(depths)]
        self.bs = int(values["bs"].removesuffix("KiB")) * 1024
        self.runtime = int(values["runtime"].removesuffix("s"))
        self.process = self.log = None

    def start(self):
        command = self.command()
        if self.cgroup:
            command = ["sh", "-c", 'echo $$ >"$0" && exec "$@"', self.cgroup, *command]
        self.log = open(self.file("log"), "w+", encoding="utf-8")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)

    def wait(self):
        status = self.process.wait()
        self.log.seek(0)
        text = self.log.read()
        self.log.close()
        if status:
            raise SystemExit(f"{self.name} ends with status {status}: {text}")

    def file(self, extension):
        return f"{self.name}{self.device}.{extension}".replace("/", "-").replace(" ", "-")


class Ssdbench(Tool):
    def __init__(self, engine, settings, device, cgroup=None):
        super().__init__(f"ssdbench {engine}", settings, device, cgroup)
        self.engine = engine

    def command(self):
        return [os.environ["SSDBENCH"], "run", "--quiet", "--assume-filled", f"--seed={SEED}",
                f"--engine={self.engine}", f"--output={self.file('run')}",
                *(f"--set={setting}" for setting in self.settings), self.profile, self.device]

    def start(self):
        shutil.rmtree(self.file("run"), ignore_errors=True)
        self.read_before = bytes_read(self.device)
        super().start()

    def wait(self):
        super().wait()
        self.read_after = bytes_read(self.device)
        with open(f"{self.file('run')}/result.json", encoding="utf-8") as file:
            self.result = json.load(file)

    def rows(self):
        return [self.row(step) for step in self.result["steps"]]

    def row(self, step):
        read = step["total"]["read"]
        latency = read["latency_ns"]
        return Row(step["iodepth"], read["iops"], latency["mean"], latency["percentiles"]["50"],
                   latency["percentiles"]["99"], latency["max"])

    def seconds(self, number=0):
        """(Start of a second by the wall clock, requests that completed in it), ramp included."""
        step = self.result["steps"][number]
        started = time_of(step["window"]["started_at"])
        columns = step["series"]["columns"]
        second, ios = columns.index("second"), columns.index("read_ios")
        return [(started + row[second], row[ios]) for row in step["series"]["rows"]]

    def faults(self):
        """What must hold of any result, whatever the device does."""
        for number, step in enumerate(self.result["steps"]):
            flags = [flag["flag"] for flag in step["flags"]]
            if self.engine != step["engine"]["used"] or step["status"] != "ok":
                yield f"{step['label']}: {step['status']} by {step['engine']['used']}"
            if flags != ([] if self.device.startswith("/dev/") else ["not_a_device"]):
                yield f"{step['label']}: flags {flags}"
            counted = sum(ios for _, ios in self.seconds(number)[1:])
            if counted != step["total"]["read"]["ios"]:
                yield f"{step['label']}: samples of {counted} I/Os, {step['total']['read']['ios']}"
        if self.read_before is not None:
            yield from self.faults_of_bytes(self.read_after - self.read_before)

    def faults_of_bytes(self, by_device):
        told = self.result["totals"][0]["read_bytes"]
        in_flight = sum(self.depths) * self.bs
        print(f"{self.name} has read {told} bytes of {self.device}, which says {by_device}.")
        if not 0 <= by_device - told <= in_flight:
            yield f"bytes read are {told}, but {by_device} by the device"


class Fio(Tool):
    def __init__(self, settings, device, cgroup=None):
        super().__init__("fio", settings, device, cgroup)

    def command(self):
        command = ["fio", f"--output={self.file('json')}", "--output-format=json",
                   "--ioengine=io_uring", "--direct=1", "--readonly", "--norandommap",
                   f"--randseed={SEED}", "--lat_percentiles=1", "--log_avg_msec=1000",
                   "--log_unix_epoch=1"]
        for depth in self.depths:
            command += [f"--name=depth{depth}", "--stonewall", f"--filename={self.device}",
                        "--rw=randread", f"--bs={self.bs}", f"--iodepth={depth}", "--time_based",
                        "--ramp_time=1", f"--runtime={self.runtime}",
                        f"--write_iops_log={self.file('series')}"]
        return command

    def faults(self):
        return []

    def rows(self):
        with open(self.file("json"), encoding="utf-8") as file:
            return [self.row(job) for job in json.load(file)["jobs"]]

    def row(self, job):
        read = job["read"]
        latency = read["lat_ns"]
        return Row(int(job["job options"]["iodepth"]), read["iops"], latency["mean"],
                   latency["percentile"]["50.000000"], latency["percentile"]["99.000000"],
                   latency["max"])

    def seconds(self):
        """As Ssdbench.seconds; fio does not log its ramp."""
        with open(f"{self.file('series')}_iops.1.log", encoding="utf-8") as file:
            rows = [line.split(",") for line in file]
        ends = [int(row[0]) / 1000 for row in rows]
        return [(ends[0] - 2, "-"), *((end - 1, int(row[1])) for end, row in zip(ends, rows))]


class Witness:
    """A thread that sleeps 5 ms at a time, and knows by how much it woke up too late."""

    def __enter__(self):
        self.late = []
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()
        return self

    def watch(self):
        while not self.stop.is_set():
            before = time.monotonic()
            time.sleep(0.005)
            self.late.append(time.monotonic() - before - 0.005)

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()
        self.late.sort()

    def percentile(self, percent):
        return self.late[min(int(len(self.late) * percent / 100), len(self.late) - 1)]


def run_together(tools, during=lambda: None):
    """Run all tools at once, and what happens to the devices meanwhile; returns the witness."""
    with Witness() as witness:
        for tool in tools:
            tool.start()
        during()
        for tool in tools:
            tool.wait()
    return witness


def bytes_read(device):
    """As the kernel counts them; None of a file."""
    if not device.startswith("/dev/"):
        return None
    with open(f"/sys/block/{os.path.basename(device)}/stat", encoding="utf-8") as file:
        return 512 * int(file.read().split()[2])


def time_of(text):
    """Seconds since 1970 of a time such as 2026-11-30T12:45:13.757Z."""
    whole, milliseconds = re.fullmatch(r"(.*)\.(\d{3})Z", text).groups()
    return calendar.timegm(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) + int(milliseconds) / 1000
