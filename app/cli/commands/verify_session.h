#pragma once
// Runs a session in many ways and compares the geometry, byte by byte.

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "core/fields/functions/open_data.h"
#include "core/session/run/runner.h"
#include "core/session/session.h"

namespace farfield::cli {

struct VerifyOptions {
  std::uint64_t memoryBytes = 0;  ///< of the reference
  int processors = 1;
  std::stop_token stop;
  /// As in session::RunOptions: the picture is compared where the session has volumes, which have nothing else.
  decltype(session::RunOptions::drawImage) drawImage = {};
  session::VolumeMaker makeVolume = {};
  /// A way has been tried: "same", or why it was left out.
  std::function<void(const std::string& way, const std::string& outcome)> report;
};

/// The reference is one processor, serial, in the whole budget. Compared with it are: all schedulers, one and
/// several processors, the smallest budget that works, and the data as stores of other page edges and codecs.
/// Throws Corrupt naming the way and the file that differ.
void verifySession(const session::Session& session, const fields::ReaderRegistry& readers,
                   const VerifyOptions& options);

}  // namespace farfield::cli
