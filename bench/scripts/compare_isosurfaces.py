#!/usr/bin/env python3
"""Farfield's isosurfaces beside VTK's vtkFlyingEdges3D and vtkContourFilter: areas, triangles, time and memory.

    compare_isosurfaces.py FARFIELD [--plot3d DIR] [--nodes N] [--folder DIR] [--memory SIZE] [--rounds N]

FARFIELD is the built program. Needs vtk and numpy from PyPI; without them it says so and ends with status 0.

1. With --plot3d, the folder of the PLOT3D files: surfaces of density in curvilinear grids in both programs (vtkContourFilter, points in double precision), areas and triangles.
2. A ball of smooth noise in N^3 numbers (float32), as a raw file and as a store, in both programs from the file to the triangles, cold (the files' pages are dropped from the system's cache
   before each run) and in a process of its own, by turns: median wall time and peak resident memory. A value that cuts all of the volume, and one whose surface is in a corner.
3. In core: the same surface a second time, from pages in memory, beside vtkFlyingEdges3D alone.

Prints a line each and ends with status 1 where an area differs by more than 0.1 %."""
import argparse, json, multiprocessing, os, statistics, subprocess, sys, tempfile, time

from compare_slices import area_of, vtk_blocks

SETS = {"bluntfin": ("bluntfinxyz.bin", "bluntfinq.bin", dict(big=True), [1.2, 2.0]),
        "comb": ("combxyz.bin", "combq.bin", dict(big=True), [0.19, 0.25]),
        "multi-bin": ("multi-bin.xyz", "multi-bin.q", dict(multi=True, marks=True, double=True), [1.2, 2.0])}

