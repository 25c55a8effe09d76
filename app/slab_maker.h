#pragma once
// Shows what farfield-slabd renders elsewhere, for sessions.

#include "core/session/run/slab_maker.h"

namespace farfield::app {

/// Volumes of one object share their connection from step to step (SlabRequest::before).
session::SlabMaker slabMaker();

}  // namespace farfield::app
