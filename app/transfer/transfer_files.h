#pragma once
// Colours and opacities of volumes from files of ParaView that a session names.

#include "core/session/session.h"

namespace farfield::app {

/// Reads the files that volumes of `session` name as "transfer.file" and puts in what they say: colours, range and opacities,
/// as far as the session does not say them itself. Afterwards it names none. Throws NotFound, Io, Invalid, with the object's name.
void takeTransferFiles(session::Session& session);

}  // namespace farfield::app
