#include "plugins/cgns/cgns_tree.h"

#include <algorithm>
#include <cmath>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"

namespace farfield::cgns {
namespace {

constexpr std::int64_t kMostNumbers = 65536;
/// Memory of what is known of a group or a dataset, about.
constexpr std::uint64_t kObjectBytes = 768;
/// Bytes of numbers for each that is stored.
constexpr std::uint64_t kMostRatio = 100000;
/// Nodes keep their data in a dataset of this name.
const std::string kData = " data";

/// Whether a dataset stores far fewer bytes than any codec makes of its numbers: a small file must not lead to large ones.
bool isHollow(const hdf5::Dataset& data) {
  if (data.storage == hdf5::Storage::Library) return false;
  std::int64_t bytes = arrays::bytesOf(data.type);
  for (const std::int64_t dim : data.dims) bytes = checkedProduct({bytes, dim});
  return static_cast<std::uint64_t>(bytes) / kMostRatio > data.storedBytes || data.storedBytes == 0;
}

std::string textOf(const std::vector<cf::Attribute>& attributes, const char* name) {
  const cf::Attribute* const found = cf::findAttribute(attributes, name);
  return found ? found->text : std::string();
}

/// Digits count as numbers, so that zone 10 comes behind zone 9.
bool comesBefore(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  const auto isDigit = [](char letter) { return letter >= '0' && letter <= '9'; };
  while (i < a.size() && j < b.size()) {
    if (!isDigit(a[i]) || !isDigit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    const auto digits = [&](const std::string& text, std::size_t& at) {
      while (at < text.size() && text[at] == '0') ++at;
      const std::size_t first = at;
      while (at < text.size() && isDigit(text[at])) ++at;
      return std::string_view(text).substr(first, at - first);
    };
    const std::string_view x = digits(a, i), y = digits(b, j);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;
}

char letterOf(double number) {
  return std::abs(number) < 256 ? static_cast<char>(static_cast<int>(number) & 0xff) : '?';
}

std::string trimmed(std::string text) {
  text.resize(std::min(text.size(), text.find('\0')));
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.pop_back();
  return text;
}

}  // namespace

const Node* Node::child(const std::string& wanted) const {
  for (const Node* const node : children)
    if (node->name == wanted) return node;
  return nullptr;
}

const Node* Node::labelled(const char* wanted) const {
  for (const Node* const node : children)
    if (node->label == wanted) return node;
  return nullptr;
}

std::vector<const Node*> Node::all(const char* wanted) const {
  std::vector<const Node*> found;
  for (const Node* const node : children)
    if (node->label == wanted) found.push_back(node);
  return found;
}

bool isCgns(const hdf5::File& file) {
  return file.has("CGNSLibraryVersion");
}

Tree::Tree(hdf5::OpenedHdf5 opened, std::shared_ptr<chunks::ChunkCaches> caches, MemoryAccount& account)
    : Tree(
          std::move(opened.contents),
          [file = std::move(opened.file), caches = std::move(caches)](const hdf5::Dataset& data) {
            return hdf5::bytesOf(file, data, caches);
          },
          hdf5::File::kOpenBytes, account) {}

Tree::Tree(AdfFile file, MemoryAccount& account)
    : Tree(
          std::move(file.contents),
          [bytes = std::move(file.bytes)](const hdf5::Dataset& data) { return bytes.at(data.path); }, 0,
          account) {}

Tree::Tree(hdf5::Contents contents, BytesOf bytesOf, std::uint64_t openBytes, MemoryAccount& account)
    : m_contents(std::move(contents)), m_bytesOf(std::move(bytesOf)), m_account(account) {
  if (!m_contents.all)
    throw Unsupported("has more nodes than are looked at",
                      "give a file with fewer zones, or convert it with another program");
  m_claim = account.claimInEarnest(
      Purpose::Index, openBytes + (m_contents.groups.size() + m_contents.datasets.size()) * kObjectBytes,
      "an open file of CGNS");
  for (const hdf5::Group& group : m_contents.groups) {
    Node& node = m_nodes[group.path];
    node.name = group.path.substr(group.path.rfind('/') + 1);
    node.label = textOf(group.attributes, "label");
    node.isLink = textOf(group.attributes, "type") == "LK";
  }
  m_root = &m_nodes[""];
  for (const hdf5::Dataset& data : m_contents.datasets) {
    if (data.name() != kData) continue;
    const auto node = m_nodes.find(data.folder());
    if (node != m_nodes.end()) node->second.data = &data;
  }
  for (auto& [path, node] : m_nodes) {
    if (path.empty()) continue;
    const auto parent = m_nodes.find(path.substr(0, path.rfind('/')));
    if (parent != m_nodes.end()) parent->second.children.push_back(&node);
  }
  for (auto& [path, node] : m_nodes)
    std::sort(node.children.begin(), node.children.end(),
              [](const Node* a, const Node* b) { return comesBefore(a->name, b->name); });
}

std::shared_ptr<const arrays::ByteSource> Tree::bytes(const Node& node) const {
  auto& known = m_bytes[&node];
  if (!known && isHollow(*node.data))
    throw Corrupt("its node " + printable(node.name) + " has almost none of its numbers",
                  "check that it was written to the end");
  if (!known) known = m_bytesOf(*node.data);
  return known;
}

std::vector<double> Tree::numbers(const Node& node) const {
  if (!node.hasNumbers())
    throw Corrupt("its node " + printable(node.name) + " has no numbers", "check the file");
  std::int64_t count = 1;
  for (const std::int64_t dim : node.data->dims) count = checkedProduct({count, dim});
  if (count > kMostNumbers)
    throw Corrupt(
        "its node " + printable(node.name) + " has " + std::to_string(count) + " numbers where few are due",
        "check the file");
  arrays::PlacedArray row;
  row.type = node.data->type;
  row.bigEndian = node.data->bigEndian;
  row.steps.push_back({arrays::densePiece({count, 1, 1}, row.type, 1, false, bytes(node), 0)});
  arrays::checkPlaces(row, 1);
  const ScalarType type = arrays::keptAs(row.type);
  std::vector<std::byte> stored(static_cast<std::size_t>(count * sizeOf(type)));
  arrays::readBox(row, 0, {{0, 0, 0}, {count, 1, 1}}, 0, 1, stored);
  std::vector<double> numbers(static_cast<std::size_t>(count));
  toDouble(stored.data(), type, 0, count, numbers.data());
  return numbers;
}

std::vector<std::int64_t> Tree::integers(const Node& node) const {
  std::vector<std::int64_t> result;
  for (const double number : numbers(node)) {
    if (!(std::abs(number) < 9e15))
      throw Corrupt("its node " + printable(node.name) + " has a number that is no count", "check the file");
    result.push_back(static_cast<std::int64_t>(number));
  }
  return result;
}

std::string Tree::text(const Node* node) const {
  if (!node || !node->hasNumbers()) return {};
  std::string text;
  for (const double letter : numbers(*node)) text += letterOf(letter);
  return trimmed(std::move(text));
}

std::vector<std::string> Tree::texts(const Node& node) const {
  const std::vector<double> letters = numbers(node);
  const auto length = static_cast<std::size_t>(node.data->dims.back());
  std::vector<std::string> rows;
  for (std::size_t at = 0; at + length <= letters.size(); at += length) {
    std::string row;
    for (std::size_t n = 0; n < length; ++n) row += letterOf(letters[at + n]);
    rows.push_back(trimmed(std::move(row)));
  }
  return rows;
}

}  // namespace farfield::cgns
