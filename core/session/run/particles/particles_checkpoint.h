#pragma once
// What is needed to go on with particles behind some step: a file with the state of all of them, and beside it
// one with their paths, which only grows. A checkpoint also fits a series that has more steps than there were then. Both are meaningful to the same program on the same machine alone.
// Each has a checksum, and says of which object and data it is: what is damaged or belongs to others is refused.

#include <cstddef>
#include <filesystem>

#include "core/session/run/particles/particles_run.h"

namespace farfield::session {

struct ParticlesCheckpoint {
  /// Throws Io.
  static void write(const ParticlesRun& run, const fields::OpenData& data, const std::filesystem::path& path);
  /// Continues from steps.checkpoint if that fits `run`, whose particles exist and have not been released.
  /// Returns the index of the chosen step at which to continue, at most steps.first; 0, and nothing has
  /// changed, if there is none or it is of other steps. Throws Corrupt, NotFound (the paths), Invalid if it is of another object or of other
  /// data, Io; each names the file.
  static std::size_t read(ParticlesRun& run, const fields::OpenData& data, const RunSteps& steps);

  /// Once nothing needs it any more. The paths after the checkpoint, which would be an error without them.
  static void remove(const std::filesystem::path& path) noexcept;

 private:
  struct Head;
  static std::uint64_t ownerOf(const ParticlesRun& run, const fields::OpenData& data, const Head& head);
  static std::uint64_t purposeOf(const ParticlesRun& run, const Head& head);
  static void readPaths(ParticlesRun& run, const Head& head, const std::filesystem::path& beside);
};

}  // namespace farfield::session
