#!/usr/bin/env python3
"""Ten million unstructured cells: converted and traced under small budgets, beside the same flow on a curvilinear grid and beside VTK.

    compare_unstructured.py FARFIELD --folder DIR [--cells N] [--seeds N] [--length L] [--rounds N] [--keep] [-o FILE.json]

FARFIELD is the built program. Needs vtk and numpy from PyPI; without them it says so and ends with status 0. Writes an ABC flow whose phase moves over three steps at the nodes of a cube of N^3 jittered hexahedra
(216 by default: 10.1 million cells, 3.3 GB in three .vtu files, appended raw), and the first step on the same nodes as a structured grid (.vts). Needs some 7 GB in DIR. Prints JSON, and a table on stderr.

- convert: all steps under --memory 300M. Processor time and the process's largest resident memory.
- lines under --memory 100M, seeds both ways on one step: processor time of tracing (objects[].cpuSeconds), largest resident memory, and stored bytes read over those that the lines touch,
  which are what a run with memory for all of it reads, without reading ahead.
- the same lines on the curvilinear grid, by turns: processor time per vertex. Both are looked at from stores in the system's cache.
- equal error, as in compare_vtk.py: of both programs the least processor time among their settings that meets an error. The error of a line is its largest distance to the line at a tolerance of 1e-10; those of a set
  are the median and the 90th percentile. VTK: vtkStreamTracer with the better of its two cell locators. "ready" is its Update() alone, on data in memory with the search structures made, over tracing in Farfield, which
  reads and decodes pages meanwhile; "job" is reading the file, making the search structures and tracing, over Farfield's whole process."""
import argparse, json, math, os, shutil, statistics, subprocess, sys, time

from compare_vtk import OURS, distances, least_cpu, make_tracer, measured, of_vtk, polylines, read_polydata, summary, write_session

STEPS = 3
LEVELS = (1e-3, 1e-4, 1e-5, 1e-6)
DIAGONAL = 2 * math.pi * math.sqrt(3)


# ---- the data, written slab by slab ----

def make_files(folder, n):
    import numpy as np
    side = n + 1
    at = np.linspace(0, 2 * np.pi, side)
    rng = np.random.default_rng(3)
    jitter = (rng.random((side, side, side, 3), dtype="f4") - 0.5) * np.float32(0.3 * 2 * np.pi / n)
    for axis in range(3):  # the border stays plane
        for end in (0, -1):
            index = [slice(None)] * 4
            index[2 - axis], index[3] = end, axis
            jitter[tuple(index)] = 0

    def points(k):
        y, x = np.meshgrid(at, at, indexing="ij")
        return np.stack([x, y, np.full_like(x, at[k])], -1).astype("f4") + jitter[k]

    def flow(p, step):
        x, y, z = (p[..., a].astype("f8") for a in range(3))
        t = 0.1 * step
        return np.stack([np.sin(z + t) + 0.6 * np.cos(y), 0.8 * np.sin(x) + np.cos(z + t), 0.6 * np.sin(y) + 0.8 * np.cos(x)], -1)

    nodes, cells = side ** 3, n ** 3

    def parts(step, structured):
        yield nodes * 12, (points(k) for k in range(side))
        yield nodes * 24, (flow(points(k), step) for k in range(side))
        yield nodes * 8, (np.linalg.norm(flow(points(k), step), axis=-1) for k in range(side))
        if structured: return
        j, i = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
        corners = np.array([0, 1, side + 1, side, side * side, side * side + 1, side * side + side + 1, side * side + side])
        yield cells * 64, (((i + side * j + side * side * k)[..., None] + corners).astype("i8") for k in range(n))
        yield cells * 8, (np.arange(8 + 8 * n * n * k, 8 + 8 * n * n * (k + 1), 8, dtype="i8") for k in range(n))
        yield cells, (np.full(n * n, 12, "u1") for _ in range(n))

    def write(path, step, structured):
        offsets, end = [], 0
        for size, _ in parts(step, structured):
            offsets.append(end)
            end += 8 + size
        array = lambda type, name, count, number: f'<DataArray type="{type}" Name="{name}" NumberOfComponents="{count}" format="appended" offset="{offsets[number]}"/>'
        grid, extent = ("StructuredGrid", f' WholeExtent="0 {n} 0 {n} 0 {n}"') if structured else ("UnstructuredGrid", "")
        piece = f'Extent="0 {n} 0 {n} 0 {n}"' if structured else f'NumberOfPoints="{nodes}" NumberOfCells="{cells}"'
        lists = "" if structured else f'<Cells>{array("Int64", "connectivity", 1, 3)}{array("Int64", "offsets", 1, 4)}{array("UInt8", "types", 1, 5)}</Cells>'
        with open(path, "wb") as out:
            out.write(f'<?xml version="1.0"?><VTKFile type="{grid}" version="1.0" byte_order="LittleEndian" header_type="UInt64"><{grid}{extent}><Piece {piece}>'
                      f'<Points>{array("Float32", "Points", 3, 0)}</Points>{lists}<PointData>{array("Float64", "velocity", 3, 1)}{array("Float64", "speed", 1, 2)}</PointData>'
                      f'</Piece></{grid}><AppendedData encoding="raw">_'.encode())
            for size, pieces in parts(step, structured):
                out.write(size.to_bytes(8, "little"))
                for piece in pieces: out.write(piece.tobytes())
            out.write(b"</AppendedData></VTKFile>")

    for step in range(STEPS): write(os.path.join(folder, f"flow_{step}.vtu"), step, False)
    write(os.path.join(folder, "grid.vts"), 0, True)


