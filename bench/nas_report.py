#!/usr/bin/env python3
"""Tables and plots of `farfield bench nas`, with the figures of 2001 beside them.

    farfield bench nas -o nas.json
    bench/nas_report.py nas.json docs/benchmarks/nas.md

Replaces what stands between the two marks in the Markdown file, and writes the plots as SVG into the folder
"images" beside that file's folder. Needs Python 3 and nothing else.
"""

import json
import pathlib
import sys

# Stores on the real disk, as the results name them.
DISKS = ["this disk", "this disk, plain", "this disk, pages of 2001"]
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"

# Ellsworth, NAS-01-004, seconds of wall time; 8 workers a processor and 16 readers against the serial program.
PUBLISHED = [
    # data set, from where, serial, 1 processor, 4 processors, seconds in a unit
    ("sslv", "local disk", 30.1, 20.1, None),
    ("sslv", "paging server", 56.7, 21.2, None),
    ("sslv", "NFS (serial only)", 55.0, None, None),
    ("f18", "local disk", 146, 94.4, 76.0),
    ("f18", "paging server", 187, 91.8, 71.8),
    ("f18", "NFS (serial only)", 217, None, None),
    ("harrier", "local disk", 227 * 60, 146 * 60, 77.4 * 60),
]
PUBLISHED_DATA = {"sslv": (0.56e9, 45.8e6, 1), "f18": (4.97e9, 99.6e6, 150), "harrier": (107.7e9, 8.7e9, 1600)}
COLOURS = {"threads": "#d55e00", "fibers": "#0072b2", "fibers, prefetch": "#009e73", "2001": "#777777"}


def kind(row):
    return row["scheduler"] + (", prefetch" if row["prefetch"] else "")


def seconds(value):
    if value is None:
        return ""
    if value >= 1000:
        return f"{value / 60:.0f} min"
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def saved(part, whole):
    return "" if part is None else f"{100 * (1 - part / whole):.0f} %"


class Rows:
    def __init__(self, rows):
        self.rows = rows

    def find(self, **wanted):
        return [r for r in self.rows if all(r[k] == v for k, v in wanted.items())]

    def one(self, **wanted):
        found = self.find(**wanted)
        return found[0] if found else None


def table(head, lines):
    out = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    out += ["| " + " | ".join(str(c) for c in line) + " |" for line in lines]
    return "\n".join(out) + "\n"


def data_table(nas, rows):
    lines = []
    for case in nas["cases"]:
        serial = rows.one(case=case["case"], device="this disk", scheduler="serial")
        old = PUBLISHED_DATA[case["case"]]
        lines.append((case["case"], case["blocks"], case["steps"], f"{case['dataBytes'] / 1e9:.2f}",
                      f"{case['storedBytes'] / 1e9:.2f}", case["linesPerStep"], f"{serial['bytesRead'] / 1e6:.1f}",
                      f"{old[2]}", f"{old[0] / 1e9:.2f}", f"{old[1] / 1e6:.1f}"))
    return table(("", "blocks", "steps", "GB", "GB stored", "lines a step", "MB read", "steps in 2001", "GB in 2001",
                  "MB read in 2001"), lines)


def published_table():
    lines = [(case, source, seconds(serial), seconds(one), saved(one, serial), seconds(four), saved(four, serial))
             for case, source, serial, one, four in PUBLISHED]
    return table(("2001", "from", "serial", "1 processor", "saved", "4 processors", "saved"), lines)


def headline_table(nas, rows):
    lines = []
    most = max(r["processors"] for r in rows.rows)
    for case in nas["cases"]:
        for device in DISKS + [d["device"] for d in nas["devices"]]:
            serial = rows.one(case=case["case"], device=device, scheduler="serial")
            if not serial:
                continue
            cells = [case["case"], device, serial["steps"], seconds(serial["wallSeconds"])]
            for processors in sorted({1, most}):
                for scheduler, workers, prefetch in (("threads", 8, False), ("fibers", 64, False), ("fibers", 64, True)):
                    row = rows.one(case=case["case"], device=device, scheduler=scheduler, workers=workers, readers=16,
                                   processors=processors, prefetch=prefetch)
                    if row:
                        cells.append(f"{seconds(row['wallSeconds'])} ({saved(row['wallSeconds'], serial['wallSeconds'])},"
                                     f" {row['ratio']:.2f})")
                    else:
                        cells.append("")
            lines.append(cells)
    head = ["", "device", "steps", "serial"]
    for processors in sorted({1, most}):
        head += [f"threads, {processors} proc.", f"fibers, {processors} proc.", f"with prefetch, {processors} proc."]
    return table(head, lines)


