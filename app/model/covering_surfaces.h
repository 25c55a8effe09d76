#pragma once
// Surfaces around all of the data, as meshes are seen first: what is added inside of one is not seen.

#include <vector>

#include "app/first/data_summary.h"
#include "app/model/document.h"

namespace farfield::app {

/// Those that would hide `added`, a new object of `data`. None where something inside is shown already: whoever sees both has
/// chosen so.
std::vector<ObjectId> coversOf(const session::Object& added, const DataSummary& data,
                               const Document& document);

}  // namespace farfield::app
