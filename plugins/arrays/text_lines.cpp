#include "plugins/arrays/text_lines.h"

#include <algorithm>

#include "core/base/error.h"

namespace farfield::arrays {
namespace {

constexpr std::size_t kPieceBytes = 64 * 1024;

}  // namespace

bool TextLines::next(std::string_view& line) {
  m_line.clear();
  while (!m_ended) {
    if (m_from >= m_piece.size()) {
      if (m_at >= m_source.size()) {
        m_ended = true;
        break;
      }
      m_piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, m_source.size() - m_at)));
      m_source.readAt(m_at, std::as_writable_bytes(std::span(m_piece)));
      m_at += m_piece.size();
      m_from = 0;
    }
    const std::size_t end = std::min(m_piece.find('\n', m_from), m_piece.size());
    m_line.append(m_piece, m_from, end - m_from);
    if (m_line.size() > m_longest)
      throw Corrupt("has a line that is too long", "check that it is the right file");
    m_from = end + 1;
    if (end < m_piece.size()) {
      line = m_line;
      return true;
    }
  }
  line = m_line;
  return !m_line.empty();
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace farfield::arrays
