#include "plugins/cgns/adf_file.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"

namespace farfield::cgns {
namespace {

/// Files begin so, four bytes in ("@(#)ADF Database Version B02012>"; some programs set the highest bits of the four).
constexpr std::string_view kBeginning = "ADF Database Version";
constexpr std::uint64_t kBlockBytes = 4096;
constexpr std::size_t kHeaderBytes = 186, kNodeBytes = 246, kTagBytes = 4, kPlaceBytes = 12;
/// Of a table or of data: the first tag and where the last one is.
constexpr std::uint64_t kFrameBytes = kTagBytes + kPlaceBytes;
constexpr std::size_t kNameBytes = 32, kMostDims = 12;
/// As many as the HDF5 plug-in lists.
constexpr std::size_t kMostObjects = 20000;
/// Deeper than any tree of the standard, links included.
constexpr std::size_t kMostDepth = 24;
constexpr std::size_t kMostLinkBytes = 4096;
constexpr int kMostHops = 8;

[[noreturn]] void fail(const std::string& what) {
  throw Corrupt(what, "check that the file was written to the end, and that the copy is complete");
}

std::uint64_t hexIn(std::string_view text) {
  std::uint64_t number = 0;
  for (const char letter : text) {
    const bool isDigit = letter >= '0' && letter <= '9';
    const char upper = static_cast<char>(letter & ~0x20);
    if (!isDigit && !(upper >= 'A' && upper <= 'F')) fail("has a number in its structures that is none");
    number = number * 16 + static_cast<std::uint64_t>(isDigit ? letter - '0' : upper - 'A' + 10);
  }
  return number;
}

/// The place in the file that 12 letters name.
std::uint64_t placeIn(std::string_view text) {
  return hexIn(text.substr(0, 8)) * kBlockBytes + hexIn(text.substr(8, 4));
}

std::string trimmed(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

struct Extent {
  std::uint64_t offset = 0, bytes = 0;
};

/// Pieces of a file in a row.
class Pieces final : public arrays::ByteSource {
 public:
  Pieces(std::shared_ptr<const paging::ByteObject> object, std::vector<Extent> extents)
      : m_object(std::move(object)), m_extents(std::move(extents)) {
    for (const Extent& extent : m_extents) {
      m_ends.push_back(m_size + extent.bytes);
      m_size += extent.bytes;
    }
  }
  std::uint64_t size() const override { return m_size; }
  void readAt(std::uint64_t offset, std::span<std::byte> out) const override {
    auto n =
        static_cast<std::size_t>(std::upper_bound(m_ends.begin(), m_ends.end(), offset) - m_ends.begin());
    for (; !out.empty(); ++n) {
      const std::uint64_t within = offset - (m_ends[n] - m_extents[n].bytes);
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), m_ends[n] - offset));
      m_object->readAt(m_extents[n].offset + within, out.first(count));
      out = out.subspan(count);
      offset += count;
    }
  }

 private:
  std::shared_ptr<const paging::ByteObject> m_object;
  std::vector<Extent> m_extents;
  std::vector<std::uint64_t> m_ends;  ///< of each, in the row
  std::uint64_t m_size = 0;
};

struct Header {
  std::string label, type;
  std::vector<std::int64_t> dims;  ///< slowest first, as HDF5 has them
  std::uint64_t children = 0, table = 0, pieces = 0, data = 0;
};

class Reader {
 public:
  explicit Reader(std::shared_ptr<const paging::ByteObject> object)
      : m_object(std::move(object)), m_size(m_object->size()) {}

  AdfFile read() {
    const std::string head = textAt(0, kHeaderBytes, "its header");
    for (const auto& [at, tag] :
         {std::pair{32, "AdF0"}, {64, "AdF1"}, {96, "AdF2"}, {102, "AdF3"}, {130, "AdF4"}, {182, "AdF5"}})
      if (head.compare(static_cast<std::size_t>(at), kTagBytes, tag) != 0) fail("its header is damaged");
    if (head[100] != 'B' && head[100] != 'L')
      throw Unsupported("has numbers in the form of a machine of its own",
                        "convert it where it was written (adf2hdf)");
    m_bigEndian = head[100] == 'B';
    m_longs = head[101] == 'B';
    visit("", placeIn(std::string_view(head).substr(134, kPlaceBytes)), 0);
    followLinks();
    for (auto& [path, node] : m_nodes) list(path, node);
    return std::move(m_file);
  }

 private:
  std::string textAt(std::uint64_t offset, std::uint64_t count, const char* what) const {
    if (offset > m_size || count > m_size - offset) fail(std::string(what) + " lies behind its end");
    std::string text(static_cast<std::size_t>(count), '\0');
    m_object->readAt(offset, std::as_writable_bytes(std::span(text)));
    return text;
  }

