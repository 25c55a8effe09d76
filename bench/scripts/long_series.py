#!/usr/bin/env python3
"""Very many particles through a series far larger than memory: the cost of a step, the peak, and what interruptions leave.

    long_series.py FARFIELD --folder DIR [--size NI,NJ,NK] [--blocks N] [--steps N] [--particles N] [--memory SIZE] [--interruptions N] [--keep]

FARFIELD is the built program. Needs numpy. DIR gets a series of PLOT3D files (curvilinear, float32, with the defaults 20.4 GB), which are deleted at the end unless --keep says otherwise; a series that is
there is used. The flow is that of two gyres whose border swings (Shadden, Lekien, Marsden: Physica D 212, 2005), which drifts up and down besides. Nothing leaves its box, so that the number of particles is the same at
all steps; it swings once in a tenth of the steps, so the first and the last tenth do the same.

Streaklines of one release are run twice: from beginning to end, looking at the processor time of each step as its file appears, and with interruptions by SIGINT at random moments, each followed by --resume. Prints a
line for each; ends with status 1 where the last tenth of the steps takes more than 1.2 times the first one's time, the peak is above the budget, or the files of both runs are not the same bytes."""
import argparse, filecmp, json, os, random, re, shutil, signal, subprocess, sys, time

import numpy

SPEED, SWING, UPWARD, TIME_STEP = 0.1, 0.25, 0.05, 0.05
BEND = (0.06, -0.05, 0.04)  # of the box: as the program's own samples bend theirs


def write_series(folder, size, blocks, steps):
    """Blocks follow one another along x and share their faces, node by node."""
    ni, nj, nk = size
    cells = (blocks * (ni - 1), nj - 1, nk - 1)
    part = [numpy.arange(n + 1) / n for n in cells]
    bump = [numpy.sin(numpy.pi * p) for p in part]
    for b in bump:
        b[0] = b[-1] = 0
    bend = bump[2][:, None, None] * bump[1][None, :, None] * bump[0][None, None, :]
    along = [part[0][None, None, :], part[1][None, :, None], part[2][:, None, None]]
    box = (2.0, 1.0, 1.0)
    xyz = [(box[a] * (along[a] + BEND[a] * bend)).astype("<f4") for a in range(3)]
    cuts = [slice(n * (ni - 1), (n + 1) * (ni - 1) + 1) for n in range(blocks)]
    head = numpy.array([blocks] + list(size) * blocks, "<i4").tobytes()
    with open(os.path.join(folder, "flow.xyz"), "wb") as file:
        file.write(head)
        for cut in cuts:
            for x in xyz:
                file.write(numpy.ascontiguousarray(x[:, :, cut]).tobytes())
    x, y, z = xyz
    sin_y, cos_y, sin_z, cos_x = numpy.sin(numpy.pi * y), numpy.cos(numpy.pi * y), numpy.sin(numpy.pi * z), numpy.cos(numpy.pi * x)
    for wall in (0, -1):
        sin_y[:, wall], sin_z[wall] = 0, 0
    for step in range(steps):
        moment = step * TIME_STEP
        phase = 2 * numpy.pi * step / (steps / 10)
        a = numpy.float32(SWING * numpy.sin(phase))
        f, slope = a * x * x + (1 - 2 * a) * x, 2 * a * x + (1 - 2 * a)
        sin_f, cos_f = numpy.sin(numpy.pi * f), numpy.cos(numpy.pi * f)
        sin_f[:, :, 0] = sin_f[:, :, -1] = 0
        velocity = (-numpy.pi * SPEED * sin_f * cos_y, numpy.pi * SPEED * cos_f * sin_y * slope, UPWARD * numpy.pi * numpy.cos(phase) * sin_z * cos_x)
        one = numpy.ones_like(x)
        energy = (2.5 + 0.5 * sum(v * v for v in velocity)).astype("<f4")
        path = os.path.join(folder, f"flow_{step:04d}.q")
        with open(path + ".part", "wb") as file:
            file.write(head)
            for cut in cuts:
                file.write(numpy.array([0.5, 0, 1000, moment], "<f4").tobytes())
                for values in (one, *velocity, energy):
                    file.write(numpy.ascontiguousarray(values[:, :, cut], "<f4").tobytes())
        os.rename(path + ".part", path)


def write_session(folder, particles):
    across = max(1, round((particles / 4) ** (1 / 3)))  # twice as many along x, as the box is long; the third count fits the number
    counts = [2 * across, 2 * across, max(1, round(particles / (4 * across * across)))]
    lines = {"name": "p", "type": "streaklines", "seeds": {"type": "box", "min": [0.02, 0.02, 0.02], "max": [1.98, 0.98, 0.98], "counts": counts}, "release": {"steps": "0:0"}}
    path = os.path.join(folder, "long.json")
    with open(path, "w") as file:
        json.dump({"farfield": 1, "data": {"d": {"source": "flow.xyz", "solution": "flow_*.q"}}, "objects": [lines], "time": {"steps": "all"}, "output": {"images": False}}, file)
    return path, counts[0] * counts[1] * counts[2]


