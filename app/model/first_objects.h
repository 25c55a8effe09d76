#pragma once
// Objects with settings that make sense for given data, so that there is something to see before anything has
// been set: what opens with data, and what "Add" adds.

#include <string>
#include <vector>

#include "app/model/workshop_types.h"
#include "core/session/session.h"

namespace farfield::app {

/// Scalars that colours can follow, in the order of the data set.
std::vector<std::string> scalarFunctions(const DataSummary& data);
std::vector<std::string> vectorFunctions(const DataSummary& data);
/// What most people look at first; empty where there is no scalar.
std::string usualScalar(const DataSummary& data);

/// An outline, and streamlines from all over the largest block, or its faces where there is no vector.
std::vector<session::Object> firstObjects(const DataSummary& data, const std::string& dataName);
/// One of `type`, which must be one that can be computed.
session::Object newObject(session::ObjectType type, const DataSummary& data, const std::string& dataName);
/// Seeds of the kind `index` (as in session::Seeds) for these data.
session::Seeds newSeeds(std::size_t index, const DataSummary& data);

/// The command that computes `sessionPath` with no window, for a shell.
std::string batchCommand(const std::string& sessionPath, std::uint64_t memoryBytes);

}  // namespace farfield::app
