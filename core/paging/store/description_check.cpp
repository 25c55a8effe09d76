#include "core/paging/store/description_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/paging/pages/coarse_levels.h"
#include "core/paging/pages/location_levels.h"
#include "core/paging/pages/role_names.h"
#include "core/paging/store/store_format.h"

namespace farfield::paging {
namespace {

/// Far more than any data set has, and few enough that no product of sizes overflows.
constexpr std::int64_t kMaxComponents = 65536;
constexpr std::int64_t kMaxCount = std::int64_t{1} << 52;
/// Nodes, cells and faces of unstructured grids are numbered by int32.
constexpr std::int64_t kMostListed = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMaxPages = std::int64_t{1} << 40;

void require(bool right, const char* otherwise) {
  if (!right) throw Invalid(otherwise);
}

std::string textOf(const Index3& dims) {
  return std::to_string(dims[0]) + " x " + std::to_string(dims[1]) + " x " + std::to_string(dims[2]);
}

/// Calls `check` and adds to its error what it was about.
template <class Check>
void checkPart(const std::string& part, const Check& check) {
  try {
    check();
  } catch (Error& error) {
    error.at(part);
    throw;
  }
}

void checkTimes(const std::vector<double>& times) {
  require(!times.empty(), "the data set has no time steps");
  for (std::size_t n = 0; n < times.size(); ++n)
    if (!std::isfinite(times[n]) || (n > 0 && times[n] <= times[n - 1]))
      throw Invalid("the time of step " + std::to_string(n) +
                    " is not finite or not after that of the step before");
}

void checkNodes(const Index3& dims, std::int64_t factor) {
  for (const std::int64_t along : dims) require(along >= 1 && along <= kMaxCount, "has no nodes");
  try {
    checkedProduct({dims[0], dims[1], dims[2], factor});
  } catch (const Corrupt&) {
    throw Invalid("is larger than any file can be");
  }
}

void checkBlock(const BlockDescription& block) {
  checkNodes(block.dims, sizeof(Vec3));
  const Bounds& bounds = block.bounds;
  const Bounds none;
  bool bounded = true, unbounded = true;
  for (int a = 0; a < 3; ++a) {
    bounded = bounded && std::isfinite(bounds.min[a]) && std::isfinite(bounds.max[a]) &&
              bounds.min[a] <= bounds.max[a];
    unbounded = unbounded && bounds.min[a] == none.min[a] && bounds.max[a] == none.max[a];
  }
  require(bounded || unbounded, "has bounds that are not finite or the wrong way round");
  require((block.axes != nullptr) == (block.kind == GridKind::Rectilinear),
          "has axes, but is not rectilinear, or the other way round");
  if (block.isUnstructured()) {
    require(block.dims[1] == 1 && block.dims[2] == 1, "has nodes along several axes, but is unstructured");
    require(block.dims[0] <= kMostListed && block.cells >= 1 && block.cells <= kMostListed,
            "has no cells, or more than an unstructured grid can have");
    require(!block.hasIblank, "has blanking, but is unstructured");
  }
  if (block.hasCoordinates()) return;
  for (std::size_t a = 0; block.axes && a < 3; ++a) {
    const std::vector<double>& axis = (*block.axes)[a];
    require(static_cast<std::int64_t>(axis.size()) == block.dims[a], "has axes of another number of nodes");
    for (std::size_t n = 0; n < axis.size(); ++n)
      require(std::isfinite(axis[n]) && (n == 0 || axis[n] > axis[n - 1]),
              "has an axis that does not ascend");
  }
  for (int a = 0; a < 3; ++a) {
    require(std::isfinite(block.origin[a]) && std::isfinite(block.spacing[a]),
            "has an origin or a spacing that is not finite");
    require(block.spacing[a] != 0 || block.dims[static_cast<std::size_t>(a)] == 1, "has a spacing of 0");
  }
}

void checkArray(const DatasetDescription& description, const ArrayDescription& array) {
  require(!array.name.empty() && array.name != "." && array.name != ".." &&
              array.name.find_first_of(std::string("/\0", 2)) == std::string::npos,
          "cannot be the name of an array");
  if (array.steps != 1 && array.steps != description.steps())
    throw Invalid("has " + std::to_string(array.steps) + " time steps, but there are " +
                  std::to_string(description.steps()));
  require(array.components >= 1 && array.components <= kMaxComponents, "has no or too many components");
  require(array.componentNames.empty() ||
              array.componentNames.size() == static_cast<std::size_t>(array.components),
          "has names for another number of components");
  const Index3 &dims = array.layout.dims(), &extent = array.layout.extent(),
               &pages = array.layout.pagesPerAxis();
  checkNodes(dims, 1);
  try {
    checkedProduct({array.steps, dims[0], dims[1], dims[2], array.nodeBytes()});
    if (checkedProduct({array.steps, pages[0], pages[1], pages[2]}) > kMaxPages)
      throw Invalid("has too many pages", "use a larger page edge");
    if (checkedProduct({extent[0], extent[1], extent[2], array.nodeBytes()}) > kMaxPageBytes)
      throw Invalid("has pages of more than 4 GiB", "use a smaller page edge");
  } catch (const Corrupt&) {
    throw Invalid("is larger than any file can be");
  }
}

/// Cells at a level of detail.
Index3 cellsOf(const BlockDescription& block, int detail) {
  return block.isUnstructured() ? block.cellDims() : cellDims(coarseDims(block.dims, detail));
}

/// Of a list of an unstructured grid.
void requireList(const BlockDescription& block, const ArrayDescription& array, int components) {
  require(block.isUnstructured(), "is a list of an unstructured grid, but the block is none");
  require(array.components == components && array.type == ScalarType::I32 && array.steps == 1,
          "is not of as many i32 as lists of unstructured grids are");
}

/// Checks what an array says of its role.
void checkRole(const BlockDescription& block, const ArrayDescription& array) {
  require(array.detail >= 0 && array.detail < kMostLevels, "has an impossible level of detail");
  const Index3 nodes = coarseDims(block.dims, array.detail);
  Index3 wanted = nodes;
  switch (array.role) {
    case ArrayRole::Variable:
      require(!array.onCells || block.isUnstructured(), "is on cells, but the block is not unstructured");
      if (array.onCells) wanted = block.cellDims();
      break;
    case ArrayRole::Coordinates:
      require(block.hasCoordinates(), "holds coordinates, but the block is regular");
      require(array.components == 3 && (array.type == ScalarType::F32 || array.type == ScalarType::F64),
              "is not of three f32 or f64, as coordinates are");
      break;
    case ArrayRole::Blanking:
      require(array.components == 1 && array.type == ScalarType::I16, "is not of one i16, as blanking is");
      require(block.hasIblank, "holds blanking, but the block is said to have none");
      break;
    case ArrayRole::LocationBounds:
      require(block.hasCoordinates(), "locates points in a regular block");
      require(array.components == 6 && array.type == ScalarType::F32,
              "is not of six f32, as location bounds are");
      require(array.boundsLevel >= 0 && array.boundsLevel < levelCount(cellsOf(block, array.detail)),
              "is of a level that the block's location pyramid does not have");
      wanted = levelDims(cellsOf(block, array.detail), array.boundsLevel);
      break;
    case ArrayRole::Cells:
      requireList(block, array, 8);
      wanted = block.cellDims();
      break;
    case ArrayRole::Neighbours:
      requireList(block, array, 6);
      wanted = block.cellDims();
      break;
    case ArrayRole::Faces:
      requireList(block, array, 5);
      wanted = {array.layout.dims()[0], 1, 1};
      require(wanted[0] <= kMostListed, "has too many faces");
      break;
  }
  if (array.layout.dims() != wanted)
    throw Invalid("has " + textOf(array.layout.dims()) + " nodes where its block has " + textOf(wanted));
}

/// Checks the arrays of a block together: each role once, and none missing.
class BlockRoles {
 public:
  void add(const ArrayDescription& array) {
    require(m_names.insert(array.name).second, "is there twice");
    if (array.role == ArrayRole::Variable) return;
    require(m_steps.emplace(Key{array.detail, array.role, array.boundsLevel}, array.steps).second,
            "has the role of another array");
  }
  /// `details`: number of levels of detail of the data set.
  void check(const BlockDescription& block, int details) const {
    checkDetail(block, 0);
    for (int detail = 1; detail < details; ++detail)
      checkPart("level of detail " + std::to_string(detail), [&] { checkDetail(block, detail); });
  }

