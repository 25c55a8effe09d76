#!/usr/bin/env python3
"""A data server, a renderer and a viewer on three hosts, which are network namespaces of this machine.

Between each two of them lies a link that this program is: it takes packets from one host and gives them to
the other after a delay, at a limited rate, with a queue that drops what does not fit, for systems whose
kernel has no netem. Needs root, ip, mpirun, and the programs farfield, farfield-pagerd and farfield-slabd.

    sudo bench/scripts/three_hosts.py --programs build/release/bin [--ranks 2] [--size 160,96,96] [--steps 6]

Prints JSON: for each pair of links how long a step took to come one at a time and in a series, what was
sent, how near the picture is to that of the volume on one host, and how long the series should take by
N max(L, R) + min(L, R).

With --rate it needs no root: all programs run on this host, and the data server sends that many bytes a
second.
"""

import argparse
import array
import collections
import contextlib
import ctypes
import fcntl
import heapq
import json
import math
import os
import re
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import zlib

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET = 0x40000000
TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
QUEUE_SECONDS = 0.1  # what a full queue holds


def ip(*words, host=None):
    command = ["ip"] + (["-n", host] if host else []) + list(words)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def tun_in(host, name):
    """A device of the namespace `host`, whose packets this process reads and writes."""
    own = os.open("/proc/self/ns/net", os.O_RDONLY)
    other = os.open(f"/run/netns/{host}", os.O_RDONLY)
    try:
        if LIBC.setns(other, CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")
        device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
        return device
    finally:
        LIBC.setns(own, CLONE_NEWNET)
        os.close(own)
        os.close(other)


def forward(ends, delay, rate):
    """Packets between two devices; `delay` in seconds one way, `rate` in bytes a second each way, 0: no limit."""
    free = [0.0, 0.0]  # when each way's wire is free
    due = []  # (time, number, way, packet)
    number = 0
    while True:
        now = time.monotonic()
        while due and due[0][0] <= now:
            _, _, way, packet = heapq.heappop(due)
            with contextlib.suppress(OSError):
                os.write(ends[1 - way], packet)
        wait = min(1.0, max(0.0, due[0][0] - time.monotonic())) if due else 1.0
        for end in select.select(ends, [], [], wait)[0]:
            way = ends.index(end)
            for _ in range(64):
                try:
                    packet = os.read(end, 65536)
                except BlockingIOError:
                    break
                now = time.monotonic()
                if rate:
                    if free[way] - now > QUEUE_SECONDS:
                        continue
                    free[way] = max(free[way], now) + len(packet) / rate
                number += 1
                heapq.heappush(due, (max(now, free[way]) + delay, number, way, packet))


class Hosts:
    """Three namespaces: data - render - view."""

    NAMES = ("farfield-data", "farfield-render", "farfield-view")

    def __init__(self, links):
        self.links = []
        self.made = []
        try:
            for name in self.NAMES:
                ip("netns", "add", name)
                self.made.append(name)
                ip("link", "set", "lo", "up", host=name)
            for n, (delay, rate) in enumerate(links):
                ends = []
                for side in (0, 1):
                    host, name = self.NAMES[n + side], f"far{n}{side}"
                    ends.append(tun_in(host, name))
                    own, peer = f"10.77.{n}.{side + 1}", f"10.77.{n}.{2 - side}"
                    ip("addr", "add", own, "peer", peer, "dev", name, host=host)
                    ip("link", "set", name, "up", "txqueuelen", "1000", host=host)
                child = os.fork()
                if child == 0:
                    try:
                        forward(ends, delay, rate)
                    finally:
                        os._exit(1)
                self.links.append(child)
                for end in ends:
                    os.close(end)
        except BaseException:
            self.close()
            raise

    def close(self):
        for child in self.links:
            os.kill(child, 15)
            os.waitpid(child, 0)
        for name in self.made:
            subprocess.run(["ip", "netns", "del", name], check=False)

    def start(self, host, words, **more):
        return subprocess.Popen(["ip", "netns", "exec", self.NAMES[host]] + words, **more)


class Here:
    """All of them are this host."""

    def start(self, _host, words, **more):
        return subprocess.Popen(words, **more)

    def close(self):
        pass


def make_series(farfield, path, size, steps):
    """One component of a sample, moved on along k from step to step, as one NRRD file."""
    base = path + ".base"
    subprocess.run([farfield, "sample", "turbulence", "-o", base, "--size", ",".join(map(str, size)),
                    "--format", "raw", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    raw = base + "_velocity.raw"
    plane = size[0] * size[1]
    values = array.array("f")
    with open(raw, "rb") as file:
        for _ in range(size[2]):
            three = array.array("f")
            three.fromfile(file, 3 * plane)
            values.extend(three[::3])
    os.remove(raw)
    data = memoryview(values).cast("B")
    with open(path, "wb") as file:
        file.write(("NRRD0004\ntype: float\ndimension: 4\nsizes: %d %d %d %d\n" % (*size, steps) +
                    "kinds: domain domain domain time\nspacings: 1 1 1 nan\nendian: little\n"
                    "encoding: raw\ncontent: value\n\n").encode())
        for step in range(steps):
            at = 4 * plane * (step * size[2] // steps)
            file.write(data[at:])
            file.write(data[:at])


def listening(process):
    line = process.stdout.readline().decode()
    found = re.match(r"listening on (\S+)", line)
    if not found:
        raise RuntimeError(f"did not start: {line!r}")
    return found.group(1)


def frames(trace):
    """Seconds of each FRAME of a viewer's log, in order."""
    with open(trace) as file:
        events = json.load(file)["traceEvents"]
    begun, spans = {}, []
    for event in events:
        if event.get("name") not in ("FRAME_START", "FRAME_END"):
            continue
        if event["name"] == "FRAME_START":
            begun[event.get("tid")] = event["ts"]
        else:
            spans.append((begun.pop(event.get("tid")), event["ts"]))
    return [(end - start) / 1e6 for start, end in sorted(spans)], sorted(spans)


def pixels_of(path):
    """Of a PNG of 8 bits a value without interlacing: all bytes."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color, *_, interlace = struct.unpack(">IIBBBBB", body)
            values = {2: 3, 6: 4}[color]
            if depth != 8 or interlace:
                raise ValueError(path)
        elif kind == b"IDAT":
            packed += body
        at += length + 12
    rows, stride = zlib.decompress(packed), width * values
    above, out = bytearray(stride), bytearray()
    for y in range(height):
        how, row = rows[y * (stride + 1)], bytearray(rows[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            left = row[x - values] if x >= values else 0
            up, corner = above[x], above[x - values] if x >= values else 0
            if how == 1:
                guess = left
            elif how == 2:
                guess = up
            elif how == 3:
                guess = (left + up) // 2
            elif how == 4:
                base = left + up - corner
                guess = min((left, up, corner), key=lambda value: abs(base - value))
            else:
                guess = 0
            row[x] = (row[x] + guess) & 255
        out += row
        above = row
    return out


def decibels(one, other):
    a, b = pixels_of(one), pixels_of(other)
    if len(a) != len(b):
        raise ValueError("pictures of different sizes")
    square = sum((x - y) ** 2 for x, y in zip(a, b)) / len(a)
    return 99.0 if square == 0 else 10 * math.log10(255 * 255 / square)


class Chain:
    """The programs on the three hosts."""

    def __init__(self, options, hosts, folder, series):
        self.options, self.hosts, self.folder, self.series = options, hosts, folder, series
        self.processes = []
        self.slabd = None
        token = "a-token-of-this-measurement-alone"
        self.tokens = os.path.join(folder, "tokens")
        with open(self.tokens, "w") as file:
            file.write(token + "\n")
        os.chmod(self.tokens, 0o600)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("FARFIELD_TOKEN")}
        self.environment |= {"HOME": folder, "XDG_CONFIG_HOME": os.path.join(folder, "config"),
                             "STATE_DIRECTORY": folder, "FARFIELD_TOKEN": token,
                             "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        apart = isinstance(hosts, Hosts)
        pagerd = self.run(0, [self.program("farfield-pagerd"), "--root", folder, "--listen",
                              "10.77.0.1:4711" if apart else "127.0.0.1:0", "--token-file", self.tokens, "--quiet"] +
                          ([] if apart else ["--rate", str(int(options.rate))]))
        data = "far://" + listening(pagerd)
        if apart:
            self.login(1, data)
        self.traces = os.path.join(folder, "ranks.json")
        self.slabd = self.run(1, ["mpirun", "--oversubscribe", "--enable-recovery", "--mca", "btl", "self,vader", "-n", str(options.ranks),
                             self.program("farfield-slabd"), data + "/" + os.path.basename(series), "--listen",
                             "10.77.1.1:4790" if apart else "127.0.0.1:0", "--token-file", self.tokens,
                             "--processors", "1", "--memory", options.memory, "--trace", self.traces])
        self.url = "slab://" + listening(self.slabd)
        if apart:
            self.login(2, self.url)

    def program(self, name):
        return os.path.join(self.options.programs, name)

    def run(self, host, words):
        process = self.hosts.start(host, words, env=self.environment, stdout=subprocess.PIPE,
                                   stderr=open(os.path.join(self.folder, f"errors{host}"), "ab"))
        self.processes.append(process)
        return process

    def login(self, host, url):
        """Certificates are made on the first start; whoever logs in keeps their fingerprint."""
        subprocess.run(["ip", "netns", "exec", Hosts.NAMES[host], self.program("farfield"), "login", url],
                       input=(self.environment["FARFIELD_TOKEN"] + "\n").encode(), env=self.environment,
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def draw(self, name, steps, source, host=2, more=()):
        size = self.options.size
        middle = [(n - 1) / 2 for n in size]
        kind = {"type": "volume"} if source is None else {"type": "slabs", "source": source, "axis": "z"}
        session = {"farfield": 1, "data": {"d": {"source": source or self.series}},
                   "objects": [{"name": "v", "by": "value", **kind,
                                "transfer": {"color": {"map": "cool-warm", "range": [-2, 2]},
                                             "opacity": [[-2, 0.1], [0, 0], [2, 0.1]], "unit": 4}}],
                   "time": {"steps": steps},
                   "camera": {"position": middle[:2] + [middle[2] + 4 * max(size)], "target": middle,
                              "up": [0, 1, 0], "orthographic": 1.1 * size[1]},
                   "image": {"size": [self.options.pixels * size[0] // max(size),
                                      self.options.pixels * size[1] // max(size)], "legend": False},
                   "output": {"geometry": False}}
        path = os.path.join(self.folder, name + ".json")
        with open(path, "w") as file:
            json.dump(session, file)
        words = [self.program("farfield"), "batchvis", path, "-o", self.folder, "--overwrite", "--quiet", *more]
        process = self.hosts.start(host, words, env=self.environment, stderr=subprocess.PIPE)
        _, errors = process.communicate(timeout=1800)
        if process.returncode != 0:
            raise RuntimeError(errors.decode())

    def close(self):
        for process in reversed(self.processes):
            if process.poll() is not None:
                continue
            # ranks write their logs, for which mpirun would give them a second
            with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
                for child in file.read().split():
                    os.kill(int(child), signal.SIGTERM)
            try:
                if process is not self.slabd:
                    process.terminate()
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def load_seconds(options, traces):
    """Of a step of the series, by the rank that took longest: the median."""
    longest = collections.defaultdict(float)
    for rank in range(options.ranks):
        with open(traces + (f".{rank}" if rank else "")) as file:
            events = json.load(file)["traceEvents"]
        begun = {}
        for event in events:
            step = event.get("args", {}).get("value")
            if event.get("name") == "LOAD_START":
                begun[step] = event["ts"]
            elif event.get("name") == "LOAD_END" and step in begun:
                longest[step] = max(longest[step], (event["ts"] - begun.pop(step)) / 1e6)
    return statistics.median(longest.values())


def measure(options, links, series, folder):
    hosts = Hosts([(link[0] / 2000, link[1] * 1e6 / 8) for link in links]) if links else Here()
    chain = None
    try:
        chain = Chain(options, hosts, folder, series)
        url = chain.url
        trace = os.path.join(folder, "trace.json")
        alone, there = [], []
        for step in range(options.alone):
            # nobody reads ahead; the second time its data are there
            for seconds in (alone, there):
                chain.draw("one", step, url, more=("--trace", trace))
                seconds.append(frames(trace)[0][0])
        stats = os.path.join(folder, "stats.json")
        chain.draw("series", [options.alone, options.steps - 1], url, more=("--trace", trace, "--stats", stats))
        spans = frames(trace)[1]
        with open(stats) as file:
            received = re.search(r'"bytesReceived": (\d+)', file.read())
        # the same picture on the host of the data
        chain.draw("here", options.steps - 1, None, host=0)
        chain.draw("there", options.steps - 1, url)
        equal = decibels(os.path.join(folder, "here.png"), os.path.join(folder, "there.png"))
        count = options.steps - options.alone
        # between them the viewer draws, and nobody renders; the last one it draws as well
        drawing = statistics.median((after[0] - before[1]) / 1e6 for before, after in zip(spans, spans[1:]))
        whole = (spans[-1][1] - spans[0][0]) / 1e6 + drawing
        chain.close()
        load, render = load_seconds(options, chain.traces), statistics.median(there) + drawing
        model = count * max(load, render) + min(load, render)
        link = [{"roundTripMs": its[0], "megabitsPerSecond": its[1]} for its in links]
        return {"dataToRenderer": link[0] if link else {"bytesPerSecond": options.rate},
                "rendererToViewer": link[1] if link else None,
                "ranks": options.ranks, "bytesOfStep": 4 * options.size[0] * options.size[1] * options.size[2],
                "stepAloneSeconds": statistics.median(alone),
                "stepWhoseDataAreThereSeconds": statistics.median(there), "drawingSeconds": drawing,
                "loadSeconds": load, "renderSeconds": render, "stepsInSeries": count, "seriesSeconds": whole,
                "modelSeconds": model, "seriesOfModel": whole / model, "secondsPerStepInSeries": whole / count,
                "bytesToViewerPerStep": int(received.group(1)) // count, "decibelsBesideTheVolume": round(equal, 1)}
    finally:
        if chain:
            chain.close()
        hosts.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True, help="folder of farfield, farfield-pagerd, farfield-slabd")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--size", default="160,96,96", help="nodes along i, j, k")
    parser.add_argument("--steps", type=int, default=9)
    parser.add_argument("--alone", type=int, default=3, help="of them, that are asked for one at a time")
    parser.add_argument("--pixels", type=int, default=320, help="of the picture, along its longer side")
    parser.add_argument("--memory", default="512M", help="of each rank")
    parser.add_argument("--rate", type=float, help="bytes a second that the data server sends; all on this host")
    parser.add_argument("--link", action="append", default=[], metavar="MS,MBIT,MS,MBIT",
                        help="round trip and rate from data to renderer and from there to the viewer")
    options = parser.parse_args()
    options.size = tuple(int(n) for n in options.size.split(","))
    options.programs = os.path.abspath(options.programs)
    if os.geteuid() != 0 and not options.rate:
        sys.exit("three_hosts: network namespaces need root")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        series = os.path.join(folder, "series.nrrd")
        make_series(os.path.join(options.programs, "farfield"), series, options.size, options.steps)
        for link in [] if options.rate else options.link or ["0,1000,0,1000", "10,400,10,100", "10,400,50,100"]:
            words = [float(word) for word in link.split(",")]
            rows.append(measure(options, ((words[0], words[1]), (words[2], words[3])), series, folder))
        if options.rate:
            rows.append(measure(options, (), series, folder))
    load = os.getloadavg()[0]
    print(json.dumps({"size": options.size, "loadAverage": load, "results": rows}, indent=2))


if __name__ == "__main__":
    main()
