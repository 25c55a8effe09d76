#!/usr/bin/env python3
"""Frames a second of `farfield bench volume` against VTK's vtkFixedPointVolumeRayCastMapper: the same data (the
Marschner-Lobb signal, one byte for each node), colours, opacities, distances between samples, cameras and size of picture, the
same processors. The pictures of one view are compared too.

    compare_volumes.py FARFIELD [--extent full] [--processors 2] [-o FILE]

Needs numpy and vtk (PyPI). Prints JSON."""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time

import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy

WIDTH, HEIGHT = 1024, 768
LOOKS = {"thin": [[100, 0], [255, 0.05]], "dense": [[128, 0], [170, 0.3], [255, 0.8]]}
COLORS = [[0, "#2040c0"], [0.5, "#f0f0e0"], [1, "#c02020"]]


def read(png):
    reader = vtk.vtkPNGReader()
    reader.SetFileName(png)
    reader.Update()
    image = reader.GetOutput()
    values = vtk_to_numpy(image.GetPointData().GetScalars())
    return values.reshape(image.GetDimensions()[1], image.GetDimensions()[0], -1)[:, :, :3].astype(float)


class Vtk:
    """One volume in a window that is not shown."""

    def __init__(self, raw, nodes, opacity, processors):
        vtk.vtkMultiThreader.SetGlobalMaximumNumberOfThreads(processors)
        image = vtk.vtkImageData()
        image.SetDimensions(nodes, nodes, nodes)
        spacing = 2.0 / (nodes - 1)
        image.SetSpacing(spacing, spacing, spacing)
        image.SetOrigin(-1, -1, -1)
        image.GetPointData().SetScalars(numpy_to_vtk(raw, deep=False, array_type=vtk.VTK_UNSIGNED_CHAR))
        self.mapper = vtk.vtkFixedPointVolumeRayCastMapper()
        self.mapper.SetInputData(image)
        self.mapper.SetAutoAdjustSampleDistances(0)
        self.mapper.SetImageSampleDistance(1)
        self.mapper.SetSampleDistance(spacing)
        self.mapper.SetNumberOfThreads(processors)
        curve = vtk.vtkPiecewiseFunction()
        for value, alpha in opacity:
            curve.AddPoint(value, alpha)
        colors = vtk.vtkColorTransferFunction()
        for place, text in COLORS:
            colors.AddRGBPoint(place * 255, *(int(text[i:i + 2], 16) / 255 for i in (1, 3, 5)))
        looks = vtk.vtkVolumeProperty()
        looks.SetScalarOpacity(curve)
        looks.SetColor(colors)
        looks.SetScalarOpacityUnitDistance(spacing)
        looks.SetInterpolationTypeToLinear()
        looks.ShadeOff()
        volume = vtk.vtkVolume()
        volume.SetMapper(self.mapper)
        volume.SetProperty(looks)
        self.renderer = vtk.vtkRenderer()
        self.renderer.SetBackground(1, 1, 1)
        self.renderer.AddVolume(volume)
        self.window = vtk.vtkRenderWindow()
        self.window.SetOffScreenRendering(1)
        self.window.SetMultiSamples(0)
        self.window.SetSize(WIDTH, HEIGHT)
        self.window.AddRenderer(self.renderer)

    def frame(self, camera):
        view = self.renderer.GetActiveCamera()
        view.SetPosition(camera["position"])
        view.SetFocalPoint(camera["target"])
        view.SetViewUp(camera["up"])
        view.SetViewAngle(30)
        self.renderer.ResetCameraClippingRange()
        start, cpu = time.perf_counter(), time.process_time()
        self.window.Render()
        return time.perf_counter() - start, time.process_time() - cpu

    def picture(self):
        grab = vtk.vtkWindowToImageFilter()
        grab.SetInput(self.window)
        grab.ReadFrontBufferOff()
        grab.Update()
        values = vtk_to_numpy(grab.GetOutput().GetPointData().GetScalars())
        return values.reshape(HEIGHT, WIDTH, -1)[:, :, :3].astype(float)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("farfield")
    parser.add_argument("--extent", default="full")
    parser.add_argument("--processors", type=int, default=2)
    parser.add_argument("-o", "--output")
    words = parser.parse_args()
    farfield = os.path.abspath(words.farfield)
    ours = json.loads(subprocess.run(
        [farfield, "bench", "volume", "--extent", words.extent, "--processors", str(words.processors),
         "--memory", "4G"], check=True, capture_output=True, text=True).stdout)["benchmarks"]["volume"]
    nodes = ours["nodesAlongEachAxis"]
    results = []
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "ml.h5")
        source = f"sample://marschner-lobb?type=u8&edge=32&size={nodes}"
        subprocess.run([farfield, "convert", source, "-o", store, "--codec", "none", "--quiet"], check=True)
        import h5py
        with h5py.File(store) as file:
            raw = np.ascontiguousarray(file["/farfield/blocks/0000/density"][0].reshape(-1))
        for result in ours["results"]:
            name = result["look"]
            if name not in LOOKS:
                continue
            theirs = Vtk(raw, nodes, LOOKS[name], words.processors)
            theirs.frame(result["cameras"][0])
            frames = [theirs.frame(camera) for camera in result["cameras"]]
            seconds, cpu = zip(*frames)
            theirs.frame(result["cameras"][0])
            camera = result["cameras"][0]
            session = os.path.join(folder, name + ".json")
            with open(session, "w") as out:
                json.dump({"farfield": 1, "data": {"d": {"source": store}},
                           "objects": [{"name": "v", "type": "volume", "by": "density",
                                        "quality": {"samplesPerVoxel": 1},
                                        "transfer": {"color": {"map": {"points": COLORS}, "range": [0, 255]},
                                                     "opacity": LOOKS[name]}}],
                           "camera": camera, "image": {"size": [WIDTH, HEIGHT], "legend": False}}, out)
            subprocess.run([farfield, "batchvis", session, "-o", folder, "--overwrite", "--quiet", "--memory", "4G"],
                           check=True)
            difference = read(os.path.join(folder, name + ".png")) - theirs.picture()
            error = float(np.mean(difference ** 2))
            results.append({
                "look": name, "farfieldFramesPerSecond": result["framesPerSecond"],
                "vtkFramesPerSecond": 1 / statistics.median(seconds),
                "ratio": statistics.median(s / o for s, o in zip(seconds, result["secondsOfFrames"])),
                "farfieldCpuSecondsPerFrame": result["cpuSecondsPerFrame"],
                "vtkCpuSecondsPerFrame": statistics.mean(cpu),
                "cpuRatio": statistics.mean(cpu) / result["cpuSecondsPerFrame"],
                "psnr": 10 * np.log10(255 ** 2 / error) if error else float("inf")})
    text = json.dumps({"nodes": nodes, "processors": words.processors, "vtk": vtk.vtkVersion().GetVTKVersion(),
                       "instructions": ours["instructions"], "results": results}, indent=2)
    if words.output:
        with open(words.output, "w") as out:
            out.write(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
