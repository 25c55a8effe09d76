#include "plugins/vtkfile/xml_elements.h"

#include <algorithm>
#include <cctype>

#include "core/base/error.h"
#include "core/base/printable.h"

namespace farfield::vtkfile {
namespace {

constexpr std::size_t kPieceBytes = 128 * 1024;
constexpr std::size_t kLongestTag = 64 * 1024;
constexpr std::size_t kMostElements = 100000;
constexpr std::size_t kMostTagBytes = 16 << 20;  ///< of all tags together
constexpr std::size_t kDeepest = 32;

bool isBlank(char letter) {
  return std::isspace(static_cast<unsigned char>(letter)) != 0;
}

/// Replaces "&lt;" and the like by what they stand for.
std::string plain(std::string_view text) {
  static constexpr std::pair<std::string_view, char> kEntities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto entity = std::find_if(std::begin(kEntities), std::end(kEntities),
                                     [&](const auto& its) { return text.substr(at).starts_with(its.first); });
    if (text[at] == '&' && entity != std::end(kEntities)) {
      result += entity->second;
      at += entity->first.size();
    } else {
      result += text[at++];
    }
  }
  return result;
}

class Parser {
 public:
  explicit Parser(const arrays::ByteSource& file) : m_file(file) {}

  std::vector<XmlElement> parse() {
    while (toNext('<')) {
      const std::uint64_t tagBegin = offset();
      if (!m_open.empty() && m_elements[m_open.back()].end == 0) m_elements[m_open.back()].end = tagBegin;
      const std::string tag = readTag();
      if (tag.starts_with("?") || tag.starts_with("!")) continue;
      if (tag.starts_with("/")) {
        closeTag(std::string_view(tag).substr(1));
        continue;
      }
      const bool empty = tag.ends_with("/");
      addElement(empty ? std::string_view(tag).substr(0, tag.size() - 1) : tag);
      if (m_elements.back().name == "AppendedData") {
        m_elements.back().end = m_file.size();
        return std::move(m_elements);
      }
      if (empty)
        m_elements.back().end = m_elements.back().begin;
      else
        m_open.push_back(m_elements.size() - 1);
      if (m_open.size() > kDeepest) throw Unsupported("its XML is nested too deep");
    }
    if (m_elements.empty()) throw Corrupt("has no XML elements", "check the file");
    if (!m_open.empty())
      throw Corrupt("ends within the element " + printable(m_elements[m_open.front()].name),
                    "check that the copy is complete");
    return std::move(m_elements);
  }

 private:
  std::uint64_t offset() const { return m_pieceOffset + m_at; }
  bool fill() {
    m_pieceOffset += m_piece.size();
    m_piece.clear();
    m_at = 0;
    const std::uint64_t left = m_file.size() - std::min(m_file.size(), m_pieceOffset);
    if (left == 0) return false;
    m_piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, kPieceBytes)));
    m_file.readAt(m_pieceOffset, std::as_writable_bytes(std::span(m_piece)));
    return true;
  }
  /// Moves to the next `letter`. False at the end.
  bool toNext(char letter) {
    for (;;) {
      const std::size_t found = m_piece.find(letter, m_at);
      if (found != std::string::npos) {
        m_at = found;
        return true;
      }
      if (!fill()) return false;
    }
  }
  /// The text between the brackets; continues after them.
  std::string readTag() {
    ++m_at;
    std::string tag;
    char quote = 0;
    for (;;) {
      if (m_at == m_piece.size() && !fill())
        throw Corrupt("ends within a tag", "check that the copy is complete");
      const char letter = m_piece[m_at++];
      // comments end differently, and may contain anything
      if (tag.starts_with("!--")) {
        if (letter == '>' && tag.ends_with("--") && tag.size() >= 5) return tag;
        tag += letter;
        if (tag.size() > 8) tag.erase(3, tag.size() - 8);
        continue;
      }
      if (quote ? letter == quote : letter == '"' || letter == '\'')
        quote = quote ? 0 : letter;
      else if (letter == '>' && !quote)
        return tag;
      tag += letter;
      m_tagBytes += 1;
      if (tag.size() > kLongestTag || m_tagBytes > kMostTagBytes)
        throw Unsupported("its XML has tags that are too long");
    }
  }

  void addElement(std::string_view tag) {
    if (m_elements.size() == kMostElements)
      throw Unsupported("has more than " + std::to_string(kMostElements) + " XML elements");
    XmlElement element;
    std::size_t at = 0;
    while (at < tag.size() && !isBlank(tag[at])) ++at;
    element.name = tag.substr(0, at);
    if (element.name.empty()) throw Corrupt("has a tag without a name", "check the file");
    for (;;) {
      while (at < tag.size() && isBlank(tag[at])) ++at;
      if (at == tag.size()) break;
      const std::size_t equals = tag.find('=', at);
      const std::size_t open = equals == std::string_view::npos ? equals : tag.find_first_of("\"'", equals);
      const std::size_t close = open == std::string_view::npos ? open : tag.find(tag[open], open + 1);
      if (close == std::string_view::npos)
        throw Corrupt("the attributes of the element " + printable(element.name) + " are wrong",
                      "check the file");
      std::string_view key = tag.substr(at, equals - at);
      while (!key.empty() && isBlank(key.back())) key.remove_suffix(1);
      element.attributes.emplace_back(key, plain(tag.substr(open + 1, close - open - 1)));
      at = close + 1;
    }
    element.parent = m_open.empty() ? -1 : static_cast<int>(m_open.back());
    element.begin = offset();
    m_elements.push_back(std::move(element));
  }

  void closeTag(std::string_view name) {
    while (!name.empty() && isBlank(name.back())) name.remove_suffix(1);
    if (m_open.empty() || m_elements[m_open.back()].name != name)
      throw Corrupt("the end tag " + printable(name) + " ends nothing", "check the file");
    m_open.pop_back();
  }

  const arrays::ByteSource& m_file;
  std::string m_piece;
  std::size_t m_at = 0, m_tagBytes = 0;
  std::uint64_t m_pieceOffset = 0;
  std::vector<XmlElement> m_elements;
  std::vector<std::size_t> m_open;
};

}  // namespace

std::string_view XmlElement::operator[](std::string_view attribute) const {
  for (const auto& [key, value] : attributes)
    if (key == attribute) return value;
  return {};
}

bool XmlElement::has(std::string_view attribute) const {
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const auto& its) { return its.first == attribute; });
}

std::vector<XmlElement> readElements(const arrays::ByteSource& file) {
  return Parser(file).parse();
}

std::vector<int> childrenOf(const std::vector<XmlElement>& elements, int parent, std::string_view name) {
  std::vector<int> found;
  // what is in an element follows it; a file may have very many elements, each of which is asked for its children
  for (auto n = static_cast<std::size_t>(parent + 1); n < elements.size() && elements[n].parent >= parent;
       ++n)
    if (elements[n].parent == parent && elements[n].name == name) found.push_back(static_cast<int>(n));
  return found;
}

}  // namespace farfield::vtkfile
