#pragma once
// What a server refuses to hand out. Who looks for what may or may not be there can go on: servers that let nobody list what they have refuse
// what they do not have as well.

#include <memory>

#include "core/base/error.h"

namespace farfield {

struct Refused final : Io {
  using Io::Io;
  [[noreturn]] void raise() const override { throw Refused(*this); }
  std::shared_ptr<const Error> share() const override { return std::make_shared<Refused>(*this); }
};

}  // namespace farfield
