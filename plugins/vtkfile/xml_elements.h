#pragma once
// The elements of an XML file, as far as VTK's files need them: names, attributes, and the positions of text
// between tags. Text is not kept: it may be all of the data. Reading ends at the element AppendedData, which
// may be followed by bytes that are not XML.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugins/arrays/byte_source.h"

namespace farfield::vtkfile {

struct XmlElement {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  int parent = -1;          ///< index among the elements
  std::uint64_t begin = 0;  ///< of its text, in the file
  std::uint64_t end = 0;    ///< where its first child or its end tag begins

  /// The attribute's value; empty if it has none.
  std::string_view operator[](std::string_view attribute) const;
  bool has(std::string_view attribute) const;
};

/// In the order of the file. Throws Corrupt if it is not XML, Unsupported if it has more elements, longer
/// tags or deeper nesting than any data set needs.
std::vector<XmlElement> readElements(const arrays::ByteSource& file);

/// Indices of the children named `name` of element `parent`, in order.
std::vector<int> childrenOf(const std::vector<XmlElement>& elements, int parent, std::string_view name);

}  // namespace farfield::vtkfile
