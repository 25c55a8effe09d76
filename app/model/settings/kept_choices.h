#pragma once
// In which ways data could be read when they were open last. Who chose one in which they cannot be opened needs the others, and
// data that are not open say nothing of them.

#include <map>
#include <string>
#include <vector>

#include "core/fields/functions/reading_choices.h"
#include "core/session/session.h"

namespace farfield::app {

class KeptChoices {
 public:
  /// Of data of `session` that were opened as `source` says.
  void keep(const session::Session& session, const session::DataSource& source,
            const std::vector<fields::ReadingChoice>& choices);
  /// Those of the last time, and earlier ones that the options of `source` speak of, set as these options have it; `now` is no value where an
  /// option has another one. Empty where the same files were never open.
  std::vector<fields::ReadingChoice> of(const session::Session& session,
                                        const session::DataSource& source) const;

 private:
  struct Kept {
    fields::ReadingChoice choice;
    bool isOfLastTime = true;
  };
  std::map<std::string, std::vector<Kept>> m_kept;  ///< by files and reader
};

}  // namespace farfield::app
