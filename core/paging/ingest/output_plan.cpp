#include "core/paging/ingest/output_plan.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/paging/location/cell_boxes.h"
#include "core/paging/pages/coarse_levels.h"
#include "core/paging/pages/page_edge.h"
#include "core/paging/pages/role_names.h"

namespace farfield::paging::detail {
namespace {

/// Entries along an edge of a page of a pyramid level.
constexpr int kBoxesPageEdge = 8;

/// `name` as an array of the same level of detail as `array` is called.
std::string nameAtLevelOf(const ArrayDescription& array, const std::string& name) {
  return array.detail > 0 ? coarseName(array.detail, name) : name;
}

/// Coordinates have a pyramid if each axis has a cell.
bool hasPyramid(const ArrayDescription& array) {
  return array.role == ArrayRole::Coordinates && levelCount(cellDims(array.layout.dims())) > 0;
}

void addPyramid(const ArrayDescription& xyz, const ArrayOrigin& from, OutputPlan& plan) {
  const Index3 cells = cellDims(xyz.layout.dims());
  for (int level = 0; level < levelCount(cells); ++level) {
    ArrayDescription boxes;
    boxes.name = nameAtLevelOf(xyz, boundsName(level));
    boxes.block = xyz.block;
    boxes.layout = PageLayout::even(levelDims(cells, level), kBoxesPageEdge);
    boxes.steps = xyz.steps;
    boxes.role = ArrayRole::LocationBounds;
    boxes.boundsLevel = level;
    boxes.detail = xyz.detail;
    boxes.components = 6;
    boxes.type = ScalarType::F32;
    boxes.componentNames = {"xmin", "ymin", "zmin", "xmax", "ymax", "zmax"};
    plan.description.arrays.push_back(std::move(boxes));
    plan.origins.push_back({.input = from.input, .level = level, .iblank = from.iblank});
  }
}

}  // namespace

OutputPlan planOutput(const DatasetDescription& input, const ConvertOptions& options) {
  const int pageEdge = options.pageEdge.value_or(pageEdgeFor(input));
  if (pageEdge < 2 || pageEdge > 1024)
    throw Invalid("a page edge of " + std::to_string(pageEdge) + " nodes", "use 8, 16, 32 or 64");
  OutputPlan plan;
  plan.description = input;
  plan.description.arrays.clear();
  plan.description.pageEdge = pageEdge;
  for (const auto& [key, value] : options.attributes) plan.description.attributes[key] = value;

  for (std::size_t a = 0; a < input.arrays.size(); ++a) {
    const ArrayDescription& array = input.arrays[a];
    const bool unstructured = input.blocks[static_cast<std::size_t>(array.block)].isUnstructured();
    if (array.role == ArrayRole::LocationBounds && !unstructured) continue;  // computed again
    if (array.detail > 0 && options.levels == 1) continue;                   // not wanted
    ArrayDescription paged = array;
    paged.layout = unstructured ? PageLayout::ofExtent(array.layout.dims(), {listPage(pageEdge), 1, 1})
                                : PageLayout::even(array.layout.dims(), pageEdge);
    ArrayOrigin origin{.input = static_cast<int>(a)};
    const bool named = array.componentNames.size() == static_cast<std::size_t>(array.components);
    if (options.split && array.components > 1 && named && !array.isGrid()) {
      paged.components = 1;
      paged.componentNames = {};
      for (origin.component = 0; origin.component < array.components; ++origin.component) {
        paged.name = nameAtLevelOf(array, array.componentNames[static_cast<std::size_t>(origin.component)]);
        plan.description.arrays.push_back(paged);
        plan.origins.push_back(origin);
      }
      continue;
    }
    origin.feedsBoxes = hasPyramid(array);
    if (origin.feedsBoxes) origin.iblank = input.find(array.block, ArrayRole::Blanking, array.detail);
    plan.description.arrays.push_back(std::move(paged));
    plan.origins.push_back(origin);
    if (origin.feedsBoxes) addPyramid(array, origin, plan);
  }
  sayLevels(plan.description, levelsIn(plan.description));
  return plan;
}

}  // namespace farfield::paging::detail
