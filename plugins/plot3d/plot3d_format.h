#pragma once
// What PLOT3D files do not say: byte order, record markers, one grid or several, precision, iblank. A Format
// is one combination; Overrides are the parts of it that a user has set by options.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/scalar_type.h"

namespace farfield::plot3d {

enum class ByteOrder { Little, Big };
enum class Content { Grid, Solution, Function };

struct Format {
  ByteOrder byteOrder = ByteOrder::Little;
  int markerBytes = 0;     ///< 0: C binary; 4 or 8: Fortran unformatted, each record between two markers
  bool multiGrid = false;  ///< a count of blocks comes first
  ScalarType precision = ScalarType::F32;  ///< F32 or F64
  bool iblank = false;                     ///< grids: an int32 per node after the coordinates
  int dimensions = 3;                      ///< 2: dims are pairs, there is no z and no momentum-z
  bool planes = false;  ///< all variables of a plane of k before the next plane, each plane a record
  /// Solutions of OVERFLOW: two more numbers in the head, more numbers before each block, and more variables.
  bool overflow = false;
  int variables = 0;    ///< reals per node by the head (functions, OVERFLOW); 0: by the content
  int species = 0;      ///< of OVERFLOW's variables
  int headerBytes = 0;  ///< before a block's variables, in a solution; 0: four reals
  bool operator==(const Format&) const = default;
};

/// Reals per node: x y z, or the five (in 2-D four) conserved variables, or the number in the head.
constexpr int variableCount(Content content, const Format& format) {
  if (format.variables > 0) return format.variables;
  return content == Content::Grid ? format.dimensions : format.dimensions + 2;
}
/// int32 in the record of the dims of `blocks` blocks.
constexpr std::int64_t headNumbers(Content content, const Format& format, std::int64_t blocks) {
  return blocks * (format.dimensions + (content == Content::Function ? 1 : 0)) + (format.overflow ? 2 : 0);
}
/// "big-endian, 4-byte markers, multi grid, f64, iblank"; iblank for grids only.
std::string describe(const Format& format, Content content);
/// The part that decides how the head is read: "big-endian, 4-byte markers, multi grid".
std::string describeHead(const Format& format);
/// "40x32x32".
std::string describe(const Index3& dims);
/// Of all blocks: "2 blocks, 40x32x32 + 20x16x16".
std::string describe(const std::vector<Index3>& dims);

/// What the user has set; the rest is found out.
struct Overrides {
  std::optional<ByteOrder> byteOrder;
  std::optional<int> markerBytes;
  std::optional<bool> multiGrid;
  std::optional<ScalarType> precision;
  std::optional<bool> iblank;
  std::optional<int> dimensions;
  std::optional<bool> planes;

  /// False if `format` contradicts. Iblank counts for grids only.
  bool allow(const Format& format, Content content) const;
};

using Options = std::map<std::string, std::string>;

/// Takes byteOrder=little|big, markers=0|4|8, multiGrid=true|false, precision=f32|f64, iblank=true|false,
/// dimensions=2|3 and layout=whole|planes from `options`; with `prefix` "solution." the keys that begin with
/// it. Throws Invalid for a wrong value.
Overrides overridesFrom(const Options& options, const std::string& prefix);
/// Throws Invalid for a key that neither overridesFrom, timesFrom nor the reader (gamma, R) knows.
void checkKeys(const Options& options);
/// The times of `steps` steps as "times" lists them, or firstTime + n timeStep; nothing where `options` say nothing. Throws Invalid.
std::vector<double> timesFrom(const Options& options, std::size_t steps);

}  // namespace farfield::plot3d
