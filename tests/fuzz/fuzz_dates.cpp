// Any units, calendar and number as a date: there is none, or it has a short text.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/fields/words/dates.h"

using namespace farfield;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  double time = 0;
  if (size < sizeof time) return 0;
  std::memcpy(&time, data, sizeof time);
  const std::string_view text(reinterpret_cast<const char*>(data) + sizeof time, size - sizeof time);
  const std::size_t line = text.find('\n');
  const std::string_view calendar =
      line == std::string_view::npos ? std::string_view() : text.substr(line + 1);
  const auto dates = fields::Dates::of(text.substr(0, line), calendar);
  if (!dates) return 0;
  const auto said = dates->said(time, dates->digitsOf(-time));
  constexpr std::size_t kLongest = 34;  // "-1234567-12-31 23:59:59.123456789"
  if (said && said->size() > kLongest) std::abort();
  return 0;
}