def seed_points(count):
    each = round(count ** (1 / 3))
    ticks = [1.7 + 2.9 * (n + 0.5) / each for n in range(each)]
    return [[x, y, z] for z in ticks for y in ticks for x in ticks]


# ---- the runs ----

class Runs:
    def __init__(self, options, folder):
        self.farfield, self.folder, self.length = options.farfield, folder, options.length
        self.points = seed_points(options.seeds)

    def path(self, name):
        return os.path.join(self.folder, name)

    def convert(self, sources, store, memory):
        cost, _ = measured([self.farfield, "convert", *sources, "-o", store, "--memory", memory, "--quiet", "--overwrite"])
        return dict(cost, storedBytes=os.path.getsize(store))

    def trace(self, store, integrator, memory="100M", more=(), out="out"):
        session, stats = self.path("lines.json"), self.path("stats.json")
        write_session(session, store, {"type": "points", "points": self.points}, dict(integrator, maxLength=self.length))
        document = json.load(open(session))
        document["time"] = {"steps": 0}
        json.dump(document, open(session, "w"))
        cost, _ = measured([self.farfield, "batchvis", session, "-o", self.path(out), "--memory", memory, "--stats", stats, "--quiet", "--overwrite", *more])
        said = json.load(open(stats))
        return dict(cost, traceCpuSeconds=said["objects"][0]["cpuSeconds"], vertices=said["objects"][0]["points"], bytesRead=said["paging"]["bytesRead"])

    def lines(self, out="out"):
        name = next(name for name in os.listdir(self.path(out)) if name.startswith("lines") and name.endswith(".vtp"))
        return self.path(os.path.join(out, name))


def worker(kind, **values):
    return [sys.executable, os.path.abspath(__file__), "worker", kind, json.dumps(values)]


def run(options):
    folder = os.path.abspath(options.folder)
    os.makedirs(folder, exist_ok=True)
    runs, out = Runs(options, folder), {"load": os.getloadavg(), "processors": os.cpu_count(), "cells": options.cells ** 3}
    vtu = [runs.path(f"flow_{step}.vtu") for step in range(STEPS)]
    if not os.path.exists(runs.path("grid.vts")): measured(worker("make", folder=folder, cells=options.cells))
    out["inputBytes"] = sum(map(os.path.getsize, vtu))
    store, curvilinear = runs.path("flow.h5"), runs.path("curvilinear.h5")
    if not os.path.exists(store): out["convert"] = runs.convert(vtu, store, "300M")
    if not os.path.exists(curvilinear): runs.convert([runs.path("grid.vts")], curvilinear, "300M")
    print(f"convert {out.get('convert')}", file=sys.stderr, flush=True)

    tolerance = {"tolerance": 1e-5}
    touched = runs.trace(store, tolerance, "8G", ("--prefetch", "off"))["bytesRead"]
    small = runs.trace(store, tolerance)
    out["lines"] = dict(small, touchedBytes=touched, readOverTouched=small["bytesRead"] / touched)
    print(f"lines {out['lines']}", file=sys.stderr, flush=True)
    turns = {"unstructured": [], "curvilinear": []}
    for _ in range(options.rounds):
        for name, path in (("unstructured", store), ("curvilinear", curvilinear)):
            cost = runs.trace(path, tolerance, "1G", ("--processors", "1"))
            turns[name].append(1e6 * cost["traceCpuSeconds"] / cost["vertices"])
    out["microsecondsPerVertex"] = {name: statistics.median(its) for name, its in turns.items()}
    print(f"per vertex {out['microsecondsPerVertex']} {turns}", file=sys.stderr, flush=True)

    runs.trace(store, {"tolerance": 1e-10}, "1G", out="truth")
    judge = lambda lines: json.loads(measured(worker("against", truth=runs.lines("truth"), lines=lines))[1])
    farfield = []
    for integrator in OURS[1:15:2] + OURS[16::2]:
        cost = min((runs.trace(store, integrator, more=("--processors", "1")) for _ in range(3)), key=lambda cost: cost["traceCpuSeconds"])
        farfield.append(dict(cost, settings=integrator, **judge(runs.lines())))
    cost, text = measured(worker("trace", source=vtu[0], points=runs.points, length=options.length, truth=runs.lines("truth")))
    out["farfield"], out["vtk"], out["vtkProcess"] = farfield, json.loads(text), cost
    out["levels"] = []
    for key in ("medianError", "p90Error"):
        for level in LEVELS:
            ours, theirs = least_cpu(farfield, key, level, "traceCpuSeconds"), least_cpu(out["vtk"]["runs"], key, level, "cpuSeconds")
            if not (ours and theirs): continue
            job, whole = least_cpu(out["vtk"]["runs"], key, level, "jobCpuSeconds"), least_cpu(farfield, key, level, "cpuSeconds")
            row = {"error": key, "level": level, "farfield": ours["traceCpuSeconds"], "vtk": theirs["cpuSeconds"], "ready": theirs["cpuSeconds"] / ours["traceCpuSeconds"],
                   "farfieldJob": whole["cpuSeconds"], "vtkJob": job["jobCpuSeconds"], "job": job["jobCpuSeconds"] / whole["cpuSeconds"],
                   "farfieldPeak": ours["peakRssBytes"], "farfieldSettings": ours["settings"], "vtkSettings": theirs["settings"]}
            out["levels"].append(row)
            print(row, file=sys.stderr, flush=True)
    print({name: out["vtk"][name] for name in out["vtk"] if name != "runs"}, cost, file=sys.stderr)
    if not options.keep: shutil.rmtree(folder)
    return out


