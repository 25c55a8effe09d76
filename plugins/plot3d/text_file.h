#pragma once
// PLOT3D files as text: the numbers of the binary file in the same order, between blanks or commas; "3*1.5"
// is three times 1.5, and exponents may be written with a D. Text cannot be read by position, so the numbers
// are copied once, as a binary file of doubles, into a temporary file that no name leads to.

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

/// A text file begins with nothing but digits, signs and blanks.
bool looksLikeText(const paging::ByteObject& file);

/// Finds by the count of its numbers what the text file is, and copies it. `grid`: its layout, where a
/// solution or function file is wanted that belongs to it; null for a grid. Throws Corrupt on a word that is
/// no number, or where no reading takes just as many numbers as there are; Invalid where several do; Io.
/// Errors name the file.
TextAsBinary binaryFromText(const paging::ByteObject& text, const Layout* grid, const Overrides& overrides);

}  // namespace farfield::plot3d
