#pragma once
// The names of the files that a run writes, and whether they exist.

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
    int seriesPictures =
        0;  ///< of one step: of a camera that goes round, or of what moves in it; 0: one picture
    std::string series = {};  ///< "turn" or "flow"
  };
  /// The session outlives it.
  ResultFiles(const Session& session, std::filesystem::path folder, const Naming& naming)
      : m_session(session), m_folder(std::move(folder)), m_naming(naming) {}

  /// "_0042" if there are several steps: for all files of steps or for none. The part after the last
  /// underscore is then the step, so that step 42 of `lines` and any step of an object called `lines_0042`
  /// have different names.
  std::string suffixOf(std::int64_t step) const;
  /// One, or those of the series in order.
  std::vector<std::filesystem::path> picturesOf(std::int64_t step) const;
  std::filesystem::path geometryOf(const ObjectRun& run, std::int64_t step) const;
  /// Whether the file of a step lists pieces, which lie beside it.
  bool isInPieces(const ObjectRun& run) const {
    return m_session.output.pieceTriangles > 0 && run.hasPieces();
  }
  /// Of an object with one file for the whole run.
  std::filesystem::path geometryOf(const Object& object) const;
  /// For continuing an interrupted run; removed when the run has ended.
  std::filesystem::path checkpointOf(const Object& object) const;

  /// The files of a step, in order; `objects` are those shown.
  std::vector<std::filesystem::path> ofStep(const std::vector<const ObjectRun*>& objects,
                                            std::int64_t step) const;
  /// The files written at the end.
  std::vector<std::filesystem::path> ofRun(const std::vector<const ObjectRun*>& objects) const;

 private:
  const Session& m_session;
  std::filesystem::path m_folder;
  Naming m_naming;
};

/// None of them is empty, as files may be that were there when a machine went down, or that somebody has only touched.
bool areThere(const std::vector<std::filesystem::path>& files);

}  // namespace farfield::session
