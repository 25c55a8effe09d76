#pragma once
// Differences of names, which have hyphens themselves.

#include <cstddef>
#include <functional>
#include <string_view>

namespace farfield::fields {

/// Whether `text` is names and numbers with a minus between, or a sign before them: "convected-diffused", "-density", "1e-3-density". Names
/// have hyphens, too, so that nothing else tells this from one that is misspelt. One of them is a name; none has more than `longest` letters.
bool isDifference(std::string_view text, std::size_t longest,
                  const std::function<bool(std::string_view)>& isName);

}  // namespace farfield::fields
