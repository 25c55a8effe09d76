// Any text as an expression: it is refused with an error of ours, or it has a value.

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/fields/words/expression.h"

using namespace farfield;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto isName = [](std::string_view name) {
    return name == "density" || name == "velocity" || name == "velocity-x" || name == "x";
  };
  try {
    const auto expression = fields::Expression::parse(text, isName);
    const std::vector<double> values(expression.names().size(), 1.5);
    expression.evaluate(values);
  } catch (const Error&) {
  }
  return 0;
}