def sweeps_of(nas, rows):
    """(case, device) pairs for which workers and readers were varied."""
    for case in nas["cases"]:
        for device in ["this disk"] + [d["device"] for d in nas["devices"]]:
            if rows.one(case=case["case"], device=device, scheduler="threads", workers=4, readers=16):
                yield case["case"], device


def sweep_table(nas, rows, what):
    fixed = {"workers": {"readers": 16}, "readers": {"workers": 64}}[what]
    values = {"workers": (1, 4, 8, 16, 64), "readers": (1, 4, 8, 16, 24)}[what]
    lines = []
    for case, device in sweeps_of(nas, rows):
        serial = rows.one(case=case, device=device, scheduler="serial")
        for scheduler in ("threads", "fibers"):
            cells = [case, device, seconds(serial["wallSeconds"]), scheduler]
            for value in values:
                row = rows.one(case=case, device=device, scheduler=scheduler, processors=1, prefetch=False,
                               **fixed, **{what: value})
                cells.append(seconds(row["wallSeconds"]) if row else "")
            lines.append(cells)
    return table(["", "device", "serial", ""] + [f"{v} {what}" for v in values], lines)


# Plots -----------------------------------------------------------------------------------------------------------


def svg(width, height, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">\n'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n' + "\n".join(body) + "\n</svg>\n")


def text(x, y, words, anchor="middle", size=12, colour="#222222"):
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{words}</text>'


def line(x1, y1, x2, y2, colour, width=1.0, dashes=""):
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
            f'stroke-width="{width}"{dash}/>')


def nice_step(top):
    for step in (10.0 ** e * m for e in range(-4, 6) for m in (1, 2, 5)):
        if top / step <= 5:
            return step
    return top


