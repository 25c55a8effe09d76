#include "core/fields/functions/reading_choices.h"

#include "core/fields/functions/open_data.h"

namespace farfield::fields {

std::vector<ReadingChoice> readingChoicesOf(const OpenData& data) {
  const auto* const has = dynamic_cast<const HasReadingChoices*>(&data);
  return has ? has->readingChoices() : std::vector<ReadingChoice>{};
}

}  // namespace farfield::fields
