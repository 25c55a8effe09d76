#!/usr/bin/env python3
"""Volumes in chunked HDF5 files, in place: slices and probes beside those of Farfield's own store and of h5py's hyperslabs.

    compare_chunks.py FARFIELD [--nodes N] [--edge E] [--codec none|gzip] [--folder DIR [--keep]] [--memory SIZE] [--rounds N]

FARFIELD is the built program. Needs h5py and numpy from PyPI; without them it says so and ends with status 0. Writes N^3 numbers (float32, 1024 by default: 4.3 GB; products of sines with noise of
1e-3) in chunks of E^3, and converts them to a store of the same page edge and codec. The jobs:

- a slice of a plane aslant through the middle, as triangles (farfield batchvis). h5py reads the boxes of E + 1 nodes along each axis that the plane meets, one hyperslab each, and cuts nothing;
- a slice of a grid plane. h5py reads the plane as one hyperslab;
- the middle grid planes across k, j and i, read alone (farfield bench planes): from opening the file to having the plane's values, nothing cut or written. The only job in which both do the same; h5py uses
  one processor whatever there are, so Farfield is also run on one;
- 500 scattered points, a line of 20,000 points, and one point (farfield probe). h5py reads the 2 x 2 x 2 nodes around each point as a hyperslab, and interpolates.

Each in a process of its own, by turns, warm (the files in the system's cache as far as they fit) and cold (the file's pages dropped before each run). The least of processor time and of wall time counts: in some
runs the kernel takes twice as long to clear memory, whoever asks. h5py's
start is not counted: its times begin when it opens the file. Farfield's are those of the whole process, but for planes read alone, which begin when it opens the file as well. In place and store must give equal bytes, and h5py the same values."""
import argparse, contextlib, json, os, random, resource, subprocess, sys, tempfile, time

from compare_isosurfaces import drop

MAKE_JOB = """
import sys, h5py, numpy as np
path, n, e, codec = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
rng = np.random.default_rng(5)
with h5py.File(path, "w") as f:
    d = f.create_dataset("s", (n, n, n), "f4", chunks=(e, e, e), **({"compression": "gzip", "compression_opts": 1, "shuffle": True} if codec == "gzip" else {}))
    x = np.sin(np.linspace(0, 9, n, dtype="f4")); y = np.sin(np.linspace(0, 7, n, dtype="f4"))
    for k in range(0, n, e):
        z = np.sin(np.linspace(0, 5, n, dtype="f4"))[k:k + e]
        d[k:k + e] = z[:, None, None] * y[None, :, None] * x[None, None, :] + np.float32(1e-3) * rng.random((len(z), n, n), dtype="f4")
"""

H5PY_JOB = """
import sys, time, json, resource, h5py, numpy as np
path, job = sys.argv[1], json.loads(sys.stdin.read())
began, used = time.perf_counter(), time.process_time()
out = []
with h5py.File(path, "r") as f:
    d = f["s"]
    if "boxes" in job:
        for x, y, z, size in job["boxes"]: d[z:z + size, y:y + size, x:x + size]
    elif "plane" in job:
        d[tuple(job["plane"] if axis == job["axis"] else slice(None) for axis in "kji")]
    else:
        for x, y, z in job["points"]:
            i, j, k = (min(int(v), d.shape[0] - 2) for v in (x, y, z))
            c = d[k:k + 2, j:j + 2, i:i + 2].astype("f8")
            for t in (z - k, y - j, x - i): c = c[0] * (1 - t) + c[1] * t
            out.append(float(c))
print(json.dumps([time.perf_counter() - began, time.process_time() - used, out]))
"""

MIDDLE, NORMAL = [0.5013, 0.4987, 0.5021], [1, 0.4, 0.7]


def used_by_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command):
    began, used = time.perf_counter(), used_by_children()
    out = subprocess.run(command, check=True, capture_output=True, text=True, env=dict(os.environ, FARFIELD_CACHE_DIR="")).stdout
    return time.perf_counter() - began, used_by_children() - used, out


