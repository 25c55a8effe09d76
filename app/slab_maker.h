#pragma once
// Shows what farfield-slabd renders elsewhere, for sessions.

#include "core/session/run/result_parts.h"
#include "core/session/run/volumes/slab_maker.h"

namespace farfield::app {

/// Volumes of one object share their connection from step to step (SlabRequest::before).
session::SlabMaker slabMaker();
/// Asks renderers for objects of their data. Objects of one renderer share its connections as long as one of them is there.
session::ResultAsker resultAsker();

}  // namespace farfield::app
