#pragma once
// A visitor of a std::variant, made of a function for each alternative:
//
//   std::visit(Overloaded{[](int n) { … }, [](const std::string& text) { … }}, value);

namespace farfield {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
// Implied in C++20, but not all compilers know (clang does since 17).
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace farfield
