#pragma once
// The header of a NRRD file, by the format's definition (teem.sourceforge.net/nrrd/format.html): lines of
// "field: value" up to an empty line, or to the end of a file that names its data files.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugins/arrays/byte_source.h"
#include "plugins/arrays/number_type.h"

namespace farfield::nrrd {

enum class Encoding { Raw, Ascii, Hex, Gzip, Bzip2 };

/// One axis, as far as the header describes it.
struct NrrdAxis {
  std::int64_t size = 0;
  std::string kind;           ///< "domain", "vector", …; empty: not given
  std::string label, center;  ///< "cell", "node"; empty: not given
  std::optional<double> spacing, min, max;
  bool isNoDirection = false;     ///< "none" among the space directions
  std::vector<double> direction;  ///< empty: not given
};

struct NrrdHeader {
  arrays::NumberType type = arrays::NumberType::U8;
  Encoding encoding = Encoding::Raw;
  std::optional<bool> bigEndian;
  std::int64_t lineSkip = 0, byteSkip = 0;  ///< byteSkip -1: the values are the last bytes
  std::vector<NrrdAxis> axes;               ///< fastest first
  std::vector<double> spaceOrigin;          ///< empty: not given
  std::string space, content;
  /// Names of data files as written, in order; empty: the values follow the header.
  std::vector<std::string> dataFiles;
  bool detached = false;
  std::uint64_t dataOffset = 0;    ///< end of the header
  std::vector<std::string> notes;  ///< ignored fields
};

/// Throws Corrupt, with the wrong line, Unsupported.
NrrdHeader readHeader(const arrays::ByteSource& file);

}  // namespace farfield::nrrd
