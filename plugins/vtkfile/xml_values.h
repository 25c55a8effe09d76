#pragma once
// Values of attributes of VTK's XML files.

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/geometry.h"
#include "core/base/printable.h"

namespace farfield::vtkfile {

/// Numbers between blanks, at most 64. Throws Corrupt, naming `what`.
template <class T>
std::vector<T> numbersIn(std::string_view text, const char* what) {
  std::vector<T> numbers;
  const auto* at = text.data();
  const auto* const end = at + text.size();
  for (;;) {
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) ++at;
    if (at == end) return numbers;
    T value{};
    const auto [stop, status] = std::from_chars(at, end, value);
    if (status != std::errc() || numbers.size() == 64)
      throw Corrupt("its " + std::string(what) + " '" + printable(text) + "' is wrong", "check the file");
    numbers.push_back(value);
    at = stop;
  }
}

/// The first node and the counts of nodes along each axis of "0 10 0 20 0 30". Throws Corrupt.
IndexBox extentFrom(std::string_view text);

}  // namespace farfield::vtkfile
