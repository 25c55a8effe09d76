#!/usr/bin/env python3
"""Farfield's slices beside VTK's vtkCutter: the whole job from files to triangles, cold; time, memory and bytes read.

    compare_slice_times.py FARFIELD [--size NI,NJ,NK] [--blocks N] [--folder DIR] [--memory SIZE] [--rounds N]

FARFIELD is the built program. Needs vtk and numpy from PyPI; without them it says so and ends with status 0. Makes the flow around a cylinder as PLOT3D files (curvilinear
blocks that overlap, with iblank, double precision) and as a store, and cuts it by a plane along the axes and by one aslant, coloured by density:

- VTK: vtkMultiBlockPLOT3DReader, vtkCutter on each block, vtkXMLPolyDataWriter;
- farfield batchvis from the PLOT3D files in place, and from the store.

Each in a process of its own, by turns, with the files' pages dropped from the system's cache before each run; medians of wall time, processor time and peak resident memory. The machine's load
is printed: with other work beside it times are upper bounds."""
import argparse, os, statistics, subprocess, sys, tempfile

from compare_isosurfaces import drop, run_farfield

PLANES = [("along", [0.013, 0.021, 0.987], [0, 0, 1]), ("aslant", [0.013, 0.021, 0.987], [1, 0.4, 0.7])]

VTK_JOB = """
import sys, time, resource, vtk
grid, solution, out = sys.argv[1:4]
origin, normal = [float(v) for v in sys.argv[4:7]], [float(v) for v in sys.argv[7:10]]
start = time.perf_counter()
r = vtk.vtkMultiBlockPLOT3DReader()
r.SetXYZFileName(grid); r.SetQFileName(solution); r.SetAutoDetectFormat(1)
r.Update()
data = r.GetOutput()
if data.GetNumberOfBlocks() == 0: sys.exit("vtkMultiBlockPLOT3DReader read nothing")
triangles = 0
for n in range(data.GetNumberOfBlocks()):
    plane = vtk.vtkPlane(); plane.SetOrigin(origin); plane.SetNormal(normal)
    cutter = vtk.vtkCutter(); cutter.SetCutFunction(plane); cutter.SetInputData(data.GetBlock(n)); cutter.GenerateTrianglesOn(); cutter.Update()
    triangles += cutter.GetOutput().GetNumberOfPolys()
    w = vtk.vtkXMLPolyDataWriter(); w.SetInputData(cutter.GetOutput()); w.SetFileName(f"{out}{n}.vtp"); w.SetDataModeToAppended(); w.EncodeAppendedDataOff(); w.SetCompressorTypeToNone(); w.Write()
used = resource.getrusage(resource.RUSAGE_SELF)
print(time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, triangles)
"""


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("farfield")
    arguments.add_argument("--size", default="129,121,121")
    arguments.add_argument("--blocks", default="4")
    arguments.add_argument("--folder")
    arguments.add_argument("--memory", default="100M")
    arguments.add_argument("--rounds", type=int, default=3)
    options = arguments.parse_args()
    missing = subprocess.run([sys.executable, "-c", "import numpy, vtk"], capture_output=True, text=True)
    if missing.returncode != 0:
        print(f"skipped: {missing.stderr.strip().splitlines()[-1]}")
        return 0
    with tempfile.TemporaryDirectory(dir=options.folder) as work:
        base, store = os.path.join(work, "flow"), os.path.join(work, "flow.h5")
        subprocess.run([options.farfield, "sample", "cylinder", "-o", base, "--format", "plot3d", "--size", options.size, "--blocks", options.blocks, "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
        grid, solution = base + ".xyz", base + ".q"
        subprocess.run([options.farfield, "convert", grid, "--solution", solution, "-o", store, "--quiet"], check=True)
        print(f"{options.blocks} blocks of {options.size} nodes: files {(os.path.getsize(grid) + os.path.getsize(solution)) / 1e9:.2f} GB, store {os.path.getsize(store) / 1e9:.2f} GB; "
              f"budget {options.memory}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        sources = {"files": {"source": grid, "solution": solution}, "store": {"source": store}}
        for name, origin, normal in PLANES:
            runs = {"vtk": [], "files": [], "store": []}
            for _ in range(options.rounds):
                for path in (grid, solution, store):
                    drop(path)
                words = [str(v) for v in origin + normal]
                out = subprocess.run([sys.executable, "-c", VTK_JOB, grid, solution, os.path.join(work, "vtk"), *words], check=True, capture_output=True, text=True).stdout.split()
                runs["vtk"].append([float(v) for v in out] + [0])
                for source, its in sources.items():
                    for path in (grid, solution, store):
                        drop(path)
                    seconds, stats = run_farfield(options.farfield, work, its, [{"name": "cut", "type": "slice", "origin": origin, "normal": normal, "color": {"by": "density"}}], options.memory)
                    runs[source].append((seconds, stats["cpuSeconds"], stats["peakRssBytes"], stats["objects"][0]["count"], stats["paging"]["bytesRead"]))
            middle = {key: [statistics.median(run[n] for run in each) for n in range(5)] for key, each in runs.items()}
            theirs = middle["vtk"]
            print(f"{name}: vtk {theirs[0]:.2f} s ({theirs[1]:.2f} s of processors), {theirs[2] / 1e6:.0f} MB, {theirs[3]:.0f} triangles", flush=True)
            for key in sources:
                its = middle[key]
                print(f"  farfield from the {key}: {its[0]:.2f} s ({theirs[0] / its[0]:.1f} times as fast; {its[1]:.2f} s of processors), {its[2] / 1e6:.0f} MB ({theirs[2] / its[2]:.1f} times less), "
                      f"read {its[4] / 1e6:.0f} MB, {its[3]:.0f} triangles", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
