#include "plugins/cf/cf_file.h"

#include <algorithm>
#include <numeric>

#include "core/base/bytes.h"

namespace farfield::cf {

const Attribute* findAttribute(const std::vector<Attribute>& attributes, std::string_view name) {
  for (const Attribute& its : attributes)
    if (its.name == name) return &its;
  return nullptr;
}

std::string Variable::textOf(std::string_view attribute) const {
  const Attribute* const found = find(attribute);
  return found ? found->text : std::string();
}

const Variable* File::variable(std::string_view name) const {
  if (byName.size() == variables.size()) {
    const auto found = std::lower_bound(byName.begin(), byName.end(), name,
                                        [&](std::uint32_t number, std::string_view wanted) {
                                          return std::string_view(variables[number].name) < wanted;
                                        });
    return found != byName.end() && variables[*found].name == name ? &variables[*found] : nullptr;
  }
  for (const Variable& its : variables)
    if (its.name == name) return &its;
  return nullptr;
}

void File::sortNames() {
  byName.resize(variables.size());
  std::iota(byName.begin(), byName.end(), std::uint32_t{0});
  // of equal names the first variable comes first
  std::stable_sort(byName.begin(), byName.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return variables[a].name < variables[b].name; });
}

std::string commonFolder(const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  std::string common = paths.front();
  for (const std::string& path : paths)
    for (;;) {
      const auto slash = common.rfind('/');
      common.erase(slash == std::string::npos ? 0 : slash + 1);
      if (path.starts_with(common)) break;
      common.pop_back();
    }
  return common;
}

void setDenseStrides(const File& file, Variable& variable) {
  variable.strides.assign(variable.dims.size(), 0);
  std::int64_t stride = arrays::bytesOf(variable.type);
  for (std::size_t d = variable.dims.size(); d-- > 0;) {
    variable.strides[d] = stride;
    stride = checkedProduct({stride, file.sizeOf(variable.dims[d])});
  }
}

}  // namespace farfield::cf
