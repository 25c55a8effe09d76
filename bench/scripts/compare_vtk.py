#!/usr/bin/env python3
"""Farfield beside VTK's vtkStreamTracer (RK45): CPU time to equal measured error, and a whole job.

    compare_vtk.py error FARFIELD --data DIR --refs DIR [--set NAME ...] [--repeat N] [-o FILE.json]
    compare_vtk.py job FARFIELD --folder DIR [--size NI,NJ,NK] [--blocks N] [--memory SIZE] [-o FILE.json]

FARFIELD is the built program. Needs vtk and numpy from PyPI; without them it says so and ends with status 0. DIR of --data holds the PLOT3D
files, that of --refs the NAME.streamlines.json; FARFIELD_PLOT3D and FARFIELD_REFS in the environment do the same. Prints JSON, and a table on stderr.

error: every set's seeds are traced both ways at many settings by both programs, one processor. The error of a line is the largest distance of the
reference's 21 positions to the line, whose vertices are joined by cubic curves along the velocity (so neither is charged for
drawing straight segments); that of a set is the median, and the 90th percentile, over the lines that the reference vouches for. VTK: CPU time of the tracer's
Update() alone, data in memory, velocity computed before, vorticity off, best of several largest steps and of both cell locators. Farfield: CPU time of
tracing alone (objects[].cpuSeconds: reading and decoding the store's pages and keeping the vertices included, writing lines.vtp not), and that of the
whole process. Seeds are repeated so that start-up matters little. At each error level stands the least CPU time of either that meets it.

job: makes a multi-block PLOT3D flow, converts it, and runs the same 200 seeds both ways through either program with cold files: read, trace, write .vtp. Wall time,
CPU time and peak resident memory are the operating system's, of a process of its own."""
import argparse, json, math, os, resource, shutil, subprocess, sys, tempfile, time

SETS = {"bluntfin": ("bluntfinxyz.bin", "bluntfinq.bin"),
        "bluntfin_8blk": ("bluntfin_8blk_le_f8_mk_ib.xyz", "bluntfin_8blk_le_f8_mk_ib.q"),
        "bluntfin_8blk_overlap": ("bluntfin_8blk_overlap_be_f4_mk.xyz", "bluntfin_8blk_overlap_be_f4_mk.q"),
        "comb": ("combxyz.bin", "combq.bin"),
        "multi-bin": ("multi-bin.xyz", "multi-bin.q"),
        "cylinder_000": ("cylinder_series/grid3d_le_f4_ib.xyz", "cylinder_series/q3d_000.q"),
        "cylinder_010": ("cylinder_series/grid3d_le_f4_ib.xyz", "cylinder_series/q3d_010.q")}
# How VTK's reader has to be told what the files are.
VTK_FORMAT = {"bluntfin": dict(big=True), "comb": dict(big=True),
              "bluntfin_8blk": dict(multi=True, marks=True, iblank=True, double=True),
              "bluntfin_8blk_overlap": dict(big=True, multi=True, marks=True),
              "multi-bin": dict(multi=True, marks=True, double=True),
              "cylinder_000": dict(multi=True, iblank=True), "cylinder_010": dict(multi=True, iblank=True)}
# What Farfield is asked for: its adaptive integrator by tolerance, and the fixed one by steps in cells.
OURS = [{"method": "dopri5", "tolerance": 10 ** (-exponent / 2)} for exponent in range(4, 18)]
OURS += [{"method": "rk4", "step": step} for step in (4, 3, 2.5, 2, 1.5, 1, 0.7, 0.5, 0.25, 0.125)]
LEVELS = [1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6]
MAX_STEPS = 200000


# ---- measuring: the driver loads neither vtk nor numpy, so that a child's peak memory is its own ----

