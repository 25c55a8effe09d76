#pragma once
// A change that belongs to an earlier step than the last one: what came after it, and what was taken back and may be done again, gets it, too.

#include "app/model/document/document.h"

namespace farfield::app {

/// `state`, with what differs between `before` and `after`, as far as `state` has it as it was before: what somebody changed in another way
/// stays. Objects that were added are there where their data are.
DocumentState carriedOver(const DocumentState& before, const DocumentState& after, DocumentState state);

}  // namespace farfield::app