 private:
  using Key = std::tuple<int, ArrayRole, int>;  ///< level of detail, role, level of location bounds

  void checkDetail(const BlockDescription& block, int detail) const {
    require(!block.hasIblank || m_steps.contains({detail, ArrayRole::Blanking, 0}),
            "has no blanking, but is said to");
    if (!block.hasCoordinates()) return;
    for (const ArrayRole role : {ArrayRole::Cells, ArrayRole::Neighbours})
      require(!block.isUnstructured() || m_steps.contains({detail, role, 0}),
              "lacks its cells or their neighbours");
    const auto coordinates = m_steps.find({detail, ArrayRole::Coordinates, 0});
    require(coordinates != m_steps.end(), "has no coordinates");
    const int levels = levelCount(cellsOf(block, detail));
    int found = 0;
    for (int level = 0; level < levels; ++level) {
      const auto bounds = m_steps.find({detail, ArrayRole::LocationBounds, level});
      if (bounds == m_steps.end()) continue;
      ++found;
      require(bounds->second == coordinates->second,
              "has location bounds of other steps than its coordinates");
    }
    require(found == 0 || found == levels, "lacks a level of its location bounds");
  }

  std::set<std::string> m_names;
  std::map<Key, std::int64_t> m_steps;  ///< of arrays that are not variables
};

/// Code looks a name up once and uses it for every block.
class SharedNames {
 public:
  void add(const ArrayDescription& array) {
    const ArrayDescription& first =
        *m_first.emplace(std::pair(array.detail, array.name), &array).first->second;
    require(first.role == array.role, "has another role in another block");
    require(array.role != ArrayRole::Variable ||
                (first.components == array.components && first.componentNames == array.componentNames),
            "has other components in another block");
  }

