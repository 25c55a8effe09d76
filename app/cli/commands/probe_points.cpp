#include "app/cli/commands/probe_points.h"

#include <charconv>

#include "app/cli/options/command.h"

namespace farfield::cli {
namespace {

Vec3 parsePoint(const std::string& text, const char* option) {
  Vec3 point;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int axis = 0; axis < 3; ++axis) {
    const auto [after, failure] = std::from_chars(at, end, point[axis]);
    const bool separated = axis < 2 ? after != end && *after == ',' : after == end;
    if (failure != std::errc{} || !separated || !std::isfinite(point[axis]))
      throw UsageError("'" + text + "' is not a point X,Y,Z").at(option);
    at = after + 1;
  }
  return point;
}

}  // namespace

ProbePoints::ProbePoints(const std::vector<std::string>& single, const std::vector<std::string>& ends,
                         std::uint64_t count)
    : m_count(count) {
  for (const std::string& text : single) m_single.push_back(parsePoint(text, "--at"));
  for (const std::string& text : ends) m_ends.push_back(parsePoint(text, "--line"));
  if (m_ends.size() % 2 != 0) throw UsageError("a line has two ends", "give X,Y,Z X,Y,Z").at("--line");
}

ProbePoint ProbePoints::operator[](std::uint64_t number) const {
  if (number < m_single.size()) return {m_single[number], std::nullopt, 0};
  number -= m_single.size();
  const std::size_t line = number / m_count;
  const std::uint64_t on = number % m_count;
  const Vec3 from = m_ends[2 * line], to = m_ends[2 * line + 1];
  // The ends are met exactly.
  const double part = static_cast<double>(on) / static_cast<double>(m_count - 1);
  return {on + 1 == m_count ? to : from + part * (to - from), line, part * length(to - from)};
}

}  // namespace farfield::cli
