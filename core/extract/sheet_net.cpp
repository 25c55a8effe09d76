#include "core/extract/sheet_net.h"

#include <algorithm>
#include <vector>

#include "core/extract/covered_nodes.h"
#include "core/fields/functions/box_functions.h"
#include "core/fields/functions/node_coordinates.h"

namespace farfield::extract {
namespace {

/// What is gathered of a box of nodes, i fastest.
struct Gathered {
  std::vector<double> xyz, iblank, values;
};

}  // namespace

std::uint64_t readNetBytes(const fields::FunctionPlan& functions, std::int64_t margin) {
  const std::int64_t nodes = GridSurface::kPatchCells + 1 + 2 * margin;
  const auto outputs = static_cast<std::uint64_t>(functions.outputCount());
  // two sheets of nodes where the surface lies between them
  return static_cast<std::uint64_t>(nodes * nodes) * 2 * (4 + outputs) * sizeof(double) +
         fields::BoxFunctions::bytesFor(functions, {nodes, nodes, 1}) +
         FlowSheet::bytesFor(nodes, nodes, outputs);
}

SheetNet readNet(const GridSurface& surface, std::size_t number, std::int64_t margin, fields::PagedData& data,
                 tasks::TaskContext& context, const fields::FunctionPlan& functions, std::int64_t step) {
  const auto fixed = static_cast<std::size_t>(surface.fixedAxis());
  const std::array axes{static_cast<std::size_t>(surface.u()), static_cast<std::size_t>(surface.v())};
  IndexBox whole = surface.nodes();
  whole.size[fixed] = 1;
  const IndexBox patch = surface.patchNodes(number);
  IndexBox box = patch;
  SheetNet net;
  for (std::size_t n = 0; n < 2; ++n) {
    const std::size_t axis = axes[n];
    box.first[axis] = std::max(patch.first[axis] - margin, whole.first[axis]);
    box.size[axis] =
        std::min(patch.first[axis] + patch.size[axis] + margin, whole.first[axis] + whole.size[axis]) -
        box.first[axis];
    net.first[n] = patch.first[axis] - box.first[axis];
    net.cells[n] = patch.size[axis] - 1;
  }
  const auto outputs = static_cast<std::size_t>(functions.outputCount());
  const auto nodes = static_cast<std::size_t>(product(box.size));
  const paging::BlockDescription& grid = data.description().blocks[static_cast<std::size_t>(surface.block())];
  Gathered here, next;
  Index3 middle = patch.first;
  for (const std::size_t axis : axes) middle[axis] += (patch.size[axis] - 1) / 2;
  std::vector<double> inside(3);
  bool hasInside = false;
  {
    paging::Cursor cursor(data.cache(), context, data.plan().mode);
    cursor.setStep(step);
    const fields::BlockSlots slots = data.bind(cursor, surface.block(), functions);
    const auto wall =
        surface.beyond() > 0 ? std::nullopt : fields::wallFaceOf(grid.dims, whole, surface.fixedAxis());
    fields::BoxFunctions values(functions);
    const auto read = [&](const IndexBox& of, Gathered& out) {
      out.xyz.resize(3 * nodes);
      out.iblank.assign(nodes, 1.0);
      out.values.resize(outputs * nodes);
      fields::gatherCoordinates(cursor, slots.xyz, grid, of, out.xyz);
      const paging::GatherTarget iblank{slots.iblank, out.iblank.data()};
      if (slots.iblank >= 0) cursor.gatherTiled(of, {&iblank, 1});
      values.compute(cursor, slots, grid, of, out.values, wall);
    };
    read(box, here);
    const double beyond = surface.beyond();
    if (beyond == 0)
      detail::blankCovered(cursor, slots, data.description(), surface.block(), box, static_cast<int>(fixed),
                           here.iblank);
    if (beyond > 0) {
      IndexBox other = box;
      ++other.first[fixed];
      read(other, next);
      for (std::size_t n = 0; n < here.xyz.size(); ++n)
        here.xyz[n] = (1 - beyond) * here.xyz[n] + beyond * next.xyz[n];
      for (std::size_t n = 0; n < here.values.size(); ++n)
        here.values[n] = (1 - beyond) * here.values[n] + beyond * next.values[n];
      for (std::size_t n = 0; n < nodes; ++n)
        if (next.iblank[n] == 0) here.iblank[n] = 0;
    }
    // of a sheet on the border of its block, the side on which the cells are
    const bool isLow = middle[fixed] == 0, isHigh = middle[fixed] == grid.dims[fixed] - 1;
    hasInside = beyond == 0 && grid.dims[fixed] > 1 && (isLow || isHigh);
    if (hasInside) {
      Index3 behind = middle;
      behind[fixed] += isLow ? 1 : -1;
      fields::gatherCoordinates(cursor, slots.xyz, grid, {behind, {1, 1, 1}}, inside);
    }
  }
  FlowSheet& sheet = net.sheet;
  sheet.resize(box.size[axes[0]], box.size[axes[1]], outputs);
  std::size_t to = 0;
  for (std::int64_t v = 0; v < sheet.size[1]; ++v)
    for (std::int64_t u = 0; u < sheet.size[0]; ++u, ++to) {
      Index3 node{0, 0, 0};
      node[axes[0]] = u, node[axes[1]] = v;
      const auto of = static_cast<std::size_t>(linear(node, box.size));
      sheet.points[to] = {here.xyz[3 * of], here.xyz[3 * of + 1], here.xyz[3 * of + 2]};
      sheet.usable[to] = here.iblank[of] != 0 && isFinite(sheet.points[to]);
      std::copy_n(here.values.begin() + static_cast<std::ptrdiff_t>(of * outputs), outputs,
                  sheet.values.begin() + static_cast<std::ptrdiff_t>(to * outputs));
    }
  if (hasInside) {
    const auto corner = [&](std::int64_t u, std::int64_t v) {
      return sheet.points[static_cast<std::size_t>(net.first[0] + net.cells[0] / 2 + u +
                                                   sheet.size[0] * (net.first[1] + net.cells[1] / 2 + v))];
    };
    const Vec3 a = corner(0, 0);
    net.seenFromBehind =
        dot(cross(corner(1, 0) - a, corner(0, 1) - a), Vec3{inside[0], inside[1], inside[2]} - a) < 0;
  }
  return net;
}

}  // namespace farfield::extract