  /// Bytes between the tags of a table or of data at `offset`.
  std::uint64_t bytesBetween(std::uint64_t offset, const char* tag, const char* endTag,
                             const char* what) const {
    const std::string frame = textAt(offset, kFrameBytes, what);
    if (frame.compare(0, kTagBytes, tag) != 0) fail(std::string(what) + " is damaged");
    const std::uint64_t end = placeIn(std::string_view(frame).substr(kTagBytes));
    if (end < offset + kFrameBytes || textAt(end, kTagBytes, what) != endTag)
      fail(std::string(what) + " is damaged");
    return end - offset - kFrameBytes;
  }

  Header headerAt(std::uint64_t offset) const {
    const std::string text = textAt(offset, kNodeBytes, "a node");
    const std::string_view view = text;
    if (!view.starts_with("NoDe") || !view.ends_with("TaiL")) fail("a node is damaged");
    Header node;
    node.label = trimmed(view.substr(36, kNameBytes));
    node.children = hexIn(view.substr(68, 8));
    if (node.children > 0) node.table = placeIn(view.substr(84, kPlaceBytes));
    node.type = trimmed(view.substr(96, kNameBytes));
    const std::uint64_t count = hexIn(view.substr(128, 2));
    if (count > kMostDims) fail("a node has " + std::to_string(count) + " dimensions");
    for (std::size_t d = static_cast<std::size_t>(count); d-- > 0;)
      node.dims.push_back(static_cast<std::int64_t>(hexIn(view.substr(130 + 8 * d, 8))));
    node.pieces = hexIn(view.substr(226, 4));
    if (node.pieces > 0) node.data = placeIn(view.substr(230, kPlaceBytes));
    return node;
  }

  /// False where there are more objects than are looked at.
  bool mayAdd(std::uint64_t count) {
    if (m_objects + count > kMostObjects)
      m_file.contents.all = false;
    else
      m_objects += static_cast<std::size_t>(count);
    return m_file.contents.all;
  }

  void visit(const std::string& path, std::uint64_t offset, std::size_t depth) {
    Header node = headerAt(offset);
    if (!mayAdd(1 + node.pieces)) return;
    if (depth > kMostDepth) fail("its nodes are nested without end");
    const std::uint64_t count = node.children, table = node.table;
    if (!m_nodes.emplace(path, std::move(node)).second) fail("has two nodes " + printable(path));
    if (count == 0) return;
    constexpr std::uint64_t kEntryBytes = kNameBytes + kPlaceBytes;
    if (bytesBetween(table, "SNTb", "snTE", "a list of nodes") / kEntryBytes < count)
      fail("a list of nodes is shorter than its node says");
    if (count > kMostObjects) {
      m_file.contents.all = false;
      return;
    }
    const std::string entries = textAt(table + kFrameBytes, count * kEntryBytes, "a list of nodes");
    for (std::uint64_t n = 0; n < count && m_file.contents.all; ++n) {
      const std::string_view entry =
          std::string_view(entries).substr(static_cast<std::size_t>(n * kEntryBytes));
      const std::string name = trimmed(entry.substr(0, kNameBytes));
      if (name.empty() || name.find('/') != std::string::npos) fail("a node has no name");
      visit(path + "/" + name, placeIn(entry.substr(kNameBytes, kPlaceBytes)), depth + 1);
    }
  }

  /// Where the numbers of a node lie; nothing if the file has fewer than the node says.
  std::optional<std::vector<Extent>> extentsOf(const Header& node, std::uint64_t bytes) const {
    if (bytes > m_size) return std::nullopt;
    std::vector<Extent> extents;
    const auto add = [&](std::uint64_t offset) {
      const std::uint64_t has = std::min(bytes, bytesBetween(offset, "DaTa", "dEnD", "the data of a node"));
      if (has > 0) extents.push_back({offset + kFrameBytes, has});
      bytes -= has;
    };
    if (node.pieces == 1) add(node.data);
    if (node.pieces > 1) {
      constexpr std::uint64_t kEntryBytes = 2 * kPlaceBytes;
      if (bytesBetween(node.data, "DCtb", "dcTE", "a list of data") / kEntryBytes < node.pieces)
        fail("a list of data is shorter than its node says");
      const std::string entries =
          textAt(node.data + kFrameBytes, node.pieces * kEntryBytes, "a list of data");
      for (std::uint64_t n = 0; n < node.pieces; ++n)
        add(placeIn(
            std::string_view(entries).substr(static_cast<std::size_t>(n * kEntryBytes), kPlaceBytes)));
    }
    if (bytes > 0) return std::nullopt;
    return extents;
  }

