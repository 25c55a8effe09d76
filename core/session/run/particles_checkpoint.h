#pragma once
// What is needed to continue particles after a step: a file with the state of all of them, and beside it one
// with their paths, which only grows. Both are valid for the same program on the same machine only, and are
// ignored if anything differs.

#include <cstddef>
#include <filesystem>

#include "core/session/run/particles_run.h"

namespace farfield::session {

struct ParticlesCheckpoint {
  /// Throws Io.
  static void write(const ParticlesRun& run, const std::filesystem::path& path);
  /// Continues from steps.checkpoint if that fits `run`, whose particles exist and have not been released.
  /// Returns the index of the chosen step at which to continue, at most steps.first; 0, and nothing has
  /// changed, if it does not fit.
  static std::size_t read(ParticlesRun& run, const RunSteps& steps);
};

}  // namespace farfield::session
