#!/usr/bin/env python3
"""Workers by readers, as in 2001: one job from a local file, from a paging server, and through sshfs, on this machine.

    compare_remote.py FARFIELD --store flow.h5 [--lines 200] [--rounds 5] [--plot FILE.svg] [--json FILE]

FARFIELD is the built program; farfield-pagerd lies beside it. Streamlines through the store, coloured by nothing, are computed serially and with threads, with each number of workers (a processor) and readers, by turns;
before each run the store is taken out of the system's cache and nothing is kept of remote pages, and with sshfs the file system is mounted anew. sshfs needs sshd, sftp-server and permission to use FUSE: where it is not to
be had, its columns are left out and the reason is printed. All files of lines are compared byte by byte. Prints a table of medians; --plot draws them beside the published times of 2001 as shares of the serial local one."""
import argparse, json, os, statistics, subprocess, sys, tempfile, time

CASES = [("serial", 1, 1), ("threads", 1, 1), ("threads", 2, 4), ("threads", 8, 4), ("threads", 8, 16), ("fibers", 64, 16)]
# SSLV of NAS-01-004 on one processor: seconds of the serial program, and with 8 workers and 16 readers.
IN_2001 = {"local": (30.1, 20.1), "server": (56.7, 21.2), "NFS": (55.0, None)}


def drop(path):
    subprocess.run(["dd", f"if={path}", "iflag=nocache", "count=0", "status=none"], check=True)


class Server:
    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "--root", folder, "--listen", "127.0.0.1:0", "--cache", "0"], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split()[-1]

    def close(self):
        self.process.terminate()
        self.process.wait()


