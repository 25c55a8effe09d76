#pragma once
// The names of the files that a run writes, and whether they are there.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/session/run/object_run.h"
#include "core/session/session.h"

namespace farfield::session {

class ResultFiles {
 public:
  struct Naming {
    std::size_t steps = 1;  ///< that are chosen
    bool numbered = false;  ///< the step is in the names, also where there is one alone
    int turnPictures = 0;   ///< of a camera that goes round; 0: it stands still
  };
  /// The session outlives it.
  ResultFiles(const Session& session, std::filesystem::path folder, const Naming& naming)
      : m_session(session), m_folder(std::move(folder)), m_naming(naming) {}

  /// "_0042" where there are several steps: of all files of steps or of none. What follows the last underscore
  /// is the step then, so the step 42 of `lines` and any step of an object called `lines_0042` have different
  /// names.
  std::string suffixOf(std::int64_t step) const;
  /// One, or those of the turn in order.
  std::vector<std::filesystem::path> picturesOf(std::int64_t step) const;
  std::filesystem::path geometryOf(const Object& object, std::int64_t step) const;
  /// Of an object whose file is of the whole run.
  std::filesystem::path geometryOf(const Object& object) const;
  /// What lets an interrupted run go on; removed when it has come to its end.
  std::filesystem::path checkpointOf(const Object& object) const;

  /// What is written for a step, in order; `objects` are those that are shown.
  std::vector<std::filesystem::path> ofStep(const std::vector<const ObjectRun*>& objects,
                                            std::int64_t step) const;
  /// What is written at the end.
  std::vector<std::filesystem::path> ofRun(const std::vector<const ObjectRun*>& objects) const;

 private:
  const Session& m_session;
  std::filesystem::path m_folder;
  Naming m_naming;
};

bool areThere(const std::vector<std::filesystem::path>& files);

}  // namespace farfield::session