  /// Where a link within the file leads to, or nothing.
  std::optional<std::string> targetOf(const Header& link) const {
    if (link.dims.size() != 1 || link.dims[0] < 2 || link.dims[0] > static_cast<std::int64_t>(kMostLinkBytes))
      return {};
    const auto extents = extentsOf(link, static_cast<std::uint64_t>(link.dims[0]));
    if (!extents) return {};
    std::string text(static_cast<std::size_t>(link.dims[0]), '\0');
    Pieces(m_object, *extents).readAt(0, std::as_writable_bytes(std::span(text)));
    text = trimmed(text);
    if (!text.starts_with('>')) return {};  // a file's name comes first
    text.erase(0, 1);
    return text.starts_with('/') ? text : "/" + text;
  }

  void followLinks() {
    std::vector<std::string> open;
    for (const auto& [path, node] : m_nodes)
      if (node.type == "LK") open.push_back(path);
    while (!open.empty() && m_file.contents.all) {
      const std::string path = std::move(open.back());
      open.pop_back();
      auto found = m_nodes.find(path);
      for (int hop = 0; found != m_nodes.end() && found->second.type == "LK" && hop < kMostHops; ++hop) {
        const auto target = targetOf(found->second);
        found = target ? m_nodes.find(*target) : m_nodes.end();
      }
      if (found == m_nodes.end() || found->second.type == "LK") continue;  // it stays a link
      const std::string from = found->first;
      if (path.starts_with(from + "/")) continue;  // to a node that it is below
      std::vector<std::pair<std::string, Header>> copies;
      for (auto node = m_nodes.lower_bound(from); node != m_nodes.end() && node->first.starts_with(from);
           ++node) {
        const std::string below = node->first.substr(from.size());
        if (!below.empty() && below.front() != '/') continue;  // "Zone 10" beside "Zone 1"
        if (!mayAdd(1 + node->second.pieces)) return;
        copies.emplace_back(path + below, node->second);
      }
      for (auto& [name, node] : copies) {
        if (std::count(name.begin(), name.end(), '/') > static_cast<std::ptrdiff_t>(kMostDepth))
          fail("its links lead into each other");
        if (node.type == "LK") open.push_back(name);
        m_nodes[name] = std::move(node);
      }
    }
  }

  std::optional<arrays::NumberType> numberTypeOf(const std::string& type) const {
    using arrays::NumberType;
    // what machines of 32 bits called 64
    if (!m_longs && type == "I8") return NumberType::I32;
    if (!m_longs && type == "U8") return NumberType::U32;
    static const std::map<std::string, NumberType> kTypes{
        {"C1", NumberType::I8},  {"B1", NumberType::U8},  {"I4", NumberType::I32}, {"U4", NumberType::U32},
        {"I8", NumberType::I64}, {"U8", NumberType::U64}, {"R4", NumberType::F32}, {"R8", NumberType::F64}};
    const auto found = kTypes.find(type);
    return found == kTypes.end() ? std::nullopt : std::optional(found->second);
  }

  void list(const std::string& path, const Header& node) {
    const auto attribute = [](const char* name, const std::string& text) {
      cf::Attribute made;
      made.name = name;
      made.text = text;
      return made;
    };
    m_file.contents.groups.push_back({path, {attribute("label", node.label), attribute("type", node.type)}});
    if (node.type == "MT" || node.type == "LK" || node.dims.empty()) return;
    hdf5::Dataset data;
    data.path = path + "/ data";
    data.dims = node.dims;
    data.bigEndian = m_bigEndian;
    data.storage = hdf5::Storage::Row;
    if (const auto type = numberTypeOf(node.type)) {
      data.type = *type;
      std::int64_t bytes = arrays::bytesOf(*type);
      for (const std::int64_t dim : node.dims) bytes = checkedProduct({bytes, dim});
      const auto extents = extentsOf(node, static_cast<std::uint64_t>(bytes));
      if (extents && bytes > 0) {
        data.storedBytes = static_cast<std::uint64_t>(bytes);
        data.offset = extents->front().offset;
        m_file.bytes[data.path] = std::make_shared<Pieces>(m_object, *extents);
      } else {
        data.why = "its numbers are not all there";
      }
    } else {
      data.why = "its numbers are of the type " + printable(node.type);
    }
    m_file.contents.datasets.push_back(std::move(data));
  }

  std::shared_ptr<const paging::ByteObject> m_object;
  std::uint64_t m_size;
  bool m_bigEndian = false, m_longs = true;
  std::map<std::string, Header> m_nodes;  ///< by path
  std::size_t m_objects = 0;
  AdfFile m_file;
};

}  // namespace

bool isAdf(const std::string& source, const paging::ByteStores& stores) {
  return arrays::beginning(source, stores, 32).find(kBeginning) != std::string::npos;
}

AdfFile readAdf(const std::shared_ptr<const paging::ByteObject>& object) {
  return Reader(object).read();
}

}  // namespace farfield::cgns