class Run:
    def __init__(self, program, session, out, memory, stats, *more):
        self.process = subprocess.Popen([program, "batchvis", session, "-o", out, "--memory", memory, "--quiet", "--stats", stats, *more], env=dict(os.environ, FARFIELD_CACHE_DIR=""))

    def cpu(self):
        """Of user and system, in seconds; None once it has ended."""
        try:
            with open(f"/proc/{self.process.pid}/stat") as file:
                numbers = file.read().rsplit(")", 1)[1].split()
            return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            return None

    def peak(self):
        """Largest resident memory so far, in bytes."""
        try:
            with open(f"/proc/{self.process.pid}/status") as file:
                return 1024 * int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1))
        except (OSError, AttributeError):
            return 0


def watched(run, out, steps):
    """Processor time when each step's file was seen, and the peak."""
    seen, peak = [], 0
    while run.process.poll() is None:
        if seen:  # before it is this program it is a copy of that
            peak = max(peak, run.peak())
        while len(seen) < steps and os.path.exists(os.path.join(out, f"p_{len(seen):04d}.vtp")):
            seen.append(run.cpu())
        time.sleep(0.02)
    return [moment for moment in seen if moment is not None], peak


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("farfield")
    arguments.add_argument("--folder", required=True)
    arguments.add_argument("--size", default="81,97,81")
    arguments.add_argument("--blocks", type=int, default=8)
    arguments.add_argument("--steps", type=int, default=200)
    arguments.add_argument("--particles", type=int, default=100000)
    arguments.add_argument("--memory", default="300M")
    arguments.add_argument("--interruptions", type=int, default=3)
    arguments.add_argument("--keep", action="store_true")
    options = arguments.parse_args()
    program, folder = os.path.abspath(options.farfield), os.path.join(os.path.abspath(options.folder), "long-series")
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(os.path.join(folder, f"flow_{options.steps - 1:04d}.q")):
        write_series(folder, [int(n) for n in options.size.split(",")], options.blocks, options.steps)
    bytes_of_series = sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder) if name.startswith("flow"))
    session, particles = write_session(folder, options.particles)
    whole, pieces, stats = (os.path.join(folder, name) for name in ("whole", "pieces", "stats.json"))
    for out in (whole, pieces):
        shutil.rmtree(out, ignore_errors=True)
    print(f"{bytes_of_series / 1e9:.1f} GB, {options.steps} steps, {particles} particles, --memory {options.memory}", flush=True)

    run = Run(program, session, whole, options.memory, stats, "--overwrite")
    seen, peak = watched(run, whole, options.steps)
    if run.process.returncode != 0:
        return run.process.returncode
    with open(stats) as file:
        told = json.load(file)
    tenth = options.steps // 10
    first, last = (seen[tenth] - seen[0]) / tenth, (seen[-1] - seen[-1 - tenth]) / tenth
    print(f"processor time of a step: first tenth {first:.3f} s, last tenth {last:.3f} s, ratio {last / first:.2f}; all {told['cpuSeconds']:.0f} s, {told['wallSeconds']:.0f} s by the clock; "
          f"peak of the process {peak / 2 ** 20:.0f} MiB; {told['paging']['bytesRead'] / 1e9:.1f} GB read; {told['objects'][0]['terminations']}", flush=True)

    left = options.interruptions
    run = Run(program, session, pieces, options.memory, stats, "--overwrite")
    while True:
        if left > 0:
            try:
                run.process.wait(timeout=random.uniform(0.05, 0.6) * told["wallSeconds"] / max(1, options.interruptions))
            except subprocess.TimeoutExpired:
                run.process.send_signal(signal.SIGINT)
        ended = run.process.wait()
        if ended == 0:
            break
        if ended != 130:
            return ended
        left -= 1
        print(f"interrupted with {len(os.listdir(pieces))} files", flush=True)
        run = Run(program, session, pieces, options.memory, stats, "--resume")
    names = sorted(os.listdir(whole))
    same = names == sorted(os.listdir(pieces)) and not any(filecmp.cmpfiles(whole, pieces, names, shallow=False)[1:])
    print(f"{len(names)} files, {'the same bytes' if same else 'NOT the same'} after {options.interruptions - left} interruptions", flush=True)
    if not options.keep:
        shutil.rmtree(folder)
    mebibytes = re.fullmatch(r"(\d+)M", options.memory)
    within = mebibytes is None or peak <= int(mebibytes.group(1)) * 2 ** 20
    return 0 if same and within and last <= 1.2 * first else 1


if __name__ == "__main__":
    sys.exit(main())
