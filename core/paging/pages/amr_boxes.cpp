#include "core/paging/pages/amr_boxes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string>

#include "core/paging/pages/changing_cells.h"

namespace farfield::paging {
namespace {

const char* const kKey = "amr";
const char* const kBoxes = "amr.boxes";
const char* const kRatios = "amr.ratio";
const char* const kChanging = "amr.changing";

std::string textOf(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

/// Numbers from 0 on, one blank between them.
std::optional<std::vector<std::int64_t>> numbersIn(const std::string& text) {
  std::vector<std::int64_t> numbers;
  const char *at = text.data(), *const end = at + text.size();
  while (at != end) {
    std::int64_t number = 0;
    const auto [stop, status] = std::from_chars(at, end, number);
    if (status != std::errc() || number < 0 || number > INT32_MAX || numbers.size() == kMostAmrLevels)
      return std::nullopt;
    numbers.push_back(number);
    at = stop;
    if (at != end && (*at++ != ' ' || at == end)) return std::nullopt;
  }
  return numbers;
}

/// Cells of a box along an axis, from its ends: 1 along an axis of one node.
std::int64_t cellsAlong(const BlockDescription& block, int axis) {
  if (block.dims[static_cast<std::size_t>(axis)] == 1) return 1;
  const double cells = (block.bounds.max[axis] - block.bounds.min[axis]) / block.spacing[axis];
  // the nodes of a box are at least its cells
  const auto most = static_cast<double>(block.dims[static_cast<std::size_t>(axis)]);
  return std::llround(std::clamp(std::isfinite(cells) ? cells : 1.0, 1.0, most));
}

}  // namespace

int AmrLevels::levelOf(int block) const {
  int level = 0;
  for (std::int64_t before = 0; level + 1 < levels(); ++level) {
    before += boxes[static_cast<std::size_t>(level)];
    if (block < before) break;
  }
  return level;
}

void sayAmr(DatasetDescription& data, const AmrLevels& levels) {
  data.attributes[kKey] = levels.onCells ? "cells" : "nodes";
  data.attributes[kBoxes] = textOf(levels.boxes);
  data.attributes[kRatios] = textOf(levels.ratios);
}

void forgetAmr(DatasetDescription& data) {
  for (const char* const key : {kKey, kBoxes, kRatios, kChanging}) data.attributes.erase(key);
}

bool boxesChange(const DatasetDescription& data) {
  return data.attributes.contains(kChanging);
}

void sayBoxesChange(DatasetDescription& data, const std::vector<AmrArrangement>& arrangements) {
  std::string text;
  for (const AmrArrangement& its : arrangements) {
    std::vector<std::int64_t> numbers{its.firstStep, its.steps};
    numbers.insert(numbers.end(), its.boxes.begin(), its.boxes.end());
    text += (text.empty() ? "" : ";") + textOf(numbers);
  }
  data.attributes[kChanging] = text;
}

std::vector<std::array<std::int64_t, 2>> stepsOfBlocks(const DatasetDescription& data) {
  std::vector<std::array<std::int64_t, 2>> steps;
  if (cellsChange(data)) {
    for (std::size_t n = 0; n < data.blocks.size(); ++n)
      steps.push_back({static_cast<std::int64_t>(n), static_cast<std::int64_t>(n) + 1});
    return steps;
  }
  const auto found = data.attributes.find(kChanging);
  const auto amr = amrOf(data);
  if (found == data.attributes.end() || !amr) return {};
  std::vector<std::vector<std::int64_t>> arrangements;
  for (std::size_t at = 0; at <= found->second.size();) {
    const std::size_t end = std::min(found->second.find(';', at), found->second.size());
    const auto numbers = numbersIn(found->second.substr(at, end - at));
    if (!numbers || numbers->size() < 2) return {};
    arrangements.push_back(*numbers);
    at = end + 1;
  }
  for (std::size_t level = 0; level < amr->boxes.size(); ++level)
    for (const std::vector<std::int64_t>& its : arrangements) {
      if (level + 2 >= its.size()) continue;
      const auto boxes = static_cast<std::size_t>(its[level + 2]);
      if (boxes > data.blocks.size() - steps.size()) return {};
      steps.insert(steps.end(), boxes, {its[0], its[0] + its[1]});
    }
  if (steps.size() != data.blocks.size()) steps.clear();
  return steps;
}

std::vector<bool> blocksAt(const DatasetDescription& data, std::int64_t step) {
  std::vector<bool> there;
  for (const auto& [first, end] : stepsOfBlocks(data)) there.push_back(step >= first && step < end);
  return there;
}

bool isAmr(const DatasetDescription& data) {
  return data.attributes.contains(kKey);
}

std::optional<AmrLevels> amrOf(const DatasetDescription& data) {
  const auto textOf = [&](const char* key) {
    const auto found = data.attributes.find(key);
    return found == data.attributes.end() ? std::string() : found->second;
  };
  const std::string on = textOf(kKey);
  if (on != "cells" && on != "nodes") return std::nullopt;
  const auto boxes = numbersIn(textOf(kBoxes)), ratios = numbersIn(textOf(kRatios));
  if (!boxes || !ratios || boxes->empty() || ratios->size() + 1 != boxes->size()) return std::nullopt;
  if (std::accumulate(boxes->begin(), boxes->end(), std::int64_t{0}) !=
      static_cast<std::int64_t>(data.blocks.size()))
    return std::nullopt;
  return AmrLevels{on == "cells", *boxes, *ratios};
}

std::int64_t amrCells(const BlockDescription& block) {
  if (!block.axes && block.kind != GridKind::Regular) return product(block.cellDims());
  return cellsAlong(block, 0) * cellsAlong(block, 1) * cellsAlong(block, 2);
}

std::vector<bool> amrCentres(const BlockDescription& block, int axis) {
  const auto a = static_cast<std::size_t>(axis);
  std::vector<bool> centres(static_cast<std::size_t>(block.dims[a]), true);
  if (block.dims[a] == 1 || !block.axes) return centres;
  const double edge =
      (block.bounds.max[axis] - block.bounds.min[axis]) / static_cast<double>(cellsAlong(block, axis));
  for (std::size_t n = 0; n < centres.size(); ++n) {
    const double index = ((*block.axes)[a][n] - block.bounds.min[axis]) / edge;
    centres[n] = std::abs(index - std::floor(index) - 0.5) < 0.125;
  }
  return centres;
}

AmrCell amrCellAt(const BlockDescription& block, Vec3 point) {
  AmrCell cell;
  cell.centre = point;
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    cell.xi[a] = 0.5;
    if (block.dims[axis] == 1) continue;
    const std::int64_t cells = cellsAlong(block, a);
    const double edge = (block.bounds.max[a] - block.bounds.min[a]) / static_cast<double>(cells);
    const double index = (point[a] - block.bounds.min[a]) / edge;
    if (!std::isfinite(index)) continue;
    const double lower = std::clamp(std::floor(index), 0.0, static_cast<double>(cells - 1));
    cell.at[axis] = static_cast<std::int64_t>(lower);
    cell.xi[a] = index - lower;
    cell.centre[a] = block.bounds.min[a] + (lower + 0.5) * edge;
    if (!block.axes) continue;
    // the node that is there, so that its value comes unchanged
    const std::vector<double>& nodes = (*block.axes)[axis];
    const auto near = std::lower_bound(nodes.begin(), nodes.end(), cell.centre[a] - 0.125 * edge);
    if (near != nodes.end() && std::abs(*near - cell.centre[a]) < 0.125 * edge) cell.centre[a] = *near;
  }
  return cell;
}

}  // namespace farfield::paging
