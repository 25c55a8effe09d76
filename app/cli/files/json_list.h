#pragma once
// JSON that comes element by element: an object whose last member is a list, printed as it grows, so that its
// length takes no memory.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/cli/files/result_output.h"

namespace farfield::cli {

class JsonList {
 public:
  /// Prints `head`, an object with members, and the start of its list `key`. `out` outlives it.
  JsonList(ResultOutput& out, const nlohmann::ordered_json& head, const std::string& key)
      : JsonList(out, head, key, 0) {}
  /// The same as an element of `parent`, until end().
  JsonList(JsonList& parent, const nlohmann::ordered_json& head, const std::string& key);

  void add(const nlohmann::ordered_json& element);
  /// Ends the list and the object.
  void end();

 private:
  JsonList(ResultOutput& out, const nlohmann::ordered_json& head, const std::string& key, std::size_t indent);
  void next();

  ResultOutput& m_out;
  std::size_t m_indent;  ///< of the object
  bool m_empty = true;
};

}  // namespace farfield::cli
