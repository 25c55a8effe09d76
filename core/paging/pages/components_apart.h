#pragma once
// An optional part of a ComponentReader: says where the file has the components of an array apart, so that reading one of them
// reads nothing of the others.

#include <cstdint>

namespace farfield::paging {

class ComponentsApart {
 public:
  virtual bool keepsApart(std::uint32_t array) const = 0;

 protected:
  ~ComponentsApart() = default;
};

}  // namespace farfield::paging
