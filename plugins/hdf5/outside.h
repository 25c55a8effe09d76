#pragma once
// Looking into HDF5 files outside of this process (looker.h), where the program for it is installed. A process that has answered is kept for
// the next file; which files could be opened is kept for the readers that are asked one after the other whose a file is.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/paging/bytes/byte_object.h"
#include "plugins/hdf5/look_job.h"

namespace farfield::hdf5 {

/// The answer to `job`, of which the name and the generation are filled in; nothing where no other process can be had: there is no such
/// program beside this one, or it cannot be started. Throws what the other process threw; Corrupt where the library crashes on the file or
/// does not end; Io where the process was ended from outside; Cancelled when the calling thread's waits end (StoppableWaits). Thread-safe.
std::optional<std::string> lookOutside(LookJob job, const paging::ByteObject& object,
                                       const std::function<void(std::uint64_t)>& beforeAnswer = {});

/// Of a file that was looked at a moment ago it is what was found then. Null where no other process can be had. Throws as lookOutside().
/// Thread-safe.
std::shared_ptr<const Head> headOutside(const paging::ByteObject& object);

}  // namespace farfield::hdf5
