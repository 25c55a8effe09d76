#pragma once
// What a header of NetCDF has, by its names. Exodus II numbers its names ("connect1", "vals_elem_var3eb2"), and a file of a few
// kilobytes may say that there are very many of them: to look for each through all of the header would take hours.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "plugins/cf/cf_file.h"

namespace farfield::exodus {

/// Thread-safe, once it is made.
class HeaderNames {
 public:
  /// `header` must outlive this, unchanged and where it is.
  explicit HeaderNames(const cf::File& header);

  /// The first of that name; null if there is none.
  const cf::Variable* variable(const std::string& name) const;
  /// Of the first dimension of that name; nothing if there is none.
  std::optional<std::int64_t> sizeOf(const std::string& dimension) const;
  /// Whether any element block has values of element variable `number`, counted from 1.
  bool hasElementValues(std::size_t number) const { return m_elementVariables.contains(number); }

 private:
  std::unordered_map<std::string_view, const cf::Variable*> m_variables;
  std::unordered_map<std::string_view, std::int64_t> m_dimensions;
  std::unordered_set<std::size_t> m_elementVariables;
};

}  // namespace farfield::exodus
