#include "render/opencl/lines/line_layout.h"

#include <algorithm>

#include "render/opencl/lines/line_grid.h"

namespace farfield::opencl {
namespace {

constexpr std::int64_t kLargeEdge = 16, kSmallEdge = 8;
/// So many large bricks are enough where not all have room, and what is known of them on the host is less.
constexpr std::uint64_t kManyBricks = 4096;

/// Whether every number of an array is that of a float.
bool areFloats(const paging::ArrayDescription& array) {
  return array.type != ScalarType::F64 && array.type != ScalarType::I32;
}

bool haveFloatPositions(const paging::DatasetDescription& data) {
  return std::all_of(data.blocks.begin(), data.blocks.end(),
                     [](const auto& block) { return block.hasCoordinates(); }) &&
         std::all_of(data.arrays.begin(), data.arrays.end(), [](const auto& array) {
           return array.role != paging::ArrayRole::Coordinates || areFloats(array);
         });
}

bool haveFloatValues(const paging::DatasetDescription& data, const fields::FunctionPlan& functions) {
  const auto& used = functions.arrays();
  return functions.isVariables() &&
         std::all_of(data.arrays.begin(), data.arrays.end(), [&](const auto& array) {
           const bool isElse = array.isGrid() && array.role != paging::ArrayRole::Coordinates;
           return isElse || std::find(used.begin(), used.end(), array.name) == used.end() || areFloats(array);
         });
}

const char* nameOf(std::uint64_t bytes) {
  return bytes == sizeof(float) ? "float" : "double";
}

}  // namespace

LineLayout LineLayout::choose(const paging::DatasetDescription& data, const fields::FunctionPlan& functions,
                              std::uint64_t realBytes, std::uint64_t mostBytes) {
  LineLayout layout;
  layout.edge = kLargeEdge;
  layout.axes = std::none_of(data.blocks.begin(), data.blocks.end(),
                             [](const auto& block) { return block.hasCoordinates(); });
  layout.realBytes = realBytes;
  layout.positionBytes = !layout.axes && haveFloatPositions(data) ? sizeof(float) : realBytes;
  layout.valueBytes = haveFloatValues(data, functions) ? sizeof(float) : realBytes;
  layout.outputs = static_cast<std::uint64_t>(functions.outputCount());
  const std::uint64_t large = mostBytes / layout.bytes();
  layout.all = large >= static_cast<std::uint64_t>(LineGrid(data, kLargeEdge).count());
  if (!layout.all && large < kManyBricks && realBytes == sizeof(double)) layout.edge = kSmallEdge;
  return layout;
}

std::string LineLayout::options() const {
  return "-DOUTPUTS=" + std::to_string(outputs) + " -DEDGE=" + std::to_string(edge) +
         " -DPOSITION=" + nameOf(positionBytes) + " -DVALUE=" + nameOf(valueBytes) + (axes ? " -DAXES" : "") +
         (realBytes == sizeof(double) ? " -DWITH_DOUBLE" : " -cl-single-precision-constant");
}

}  // namespace farfield::opencl
