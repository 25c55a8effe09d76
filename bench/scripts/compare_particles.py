#!/usr/bin/env python3
"""Farfield's pathlines and streaklines beside VTK's vtkParticlePathFilter and vtkStreaklineFilter: error, CPU time, memory.

    compare_particles.py FARFIELD [--nodes N] [--steps N] [--seeds N] [--folder DIR] [--rounds N] [--every N] [--finer N] [--only KIND]

FARFIELD is the built program. Needs vtk and numpy from PyPI; without them it says so and ends with status 0.

The series is the sample `taylor-green` as PLOT3D (a curvilinear grid, float32), whose paths are known exactly: decaying vortices carry particles along the streamlines of time 0, ever more
slowly. Both programs trace the same seeds through the same files. In VTK all steps are in memory before its filter begins and only the filter counts; of Farfield the CPU time is that of the
object (`--stats`), reading and decoding pages included. Each in a process of its own, by turns; medians. Memory is the peak of the whole process, less nothing.

"job" is what a user waits for: of VTK all CPU time of its process from after its imports until the lines are there, reading the steps included (by numpy, which reads them as plain numbers); of Farfield all of its process, from starting
the program to the written file of lines, checkpoints on the way included.

--only pathlines or --only streaklines leaves the other out.

With --every N Farfield's pathlines are traced through every N-th step alone as well, linear and cubic in time. With --finer N VTK's are traced through 2, 4, … N times as many steps of the same time, too: what an error
as small as Farfield's costs there.

Prints a line each and ends with status 1 where Farfield's mean error is larger than VTK's."""
import argparse, json, os, shutil, statistics, subprocess, sys, tempfile

VISCOSITY = 0.1

VTK_JOB = r"""
import sys, time, glob, struct, json, resource
import numpy, vtk
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.util.vtkAlgorithm import VTKPythonAlgorithmBase
imported = time.process_time()
kind, folder, side, release = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])

def numbers(path, what, count, at):
    return numpy.fromfile(path, what, count, offset=at)

grid = folder + "/flow.xyz"
dims = [int(n) for n in numbers(grid, "<i4", 4, 0)]
blocks = dims[0] if dims[0] == 1 else None
head = 16 if blocks else 12
dims = dims[1:4] if blocks else dims[:3]
nodes = dims[0] * dims[1] * dims[2]
xyz = numbers(grid, "<f4", 3 * nodes, head).reshape(3, nodes).T.astype(float)
points = vtk.vtkPoints(); points.SetData(numpy_to_vtk(numpy.ascontiguousarray(xyz), deep=1))
steps, times = [], []
for path in sorted(glob.glob(folder + "/flow_*.q")):
    times.append(float(numbers(path, "<f4", 4, head)[3]))
    q = numbers(path, "<f4", 5 * nodes, head + 16).reshape(5, nodes).astype(float)
    velocity = numpy_to_vtk(numpy.ascontiguousarray((q[1:4] / q[0]).T), deep=1); velocity.SetName("velocity")
    step = vtk.vtkStructuredGrid(); step.SetDimensions(dims); step.SetPoints(points); step.GetPointData().SetVectors(velocity)
    steps.append(step)

class Source(VTKPythonAlgorithmBase):
    def __init__(self):
        VTKPythonAlgorithmBase.__init__(self, nInputPorts=0, nOutputPorts=1, outputType="vtkStructuredGrid")
    def RequestInformation(self, request, inInfo, outInfo):
        info = outInfo.GetInformationObject(0)
        info.Set(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS(), times, len(times))
        info.Set(vtk.vtkStreamingDemandDrivenPipeline.TIME_RANGE(), [times[0], times[-1]], 2)
        info.Set(vtk.vtkStreamingDemandDrivenPipeline.WHOLE_EXTENT(), 0, dims[0] - 1, 0, dims[1] - 1, 0, dims[2] - 1)
        return 1
    def RequestData(self, request, inInfo, outInfo):
        info = outInfo.GetInformationObject(0)
        wanted = info.Get(vtk.vtkStreamingDemandDrivenPipeline.UPDATE_TIME_STEP()) if info.Has(vtk.vtkStreamingDemandDrivenPipeline.UPDATE_TIME_STEP()) else times[0]
        n = int(numpy.argmin(numpy.abs(numpy.array(times) - wanted)))
        out = vtk.vtkStructuredGrid.GetData(outInfo)
        out.ShallowCopy(steps[n])
        out.GetInformation().Set(vtk.vtkDataObject.DATA_TIME_STEP(), times[n])
        return 1

axis = numpy.linspace(0.3, 5.9, side)
seeds = numpy.array([[x, y, 3.0] for y in axis for x in axis])
place = vtk.vtkPoints(); place.SetData(numpy_to_vtk(seeds, deep=1))
vertices = vtk.vtkPolyData(); vertices.SetPoints(place)
source = Source()
filter = vtk.vtkParticlePathFilter() if kind == "pathlines" else vtk.vtkStreaklineFilter()
filter.SetInputConnection(0, source.GetOutputPort())
filter.SetInputData(1, vertices)
filter.SetInputArrayToProcess(0, 0, 0, 0, "velocity")
filter.SetMeshOverTimeToStatic(); filter.SetStaticSeeds(True); filter.SetForceSerialExecution(True)
filter.SetForceReinjectionEveryNSteps(release)
filter.SetComputeVorticity(False)
before, wall = time.process_time(), time.perf_counter()
filter.UpdateTimeStep(times[-1])
ended = time.process_time()
cpu, job, wall = ended - before, ended - imported, time.perf_counter() - wall
out = filter.GetOutput()
found = vtk_to_numpy(out.GetPoints().GetData()).astype(float)
age = vtk_to_numpy(out.GetPointData().GetArray("ParticleAge")).astype(float)
seed = vtk_to_numpy(out.GetPointData().GetArray("InjectedPointId"))
print(json.dumps({"cpu": cpu, "job": job, "wall": wall, "vertices": int(out.GetNumberOfPoints()), "rss": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
numpy.savez(sys.argv[5], points=found, age=age, seed=seed, end=times[-1])
"""


