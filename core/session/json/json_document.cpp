#include "core/session/json/json_document.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "core/base/error.h"
#include "core/session/json/session_json.h"

namespace farfield::session::detail {
namespace {

/// "line 3, column 7" of the byte before `position`.
std::string placeIn(std::string_view text, std::size_t position) {
  std::size_t line = 1, column = 1;
  const std::size_t end = std::min(position == 0 ? 0 : position - 1, text.size());
  for (std::size_t i = 0; i < end; ++i) {
    column = text[i] == '\n' ? 1 : column + 1;
    line += text[i] == '\n';
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// The library's message without its own prefix, position and copy of the input.
std::string plainMessage(std::string message) {
  for (const char* prefix : {"] ", "column "}) {
    if (const auto at = message.find(prefix); at != std::string::npos) {
      message.erase(0, at + std::string_view(prefix).size());
      if (std::isdigit(static_cast<unsigned char>(message.empty() ? 'x' : message[0]))) {
        const auto colon = message.find(": ");
        message.erase(0, colon == std::string::npos ? 0 : colon + 2);
      }
    }
  }
  message = message.substr(0, message.find("; last read"));
  return message.substr(0, 200);
}

/// Builds the tree and counts, so that no input makes it deep or large.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(std::string_view text) : m_text(text) {}
  Json take() { return std::move(m_root); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    const Json& object = *m_open.back();
    if (object.size() >= kMaxKeysPerObject) throw Invalid("an object has too many keys");
    if (object.contains(name))
      throw Invalid("the key '" + name.substr(0, 80) + "' appears twice in one object",
                    "keep one of the two");
    m_key = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    const std::string message = plainMessage(error.what());
    // Of a text that is cut off there is more to say than what may follow.
    for (const char* const end : {"unexpected end of input", "missing closing quote"})
      if (message.find(end) != std::string::npos)
        throw Invalid("ends too early", "check that the copy is complete").at(placeIn(m_text, position));
    if (const auto first = m_text.find_first_not_of(" \t\r\n"); first < m_text.size() && m_text[first] != '{')
      throw Invalid("is no session, which begins with '{'", "farfield info says what data a file has");
    throw Invalid(message, "correct the JSON").at(placeIn(m_text, position));
  }

 private:
  Json* place(Json&& value) {
    if (++m_values > kMaxValues) throw Invalid("too many values", "keep large data in files of their own");
    if (m_open.empty()) {
      m_root = std::move(value);
      return &m_root;
    }
    Json& parent = *m_open.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[m_key] = std::move(value));
  }
  bool add(Json&& value) {
    place(std::move(value));
    return true;
  }
  bool open(Json&& container) {
    if (m_open.size() >= static_cast<std::size_t>(kMaxSessionDepth))
      throw Invalid("nested too deeply", "no session needs that");
    m_open.push_back(place(std::move(container)));
    return true;
  }
  bool close() {
    m_open.pop_back();
    return true;
  }

  std::string_view m_text;
  Json m_root;
  std::vector<Json*> m_open;
  std::string m_key;
  std::size_t m_values = 0;
};

std::vector<std::string> splitPath(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

/// Element of a list by its "name", else by number; nullptr when there is none.
Json* elementOf(Json& list, const std::string& key) {
  for (Json& element : list) {
    if (!element.is_object()) continue;
    const auto name = element.find("name");
    if (name != element.end() && name->is_string() && name->get_ref<const std::string&>() == key)
      return &element;
  }
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(key.data(), key.data() + key.size(), number);
  if (failure != std::errc{} || end != key.data() + key.size() || number >= list.size()) return nullptr;
  return &list[number];
}

std::string namesIn(const Json& list) {
  std::string names;
  for (const Json& element : list) {
    const auto name = element.is_object() ? element.find("name") : element.end();
    if (!element.is_object() || name == element.end() || !name->is_string()) continue;
    names += (names.empty() ? "" : ", ") + name->get<std::string>().substr(0, 40);
    if (names.size() > 200) return names + ", …";
  }
  return names;
}

}  // namespace

Json parseDocument(std::string_view text) {
  if (text.size() > kMaxSessionBytes) {
    throw Invalid("larger than " + std::to_string(kMaxSessionBytes >> 20) + " MiB, which no session is",
                  "keep large data in files of their own");
  }
  Builder builder(text);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

void applyOverride(Json& document, const std::string& change) {
  const auto equals = change.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Invalid("'" + change.substr(0, 80) + "' is not an override", "write objects.NAME.KEY=VALUE");
  }
  const std::string path = change.substr(0, equals), text = change.substr(equals + 1);
  Json value;
  try {
    value = parseDocument(text);
  } catch (const Invalid&) {
    value = text;  // a bare word is a string: color.by=pressure
  }
  Json* node = &document;
  std::string walked;
  const auto parts = splitPath(path);
  if (parts.size() > static_cast<std::size_t>(kMaxSessionDepth))
    throw Invalid("nested too deeply", "no session needs that").at("--set");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& part = parts[i];
    if (part.empty()) throw Invalid("a key is missing between dots", "write objects.NAME.KEY=VALUE").at(path);
    if (node->is_array()) {
      Json* const element = elementOf(*node, part);
      walked += "." + part;
      if (!element) {
        const std::string names = namesIn(*node);
        throw Invalid("there is no element of that name or number", names.empty() ? "" : "there are " + names)
            .at(walked.substr(1));
      }
      node = element;
    } else if (node->is_object()) {
      // missing parts become objects here; validation finds a value that is wrong there
      walked += "." + part;
      if (!node->contains(part)) (*node)[part] = i + 1 < parts.size() ? Json::object() : Json();
      node = &(*node)[part];
    } else {
      throw Invalid("is " + shown(*node) + ", which has no keys", "set it whole")
          .at(walked.substr(walked.empty() ? 0 : 1));
    }
  }
  *node = std::move(value);
}

std::string shown(const Json& value) {
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    return Json(text.substr(0, 40)).dump(-1, ' ', true, Json::error_handler_t::replace) +
           (text.size() > 40 ? "…" : "");
  }
  return value.dump();
}

}  // namespace farfield::session::detail
