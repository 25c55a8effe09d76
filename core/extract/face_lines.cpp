#include "core/extract/face_lines.h"

#include <algorithm>
#include <vector>

#include "core/extract/face_walk.h"
#include "core/paging/pages/changing_cells.h"

namespace farfield::extract {
namespace {

constexpr double kStep = 0.125;  // of a face
constexpr std::size_t kKeptFaces = 64;

}  // namespace

void addFaces(const GridSurface& surface, std::size_t number, fields::PagedData& data,
              tasks::TaskContext& context, const fields::FunctionPlan& functions, std::int64_t step,
              FaceLinker& linker) {
  IndexBox part = surface.nodes();
  const std::int64_t before = static_cast<std::int64_t>(number) * kLinkedFaces;
  part.first[0] += before;
  part.size[0] = std::min(kLinkedFaces, part.size[0] - before);
  detail::FaceReader reader(surface.block(), data, context, functions, step);
  const std::vector<FaceCorners> faces = reader.corners(part);
  for (std::size_t n = 0; n < faces.size(); ++n) linker.add(before + static_cast<std::int64_t>(n), faces[n]);
}

void placeLooseSides(const GridSurface& surface, std::size_t number, fields::PagedData& data,
                     tasks::TaskContext& context, const fields::FunctionPlan& functions, std::int64_t step,
                     FaceLinker& linker) {
  const std::vector<FaceLinker::Side> sides =
      linker.loose(static_cast<std::int64_t>(number) * kLinkedFaces, kLinkedFaces);
  std::vector<std::int64_t> nodes;
  for (const FaceLinker::Side& side : sides) nodes.insert(nodes.end(), {side.low, side.high});
  // Blocks of other cells are there at their own steps alone.
  const std::int64_t first = paging::cellsChange(data.description()) ? step : 0;
  detail::FaceReader reader(surface.block(), data, context, functions, first);
  const std::vector<Vec3> points = reader.points(nodes);
  for (std::size_t n = 0; n < sides.size(); ++n) linker.place(sides[n], points[2 * n], points[2 * n + 1]);
}

SheetLineEnd followOnFaces(const GridSurface& surface, const FaceLinks& links, const FacePlace& start,
                           int direction, const SheetLineOptions& options, fields::PagedData& data,
                           tasks::TaskContext& context, const fields::FunctionPlan& functions,
                           std::int64_t step, SheetLineSink& sink) {
  detail::FaceStock stock(surface, links, data, context, functions, step, kKeptFaces);
  const auto first = stock.at(start.face);
  FlowSheet::Place place = start.place;
  if (first->sides == 3 && place.u + place.v > 1) place = {1 - place.u, 1 - place.v};
  if (!isFinite(first->at(place).point)) return SheetLineEnd::NotThere;
  detail::FaceWalk walk(stock, direction, kStep);
  walk.start(first, place);
  std::vector<double> values(first->width);
  double length = 0, gone = 1;
  for (std::int64_t steps = 0;; steps += gone > 0 ? 1 : 0) {
    if (gone > 0) {
      const FlowSheet::Here here = walk.here();
      for (std::size_t n = 0; n < values.size(); ++n) values[n] = walk.face().valueAt(here, n);
      sink.vertex(here.point, length, FlowFace::inwards(here), values);
    }
    if (length >= options.maxLength) return SheetLineEnd::Length;
    if (steps >= options.maxSteps) return SheetLineEnd::Steps;
    const auto on = walk.goOn(options.maxLength - length);
    if (!on) return walk.end();
    gone = *on;
    length += gone;
  }
}

std::uint64_t faceLineBytes(const fields::FunctionPlan& functions) {
  const std::uint64_t linked =
      detail::listedFacesBytes(functions, 1) + kLinkedFaces * (5 * sizeof(double) + sizeof(FaceCorners));
  const std::uint64_t placed =
      detail::listedFacesBytes(functions, 1) +
      kLinkedFaces * (sizeof(FaceLinker::Side) + 2 * (sizeof(std::int64_t) + 2 * sizeof(Vec3)));
  const std::uint64_t values = static_cast<std::uint64_t>(functions.outputCount()) * sizeof(double);
  return std::max({linked, placed, detail::FaceStock::bytesFor(functions, kKeptFaces) + values});
}

}  // namespace farfield::extract
