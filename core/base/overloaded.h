#pragma once
// A visitor of a std::variant, made of a function for each alternative:
//
//   std::visit(Overloaded{[](int n) { … }, [](const std::string& text) { … }}, value);

namespace farfield {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
// implied in C++20, but not all compilers know that
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace farfield