 private:
  std::map<std::pair<int, std::string>, const ArrayDescription*> m_first;
};

void checkSurface(const DatasetDescription& description, const NamedSurface& surface) {
  require(!surface.name.empty(), "has no name");
  require(surface.block >= 0 && static_cast<std::size_t>(surface.block) < description.blocks.size(),
          "belongs to a block that does not exist");
  const BlockDescription& block = description.blocks[static_cast<std::size_t>(surface.block)];
  Index3 dims = block.dims;
  if (block.isUnstructured()) {
    const int faces = description.find(surface.block, ArrayRole::Faces);
    require(faces >= 0, "has faces, but its block has none");
    dims = description.arrays[static_cast<std::size_t>(faces)].layout.dims();
  }
  const IndexBox& nodes = surface.nodes;
  for (std::size_t a = 0; a < 3; ++a)
    require(nodes.first[a] >= 0 && nodes.size[a] >= 1 && nodes.first[a] <= dims[a] - nodes.size[a],
            "has nodes that its block does not have");
  require(std::count(nodes.size.begin(), nodes.size.end(), 1) > 0, "is not a sheet of nodes");
}

}  // namespace

void checkDescription(const DatasetDescription& description) {
  checkTimes(description.times);
  require(!description.blocks.empty(), "the data set has no blocks");
  require(!description.arrays.empty(), "the data set has no arrays");
  for (std::size_t b = 0; b < description.blocks.size(); ++b)
    checkPart("block " + std::to_string(b), [&] { checkBlock(description.blocks[b]); });
  std::vector<BlockRoles> roles(description.blocks.size());
  SharedNames names;
  int block = 0, details = 1;
  for (const ArrayDescription& array : description.arrays)
    checkPart("array " + array.name + " of block " + std::to_string(array.block), [&] {
      const auto number = static_cast<std::size_t>(array.block);
      require(array.block >= 0 && number < roles.size(), "belongs to a block that does not exist");
      require(array.block >= block, "is not sorted by block");
      checkArray(description, array);
      checkRole(description.blocks[number], array);
      roles[number].add(array);
      names.add(array);
      block = array.block;
      details = std::max(details, array.detail + 1);
    });
  for (std::size_t b = 0; b < roles.size(); ++b)
    checkPart("block " + std::to_string(b), [&] { roles[b].check(description.blocks[b], details); });
  for (const NamedSurface& surface : description.surfaces)
    checkPart("surface " + surface.name, [&] { checkSurface(description, surface); });
}

}  // namespace farfield::paging
