#!/usr/bin/env python3
"""How often places of a slice through two blocks that overlap, without common nodes, are covered where overlaps are resolved.

    measure_overlaps.py FARFIELD [--side N]

FARFIELD is the built program. Needs vtk and numpy from PyPI; without them it says so and ends with status 0. Makes PLOT3D files of two boxes, the second shifted and turned, and of two sectors of rings of
other spacing, radii and angles, in three finenesses; cuts them across z and aslant, with overlaps "all" and "resolved"; and counts for N x N places of the plane, one at random in each small square,
the triangles that hold them. Of the places that the blocks have (found in the cut of all): how many are in several blocks, and in the resolved cut in no triangle (gaps) or in several (doubles)."""
import argparse, json, math, os, subprocess, sys, tempfile

PLANES = [("across z", (0, 0, 1)), ("aslant", (0.5, 0.3, 1))]
ORIGIN, HALF = (0, 0, 0.013), 4


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("farfield")
    arguments.add_argument("--side", type=int, default=1500)
    options = arguments.parse_args()
    missing = subprocess.run([sys.executable, "-c", "import numpy, vtk"], capture_output=True, text=True)
    if missing.returncode != 0:
        print(f"skipped: {missing.stderr.strip().splitlines()[-1]}")
        return 0
    import numpy as np
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy

    def box(nodes, angle, shift):
        z, y, x = np.meshgrid(*[np.linspace(-1, 1, nodes)] * 3, indexing="ij")
        c, s = math.cos(angle), math.sin(angle)
        return c * x - s * y + shift[0], s * x + c * y + shift[1], z + shift[2]

    def sector(nodes, first, last, inner, outer):
        z, r, a = np.meshgrid(np.linspace(-1, 1, nodes[2]), np.linspace(inner, outer, nodes[1]), np.linspace(first, last, nodes[0]), indexing="ij")
        return r * np.cos(a), -r * np.sin(a), z

    def write(base, blocks):
        with open(base + ".xyz", "wb") as grid, open(base + ".q", "wb") as solution:
            for file in (grid, solution):
                np.array([len(blocks)] + [n for block in blocks for n in block[0].shape[::-1]], "<i4").tofile(file)
            for block in blocks:
                for axis in block:
                    axis.astype("<f8").tofile(grid)
                np.array([0.5, 0, 1e6, 0], "<f8").tofile(solution)
                for number in (1, 0, 0, 0, 2.5):
                    np.full(block[0].shape, number, "<f8").tofile(solution)

    def triangles(work, base, normal, overlaps):
        session = {"farfield": 1, "data": {"d": {"source": base + ".xyz", "solution": base + ".q"}},
                   "objects": [{"name": "cut", "type": "slice", "data": "d", "origin": ORIGIN, "normal": normal, "overlaps": overlaps}], "output": {"images": False, "geometry": True}}
        path, out = os.path.join(work, "s.json"), os.path.join(work, overlaps)
        with open(path, "w") as file:
            json.dump(session, file)
        subprocess.run([options.farfield, "batchvis", path, "-o", out, "--overwrite", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(next(os.path.join(out, name) for name in os.listdir(out) if name.endswith(".vtp")))
        reader.Update()
        data = reader.GetOutput()
        return vtk_to_numpy(data.GetPoints().GetData()).astype(float), vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)

    def cover(points, corners, normal):
        across = np.cross(normal, [0, 1, 0])
        across /= np.linalg.norm(across)
        flat = np.stack([(points - ORIGIN) @ across, (points - ORIGIN) @ np.cross(normal, across)], 1)
        step, side = 2 * HALF / options.side, options.side
        jitter = np.random.default_rng(1).random((2, side, side))
        x, y = -HALF + (np.arange(side)[None, :] + jitter[0]) * step, -HALF + (np.arange(side)[:, None] + jitter[1]) * step
        count = np.zeros((side, side), np.int16)
        for abc in flat[corners]:
            low = np.maximum(((abc.min(0) + HALF) / step).astype(int) - 1, 0)
            high = np.minimum(((abc.max(0) + HALF) / step).astype(int) + 2, side)
            part = np.s_[low[1]:high[1], low[0]:high[0]]
            sides = [(q[0] - p[0]) * (y[part] - p[1]) - (q[1] - p[1]) * (x[part] - p[0]) for p, q in zip(abc, np.roll(abc, -1, 0))]
            count[part] += np.all([s >= 0 for s in sides], 0) | np.all([s <= 0 for s in sides], 0)
        return count

    for fine in (1, 2, 4):
        cases = {"boxes": [box(16 * fine + 1, 0, (0, 0, 0)), box(14 * fine + 1, 0.35, (1.03, 0.41, 0.07))],
                 "sectors": [sector((24 * fine + 1, 10 * fine + 1, 9 * fine + 1), 0, 2, 1, 2), sector((20 * fine + 1, 12 * fine + 1, 8 * fine + 1), 1.61, 3.3, 1.13, 2.2)]}
        for name, blocks in cases.items():
            with tempfile.TemporaryDirectory() as work:
                base = os.path.join(work, "blocks")
                write(base, blocks)
                for how, normal in PLANES:
                    unit = np.array(normal) / np.linalg.norm(normal)
                    whole = cover(*triangles(work, base, normal, "all"), unit)
                    points, corners = triangles(work, base, normal, "resolved")
                    once = cover(points, corners, unit)
                    there = whole > 0
                    print(f"{name} x{fine} {how}: {there.sum()} places, {100 * (whole > 1).sum() / there.sum():.1f} % in both blocks; {(there & (once == 0)).sum()} gaps, "
                          f"{(once > 1).sum()} doubles; {len(corners)} triangles", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
