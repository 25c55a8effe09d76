#include "app/cli/files/json_list.h"

#include <nlohmann/json.hpp>

namespace farfield::cli {
namespace {

using Json = nlohmann::ordered_json;

/// As dump(2) has it, but for the first line, `indent` to the right.
std::string indented(const Json& json, std::size_t indent) {
  std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace);
  const std::string space(indent, ' ');
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += indent + 1)
    text.insert(at + 1, space);
  return text;
}

}  // namespace

JsonList::JsonList(ResultOutput& out, const Json& head, const std::string& key, std::size_t indent)
    : m_out(out), m_indent(indent) {
  std::string text = indented(head, indent);
  text.resize(text.size() - 1 - indent - 1);  // without "\n}"
  m_out.write(text + ",\n" + std::string(indent + 2, ' ') + Json(key).dump() + ": [");
}

JsonList::JsonList(JsonList& parent, const Json& head, const std::string& key)
    : JsonList((parent.next(), parent.m_out), head, key, parent.m_indent + 4) {}

void JsonList::next() {
  m_out.write((m_empty ? "\n" : ",\n") + std::string(m_indent + 4, ' '));
  m_empty = false;
}

void JsonList::add(const Json& element) {
  next();
  m_out.write(indented(element, m_indent + 4));
}

void JsonList::end() {
  m_out.write((m_empty ? "" : "\n" + std::string(m_indent + 2, ' ')) + "]\n" + std::string(m_indent, ' ') +
              "}");
  if (m_indent == 0) m_out.write("\n");
}

}  // namespace farfield::cli
