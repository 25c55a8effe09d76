#!/usr/bin/env python3
"""Streamlines through a long link: what batchvis takes, beside what the link, the processors and the round trips make necessary.

    compare_link.py FARFIELD --store flow.h5 [--lines 400] [--rounds 5] [--ms 50] [--mb-per-second 125] [--one-at-a-time] [--json FILE]

FARFIELD is the built program; farfield-pagerd lies beside it. A relay delays each direction by half of --ms and lets so many bytes through. Each round computes the lines from the file and through the link as the program reads,
and with --one-at-a-time through it with one page at a time, too (the serial scheduler without reading ahead); nothing of remote pages is kept. The necessary time is the largest of: bytes read by the rate, processor time of the client by processors,
longest chain of misses by the round trip. All files of lines are compared byte by byte."""
import argparse, collections, json, os, socket, statistics, subprocess, tempfile, threading, time


class Pipe(threading.Thread):
    """Bytes from one socket to another, late and at a rate. Reading stops while more than a second's worth is on its way."""

    def __init__(self, source, target, delay, rate):
        super().__init__(daemon=True)
        self.source, self.target, self.delay, self.rate = source, target, delay, rate
        self.waiting, self.bytes = collections.deque(), 0
        self.changed = threading.Condition()
        threading.Thread(target=self.send, daemon=True).start()
        self.start()

    def run(self):
        free = time.perf_counter()  # when the link has passed on what came before
        while True:
            try:
                data = self.source.recv(256 * 1024)
            except OSError:
                data = b""
            free = max(free, time.perf_counter()) + len(data) / self.rate
            with self.changed:
                while self.bytes > self.rate:
                    self.changed.wait()
                self.waiting.append((free + self.delay, data))
                self.bytes += len(data)
                self.changed.notify_all()
            if not data:
                return

    def send(self):
        while True:
            with self.changed:
                while not self.waiting:
                    self.changed.wait()
                when, data = self.waiting.popleft()
                self.bytes -= len(data)
                self.changed.notify_all()
            time.sleep(max(0, when - time.perf_counter()))
            try:
                if not data:
                    self.target.shutdown(socket.SHUT_WR)
                    return
                self.target.sendall(data)
            except OSError:
                return


class Relay:
    def __init__(self, address, seconds, rate):
        host, port = address.rsplit(":", 1)
        self.target, self.seconds, self.rate = (host, int(port)), seconds, rate
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            far = socket.create_connection(self.target)
            for each in (near, far):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            Pipe(near, far, self.seconds / 2, self.rate)
            Pipe(far, near, self.seconds / 2, self.rate)


def run(program, source, lines, how, work):
    session = {"farfield": 1, "data": {"flow": {"source": source}},
               "objects": [{"name": "lines", "type": "streamlines", "data": "flow", "vector": "velocity", "direction": "both", "seeds": {"type": "spread", "count": lines}}],
               "output": {"images": False}}
    with open(f"{work}/session.json", "w") as file:
        json.dump(session, file)
    environment = dict(os.environ, FARFIELD_CACHE_SIZE="0", FARFIELD_CACHE_DIR=f"{work}/cache")
    subprocess.run([program, "batchvis", f"{work}/session.json", "-o", f"{work}/out", "--memory", "2G", "--overwrite", "--quiet", "--stats", f"{work}/stats.json", *how], check=True, env=environment)
    with open(f"{work}/stats.json") as file:
        stats = json.load(file)
    with open(f"{work}/out/lines.vtp", "rb") as file:
        return stats, hash(file.read())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("farfield")
    parser.add_argument("--store", required=True)
    parser.add_argument("--lines", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ms", type=float, default=50)
    parser.add_argument("--mb-per-second", type=float, default=125)
    parser.add_argument("--one-at-a-time", action="store_true")
    parser.add_argument("--json")
    options = parser.parse_args()
    store, seconds, rate = os.path.abspath(options.store), options.ms / 1e3, options.mb_per_second * 1e6
    server = subprocess.Popen([os.path.join(os.path.dirname(options.farfield), "farfield-pagerd"), "--root", os.path.dirname(store), "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    relay = Relay(server.stdout.readline().split()[-1], seconds, rate)
    url = f"far://{relay.address}/{os.path.basename(store)}"
    cases = {"file": (store, []), "link": (url, [])}
    if options.one_at_a_time:
        cases["link, one page at a time"] = (url, ["--scheduler", "serial", "--prefetch", "off"])
    found, needed, same = {name: [] for name in cases}, [], set()
    with tempfile.TemporaryDirectory() as work:
        for _ in range(options.rounds):
            for name, (source, how) in cases.items():
                stats, lines = run(options.farfield, source, options.lines, how, work)
                same.add(lines)
                found[name].append(stats["wallSeconds"])
                if name == "link":
                    paging = stats["paging"]
                    parts = {"link": paging["bytesRead"] / rate, "processors": stats["cpuSeconds"] / os.cpu_count(), "chain": paging["longestMissChain"] * seconds}
                    needed.append((stats["wallSeconds"] / max(parts.values()), parts))
    server.terminate()
    medians = {name: statistics.median(times) for name, times in found.items()}
    ratio, parts = sorted(needed, key=lambda each: each[0])[len(needed) // 2]
    result = {"seconds": medians, "necessary": parts, "timesTheNecessary": ratio, "sameLines": len(same) == 1, "runs": found}
    for name, value in medians.items():
        print(f"{name:26} {value:8.2f} s")
    print("necessary: " + ", ".join(f"{name} {value:.2f} s" for name, value in parts.items()) + f"; taken {ratio:.2f} times the largest")
    print("the lines are " + ("the same bytes everywhere" if result["sameLines"] else "NOT the same"))
    if options.json:
        with open(options.json, "w") as file:
            json.dump(result, file, indent=1)


main()