def measured(command, **options):
    """Runs `command`; returns wall and CPU seconds and peak resident bytes, and its standard output."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out, **options)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode()
    if child.returncode != 0:
        sys.exit(f"failed with status {child.returncode}: {' '.join(command)}")
    return {"wallSeconds": wall, "cpuSeconds": usage.ru_utime + usage.ru_stime, "peakRssBytes": usage.ru_maxrss * 1024}, text


def make_cold(*paths):
    for path in paths:
        fd = os.open(path, os.O_RDONLY)
        os.fsync(fd)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(fd)


def worker(kind, **values):
    return [sys.executable, os.path.abspath(__file__), "worker", kind, json.dumps(values)]


def write_session(path, source, seeds, integrator, name="lines"):
    with open(path, "w") as out:
        json.dump({"farfield": 1, "data": {"flow": {"source": source}}, "output": {"images": False, "geometry": True},
                   "objects": [{"name": name, "type": "streamlines", "data": "flow", "vector": "velocity", "direction": "both",
                                "seeds": seeds, "integrator": dict({"maxSteps": MAX_STEPS}, **integrator)}]}, out)


# ---- equal measured error ----

def least_cpu(runs, key, level, cpu):
    fit = [run for run in runs if run[key] <= level]
    return min(fit, key=lambda run: run[cpu]) if fit else None


def levels_of(farfield, vtk):
    rows = []
    for key in ("medianError", "p90Error"):
        for level in LEVELS:
            ours, theirs = least_cpu(farfield, key, level, "cpuSeconds"), least_cpu(vtk, key, level, "cpuSeconds")
            traced = least_cpu(farfield, key, level, "traceCpuSeconds")
            if ours and theirs:
                rows.append({"error": key, "level": level, "vtkCpuSeconds": theirs["cpuSeconds"], "farfieldCpuSeconds": ours["cpuSeconds"],
                             "farfieldTraceCpuSeconds": traced["traceCpuSeconds"], "ratio": theirs["cpuSeconds"] / ours["cpuSeconds"],
                             "traceRatio": theirs["cpuSeconds"] / traced["traceCpuSeconds"], "vtk": theirs["settings"], "farfield": traced["settings"]})
    return rows


def keep_least(runs, turn):
    """Each time of `runs` becomes that of the same run in `turn` if it was less there, or new."""
    for run, again in zip(runs, turn):
        for key in ("cpuSeconds", "traceCpuSeconds"):
            if key in again:
                run[key] = min(run.get(key, math.inf), again[key])


def compare_errors(options):
    out = {"load": os.getloadavg(), "processors": os.cpu_count(), "repeat": options.repeat, "sets": {}}
    for name in options.set or SETS:
        ref_path = os.path.join(options.refs, name + ".streamlines.json")
        xyz, q = (os.path.join(options.data, f) for f in SETS[name])
        if not all(os.path.exists(f) for f in (ref_path, xyz, q)):
            print(f"{name}: left out, its files are not there", file=sys.stderr)
            continue
        ref = json.load(open(ref_path))
        seeds = [s["xyz"] for s in ref["seeds"]]
        with tempfile.TemporaryDirectory() as folder:
            store, session = os.path.join(folder, "flow.h5"), os.path.join(folder, "lines.json")
            subprocess.run([options.farfield, "convert", xyz, "--solution", q, "-o", store, "--quiet"], check=True)

            def trace(points, integrator):
                write_session(session, store, {"type": "points", "points": points}, dict(integrator, maxLength=ref["max_length"]))
                stats = os.path.join(folder, "stats.json")
                cost, _ = measured([options.farfield, "batchvis", session, "-o", folder, "--processors", "1", "--stats", stats, "--quiet"])
                return {"cpuSeconds": cost["cpuSeconds"], "traceCpuSeconds": json.load(open(stats))["objects"][0]["cpuSeconds"]}

            farfield, vtk = [], []
            for integrator in OURS:
                trace(seeds, integrator)
                _, text = measured(worker("judge", ref=ref_path, lines=os.path.join(folder, "lines.vtp")))
                farfield.append(dict(json.loads(text), settings=integrator))
            # By turns: the speed of a machine that others share changes within minutes.
            for _ in range(options.rounds):
                keep_least(farfield, [trace(seeds * options.repeat, integrator) for integrator in OURS])
                _, text = measured(worker("trace", ref=ref_path, xyz=xyz, q=q, format=VTK_FORMAT[name], repeat=options.repeat, judge=not vtk))
                turn = json.loads(text)
                vtk = vtk or turn
                keep_least(vtk, turn)
        rows = levels_of(farfield, vtk)
        out["sets"][name] = {"lines": len(seeds) * 2, "levels": rows, "farfield": farfield, "vtk": vtk}
        for row in rows:
            print(f"{name:22} {row['error']:12} {row['level']:.0e}  vtk {row['vtkCpuSeconds']:8.3f} s  farfield {row['farfieldTraceCpuSeconds']:8.3f} s"
                  f"  {row['traceRatio']:5.1f}x  (whole process {row['farfieldCpuSeconds']:8.3f} s {row['ratio']:5.1f}x)  {row['farfield']}", file=sys.stderr, flush=True)
    return out


# ---- the whole job ----

def run_job(options):
    folder = os.path.abspath(options.folder)
    os.makedirs(folder, exist_ok=True)
    name = os.path.join(folder, "flow")
    xyz, q, store, session = name + ".xyz", name + ".q", name + ".h5", name + ".json"
    if not (options.keep and os.path.exists(xyz) and os.path.exists(q)):
        subprocess.run([options.farfield, "sample", "cylinder", "-o", name, "--size", options.size, "--blocks", str(options.blocks),
                        "--format", "plot3d", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    out = {"load": os.getloadavg(), "processors": os.cpu_count(), "size": options.size, "blocks": options.blocks,
           "inputBytes": os.path.getsize(xyz) + os.path.getsize(q)}
    make_cold(xyz, q)
    out["convert"], _ = measured([options.farfield, "convert", xyz, "--solution", q, "-o", store, "--memory", options.memory, "--quiet", "--overwrite"])
    out["storedBytes"] = os.path.getsize(store)
    # A rake before the cylinder, off its axis of symmetry.
    count = 200
    points = [[-8, -3 + 6 * (n + 0.5) / count, 0.3 + 3.4 * ((n * 7) % count + 0.5) / count] for n in range(count)]
    length = 30.0

    def farfield(tolerance, target, processors):
        write_session(session, store, {"type": "points", "points": points}, {"tolerance": tolerance, "maxLength": length})
        make_cold(store)
        stats = name + ".stats.json"
        command = [options.farfield, "batchvis", session, "-o", target, "--memory", options.memory, "--stats", stats, "--quiet"]
        cost, _ = measured(command + (["--processors", str(processors)] if processors else []))
        return dict(cost, tolerance=tolerance, stats=json.load(open(stats)))

    truth = os.path.join(folder, "truth")
    farfield(1e-10, truth, 0)
    judge = lambda lines: json.loads(measured(worker("against", truth=os.path.join(truth, "lines.vtp"), lines=lines))[1])
    out["farfield"], out["vtk"] = [], []
    for tolerance in (1e-4, 1e-6, 1e-8):
        for processors in (0, 1):
            cost = farfield(tolerance, folder, processors)
            out["farfield"].append(dict(cost, processors=processors or os.cpu_count(), **judge(os.path.join(folder, "lines.vtp"))))
    for settings in ({"tolerance": 1e-6, "step": 1.0}, {"tolerance": 1e-6, "step": 0.2}):
        make_cold(xyz, q)
        lines = name + ".vtk.vtp"
        cost, text = measured(worker("job", xyz=xyz, q=q, points=points, length=length, out=lines, **settings))
        out["vtk"].append(dict(cost, settings=settings, **json.loads(text), **judge(lines)))
    for who in ("vtk", "farfield"):
        for run in out[who]:
            what = run.get("settings") or {"tolerance": run["tolerance"], "processors": run["processors"]}
            print(f"{who:9} {run['wallSeconds']:7.2f} s wall  {run['cpuSeconds']:7.2f} s CPU  {run['peakRssBytes'] / 1e6:8.1f} MB  median error"
                  f" {run['medianError']:.1e}  p90 {run['p90Error']:.1e}  {what}", file=sys.stderr)
    print(f"convert   {out['convert']['wallSeconds']:7.2f} s wall  {out['convert']['peakRssBytes'] / 1e6:8.1f} MB", file=sys.stderr)
    if not options.keep:
        shutil.rmtree(folder)
    return out


# ---- workers: what needs vtk and numpy, in processes of their own ----

def open_flow(vtk, xyz, q, format):
    reader = vtk.vtkMultiBlockPLOT3DReader()
    reader.SetXYZFileName(xyz)
    reader.SetQFileName(q)
    reader.AutoDetectFormatOff()
    reader.SetBinaryFile(True)
    reader.SetByteOrder(0 if format.get("big") else 1)
    reader.SetMultiGrid(format.get("multi", False))
    reader.SetHasByteCount(format.get("marks", False))
    reader.SetIBlanking(format.get("iblank", False))
    reader.SetDoublePrecision(format.get("double", False))
    reader.SetScalarFunctionNumber(-1)
    reader.SetVectorFunctionNumber(200)
    reader.Update()
    flow = reader.GetOutput()
    blocks = [flow.GetBlock(n) for n in range(flow.GetNumberOfBlocks())]
    for block in blocks:
        data = block.GetPointData()
        if data.GetArray("Velocity") is None:
            sys.exit("VTK read no velocity")
        data.SetActiveVectors("Velocity")
    return flow


def make_tracer(vtk, flow, points, length, tolerance, step, locator):
    seeds, at = vtk.vtkPolyData(), vtk.vtkPoints()
    at.SetDataTypeToDouble()
    for point in points:
        at.InsertNextPoint(point)
    seeds.SetPoints(at)
    tracer = vtk.vtkStreamTracer()
    tracer.SetInputDataObject(flow)
    tracer.SetSourceData(seeds)
    tracer.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, "Velocity")
    tracer.SetIntegratorTypeToRungeKutta45()
    tracer.SetIntegrationDirectionToBoth()
    tracer.SetMaximumPropagation(length)
    tracer.SetMaximumNumberOfSteps(MAX_STEPS)
    tracer.SetMaximumError(tolerance)
    tracer.SetIntegrationStepUnit(vtk.vtkStreamTracer.CELL_LENGTH_UNIT)
    tracer.SetInitialIntegrationStep(min(0.2, step))
    tracer.SetMinimumIntegrationStep(1e-4)
    tracer.SetMaximumIntegrationStep(step)
    tracer.SetTerminalSpeed(1e-12)
    tracer.SetComputeVorticity(False)
    # VTK's two ways of finding cells: a search tree over cells, or a walk from the nearest point.
    if hasattr(tracer, "SetCellLocatorToStaticCellLocator"):
        (tracer.SetCellLocatorToStaticCellLocator if locator else tracer.SetCellLocatorToJumpAndWalkCellLocator)()
    else:
        (tracer.SetInterpolatorTypeToCellLocator if locator else tracer.SetInterpolatorTypeToDataSetPointLocator)()
    return tracer


def polylines(vtk, np, data):
    """(points, unit tangents along the line) of each polyline, in order."""
    from vtk.util.numpy_support import vtk_to_numpy
    lines = data.GetLines()
    if lines.GetNumberOfCells() == 0:
        return []
    points = vtk_to_numpy(data.GetPoints().GetData()).astype(float)
    vector = data.GetPointData().GetArray("velocity") or data.GetPointData().GetArray("Velocity")
    velocity = vtk_to_numpy(vector).astype(float)
    offsets, ids = vtk_to_numpy(lines.GetOffsetsArray()), vtk_to_numpy(lines.GetConnectivityArray())
    out = []
    for n in range(lines.GetNumberOfCells()):
        at = ids[offsets[n]:offsets[n + 1]]
        x, v = points[at], velocity[at]
        keep = np.r_[True, np.linalg.norm(np.diff(x, axis=0), axis=1) > 0]
        x, v = x[keep], v[keep]
        speed = np.linalg.norm(v, axis=1)
        tangent = v / np.where(speed > 0, speed, 1)[:, None]
        if len(x) > 1 and np.einsum("ij,ij->", tangent[:-1], np.diff(x, axis=0)) < 0:
            tangent = -tangent
        out.append((x, tangent))
    return out


def distances(np, line, targets):
    """Distance of each target to the curve through the line's vertices: cubic in each segment, along the tangents, in the four segments nearest to it."""
    x, tangent = line
    if len(x) == 1:
        return np.linalg.norm(targets - x[0], axis=1)
    a, step = x[:-1], np.diff(x, axis=0)
    length2 = np.einsum("ij,ij->i", step, step)
    nearest = min(4, len(a))
    segments = []
    for target in targets:
        s = np.clip(np.einsum("ij,ij->i", target - a, step) / length2, 0, 1)
        gap = target - a - s[:, None] * step
        segments.append(np.argpartition(np.einsum("ij,ij->i", gap, gap), nearest - 1)[:nearest])
    k = np.array(segments)
    h = np.sqrt(length2[k])[..., None, None]
    ends = [v[:, :, None, :] for v in (x[k], h[..., 0] * tangent[k], x[k + 1], h[..., 0] * tangent[k + 1])]
    low, high, grid = np.zeros(k.shape), np.ones(k.shape), np.linspace(0, 1, 9)
    for _ in range(7):  # each round looks at a quarter of the range before
        u = (low[..., None] + (high - low)[..., None] * grid)[..., None]
        curve = ((1 + 2 * u) * (1 - u) ** 2 * ends[0] + u * (1 - u) ** 2 * ends[1] + u * u * (3 - 2 * u) * ends[2] + u * u * (u - 1) * ends[3])
        d = np.linalg.norm(curve - targets[:, None, None, :], axis=-1)
        m = np.argmin(d, axis=-1)
        at = lambda index: np.take_along_axis(u[..., 0], index[..., None], axis=-1)[..., 0]
        low, high = at(np.maximum(m - 1, 0)), at(np.minimum(m + 1, 8))
    return d.min(axis=(1, 2))


