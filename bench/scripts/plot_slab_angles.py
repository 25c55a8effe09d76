#!/usr/bin/env python3
"""Draws how pictures by slabs differ from those of the volume, by the angle between the line of sight and the axis.

Usage: farfield bench slabs --extent normal > slabs.json; bench/scripts/plot_slab_angles.py slabs.json -o slab-angles.svg
"""

import argparse
import json

WIDTH, HEIGHT = 640, 380
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 24, 56
SERIES = [("planes", "planes", "#9a3b26"), ("meshes", "meshes", "#2f6f8f"), ("mixed", "meshes of both axes, mixed", "#3d8a3d")]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("result")
    parser.add_argument("-o", "--output", required=True)
    given = parser.parse_args()
    with open(given.result, encoding="utf-8") as file:
        angles = json.load(file)["benchmarks"]["slabs"]["angles"]
    rows = angles["dB"]
    values = [row[key] for row in rows for key, _, _ in SERIES]
    low, high = 5 * (min(values) // 5), 5 * (max(values) // 5 + 1)

    def x(degrees):
        return LEFT + (WIDTH - LEFT - RIGHT) * degrees / 45

    def y(decibels):
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - decibels) / (high - low)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for degrees in range(0, 46, 5):
        out.append(f'<line x1="{x(degrees):.1f}" y1="{TOP}" x2="{x(degrees):.1f}" y2="{y(low):.1f}" stroke="#e4e4e4"/>')
        out.append(f'<text x="{x(degrees):.1f}" y="{y(low) + 18:.1f}" text-anchor="middle">{degrees}°</text>')
    decibels = low
    while decibels <= high:
        out.append(f'<line x1="{LEFT}" y1="{y(decibels):.1f}" x2="{WIDTH - RIGHT}" y2="{y(decibels):.1f}" stroke="#e4e4e4"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(decibels) + 4:.1f}" text-anchor="end">{decibels:.0f}</text>')
        decibels += 5
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 10}" text-anchor="middle">between the line of sight and the axis of the slabs</text>')
    out.append(f'<text transform="translate(18 {(TOP + y(low)) / 2:.0f}) rotate(-90)" text-anchor="middle">dB, beside the volume itself</text>')
    for place, (key, name, colour) in enumerate(SERIES):
        points = " ".join(f"{x(row['degrees']):.1f},{y(row[key]):.1f}" for row in rows)
        dashes = ' stroke-dasharray="6 4"' if key == "mixed" else ""
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"{dashes}/>')
        line = TOP + 20 + 20 * place
        out.append(f'<line x1="{WIDTH - 250}" y1="{line - 4}" x2="{WIDTH - 222}" y2="{line - 4}" stroke="{colour}" stroke-width="2.5"{dashes}/>')
        out.append(f'<text x="{WIDTH - 214}" y="{line}">{name}</text>')
    out.append("</svg>")
    with open(given.output, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