def carried(points, since, until):
    """Where the vortices take points that are there at `since`; all arrays."""
    import numpy
    rate = 2 * VISCOSITY
    way = (numpy.exp(-rate * since) - numpy.exp(-rate * until)) / rate
    pieces = 400
    p = numpy.array(points, dtype=float)
    h = (way / pieces)[:, None]

    def velocity(q):
        return numpy.stack([numpy.sin(q[:, 0]) * numpy.cos(q[:, 1]), -numpy.cos(q[:, 0]) * numpy.sin(q[:, 1]), numpy.zeros(len(q))], axis=1)

    for _ in range(pieces):
        k1 = velocity(p)
        k2 = velocity(p + h / 2 * k1)
        k3 = velocity(p + h / 2 * k2)
        k4 = velocity(p + h * k3)
        p += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return p


def write_finer(work, finer, steps, pieces):
    """The same series with `pieces` times as many steps, as exact; the files of the sample have their own time step."""
    import numpy
    os.makedirs(finer)
    with open(os.path.join(work, "flow.xyz"), "rb") as file:
        grid = file.read()
    with open(os.path.join(finer, "flow.xyz"), "wb") as file:
        file.write(grid)
    with open(os.path.join(work, f"flow_{steps - 1:04d}.q"), "rb") as file:
        last = file.read(32)
    head = 16 if numpy.frombuffer(grid, "<i4", 1)[0] == 1 else 12
    nodes = (len(grid) - head) // 12
    x, y, z = numpy.frombuffer(grid, "<f4", 3 * nodes, head).reshape(3, nodes).astype(float)
    end = float(numpy.frombuffer(last, "<f4", 4, head)[3])
    count = pieces * (steps - 1) + 1
    for step in range(count):
        moment = end * step / (count - 1)
        decay = numpy.exp(-2 * VISCOSITY * moment)
        u, v = decay * numpy.sin(x) * numpy.cos(y), -decay * numpy.cos(x) * numpy.sin(y)
        solution = numpy.stack([numpy.ones(nodes), u, v, 0 * u, 2.5 + 0.5 * (u * u + v * v)]).astype("<f4")
        with open(os.path.join(finer, f"flow_{step:04d}.q"), "wb") as file:
            file.write(grid[:head] + numpy.array([0.5, 0, 1000, moment], "<f4").tobytes() + solution.tobytes())


