#pragma once
// A paged store as a set of a server: pages go from the file to the connection as they are stored.

#include "remote/server/served_set.h"

namespace farfield::remote {

/// `file` is a store, or a striped set, whose parts are looked for beside it below `root`. Throws what opening a store throws; errors name the file as the client does.
/// `filesKey` tells the file from others, and from what it was.
std::shared_ptr<ServedSet> servedStore(SharedFile file, const RootFolder& root,
                                       const OpenRequestMessage& request, std::uint64_t filesKey,
                                       const SetSurroundings& surroundings);

}  // namespace farfield::remote