VTK_JOB = """
import sys, time, resource, vtk
path, nodes, value, many = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
start = time.perf_counter()
r = vtk.vtkImageReader2()
r.SetFileName(path); r.SetDataScalarTypeToFloat(); r.SetDataByteOrderToLittleEndian(); r.SetFileDimensionality(3)
r.SetDataExtent(0, nodes - 1, 0, nodes - 1, 0, nodes - 1); r.SetDataSpacing([2 / (nodes - 1)] * 3); r.SetDataOrigin(-1, -1, -1)
r.Update()
seconds = []
for _ in range(many):
    f = vtk.vtkFlyingEdges3D(); f.SetInputData(r.GetOutput()); f.SetValue(0, value); f.ComputeNormalsOn(); f.ComputeGradientsOff(); f.ComputeScalarsOff()
    began = time.perf_counter(); f.Update(); seconds.append(time.perf_counter() - began)
whole = time.perf_counter() - start
p = vtk.vtkMassProperties(); p.SetInputConnection(f.GetOutputPort()); p.Update()
print(whole, min(seconds), f.GetOutput().GetNumberOfPolys(), p.GetSurfaceArea(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def read_surface(path):
    import vtk
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def run_farfield(program, work, data, objects, memory=None):
    session, stats = os.path.join(work, "surfaces.json"), os.path.join(work, "stats.json")
    with open(session, "w") as out:
        json.dump({"farfield": 1, "data": {"d": data}, "objects": objects, "output": {"images": False}}, out)
    command = [program, "batchvis", session, "-o", work, "--overwrite", "--quiet", "--stats", stats] + (["--memory", memory] if memory else [])
    start = time.perf_counter()
    subprocess.run(command, check=True, env=dict(os.environ, FARFIELD_CACHE_DIR=""))
    with open(stats) as file:
        return time.perf_counter() - start, json.load(file)


def contour(folder, grid, solution, form, value):
    import vtk
    total = [0.0, 0]
    for block in vtk_blocks(folder, grid, solution, **form):
        block.GetPointData().SetActiveScalars("Density")
        filter = vtk.vtkContourFilter()
        filter.SetInputData(block)
        filter.SetValue(0, value)
        filter.SetOutputPointsPrecision(vtk.vtkAlgorithm.DOUBLE_PRECISION)
        filter.Update()
        for n, more in enumerate(area_of(filter.GetOutput())):
            total[n] += more
    return total


def compare_areas(program, folder):
    worst = 0.0
    for name, (grid, solution, form, values) in SETS.items():
        with tempfile.TemporaryDirectory() as work:
            data = {"source": os.path.join(os.path.abspath(folder), grid), "solution": os.path.join(os.path.abspath(folder), solution)}
            objects = [{"name": f"iso{n}", "type": "isosurface", "by": "density", "value": value} for n, value in enumerate(values)]
            run_farfield(program, work, data, objects)
            for n, value in enumerate(values):
                area, triangles = area_of(read_surface(os.path.join(work, f"iso{n}.vtp")))
                theirs, their_triangles = contour(folder, grid, solution, form, value)
                difference = abs(area - theirs) / theirs if theirs else area
                worst = max(worst, difference)
                print(f"{name:10} density {value:<5} farfield {area:.9g} ({triangles} triangles)  vtkContourFilter {theirs:.9g} ({their_triangles})  relative {difference:.1e}", flush=True)
    return worst


def write_volume(path, nodes):
    import numpy
    axis = numpy.linspace(-1, 1, nodes, dtype=numpy.float32)
    x, y = axis[None, :], axis[:, None]
    with open(path, "wb") as out:
        for z in axis:
            waves = numpy.sin(9 * x + 4 * z) * numpy.sin(8 * y - 3 * x) * numpy.sin(7 * z + 5 * y)
            (x * x + y * y + z * z + 0.15 * waves).astype("<f4").tofile(out)


def surface_area(path):
    return area_of(read_surface(path))[0]


def aside(function, *arguments):
    """In a process of its own: what this one has in memory would count as the peak of the programs that it starts."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def drop(path):
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def compare_times(options):
    nodes = options.nodes
    worst = 0.0
    with tempfile.TemporaryDirectory(dir=options.folder) as work:
        raw, store = os.path.join(work, "volume.raw"), os.path.join(work, "volume.h5")
        aside(write_volume, raw, nodes)
        spacing = 2 / (nodes - 1)
        data = {"source": raw, "reader": "raw", "options": {"dims": f"{nodes},{nodes},{nodes}", "type": "f32", "origin": "-1,-1,-1", "spacing": f"{spacing!r},{spacing!r},{spacing!r}"}}
        settings = sum((["--option", f"{key}={value}"] for key, value in data["options"].items()), ["--reader", "raw"])
        subprocess.run([options.farfield, "convert", raw, "-o", store, "--quiet", *settings], check=True)
        variable = json.loads(subprocess.run([options.farfield, "info", store, "--json"], check=True, capture_output=True).stdout)["variables"][0]["name"]
        print(f"{nodes}^3 numbers: raw {os.path.getsize(raw) / 1e9:.2f} GB, store {os.path.getsize(store) / 1e9:.2f} GB; budget {options.memory}")
        for what, value in (("through all of it", 0.5), ("in the corners", 2.7)):
            runs = {"vtk": [], "store": [], "raw": []}
            for _ in range(options.rounds):
                drop(raw)
                out = subprocess.run([sys.executable, "-c", VTK_JOB, raw, str(nodes), str(value), "1"], check=True, capture_output=True, text=True).stdout.split()
                runs["vtk"].append((float(out[0]), float(out[4]), int(out[2]), float(out[3]), 0))
                for source, its in (("store", {"source": store}), ("raw", data)):
                    drop(raw), drop(store)
                    seconds, stats = run_farfield(options.farfield, work, its, [{"name": "s", "type": "isosurface", "by": variable, "value": value}], options.memory)
                    runs[source].append((seconds, stats["peakRssBytes"], stats["objects"][0]["count"], aside(surface_area, os.path.join(work, "s.vtp")), stats["paging"]["bytesRead"]))
            middle = {name: [statistics.median(run[n] for run in each) for n in range(5)] for name, each in runs.items()}
            theirs = middle["vtk"]
            print(f"value {value}, {what}: {theirs[2]:.0f} triangles; vtk {theirs[0]:.2f} s, {theirs[1] / 1e6:.0f} MB")
            for name in ("store", "raw"):
                its = middle[name]
                difference = abs(its[3] - theirs[3]) / theirs[3] if theirs[3] else its[3]
                worst = max(worst, difference)
                print(f"  farfield from the {name}: {its[0]:.2f} s ({theirs[0] / its[0]:.1f} times as fast), {its[1] / 1e6:.0f} MB ({theirs[1] / its[1]:.1f} times less), read {its[4] / 1e6:.0f} MB, "
                      f"{its[2]:.0f} triangles, area differs by {difference:.1e}", flush=True)
        fast, own = [], []
        for _ in range(options.rounds):
            out = subprocess.run([sys.executable, "-c", VTK_JOB, raw, str(nodes), "0.5", "3"], check=True, capture_output=True, text=True).stdout.split()
            fast.append(float(out[1]))
            objects = [{"name": f"s{n}", "type": "isosurface", "by": variable, "value": 0.5} for n in range(3)]
            stats = run_farfield(options.farfield, work, {"source": store}, objects)[1]
            own.append(min(each["seconds"] for each in stats["objects"][1:]))
        print(f"in core: vtkFlyingEdges3D {statistics.median(fast) * 1e3:.0f} ms, farfield {statistics.median(own) * 1e3:.0f} ms: {statistics.median(own) / statistics.median(fast):.1f} times as long")
    return worst


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("farfield")
    arguments.add_argument("--plot3d", default=os.environ.get("FARFIELD_PLOT3D"))
    arguments.add_argument("--nodes", type=int, default=512)
    arguments.add_argument("--folder")
    arguments.add_argument("--memory", default="100M")
    arguments.add_argument("--rounds", type=int, default=5)
    options = arguments.parse_args()
    missing = subprocess.run([sys.executable, "-c", "import numpy, vtk"], capture_output=True, text=True)
    if missing.returncode != 0:
        print(f"skipped: {missing.stderr.strip().splitlines()[-1]}")
        return 0
    worst = aside(compare_areas, options.farfield, options.plot3d) if options.plot3d else 0.0
    worst = max(worst, compare_times(options))
    print(f"largest relative difference of areas {worst:.1e}")
    return 0 if worst <= 1e-3 else 1


if __name__ == "__main__":
    sys.exit(main())
