#pragma once
// A preview of a run, for reading and as JSON.

#include <string>

#include "core/session/run/preview.h"

namespace farfield::cli {

/// Several lines, each with its line break.
std::string previewText(const session::RunPreview& preview);
/// The document that docs/user/commands.md describes, indented.
std::string previewJson(const session::RunPreview& preview);

}  // namespace farfield::cli
