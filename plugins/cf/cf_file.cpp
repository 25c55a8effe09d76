#include "plugins/cf/cf_file.h"

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
  for (const Variable& its : variables)
    if (its.name == name) return &its;
  return nullptr;
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