def summary(np, errors):
    if not errors:
        sys.exit("no line to judge")
    return {"judged": len(errors), "medianError": float(np.median(errors)), "p90Error": float(np.percentile(errors, 90)),
            "p99Error": float(np.percentile(errors, 99))}


def errors_of(np, ref, line_of):
    errors = []
    for line in ref["lines"]:
        if line.get("check_dev", 1) >= 1e-5 or line["reason"] in ("stagnation", "out_of_steps"):
            continue
        got = line_of(line["seed"], line["dir"])
        targets = np.array(line["xyz"])
        # The last positions are left out: programs stop at different places at the boundary.
        targets = targets[:-1]
        errors.append(1.0 if got is None or len(got[0]) < 2 else distances(np, got, targets).max() / ref["diag"])
    return errors


def read_polydata(vtk, path):
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def of_vtk(vtk, np, data):
    """line_of for VTK's lines, which are in any order and only those that left their seed: found by SeedIds, forward before backward."""
    from vtk.util.numpy_support import vtk_to_numpy
    seed = vtk_to_numpy(data.GetCellData().GetArray("SeedIds"))
    time = vtk_to_numpy(data.GetPointData().GetArray("IntegrationTime"))
    ids, offsets = vtk_to_numpy(data.GetLines().GetConnectivityArray()), vtk_to_numpy(data.GetLines().GetOffsetsArray())
    found = {}
    for n, line in enumerate(polylines(vtk, np, data)):
        last = time[ids[offsets[n + 1] - 1]]
        found.setdefault((int(seed[n]), 1 if last >= 0 else -1), line)
    return lambda s, d: found.get((s, d))


