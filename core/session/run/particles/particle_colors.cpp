#include "core/session/run/particles/particle_colors.h"

#include <algorithm>
#include <cmath>

namespace farfield::session {

std::vector<std::string> namesOf(const OwnColors& own) {
  std::vector<std::string> names;
  for (const auto& [name, column] : own) names.push_back(name);
  return names;
}

std::optional<int> columnOf(const OwnColors& own, const std::string& name, std::optional<int> value,
                            int firstValue) {
  if (value) return firstValue + *value;
  for (const auto& [its, column] : own)
    if (its == name) return column;
  return std::nullopt;
}

void addColor(LineFileContents& contents, const std::string& name, std::optional<int> column) {
  if (!column) return;
  contents.scalars = name;
  const auto same = [&](const VertexColumn& each) { return each.name == name; };
  if (std::none_of(contents.vertices.begin(), contents.vertices.end(), same))
    contents.vertices.push_back({name, *column, 1});
}

std::optional<std::array<double, 2>> rangeOf(const Polylines& lines, int column) {
  std::optional<std::array<double, 2>> range;
  const auto width = static_cast<std::size_t>(lines.width());
  lines.visitVertices([&](const PolylineSummary&, std::span<const double> run) {
    for (std::size_t at = static_cast<std::size_t>(column); at < run.size(); at += width) {
      const double value = run[at];
      if (!std::isfinite(value)) continue;
      if (!range) range = {value, value};
      *range = {std::min((*range)[0], value), std::max((*range)[1], value)};
    }
  });
  return range;
}

double dashLength(const Bounds& bounds) {
  constexpr double kShare = 0.004;  // of the diagonal: some pixels
  return bounds.empty() ? 0 : kShare * bounds.diagonal();
}

}  // namespace farfield::session