def seeds_of(side):
    import numpy
    axis = numpy.linspace(0.3, 5.9, side)
    return numpy.array([[x, y, 3.0] for y in axis for x in axis])


def errors(points, seed, since, until, side):
    import numpy
    exact = carried(seeds_of(side)[numpy.asarray(seed, dtype=int)], numpy.asarray(since, dtype=float), numpy.asarray(until, dtype=float))
    away = numpy.linalg.norm(numpy.asarray(points) - exact, axis=1)
    return float(away.mean()), float(away.max()), len(away)


def run_vtk(kind, work, side, release):
    import numpy
    out = os.path.join(work, "vtk.npz")
    told = subprocess.run([sys.executable, "-c", VTK_JOB, kind, work, str(side), str(release), out], check=True, capture_output=True, text=True).stdout
    result = json.loads(told.strip().splitlines()[-1])
    data = numpy.load(out)
    end = float(data["end"])
    if kind == "pathlines":
        # The last vertex of each seed.
        points, seed, age = data["points"], data["seed"], data["age"]
        chosen = numpy.flatnonzero(age > age.max() - 1e-6)
    else:
        points, seed, age = data["points"], data["seed"], data["age"]
        chosen = [n for n in range(len(age)) if age[n] > 0]
    # VTK adds ages up in single precision, which is off by 1e-4 after many steps; the last vertices are at the end
    since = numpy.zeros(len(chosen)) if kind == "pathlines" else end - age[chosen]
    result["error"] = errors(points[chosen], seed[chosen], since, numpy.full(len(chosen), end), side)
    return result


