#pragma once
// PLOT3D files as text: the numbers of the binary file in the same order, separated by blanks or commas;
// "3*1.5" is three times 1.5, and exponents may be written with a D. Text cannot be read by position, so the
// numbers are copied once, as a binary file of doubles, into a temporary file without a name, for which there must be room.

#include <memory>
#include <string>
#include <vector>

#include "core/paging/bytes/byte_object.h"
#include "plugins/plot3d/plot3d_layout.h"

namespace farfield::plot3d {

struct TextAsBinary {
  std::shared_ptr<const paging::ByteObject> file;  ///< little-endian, no markers, f64
  Layout layout;                                   ///< of `file`
  std::vector<std::string> explain;
};

/// A text file begins with digits, signs and blanks only.
bool looksLikeText(const paging::ByteObject& file);

/// Finds out what the text file is by its number of numbers, and copies it. `grid`: its layout, for a
/// solution or function file that belongs to it; null for a grid. Throws Corrupt for a word that is not a
/// number, or if no reading takes exactly as many numbers as there are; Invalid if several do; Io. Errors
/// name the file.
TextAsBinary binaryFromText(const paging::ByteObject& text, const Layout* grid, const Overrides& overrides);

}  // namespace farfield::plot3d
