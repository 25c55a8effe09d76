#pragma once
// What of a file can be read in several ways: an option of its reader with a few values. For who offers them to choose from.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace farfield::fields {

class OpenData;

/// One option, and the values that it can have for these data.
struct ReadingChoice {
  struct Value {
    std::string value;  ///< of the option
    std::string text;   ///< for people
    bool operator==(const Value&) const = default;
  };
  std::string option;
  std::string title;  ///< for people: what is chosen
  std::vector<Value> values;
  std::size_t now = 0;        ///< the value that these data were opened with
  std::size_t byDefault = 0;  ///< the one without the option
  /// The one for who opens these data for the first time and has chosen nothing, where that is another: what was chosen before, without
  /// the option, keeps its meaning.
  std::optional<std::size_t> atFirst = {};
  bool operator==(const ReadingChoice&) const = default;
};

/// Data that have choices.
class HasReadingChoices {
 public:
  virtual ~HasReadingChoices() = default;
  virtual std::vector<ReadingChoice> readingChoices() const = 0;
};

/// Empty if there are none.
std::vector<ReadingChoice> readingChoicesOf(const OpenData& data);

}  // namespace farfield::fields
