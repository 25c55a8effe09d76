#pragma once
// Surfaces around all of the data, as meshes are seen first: what is added inside of one is not seen.

#include "app/first/data_summary.h"
#include "app/model/document.h"

namespace farfield::app {

/// Adds `object`, of `data`, and hides the surfaces that would hide it. None where something inside is shown already: whoever sees
/// both has chosen so.
ObjectId addSeen(Draft& draft, session::Object object, const DataSummary& data);
/// The same as a step of its own.
ObjectId addSeen(Document& document, session::Object object, const DataSummary& data);

}  // namespace farfield::app