def sweep_plot(nas, rows, what, path):
    """Wall time over workers or readers, one panel a device."""
    values = {"workers": (1, 4, 8, 16, 64), "readers": (1, 4, 8, 16, 24)}[what]
    fixed = {"workers": {"readers": 16}, "readers": {"workers": 64}}[what]
    panels = list(sweeps_of(nas, rows))
    if not panels:
        return False
    wide, high, left, top, bottom = 280, 230, 46, 46, 44
    body = []
    for number, (case, device) in enumerate(panels):
        x0, x1 = number * wide + left, (number + 1) * wide - 12
        y0, y1 = top + high - bottom, top
        serial = rows.one(case=case, device=device, scheduler="serial")["wallSeconds"]
        series = {}
        for scheduler in ("threads", "fibers"):
            found = [rows.one(case=case, device=device, scheduler=scheduler, processors=1, prefetch=False, **fixed,
                              **{what: v}) for v in values]
            series[scheduler] = [r["wallSeconds"] if r else None for r in found]
        highest = max([serial] + [v for s in series.values() for v in s if v])
        step = nice_step(highest)
        highest = step * (int(highest / step) + 1)
        place = lambda n, v: (x0 + (x1 - x0) * (n + 0.5) / len(values), y0 - (y0 - y1) * v / highest)
        body.append(text((x0 + x1) / 2, 34, f"{case}, {device}", size=13))
        tick = 0.0
        while tick <= highest * 1.0001:
            y = place(0, tick)[1]
            body += [line(x0, y, x1, y, "#dddddd"), text(x0 - 5, y + 4, f"{tick:g}", "end", 11)]
            tick += step
        for n, value in enumerate(values):
            body.append(text(place(n, 0)[0], y0 + 15, str(value), size=11))
        body.append(text((x0 + x1) / 2, y0 + 32, what + (" a processor" if what == "workers" else "")))
        y = place(0, serial)[1]
        body += [line(x0, y, x1, y, "#444444", 1.2, "5 4"), text(x1 - 2, y - 4, "serial", "end", 11)]
        for scheduler, points in series.items():
            spots = [place(n, v) for n, v in enumerate(points) if v]
            body.append('<polyline fill="none" stroke-width="2" stroke="%s" points="%s"/>' % (
                COLOURS[scheduler], " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)))
            body += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOURS[scheduler]}"/>' for x, y in spots]
    x = left
    for scheduler in ("threads", "fibers"):
        body += [line(x, 12, x + 20, 12, COLOURS[scheduler], 2), text(x + 25, 16, scheduler, "start")]
        x += 100
    body.append(text(x, 16, "seconds of wall time, one processor", "start"))
    path.write_text(svg(wide * len(panels), top + high, body))
    return True


def devices_plot(nas, rows, path):
    """Wall time as a share of the serial program's, by device and data set, one processor."""
    groups = [("2001: local disk", [(c, [("2001", one / serial)]) for c, s, serial, one, _ in PUBLISHED
                                    if s == "local disk"]),
              ("2001: server", [(c, [("2001", one / serial)]) for c, s, serial, one, _ in PUBLISHED
                                if s == "paging server"])]
    for device in [d["device"] for d in nas["devices"]] + DISKS:
        cases = []
        for case in nas["cases"]:
            serial = rows.one(case=case["case"], device=device, scheduler="serial")
            bars = []
            for scheduler, workers, prefetch in (("threads", 8, False), ("fibers", 64, False), ("fibers", 64, True)):
                row = rows.one(case=case["case"], device=device, scheduler=scheduler, workers=workers, readers=16,
                               processors=1, prefetch=prefetch)
                if serial and row:
                    bars.append((kind(row), row["wallSeconds"] / serial["wallSeconds"]))
            if bars:
                cases.append((case["case"], bars))
        if cases:
            groups.append((device, cases))
    bar, gap, between, left, top, high, bottom = 11, 12, 34, 46, 40, 230, 54
    highest = max(1.0, max(share for _, cases in groups for _, bars in cases for _, share in bars))
    highest = min(2.0, 0.25 * (int(highest / 0.25) + 1))
    y_of = lambda share: top + (high - top) * (1 - min(share, highest) / highest)
    body, x = [], left
    for name, cases in groups:
        start = x
        for case, bars in cases:
            for label, share in bars:
                body.append(f'<rect x="{x}" y="{y_of(share):.1f}" width="{bar - 1}" '
                            f'height="{y_of(0) - y_of(share):.1f}" fill="{COLOURS[label]}"/>')
                if share > highest:
                    body.append(text(x + bar / 2, y_of(highest) - 2, f"{share:.1f}", size=9))
                x += bar
            body.append(text(x - bar * len(bars) / 2, y_of(0) + 14, case, size=10))
            x += gap + max(0, 26 - bar * len(bars))
        body.append(text((start + x - gap) / 2, y_of(0) + 34, name))
        x += between
    width = x
    ticks = []
    share = 0.0
    while share <= highest + 1e-9:
        ticks += [line(left - 6, y_of(share), width - 12, y_of(share), "#444444" if share == 1 else "#dddddd"),
                  text(left - 9, y_of(share) + 4, f"{100 * share:.0f} %", "end", 11)]
        share += 0.25
    legend, at = [], left
    for label in ("2001", "threads", "fibers", "fibers, prefetch"):
        legend += [f'<rect x="{at}" y="8" width="12" height="12" fill="{COLOURS[label]}"/>',
                   text(at + 17, 18, label, "start")]
        at += 30 + 8 * len(label)
    legend.append(text(at + 10, 18, "share of the serial program's time, one processor", "start"))
    path.write_text(svg(width, high + bottom, ticks + body + legend))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    result = json.loads(pathlib.Path(sys.argv[1]).read_text())
    page = pathlib.Path(sys.argv[2])
    nas = result["benchmarks"]["nas"]
    rows = Rows(nas["results"])
    images = page.parent.parent / "images"
    devices_plot(nas, rows, images / "nas-devices.svg")
    parts = ["### The data\n", data_table(nas, rows), "### The figures of 2001\n", published_table(),
             "### Ours\n",
             "Seconds of wall time; in brackets what is saved against serial, and the ratio to the least time possible.\n",
             headline_table(nas, rows), "![Share of the serial time](../images/nas-devices.svg)\n"]
    for what in ("workers", "readers"):
        if sweep_plot(nas, rows, what, images / f"nas-{what}.svg"):
            parts += [f"### {what.capitalize()}\n",
                      "One processor, " + ("16 readers." if what == "workers" else "64 workers.") + "\n",
                      sweep_table(nas, rows, what), f"![Wall time by {what}](../images/nas-{what}.svg)\n"]
    machine = result["machine"]
    parts.append(f"Measured on: {machine['processor']}, {machine['processors']} processors, "
                 f"{machine['memoryBytes'] / 2**30:.0f} GiB, {machine['system']}; load average "
                 f"{machine['loadAverageBefore']:.1f} before and {result['loadAverageAfter']:.1f} after.\n")
    old = page.read_text()
    if BEGIN not in old or END not in old:
        sys.exit(f"{page}: the marks {BEGIN} and {END} are missing")
    page.write_text(old[:old.index(BEGIN) + len(BEGIN)] + "\n\n" + "\n".join(parts) + "\n" + old[old.index(END):])


if __name__ == "__main__":
    main()