def work(kind, values):
    import numpy as np
    import vtk
    vtk.vtkObject.GlobalWarningDisplayOff()
    if kind == "judge":
        ref = json.load(open(values["ref"]))
        lines = polylines(vtk, np, read_polydata(vtk, values["lines"]))
        return summary(np, errors_of(np, ref, lambda seed, direction: lines[2 * seed + (direction < 0)]))
    if kind == "against":
        truth = polylines(vtk, np, read_polydata(vtk, values["truth"]))
        data = read_polydata(vtk, values["lines"])
        if data.GetCellData().GetArray("SeedIds"):
            line_of = of_vtk(vtk, np, data)
        else:
            lines = polylines(vtk, np, data)
            line_of = lambda seed, direction: lines[2 * seed + (direction < 0)]
        diagonal = np.linalg.norm([20, 20, 4])
        errors = []
        for n, (x, _) in enumerate(truth):
            got = line_of(n // 2, 1 if n % 2 == 0 else -1)
            if len(x) < 22:
                continue
            targets = x[np.linspace(0, len(x) - 1, 22).astype(int)[:-1]]
            errors.append(1.0 if got is None else distances(np, got, targets).max() / diagonal)
        return summary(np, errors)
    if kind == "job":
        flow = open_flow(vtk, values["xyz"], values["q"], dict(multi=True, iblank=True))
        read = time.process_time()
        tracer = make_tracer(vtk, flow, values["points"], values["length"], values["tolerance"], values["step"], False)
        start = time.perf_counter()
        tracer.Update()
        traced = time.perf_counter() - start
        writer = vtk.vtkXMLPolyDataWriter()
        writer.SetFileName(values["out"])
        writer.SetInputData(tracer.GetOutput())
        writer.Write()
        return {"readCpuSeconds": read, "traceSeconds": traced, "points": tracer.GetOutput().GetNumberOfPoints()}
    if kind == "trace":
        vtk.vtkSMPTools.Initialize(1)
        ref = json.load(open(values["ref"]))
        flow = open_flow(vtk, values["xyz"], values["q"], values["format"])
        seeds = [s["xyz"] for s in ref["seeds"]]
        runs = []
        for locator in (False, True):
            for step in (1.0, 0.5, 0.2, 0.1):
                for tolerance in (1e-3, 1e-5, 1e-7):
                    # Before it is timed: what VTK keeps with the data is there then.
                    once = make_tracer(vtk, flow, seeds, ref["max_length"], tolerance, step, locator)
                    once.Update()
                    found = summary(np, errors_of(np, ref, of_vtk(vtk, np, once.GetOutput()))) if values["judge"] else {}
                    tracer = make_tracer(vtk, flow, seeds * values["repeat"], ref["max_length"], tolerance, step, locator)
                    start = time.process_time()
                    tracer.Update()
                    cpu = time.process_time() - start
                    runs.append(dict(found, cpuSeconds=cpu, points=tracer.GetOutput().GetNumberOfPoints(),
                                     settings={"tolerance": tolerance, "maxStepCells": step, "cellLocator": locator}))
        return runs
    sys.exit("no such worker: " + kind)


def main():
    if sys.argv[1:2] == ["worker"]:
        json.dump(work(sys.argv[2], json.loads(sys.argv[3])), sys.stdout)
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("error", "job"))
    parser.add_argument("farfield")
    parser.add_argument("--data", default=os.environ.get("FARFIELD_PLOT3D"))
    parser.add_argument("--refs", default=os.environ.get("FARFIELD_REFS"))
    parser.add_argument("--set", action="append", choices=sorted(SETS))
    parser.add_argument("--repeat", type=int, default=10, help="times that the seeds are traced in one run")
    parser.add_argument("--rounds", type=int, default=1, help="turns of each measurement; the least counts")
    parser.add_argument("--folder")
    parser.add_argument("--size", default="321,161,217")
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--memory", default="200M")
    parser.add_argument("--keep", action="store_true", help="leave the files, and use those that are there")
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    options.farfield = os.path.abspath(options.farfield)
    if subprocess.run([sys.executable, "-c", "import vtk, numpy"], stderr=subprocess.DEVNULL).returncode != 0:
        print("left out: this Python has no vtk and numpy (pip install vtk numpy)", file=sys.stderr)
        return
    if options.what == "error" and not (options.data and options.refs):
        parser.error("name the folders of the data and of the references with --data and --refs")
    if options.what == "job" and not options.folder:
        parser.error("name a folder for the files with --folder")
    text = json.dumps(compare_errors(options) if options.what == "error" else run_job(options), indent=1)
    if options.output:
        with open(options.output, "w") as out:
            out.write(text + "\n")
    else:
        print(text)


if __name__ == "__main__":
    main()
