#pragma once
// A BoxReader over arrays that lie in files (placed_array.h) or are computed: shared by all formats of plain
// arrays. A format describes its arrays; this reads them.

#include <functional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/pages/box_reader.h"
#include "core/paging/pages/component_reader.h"
#include "plugins/arrays/placed_array.h"

namespace farfield::arrays {

/// Components `first` … `first` + `count` - 1 at the nodes of `box`, components fastest, in the array's type.
/// Thread-safe.
using ComputedArray = std::function<void(std::int64_t step, const IndexBox& box, int first, int count,
                                         std::span<std::byte> out)>;
/// An array whose components lie in several places: one PlacedArray of one component each, of one type.
using GatheredArray = std::vector<PlacedArray>;
using ArrayPlace = std::variant<PlacedArray, GatheredArray, ComputedArray>;

class ArrayReader final : public paging::BoxReader, public paging::ComponentReader {
 public:
  /// `places`: one per array of `description`, checked (checkPlaces), each with the type and the components
  /// of the array. `claims` are held as long as this object. `objects` are the remote objects that values
  /// come from.
  ArrayReader(paging::DatasetDescription description, std::vector<ArrayPlace> places,
              std::vector<MemoryClaim> claims = {}, paging::ByteObjects objects = {});

  const paging::DatasetDescription& description() const override { return m_description; }
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override;
  void readComponent(std::uint32_t array, std::int64_t step, int component, const IndexBox& box,
                     std::span<std::byte> out) const override;
  void checkUnchanged() const override;
  /// Where the values of each array are.
  const std::vector<ArrayPlace>& places() const { return m_places; }

 private:
  void readSome(std::uint32_t array, std::int64_t step, const IndexBox& box, int first, int count,
                std::span<std::byte> out) const;
  paging::DatasetDescription m_description;
  std::vector<ArrayPlace> m_places;
  std::vector<MemoryClaim> m_claims;
  paging::ByteObjects m_objects;
};

/// A description of one block of `dims` without arrays.
paging::DatasetDescription describeBlock(const std::string& format, const Index3& dims);

/// An array of block 0, with pages as files are read best.
paging::ArrayDescription describeArray(const std::string& name, const Index3& dims, int components,
                                       ScalarType type, std::int64_t steps);

/// Coordinates of its nodes, and its blanking (int16), as arrays of block 0.
paging::ArrayDescription describeCoordinates(const Index3& dims, ScalarType type, std::int64_t steps);
paging::ArrayDescription describeBlanking(const Index3& dims, std::int64_t steps);

/// Makes the grid of nodes origin + i·directions[0] + j·directions[1] + k·directions[2] block 0: regular if
/// the directions are those of x, y and z, else curvilinear with computed coordinates, an array "xyz" at the
/// end of `description` and `places`. Throws Corrupt if a number is not finite or a direction has no length.
void placeNodes(Vec3 origin, const std::array<Vec3, 3>& directions, paging::DatasetDescription& description,
                std::vector<ArrayPlace>& places);

/// A valid name of a variable: without the characters of paths, expressions and lists, not reserved ("xyz",
/// "iblank", "boxes…"), and unique in `taken`.
std::string usableName(const std::string& wanted, const paging::DatasetDescription& taken);
/// The same of a variable of a mesh, of which more are reserved ("cells", "neighbours", "faces").
std::string usableNameInMesh(const std::string& wanted, const paging::DatasetDescription& taken);

/// usableName() for a description that grows to very many arrays: their names are looked at once.
class TakenNames {
 public:
  /// `taken` is always the same description; the arrays that it had stay as they were.
  std::string usableName(const std::string& wanted, const paging::DatasetDescription& taken);

 private:
  std::set<std::string> m_names;  ///< of the first m_arrays arrays and their components
  std::size_t m_arrays = 0;
};

}  // namespace farfield::arrays