# ---- workers: what needs vtk and numpy, in processes of their own ----

def judged(np, vtk, truth, line_of):
    errors = []
    for n, (x, _) in enumerate(truth):
        if len(x) < 22: continue
        got, targets = line_of(n // 2, 1 if n % 2 == 0 else -1), x[np.linspace(0, len(x) - 1, 22).astype(int)[:-1]]
        errors.append(1.0 if got is None or len(got[0]) < 2 else distances(np, got, targets).max() / DIAGONAL)
    return summary(np, errors)


def work(kind, values):
    if kind == "make": return make_files(values["folder"], values["cells"])
    import numpy as np
    import vtk
    vtk.vtkObject.GlobalWarningDisplayOff()
    truth = polylines(vtk, np, read_polydata(vtk, values["truth"]))
    if kind == "against":
        lines = polylines(vtk, np, read_polydata(vtk, values["lines"]))
        return judged(np, vtk, truth, lambda seed, direction: lines[2 * seed + (direction < 0)])
    vtk.vtkSMPTools.Initialize(1)
    began = time.process_time()
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(values["source"])
    reader.Update()
    flow = reader.GetOutput()
    flow.GetPointData().SetActiveVectors("velocity")
    found = {"readCpuSeconds": time.process_time() - began, "runs": []}
    for locator in (False, True):
        made = None  # what the first Update() takes beyond the next ones
        for step in (1.0, 0.5, 0.2):
            for tolerance in (1e-3, 1e-5, 1e-7):
                seconds, errors = [], None
                for turn in range(3):
                    tracer = make_tracer(vtk, flow, values["points"], values["length"], tolerance, step, locator)
                    tracer.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, "velocity")
                    began = time.process_time()
                    tracer.Update()
                    seconds.append(time.process_time() - began)
                    errors = errors or judged(np, vtk, truth, of_vtk(vtk, np, tracer.GetOutput()))
                made = seconds[0] - min(seconds) if made is None else made
                found["runs"].append(dict(errors, jobCpuSeconds=found["readCpuSeconds"] + made + min(seconds), cpuSeconds=min(seconds), points=tracer.GetOutput().GetNumberOfPoints(),
                                          settings={"tolerance": tolerance, "maxStepCells": step, "cellLocator": locator}))
    return found


def main():
    if sys.argv[1:2] == ["worker"]:
        json.dump(work(sys.argv[2], json.loads(sys.argv[3])), sys.stdout)
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("farfield")
    parser.add_argument("--folder", required=True)
    parser.add_argument("--cells", type=int, default=216, help="along each edge of the cube")
    parser.add_argument("--seeds", type=int, default=125)
    parser.add_argument("--length", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keep", action="store_true", help="leave the files, and use those that are there")
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    options.farfield = os.path.abspath(options.farfield)
    if subprocess.run([sys.executable, "-c", "import vtk, numpy"], stderr=subprocess.DEVNULL).returncode != 0:
        print("left out: this Python has no vtk and numpy (pip install vtk numpy)", file=sys.stderr)
        return
    text = json.dumps(run(options), indent=1)
    if options.output:
        with open(options.output, "w") as out: out.write(text + "\n")
    else:
        print(text)


if __name__ == "__main__":
    main()
