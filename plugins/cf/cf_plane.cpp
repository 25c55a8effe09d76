#include "plugins/cf/cf_plane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/stoppable_waits.h"
#include "plugins/cf/cf_places.h"

namespace farfield::cf {
namespace {

/// The coordinate as one file has it.
struct Own {
  arrays::PlacedArray array;  ///< with its first step
  std::int64_t stride = 0;    ///< to the next, 0 if it has none
  std::int64_t steps = 1;
  bool isShort = false;  ///< there are fewer than the file has
};

std::optional<Own> ownOf(const File& file, const std::string& name, const std::string& time,
                         const Index3& dims) {
  const Variable* const found = file.variable(name);
  if (!found || !found->hasNumbers() || found->dims.size() < 2 || found->dims.size() > 3) return std::nullopt;
  const std::size_t y = found->dims.size() - 2;
  if (file.sizeOf(found->dims[y]) != dims[1] || file.sizeOf(found->dims[y + 1]) != dims[0])
    return std::nullopt;
  Own own{plainArray(file, *found)};
  if (y == 1) {
    own.steps = found->records < 0 ? file.sizeOf(found->dims[0]) : found->records;
    own.isShort = found->records >= 0;
    if (own.steps < 1) return std::nullopt;
    const bool isTime = file.dimensions[static_cast<std::size_t>(found->dims[0])].name == time;
    if (isTime && own.steps > 1) own.stride = found->strides[0];
  }
  own.array.steps.push_back({arrays::Piece{{{0, 0, 0}, {dims[0], dims[1], 1}},
                                           found->bytes,
                                           found->begin,
                                           {found->strides[y + 1], found->strides[y], 0},
                                           0}});
  own.array.stepStride = own.stride;
  arrays::checkPlaces(own.array, own.steps);
  return own;
}

/// Ends of the diagonal, and its middle.
using Places = std::array<double, 3>;
Places placesOf(const Own& own, std::int64_t step, const Index3& dims) {
  Places places{};
  for (std::int64_t n = 0; n < 3; ++n) {
    std::array<std::byte, sizeof(double)> bytes{};
    const ScalarType type = own.array.valueType();
    arrays::readBox(own.array, step, {{(dims[0] - 1) * n / 2, (dims[1] - 1) * n / 2, 0}, {1, 1, 1}}, 0, 1,
                    std::span(bytes).first(static_cast<std::size_t>(sizeOf(type))));
    places[static_cast<std::size_t>(n)] = valueAt(bytes.data(), type, 0);
  }
  return places;
}

/// Nodes that are the same may differ by parts of a cell, and by what f32 rounds.
bool areSame(const Places& first, const Places& other, const Index3& dims) {
  const double slack =
      std::max(0.01 * std::abs(first[2] - first[0]) / static_cast<double>(std::max(dims[0], dims[1])),
               2e-7 * std::max(std::abs(first[0]), std::abs(first[2])));
  for (std::size_t n = 0; n < first.size(); ++n)
    if (std::abs(other[n] - first[n]) > slack) return false;
  return true;
}

}  // namespace

arrays::PlacedArray planeCoordinate(const std::vector<OpenedFile>& files, const Variable& coordinate,
                                    const std::string& time, const Index3& dims, Series& series) {
  std::vector<std::optional<Own>> all;
  const Own* first = nullptr;
  all.reserve(files.size());
  for (const OpenedFile& file : files)
    inFile(file.path, [&] { all.push_back(ownOf(file.file, coordinate.name, time, dims)); });
  for (const auto& own : all)
    if (own && !first) first = &*own;
  if (!first)
    throw Corrupt(printable(coordinate.name) + " has no numbers of any step",
                  "check that the copy is complete")
        .at(saidOf(files.front().path));
  const Places places = placesOf(*first, 0, dims);
  const auto moves = [&](const Own& own) {
    StoppableWaits::throwIfStopped();
    if (own.stride == 0) return &own != first && !areSame(places, placesOf(own, 0, dims), dims);
    for (const std::int64_t step : {std::int64_t{0}, own.steps / 2, own.steps - 1})
      if (!areSame(places, placesOf(own, step, dims), dims)) return true;
    return false;
  };
  bool any = false;
  for (std::size_t f = 0; f < files.size() && !any; ++f)
    inFile(files[f].path, [&] { any = all[f] && moves(*all[f]); });
  if (!any) {
    arrays::PlacedArray still = first->array;
    still.stepStride = 0;
    return still;
  }
  arrays::PlacedArray joined = first->array;
  joined.steps.clear();
  joined.stepStride = 0;
  for (std::size_t f = 0; f < files.size(); ++f)
    inFile(files[f].path, [&] {
      const Own& own = all[f] ? *all[f] : *first;
      if (own.isShort)
        throw Unsupported(
            "its grid moves, and " + printable(coordinate.name) + " has no numbers at its last steps",
            "open it once it is written");
      requireStoredAlike(coordinate, own.array, joined);
      series.add(f, own.array.steps.front().front(), all[f] ? own.stride : 0, own.array, joined);
    });
  settlePackings(joined);
  return joined;
}

}  // namespace farfield::cf
