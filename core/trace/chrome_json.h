#pragma once
// Writes the event log as a file: the JSON object form of the Chrome trace event format, which
// chrome://tracing and Perfetto open.

#include <filesystem>
#include <memory>
#include <vector>

#include "core/trace/thread_log.h"

namespace farfield::trace::detail {

/// Writes all events of `logs`. An end without a beginning is left out, and a beginning without an end is
/// closed at its thread's last event, so that life lines always nest. Throws Io; then no file appears.
void writeChromeJson(const std::filesystem::path& path, const std::vector<std::shared_ptr<ThreadLog>>& logs);

}  // namespace farfield::trace::detail
