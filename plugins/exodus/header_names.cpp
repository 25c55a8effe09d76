#include "plugins/exodus/header_names.h"

#include <charconv>

namespace farfield::exodus {

HeaderNames::HeaderNames(const cf::File& header) {
  constexpr std::string_view kElementValues = "vals_elem_var";
  for (const cf::Dimension& dimension : header.dimensions)
    m_dimensions.emplace(dimension.name, dimension.size);
  for (const cf::Variable& variable : header.variables) {
    m_variables.emplace(variable.name, &variable);
    std::string_view name = variable.name;
    if (!name.starts_with(kElementValues)) continue;
    name.remove_prefix(kElementValues.size());
    std::size_t number = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), number).ec == std::errc())
      m_elementVariables.insert(number);
  }
}

const cf::Variable* HeaderNames::variable(const std::string& name) const {
  const auto found = m_variables.find(name);
  return found == m_variables.end() ? nullptr : found->second;
}

std::optional<std::int64_t> HeaderNames::sizeOf(const std::string& dimension) const {
  const auto found = m_dimensions.find(dimension);
  return found == m_dimensions.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace farfield::exodus
