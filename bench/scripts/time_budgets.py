#!/usr/bin/env python3
"""Whether objects keep to their time: "budget": {"milliseconds": N} for every kind of object.

    bench/scripts/time_budgets.py FARFIELD [--milliseconds 50] [--runs 100] [--only NAME ...] [--folder DIR] [--json FILE]

Each run is a program of its own that computes one object of one step, far more than the time is enough for; runs of the kinds take
turns. What counts is "seconds" of the object in --stats: the computing, without writing files and drawing (of volumes the picture).
Beside each run as many bare loops as there are processors go round until the same time has passed, and are waited for: how late
these are is what the machine does to anybody.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ABC = "sample://abc?size=257,257,257"
TURBULENCE = "sample://turbulence?size=257,257,257"
CYLINDER = "sample://cylinder?size=193,129,65&blocks=4&steps=11"
SERIES = "sample://taylor-green?size=129,129,65&steps=11"
PLANE = {"origin": [3, 3, 3], "normal": [1, 2, 3]}
ON_PLANE = {"type": "slice", **PLANE}


def cases(files):
    """By name: the data, the object, and the step."""
    spread = {"type": "spread", "count": 100000}
    lines = {"type": "streamlines", "direction": "both", "seeds": spread}
    yield "streamlines", ABC, lines, 0
    yield "streamlines, curvilinear", CYLINDER, lines, 0
    yield "streamlines that keep a spacing", ABC, {**lines, "spacing": 0.1}, 0
    yield "pathlines, 10 intervals", SERIES, {"type": "pathlines", "seeds": spread, "release": {"steps": "0:0:1"}}, 10
    yield "streaklines, 10 intervals", SERIES, {"type": "streaklines", "seeds": spread, "release": {"steps": "0:10:1"}}, 10
    yield "slice", ABC, {"type": "slice", **PLANE, "color": {"by": "velocity-magnitude"}}, 0
    yield "slice of a derived function", ABC, {"type": "slice", **PLANE, "color": {"by": "vorticity-magnitude"}}, 0
    yield "slice, resolved overlaps", CYLINDER, {"type": "slice", "origin": [0, 0, 1], "normal": [1, 2, 3], "overlaps": "resolved",
                                                 "color": {"by": "pressure"}}, 0
    yield "slice, costly formulas", TURBULENCE, {"type": "slice", **PLANE, "color": {"by": "velocity-magnitude"}}, 0
    yield "isosurface", ABC, {"type": "isosurface", "by": "velocity-magnitude", "value": 1.5}, 0
    yield "isosurface of an expression", ABC, {"type": "isosurface", "by": "velocity-x*velocity-y", "value": 0.5}, 0
    yield "isosurface, costly formulas", TURBULENCE, {"type": "isosurface", "by": "velocity-magnitude", "value": 1}, 0
    yield "grid-surface", CYLINDER, {"type": "grid-surface", "block": 0, "range": {"k": [8, 8]}, "color": {"by": "vorticity-magnitude"}}, 0
    yield "arrows", ABC, {"type": "arrows", "on": ON_PLANE, "spacing": 0.02}, 0
    yield "lic", ABC, {"type": "lic", "on": ON_PLANE, "resolution": 2000}, 0
    yield "isolines", ABC, {"type": "isolines", "on": ON_PLANE, "by": "velocity-magnitude", "count": 20}, 0
    yield "surface-lines", CYLINDER, {"type": "surface-lines", "on": {"type": "grid-surface", "block": 0, "range": {"k": [8, 8]}},
                                      "count": 20000}, 0
    yield "volume", ABC, {"type": "volume", "by": "velocity-magnitude"}, 0
    yield "volume, costly formulas", TURBULENCE, {"type": "volume", "by": "velocity-magnitude"}, 0
    yield "volume, resampled", CYLINDER, {"type": "volume", "by": "pressure"}, 0
    if files:
        yield "streamlines, PLOT3D files", files, lines, 0
        yield "slice, PLOT3D files", files, {"type": "slice", **PLANE, "color": {"by": "mach"}}, 0
        yield "isosurface, PLOT3D files", files, {"type": "isosurface", "by": "mach", "value": 0.5}, 0


def session(data, shape, step, milliseconds):
    source = {"source": data} if isinstance(data, str) else data
    if shape["type"] in ("streamlines", "pathlines", "streaklines", "arrows", "lic", "surface-lines"):
        shape = {**shape, "vector": "velocity"}
    return {
        "farfield": 1,
        "data": {"flow": source},
        "objects": [{"name": "it", "data": "flow", "budget": {"milliseconds": milliseconds}, **shape}],
        "time": {"steps": step},
        "output": {"images": shape["type"] == "volume", "geometry": False},
    }


def bare_loops(milliseconds):
    """Milliseconds until all loops are waited for."""
    start = time.monotonic()
    children = []
    for _ in range(os.cpu_count()):
        child = os.fork()
        if child == 0:
            while time.monotonic() - start < milliseconds / 1000:
                pass
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    return 1000 * (time.monotonic() - start)


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def make_files(farfield, folder):
    subprocess.run([farfield, "sample", "abc", "-o", folder / "abc", "--size", "129,129,129", "--format", "plot3d"],
                   check=True, capture_output=True)
    return {"source": str(folder / "abc.xyz"), "solution": str(folder / "abc.q")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("farfield")
    parser.add_argument("--milliseconds", type=int, default=50)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--folder")
    parser.add_argument("--json")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        folder = pathlib.Path(name)
        chosen = [each for each in cases(make_files(args.farfield, folder)) if not args.only or any(o in each[0] for o in args.only)]
        for number, (_, data, shape, step) in enumerate(chosen):
            (folder / f"{number}.json").write_text(json.dumps(session(data, shape, step, args.milliseconds)))
        wall, cpu, bare, missing = ({each[0]: [] for each in chosen} for _ in range(4))
        load = os.getloadavg()[0]
        for run in range(args.runs):
            for number, (kind, *_) in enumerate(chosen):
                bare[kind].append(bare_loops(args.milliseconds))
                stats = folder / "stats.json"
                subprocess.run([args.farfield, "batchvis", folder / f"{number}.json", "-o", folder / "out", "--overwrite", "--quiet",
                                "--stats", stats], check=True, capture_output=True)
                its = json.loads(stats.read_text())["objects"][0]
                wall[kind].append(1000 * its["seconds"])
                cpu[kind].append(1000 * its["cpuSeconds"])
                missing[kind].append(its.get("missing", 0) / max(1, its.get("missingOf", 1)))
        rows = [{"object": kind, "median": quantile(wall[kind], 0.5), "percentile99": quantile(wall[kind], 0.99),
                 "most": max(wall[kind]), "cpuMedian": quantile(cpu[kind], 0.5), "missing": quantile(missing[kind], 0.5),
                 "bareMedian": quantile(bare[kind], 0.5), "barePercentile99": quantile(bare[kind], 0.99)} for kind, *_ in chosen]
    print(f"| {args.milliseconds} ms, {args.runs} runs | median | 99 % | most | CPU | missing | bare loops: median | 99 % |")
    print("|---|---|---|---|---|---|---|---|")
    for row in rows:
        print(f"| {row['object']} | {row['median']:.1f} | {row['percentile99']:.1f} | {row['most']:.1f} | {row['cpuMedian']:.0f} "
              f"| {100 * row['missing']:.0f} % | {row['bareMedian']:.1f} | {row['barePercentile99']:.1f} |")
    print(f"load average {load:.1f} to {os.getloadavg()[0]:.1f}")
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps({"milliseconds": args.milliseconds, "runs": args.runs, "objects": rows}, indent=1))


if __name__ == "__main__":
    sys.exit(main())
