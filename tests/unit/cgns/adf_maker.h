#pragma once
// Files of CGNS on ADF for tests: any tree of nodes, in either byte order, with data in one piece or in several.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "plugins/cgns/cgns_tree.h"

namespace farfield::test {

struct AdfNode {
  std::string name, label, type = "MT";
  std::vector<std::int64_t> dims = {};  ///< as HDF5 has them, the slowest first
  std::string data = {};                ///< in the file's byte order
  std::vector<AdfNode> children = {};
};

struct AdfOptions {
  bool bigEndian = false;
  bool longs = true;       ///< I8 has 8 bytes
  std::size_t pieces = 1;  ///< of the data of a node that has so many bytes
};

inline std::string hexOf(std::uint64_t number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*llX", digits, static_cast<unsigned long long>(number));
  return text;
}

class AdfMaker {
 public:
  explicit AdfMaker(const AdfOptions& options) : m_options(options) {}

  std::string make(const AdfNode& root) {
    m_bytes = std::string(186 + 80, 'z');
    const std::uint64_t place = add(root);
    put(0, "@(#)ADF Database Version A02011>AdF0" + std::string(28, ' ') + "AdF1" + std::string(28, ' ') +
               "AdF2" + (m_options.bigEndian ? "B" : "L") + (m_options.longs ? "B" : "L") +
               "AdF3010204080408080808080808AdF4");
    put(134, placeOf(place) + placeOf(m_bytes.size()) + placeOf(186) + placeOf(4096) + "AdF5");
    return std::move(m_bytes);
  }

 private:
  static std::string placeOf(std::uint64_t offset) {
    return hexOf(offset / 4096, 8) + hexOf(offset % 4096, 4);
  }
  static std::string padded(std::string text) {
    text.resize(32, ' ');
    return text;
  }
  void put(std::uint64_t offset, const std::string& text) {
    m_bytes.replace(static_cast<std::size_t>(offset), text.size(), text);
  }
  std::uint64_t add(const std::string& tag, const std::string& inside, const std::string& endTag) {
    const std::uint64_t offset = m_bytes.size();
    m_bytes += tag + placeOf(offset + 16 + inside.size()) + inside + endTag;
    return offset;
  }
  std::uint64_t add(const AdfNode& node) {
    const std::uint64_t offset = m_bytes.size();
    m_bytes += std::string(246, ' ');
    std::uint64_t data = 0, table = 0;
    const std::size_t pieces = node.data.size() < m_options.pieces ? 1 : m_options.pieces;
    if (!node.data.empty() && pieces == 1) data = add("DaTa", node.data, "dEnD");
    if (!node.data.empty() && pieces > 1) {
      std::string list;
      const std::size_t each = node.data.size() / pieces;
      for (std::size_t n = 0; n < pieces; ++n) {
        const std::string piece = node.data.substr(n * each, n + 1 < pieces ? each : std::string::npos);
        m_bytes += "zzzz";
        const std::uint64_t place = add("DaTa", piece, "dEnD");
        list += placeOf(place) + placeOf(place + 16 + piece.size());
      }
      data = add("DCtb", list, "dcTE");
    }
    std::string entries;
    for (const AdfNode& child : node.children) {
      const std::uint64_t place = add(child);
      entries += padded(child.name) + placeOf(place);
    }
    const std::string unused = padded("unused entry in sub-node-table") + placeOf(4096);
    if (!node.children.empty()) table = add("SNTb", entries + unused, "snTE");
    std::string dims;
    for (std::size_t d = node.dims.size(); d-- > 0;)
      dims += hexOf(static_cast<std::uint64_t>(node.dims[d]), 8);
    dims.resize(12 * 8, '0');
    put(offset, "NoDe" + padded(node.name) + padded(node.label) + hexOf(node.children.size(), 8) +
                    hexOf(node.children.empty() ? 0 : node.children.size() + 1, 8) + placeOf(table) +
                    padded(node.type) + hexOf(node.dims.size(), 2) + dims +
                    hexOf(node.data.empty() ? 0 : pieces, 4) + placeOf(data) + "TaiL");
    return offset;
  }

  AdfOptions m_options;
  std::string m_bytes;
};

/// What a tree of HDF5 holds, as nodes of ADF.
inline AdfNode adfNodeOf(const cgns::Tree& tree, const cgns::Node& node, const AdfOptions& options) {
  AdfNode made{node.name, node.label};
  if (node.hasNumbers()) {
    static constexpr const char* kTypes[] = {"C1", "B1", "", "", "I4", "U4", "I8", "U8", "R4", "R8"};
    made.type = kTypes[static_cast<int>(node.data->type)];
    made.dims = node.data->dims;
    const auto bytes = tree.bytes(node);
    made.data.resize(static_cast<std::size_t>(bytes->size()));
    const std::span<std::byte> all = std::as_writable_bytes(std::span(made.data));
    bytes->readAt(0, all);
    if (options.bigEndian) swapBytes(all, arrays::bytesOf(node.data->type));
  }
  for (const cgns::Node* const child : node.children)
    made.children.push_back(adfNodeOf(tree, *child, options));
  return made;
}

}  // namespace farfield::test
