#!/usr/bin/env python3
"""Farfield's slices beside VTK's vtkCutter: the same area.

    compare_slices.py FARFIELD --data DIR

FARFIELD is the built program, DIR holds the PLOT3D files (FARFIELD_PLOT3D in the environment does the same). Needs vtk and numpy from PyPI; without them
it says so and ends with status 0. Cuts each set by planes along the axes and aslant, in both programs, with points in double precision, and prints the areas,
the triangles and the relative difference. Ends with status 1 where an area differs by more than 1e-9."""
import argparse, json, os, subprocess, sys, tempfile

SETS = {"bluntfin": ("bluntfinxyz.bin", "bluntfinq.bin", dict(big=True)),
        "bluntfin_8blk": ("bluntfin_8blk_le_f8_mk_ib.xyz", "bluntfin_8blk_le_f8_mk_ib.q", dict(multi=True, marks=True, iblank=True, double=True)),
        "bluntfin_8blk_overlap": ("bluntfin_8blk_overlap_be_f4_mk.xyz", "bluntfin_8blk_overlap_be_f4_mk.q", dict(big=True, multi=True, marks=True)),
        "comb": ("combxyz.bin", "combq.bin", dict(big=True)),
        "multi-bin": ("multi-bin.xyz", "multi-bin.q", dict(multi=True, marks=True, double=True)),
        "cylinder_000": ("cylinder_series/grid3d_le_f4_ib.xyz", "cylinder_series/q3d_000.q", dict(multi=True, iblank=True))}
# Where, as parts of the bounds from their lower corner, and the normal. None through sheets of nodes, of which VTK leaves some out.
PLANES = [((0.5, 0.5, 0.191), (0, 0, 1)), ((0.5, 0.087, 0.5), (0, 1, 0.1)), ((0.51, 0.49, 0.5), (1, 0.3, 0.2)), ((0.373, 0.5, 0.5), (-1, 0, 0)),
          ((0.4, 0.3, 0.6), (0.2, -0.5, 1))]


def vtk_blocks(folder, grid, solution, big=False, multi=False, marks=False, iblank=False, double=False):
    import vtk
    reader = vtk.vtkMultiBlockPLOT3DReader()
    reader.SetXYZFileName(os.path.join(folder, grid))
    reader.SetQFileName(os.path.join(folder, solution))
    reader.SetAutoDetectFormat(0)
    reader.SetByteOrderToBigEndian() if big else reader.SetByteOrderToLittleEndian()
    reader.SetMultiGrid(multi)
    reader.SetHasByteCount(marks)
    reader.SetIBlanking(iblank)
    reader.SetDoublePrecision(double)
    reader.Update()
    out = reader.GetOutput()
    return [out.GetBlock(n) for n in range(out.GetNumberOfBlocks())]


def area_of(poly):
    import numpy
    from vtk.util.numpy_support import vtk_to_numpy
    if poly.GetNumberOfCells() == 0:
        return 0.0, 0
    points = vtk_to_numpy(poly.GetPoints().GetData()).astype(float)
    nodes = vtk_to_numpy(poly.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    a, b, c = (points[nodes[:, n]] for n in range(3))
    return float(0.5 * numpy.linalg.norm(numpy.cross(b - a, c - a), axis=1).sum()), len(nodes)


def vtk_area(blocks, origin, normal):
    import vtk
    total = [0.0, 0]
    for block in blocks:
        plane = vtk.vtkPlane()
        plane.SetOrigin(origin)
        plane.SetNormal(normal)
        cutter = vtk.vtkCutter()
        cutter.SetCutFunction(plane)
        cutter.SetInputData(block)
        cutter.SetOutputPointsPrecision(vtk.vtkAlgorithm.DOUBLE_PRECISION)
        cutter.Update()
        for n, more in enumerate(area_of(cutter.GetOutput())):
            total[n] += more
    return total


def own_areas(program, folder, grid, solution, planes):
    import vtk
    with tempfile.TemporaryDirectory() as work:
        objects = [{"name": f"cut{n}", "type": "slice", "origin": origin, "normal": normal, "color": {"by": "density"}} for n, (origin, normal) in enumerate(planes)]
        with open(os.path.join(work, "cuts.json"), "w") as out:
            json.dump({"farfield": 1, "data": {"flow": {"source": os.path.join(folder, grid), "solution": os.path.join(folder, solution)}}, "objects": objects,
                       "output": {"images": False}}, out)
        subprocess.run([program, "batchvis", os.path.join(work, "cuts.json"), "-o", work, "--quiet"], check=True)
        areas = []
        for n in range(len(planes)):
            reader = vtk.vtkXMLPolyDataReader()
            reader.SetFileName(os.path.join(work, f"cut{n}.vtp"))
            reader.Update()
            areas.append(area_of(reader.GetOutput()))
        return areas


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("farfield")
    arguments.add_argument("--data", default=os.environ.get("FARFIELD_PLOT3D"))
    options = arguments.parse_args()
    try:
        import numpy, vtk
    except ImportError as error:
        print(f"skipped: {error}")
        return 0
    if not options.data:
        sys.exit("name the folder of the PLOT3D files with --data")
    worst = 0.0
    for name, (grid, solution, form) in SETS.items():
        folder = os.path.abspath(options.data)
        blocks = vtk_blocks(folder, grid, solution, **form)
        box = vtk.vtkBoundingBox()
        for block in blocks:
            box.AddBounds(block.GetBounds())
        low, high = box.GetMinPoint(), box.GetMaxPoint()
        planes = [([low[a] + at[a] * (high[a] - low[a]) for a in range(3)], list(normal)) for at, normal in PLANES]
        for (origin, normal), (area, triangles) in zip(planes, own_areas(options.farfield, folder, grid, solution, planes)):
            theirs, their_triangles = vtk_area(blocks, origin, normal)
            difference = abs(area - theirs) / theirs if theirs else area
            worst = max(worst, difference)
            print(f"{name:22} normal {str(normal):18} farfield {area:.12g} ({triangles} triangles)  vtk {theirs:.12g} ({their_triangles})  relative {difference:.1e}")
    print(f"largest relative difference {worst:.1e}")
    return 0 if worst <= 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main())