class Jobs:
    def __init__(self, options, work):
        self.options, self.work, n = options, work, options.nodes
        rng = random.Random(7)
        self.points = {"500 points": [[rng.uniform(0, n - 1) for _ in range(3)] for _ in range(500)], "one point": [[n * 0.37, n * 0.61, n * 0.29]]}
        self.ends = [0.0, 0.0, 0.0], [n - 1.0] * 3
        self.names = ["slice aslant", "slice of a grid plane", "500 points", "line of 20,000 points", "one point"]

    def farfield(self, name, path, where):
        program, memory = self.options.farfield, self.options.memory
        if name.startswith("slice"):
            session, out = os.path.join(self.work, "s.json"), os.path.join(self.work, where)
            n = self.options.nodes
            cut = {"index": {"k": n // 2}, "block": 0} if "grid" in name else {"origin": [v * (n - 1) for v in MIDDLE], "normal": NORMAL}
            with open(session, "w") as file:
                json.dump({"farfield": 1, "data": {"d": {"source": path}}, "objects": [{"name": "cut", "type": "slice", "color": {"by": "s"}, **cut}], "output": {"images": False}}, file)
            wall, cpu, _ = run([program, "batchvis", session, "-o", out, "--overwrite", "--quiet", "--memory", memory])
            with open(os.path.join(out, "cut.vtp"), "rb") as file:
                return wall, cpu, file.read()
        if name.startswith("line"):
            points = ["--line", *(",".join(map(repr, end)) for end in self.ends), "--count", "20000"]
        else:
            points = [word for point in self.points[name] for word in ("--at", ",".join(map(repr, point)))]
        return run([program, "probe", path, "--function", "s", *points, "--memory", memory])

    def h5py(self, name, path):
        n, e = self.options.nodes, self.options.edge
        if name == "slice aslant":
            origin, boxes = [v * (n - 1) for v in MIDDLE], []
            for z in range(0, n, e):
                for y in range(0, n, e):
                    for x in range(0, n, e):
                        first = sum((p - o) * m for p, o, m in zip((x, y, z), origin, NORMAL))
                        if first <= 0 <= first + sum(min(e, n - 1 - p) * m for p, m in zip((x, y, z), NORMAL)): boxes.append((x, y, z, e + 1))
            job = {"boxes": boxes}
        elif name.startswith("slice"):
            job = {"plane": n // 2, "axis": "k"}
        elif name.startswith("line"):
            job = {"points": [[a + (b - a) * t / 19999 for a, b in zip(*self.ends)] for t in range(20000)]}
        else:
            job = {"points": self.points[name]}
        return self.h5py_job(path, job)

    def h5py_job(self, path, job):
        return json.loads(subprocess.run([sys.executable, "-c", H5PY_JOB, path], input=json.dumps(job), check=True, capture_output=True, text=True).stdout)

    def planes(self, path, processors):
        """Wall and processor time of opening the file and reading its middle planes across k, j and i."""
        out = run([self.options.farfield, "bench", "planes", path, "--extent", "tiny", "--memory", self.options.memory, "--processors", str(processors)])[2]
        return {its["across"]: (its["openingWallSeconds"] + its["readingWallSeconds"], its["openingCpuSeconds"] + its["readingCpuSeconds"])
                for its in json.loads(out)["benchmarks"]["planes"]["results"]}


def compare(jobs, name, paths, cold, rounds):
    runs = {"in place": [], "store": [], "h5py": []}
    answers = {}
    for _ in range(rounds):
        for key in runs:
            path = paths["store" if key == "store" else "file"]
            if cold: drop(path)
            wall, cpu, answer = jobs.h5py(name, path) if key == "h5py" else jobs.farfield(name, path, key.replace(" ", ""))
            runs[key].append((wall, cpu))
            answers[key] = answer
    if answers["in place"] != answers["store"]: sys.exit(f"{name}: in place and the store differ")
    if answers["h5py"]:
        ours = [float(line.split()[-1]) for line in answers["in place"].splitlines() if line.strip()][-len(answers["h5py"]):]
        worst = max(abs(a - b) for a, b in zip(ours, answers["h5py"]))
        if worst > 1e-5: sys.exit(f"{name}: h5py's values differ by {worst}")
    wall, cpu = ({key: min(run[n] for run in its) for key, its in runs.items()} for n in (0, 1))
    print(f"| {name}, {'cold' if cold else 'warm'} | " + " | ".join(f"{cpu[key]:.3f} ({wall[key]:.3f})" for key in runs) +
          f" | {cpu['store'] / cpu['in place']:.2f} ({wall['store'] / wall['in place']:.2f}) | {cpu['h5py'] / cpu['in place']:.2f} ({wall['h5py'] / wall['in place']:.2f}) |", flush=True)


def compare_planes(jobs, paths, rounds):
    """Planes read alone, with nothing cut or written: from opening the file to having the plane's values in memory, warm, least of all rounds."""
    count = os.cpu_count()
    names = {"in place": ("file", count), "in place, one processor": ("file", 1), "store": ("store", count)}
    runs = {}
    for _ in range(rounds):
        for name, (path, processors) in names.items():
            for axis, times in jobs.planes(paths[path], processors).items(): runs.setdefault((axis, name), []).append(times)
        for axis in "kji": runs.setdefault((axis, "h5py"), []).append(jobs.h5py_job(paths["file"], {"plane": jobs.options.nodes // 2, "axis": axis})[:2])
    print(f"\n| planes read alone, processor time (wall time), s | {' | '.join([*names, 'h5py'])} | h5py / in place |\n|---|" + "---|" * (len(names) + 2))
    for axis in "kji":
        wall, cpu = ({name: min(run[n] for run in runs[axis, name]) for name in [*names, "h5py"]} for n in (0, 1))
        print(f"| across {axis}, warm | " + " | ".join(f"{cpu[name]:.4f} ({wall[name]:.4f})" for name in cpu) + f" | {cpu['h5py'] / cpu['in place']:.2f} ({wall['h5py'] / wall['in place']:.2f}) |", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("farfield")
    arguments.add_argument("--nodes", type=int, default=1024)
    arguments.add_argument("--edge", type=int, default=32)
    arguments.add_argument("--codec", default="none", choices=["none", "gzip"])
    arguments.add_argument("--folder")
    arguments.add_argument("--keep", action="store_true", help="leave the files in the folder, and use those that are there")
    arguments.add_argument("--memory", default="400M")
    arguments.add_argument("--rounds", type=int, default=5)
    options = arguments.parse_args()
    missing = subprocess.run([sys.executable, "-c", "import numpy, h5py"], capture_output=True, text=True)
    if missing.returncode != 0:
        print(f"skipped: {missing.stderr.strip().splitlines()[-1]}")
        return 0
    with contextlib.nullcontext(options.folder) if options.keep else tempfile.TemporaryDirectory(dir=options.folder) as work:
        paths = {"file": os.path.join(work, "volume.h5"), "store": os.path.join(work, "volume.farfield.h5")}
        if not os.path.exists(paths["file"]):
            subprocess.run([sys.executable, "-c", MAKE_JOB, paths["file"], str(options.nodes), str(options.edge), options.codec], check=True)
        if not os.path.exists(paths["store"]):
            subprocess.run([options.farfield, "convert", paths["file"], "-o", paths["store"], "--page-edge", str(options.edge), "--codec", options.codec, "--quiet"], check=True)
        print(f"{options.nodes}^3 float32 in chunks of {options.edge}^3, {options.codec}: file {os.path.getsize(paths['file']) / 1e9:.2f} GB, store {os.path.getsize(paths['store']) / 1e9:.2f} GB; "
              f"budget {options.memory}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        print("\n| processor time (wall time), s | in place | store | h5py | store / in place | h5py / in place |\n|---|---|---|---|---|---|")
        jobs = Jobs(options, work)
        for cold in (False, True):
            for name in jobs.names: compare(jobs, name, paths, cold, options.rounds)
        compare_planes(jobs, paths, options.rounds)
        print(f"\nload {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
