#pragma once
// What the option badSteps says of steps that cannot be read: they stop the opening, or are left out, all of them or those that it names,
// so that a later run has the same steps whatever has become of the files since.

#include <cstddef>
#include <optional>
#include <set>
#include <string>

namespace farfield::fields {

struct BadSteps {
  bool skipped = false;         ///< all that are bad are left out
  std::set<std::size_t> named;  ///< these are left out, good or bad; others that are bad stop the opening

  /// Whether any may be left out: then each is looked at alone.
  bool mayBeLeftOut() const { return skipped || !named.empty(); }
  bool names(std::size_t step) const { return named.contains(step); }

  static constexpr const char* kOption = "badSteps";
  static constexpr const char* kWhyNamed = "the option badSteps names it";
  /// Where others are named, and one stops the opening.
  static constexpr const char* kNameAsWell = "name it in the option badSteps as well";
  /// "stop", "skip", or numbers of steps, counted from 0, with commas between them; nullopt where it is none of these.
  static std::optional<BadSteps> from(const std::string& text);
  /// The value of the option that leaves out these alone: "stop" where there are none.
  static std::string textNaming(const std::set<std::size_t>& steps);
};

}  // namespace farfield::fields
