#pragma once
// The readers of all formats, for who registers them and for who asks them what they know.

#include <memory>
#include <vector>

#include "plugins/formats/formats.h"

namespace farfield::formats {

using Readers = std::vector<std::unique_ptr<fields::DataReader>>;
/// In the order in which they are asked.
Readers allReaders(const FormatOptions& options);

}  // namespace farfield::formats