class Sshfs:
    """The folder, mounted through an sshd of our own."""

    def __init__(self, folder, work):
        self.folder, self.mount, self.port = folder, os.path.join(work, "mount"), 42022
        os.makedirs(self.mount)
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{work}/{key}"], check=True)
        os.makedirs("/run/sshd", exist_ok=True)
        with open(f"{work}/sshd_config", "w") as config:
            config.write(f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {work}/host\nAuthorizedKeysFile {work}/user.pub\nStrictModes no\n"
                         f"PidFile {work}/pid\nUsePAM no\nPermitRootLogin yes\nSubsystem sftp internal-sftp\n")
        self.sshd = subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f", f"{work}/sshd_config"], stderr=subprocess.DEVNULL)
        time.sleep(1)
        self.work = work
        self.remount()

    def remount(self):
        if os.path.ismount(self.mount):
            subprocess.run(["fusermount3", "-u", self.mount], check=True)
        done = subprocess.run(["sshfs", f"127.0.0.1:{self.folder}", self.mount, "-p", str(self.port), "-o",
                               f"IdentityFile={self.work}/user,StrictHostKeyChecking=no,UserKnownHostsFile=/dev/null,kernel_cache,Ciphers=aes128-gcm@openssh.com"],
                              capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError((done.stderr or done.stdout).strip().splitlines()[-1])

    def close(self):
        if os.path.ismount(self.mount):
            subprocess.run(["fusermount3", "-u", self.mount])
        self.sshd.terminate()
        self.sshd.wait()


def run(program, source, case, lines, work):
    scheduler, workers, readers = case
    session = {"farfield": 1, "data": {"flow": {"source": source}},
               "objects": [{"name": "lines", "type": "streamlines", "data": "flow", "vector": "velocity", "direction": "both", "seeds": {"type": "spread", "count": lines}}],
               "output": {"images": False}}
    with open(f"{work}/session.json", "w") as file:
        json.dump(session, file)
    environment = dict(os.environ, FARFIELD_CACHE_SIZE="0", FARFIELD_CACHE_DIR=f"{work}/cache")
    began = time.perf_counter()
    subprocess.run([program, "batchvis", f"{work}/session.json", "-o", f"{work}/out", "--memory", "800M", "--scheduler", scheduler, "--processors", "1",
                    "--workers", str(workers), "--readers", str(readers), "--overwrite", "--quiet"], check=True, env=environment)
    seconds = time.perf_counter() - began
    with open(f"{work}/out/lines.vtp", "rb") as file:
        return seconds, hash(file.read())


def plot(rows, sources, path):
    """Bars as shares of the serial local time of their year."""
    width, height, left = 900, 420, 60
    groups = [(f"{c[0]} {c[1]}×{c[2]}", [(s, rows[c][s] / rows[CASES[0]]["local"]) for s in sources]) for c in CASES]
    base = IN_2001["local"][0]
    groups += [("2001 serial", [(s, v[0] / base) for s, v in IN_2001.items()]), ("2001 8×16", [(s, v[1] / base) for s, v in IN_2001.items() if v[1]])]
    most = max(v for _, bars in groups for _, v in bars)
    colours = {"local": "#4477aa", "server": "#66ccee", "sshfs": "#ee6677", "NFS": "#ccbb44"}
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>']
    scale, floor = (height - 110) / most, height - 60
    for tick in range(0, int(most) + 2):
        y = floor - tick * scale
        if y > 20:
            out.append(f'<line x1="{left}" x2="{width - 10}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/><text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{tick}</text>')
    step = (width - left - 20) / len(groups)
    for g, (name, bars) in enumerate(groups):
        x = left + 8 + g * step
        each = (step - 16) / max(len(b) for _, b in groups)
        for n, (source, value) in enumerate(bars):
            out.append(f'<rect x="{x + n * each:.1f}" y="{floor - value * scale:.1f}" width="{each - 2:.1f}" height="{value * scale:.1f}" fill="{colours[source]}"/>')
        out.append(f'<text x="{x + (step - 16) / 2:.1f}" y="{floor + 18}" text-anchor="middle">{name}</text>')
    for n, (source, colour) in enumerate(colours.items()):
        out.append(f'<rect x="{left + n * 110}" y="{height - 22}" width="12" height="12" fill="{colour}"/><text x="{left + 18 + n * 110}" y="{height - 12}">{source}</text>')
    out.append(f'<text x="{left}" y="16">Time of streamlines from a cold store as a share of the serial local time; workers × readers</text></svg>')
    with open(path, "w") as file:
        file.write("\n".join(out))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("farfield")
    parser.add_argument("--store", required=True)
    parser.add_argument("--lines", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--plot")
    parser.add_argument("--json")
    options = parser.parse_args()
    store = os.path.abspath(options.store)
    folder, name = os.path.split(store)
    with tempfile.TemporaryDirectory() as work:
        server, mounted, mounts = Server(os.path.join(os.path.dirname(os.path.abspath(options.farfield)), "farfield-pagerd"), folder), None, None
        try:
            sources = {"local": store, "server": f"far://{server.address}/{name}"}
            try:
                mounts = Sshfs(folder, work)
                sources["sshfs"] = os.path.join(mounts.mount, name)
            except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
                print(f"no sshfs: {error}", file=sys.stderr)
            times, digests = {c: {s: [] for s in sources} for c in CASES}, set()
            for _ in range(options.rounds):
                for case in CASES:
                    for source, where in sources.items():
                        drop(store)
                        if source == "sshfs":
                            mounts.remount()
                        seconds, digest = run(options.farfield, where, case, options.lines, work)
                        times[case][source].append(seconds)
                        digests.add(digest)
            rows = {c: {s: statistics.median(v) for s, v in row.items()} for c, row in times.items()}
            print("| scheduler | workers | readers | " + " | ".join(f"{s}, s" for s in sources) + " |\n|" + "---|" * (3 + len(sources)))
            for case, row in rows.items():
                print(f"| {case[0]} | {case[1]} | {case[2]} | " + " | ".join(f"{row[s]:.2f}" for s in sources) + " |")
            print("the lines are the same bytes everywhere" if len(digests) == 1 else "THE LINES DIFFER")
            if options.plot:
                plot(rows, list(sources), options.plot)
            if options.json:
                with open(options.json, "w") as file:
                    json.dump([{"scheduler": c[0], "workers": c[1], "readers": c[2], **row} for c, row in rows.items()], file, indent=1)
            return 0 if len(digests) == 1 else 1
        finally:
            server.close()
            if mounts:
                mounts.close()


if __name__ == "__main__":
    sys.exit(main())
