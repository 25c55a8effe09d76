#!/usr/bin/env python3
"""Asks a paging server for pages at full rate for a while and looks at its memory and descriptors.

    bench/scripts/soak_remote.py --server farfield-pagerd --store flow.h5 [--seconds 600] [--clients 4]

Starts the server for the store's folder. Each client opens the store, keeps requests on their way and passes over the
pages; some close their connection after a while and come again. Printed are, every ten seconds, pages and bytes of that
time, resident memory and open descriptors of the server; at the end the rate and how both have changed since the first
minute. The exit status is 1 where memory has grown by more than a tenth and 8 MiB, or descriptors by more than 8."""

import argparse
import json
import os
import random
import socket
import struct
import subprocess
import sys
import threading
import time

HELLO, OPEN, READ, OPENED, PAGE, FAILED = 1, 3, 4, 67, 68, 69
TOGETHER, AHEAD = 64, 1024


def text(value):
    data = value.encode()
    return struct.pack("<I", len(data)) + data


def frame(kind, sequence, body):
    return struct.pack("<IHHQ", len(body), kind, 0, sequence) + body


class Client(threading.Thread):
    def __init__(self, address, path, stop):
        super().__init__(daemon=True)
        self.address, self.path, self.stop = address, path, stop
        self.pages = self.bytes = self.connections = 0
        self.error = None

    def run(self):
        try:
            while not self.stop.is_set():
                self.connect(time.time() + random.uniform(5, 30))
        except Exception as error:  # told at the end
            self.error = error

    def connect(self, until):
        host, port = self.address.rsplit(":", 1)
        with socket.create_connection((host, int(port)), timeout=60) as link:
            self.connections += 1
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            link.sendall(frame(HELLO, 0, b"FarPages" + struct.pack("<HHIQ", 1, 1, 0, 1) + text("") + text("soak")))
            opening = b"\0" + struct.pack("<I", 1) + text(self.path) + struct.pack("<I", 0) + text("") + struct.pack("<I", 0)
            link.sendall(frame(OPEN, 0, opening))
            incoming = link.makefile("rb", buffering=1 << 20)
            handle, pages = None, 0
            sequence, asked, got = 1, 0, 0
            while True:
                size, kind, _, number = struct.unpack("<IHHQ", self.exactly(incoming, 16))
                body = self.exactly(incoming, size)
                if kind == FAILED:
                    raise RuntimeError(body)
                if kind == OPENED:
                    handle = struct.unpack_from("<I", body)[0]
                    description = json.loads(body[body.rindex(b'{"arrays"') if body.rfind(b'{"arrays"') >= 0 else body.index(b"{"):])
                    pages = self.count(description["arrays"][0])
                if kind == PAGE:
                    got += 1
                    self.pages += 1
                    self.bytes += size
                if handle is None:
                    continue
                if self.stop.is_set() or time.time() > until:
                    return
                while asked - got + TOGETHER <= AHEAD:
                    first = random.randrange(pages)
                    names = b"".join(struct.pack("<IQ", 0, (first + n) % pages) for n in range(TOGETHER))
                    link.sendall(frame(READ, sequence, struct.pack("<IBI", handle, 0, TOGETHER) + names))
                    sequence += TOGETHER
                    asked += TOGETHER

    @staticmethod
    def exactly(incoming, count):
        data = incoming.read(count)
        if len(data) < count:
            raise RuntimeError("the server closed the connection")
        return data

    @staticmethod
    def count(array):
        total = array["steps"]
        for nodes, page in zip(array["dims"], array["page"]):
            total *= -(-nodes // page)
        return total


def state(pid):
    with open(f"/proc/{pid}/status") as status:
        resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    return resident / 1024, len(os.listdir(f"/proc/{pid}/fd"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True)
    parser.add_argument("--store", required=True)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--clients", type=int, default=4)
    options = parser.parse_args()
    folder, name = os.path.split(os.path.abspath(options.store))
    server = subprocess.Popen([options.server, "--root", folder, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE,
                              text=True)
    try:
        address = server.stdout.readline().split()[-1]
        stop = threading.Event()
        clients = [Client(address, name, stop) for _ in range(options.clients)]
        for client in clients:
            client.start()
        began, rows, before = time.time(), [], (0, 0)
        while time.time() - began < options.seconds:
            time.sleep(min(10, options.seconds))
            now = (sum(c.pages for c in clients), sum(c.bytes for c in clients))
            rows.append(state(server.pid))
            print(f"{time.time() - began:6.0f} s {now[0] - before[0]:9d} pages {(now[1] - before[1]) / 1e6:9.1f} MB "
                  f"{rows[-1][0]:8.1f} MiB {rows[-1][1]:4d} descriptors", flush=True)
            before = now
            if any(c.error for c in clients):
                break
        stop.set()
        seconds = time.time() - began
        for client in clients:
            client.join(70)
        errors = [str(c.error) for c in clients if c.error]
        settled, last = rows[min(5, len(rows) - 1)], rows[-1]
        print(json.dumps({"seconds": round(seconds), "pagesPerSecond": round(before[0] / seconds),
                          "mbPerSecond": round(before[1] / seconds / 1e6, 1),
                          "connections": sum(c.connections for c in clients), "residentMiBAfterAMinute": settled[0],
                          "residentMiBAtTheEnd": last[0], "descriptorsAfterAMinute": settled[1],
                          "descriptorsAtTheEnd": last[1], "errors": errors}))
        grown = last[0] > settled[0] * 1.1 + 8 or last[1] > settled[1] + 8
        return 1 if errors or grown else 0
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    sys.exit(main())