def cpu_of(command, environment):
    """Runs it; the CPU time of its process."""
    process = subprocess.Popen(command, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return used.ru_utime + used.ru_stime


def run_farfield(program, kind, work, side, steps, every=1, interpolation="linear"):
    import numpy, vtk
    from vtk.util.numpy_support import vtk_to_numpy
    session, stats, out = (os.path.join(work, name) for name in ("particles.json", "stats.json", "out"))
    shape = {"name": "p", "type": kind, "seeds": {"type": "plane", "origin": [0.3, 0.3, 3], "axis1": [5.6, 0, 0], "axis2": [0, 5.6, 0], "counts": [side, side]}}
    if interpolation != "linear":
        shape["interpolation"] = interpolation
    solution = "flow_*.q" if every == 1 else [f"flow_{n:04d}.q" for n in range(0, steps, every)]
    with open(session, "w") as file:
        json.dump({"farfield": 1, "data": {"d": {"source": "flow.xyz", "solution": solution}}, "objects": [shape], "output": {"images": False}}, file)
    command = [program, "batchvis", session, "-o", out, "--overwrite", "--quiet", "--processors", "1", "--stats", stats]
    job = cpu_of(command, dict(os.environ, FARFIELD_CACHE_DIR=""))
    with open(stats) as file:
        told = json.load(file)
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(os.path.join(out, "p.vtp" if kind == "pathlines" else f"p_{steps - 1:04d}.vtp"))
    reader.Update()
    poly = reader.GetOutput()
    points = vtk_to_numpy(poly.GetPoints().GetData())
    offsets = vtk_to_numpy(poly.GetLines().GetOffsetsArray())
    seed = vtk_to_numpy(poly.GetCellData().GetArray("seed"))
    its = told["objects"][0]
    result = {"cpu": its["cpuSeconds"], "job": job, "vertices": its["steps"] + its["particles"], "rss": told["peakRssBytes"]}
    if kind == "pathlines":
        last = offsets[1:] - 1
        time = vtk_to_numpy(poly.GetPointData().GetArray("time"))
        result["error"] = errors(points[last], seed, numpy.zeros(len(last)), time[last], side)
    else:
        age, release = (vtk_to_numpy(poly.GetPointData().GetArray(name)) for name in ("age", "release"))
        ofPoint = numpy.repeat(seed, numpy.diff(offsets))
        chosen = age > 0
        result["error"] = errors(points[chosen], ofPoint[chosen], release[chosen], (release + age)[chosen], side)
    return result


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("farfield")
    arguments.add_argument("--nodes", type=int, default=65)
    arguments.add_argument("--steps", type=int, default=41)
    arguments.add_argument("--seeds", type=int, default=2500)
    arguments.add_argument("--folder")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--every", type=int, default=1)
    arguments.add_argument("--finer", type=int, default=1)
    arguments.add_argument("--only", choices=("pathlines", "streaklines"))
    options = arguments.parse_args()
    if (options.steps - 1) % options.every != 0:
        arguments.error("the last step has to be one of every N-th: --steps 41 --every 8")
    missing = subprocess.run([sys.executable, "-c", "import numpy, vtk"], capture_output=True, text=True)
    if missing.returncode != 0:
        print(f"skipped: {missing.stderr.strip().splitlines()[-1]}")
        return 0
    program = os.path.abspath(options.farfield)
    side = max(2, round(options.seeds ** 0.5))
    worse = False
    with tempfile.TemporaryDirectory(dir=options.folder) as work:
        subprocess.run([program, "sample", "taylor-green", "-o", os.path.join(work, "flow"), "--size", f"{options.nodes},{options.nodes},9", "--steps", str(options.steps), "--format", "plot3d", "--quiet"],
                       check=True, capture_output=True)
        print(f"taylor-green {options.nodes}x{options.nodes}x9, {options.steps} steps, {side * side} seeds; medians of {options.rounds}; VTK's filter alone, farfield with reading")
        for kind in (options.only,) if options.only else ("pathlines", "streaklines"):
            runs = {"vtk": [], "farfield": []}
            for _ in range(options.rounds):
                runs["vtk"].append(run_vtk(kind, work, side, 0 if kind == "pathlines" else 1))
                runs["farfield"].append(run_farfield(program, kind, work, side, options.steps))
            middle = {name: {key: statistics.median(run[key] for run in each) for key in ("cpu", "job", "rss", "vertices")} for name, each in runs.items()}
            for name in ("vtk", "farfield"):
                mean, most, count = runs[name][-1]["error"]
                its = middle[name]
                print(f"{kind:11} {name:8} error mean {mean:.3e} largest {most:.3e} of {count} particles; {its['vertices']:.0f} vertices; CPU {its['cpu']:.3f} s, of the job {its['job']:.3f} s; peak {its['rss'] / 1e6:.0f} MB", flush=True)
            print(f"{kind:11} CPU time {middle['vtk']['cpu'] / middle['farfield']['cpu']:.1f} times less, of the job {middle['vtk']['job'] / middle['farfield']['job']:.1f} times, error {runs['vtk'][-1]['error'][0] / runs['farfield'][-1]['error'][0]:.2f} times less")
            if kind == "pathlines" and options.every > 1:
                for way in ("linear", "cubic"):
                    each = [run_farfield(program, kind, work, side, options.steps, options.every, way) for _ in range(options.rounds)]
                    mean, most, count = each[-1]["error"]
                    cpu = statistics.median(run["cpu"] for run in each)
                    print(f"{kind:11} farfield, every {options.every}th step, {way}: error mean {mean:.3e} largest {most:.3e}; {each[-1]['vertices']:.0f} vertices; CPU {cpu:.3f} s", flush=True)
            pieces = 2
            while kind == "pathlines" and pieces <= options.finer:
                finer = os.path.join(work, "finer")
                write_finer(work, finer, options.steps, pieces)
                each = [run_vtk(kind, finer, side, 0) for _ in range(options.rounds)]
                shutil.rmtree(finer)
                mean, most, count = each[-1]["error"]
                cpu, peak = (statistics.median(run[key] for run in each) for key in ("cpu", "rss"))
                print(f"{kind:11} vtk, {pieces * (options.steps - 1) + 1} steps: error mean {mean:.3e} largest {most:.3e} of {count} particles; CPU {cpu:.3f} s; peak {peak / 1e6:.0f} MB", flush=True)
                pieces *= 2
            worse = worse or runs["farfield"][-1]["error"][0] > runs["vtk"][-1]["error"][0]
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
