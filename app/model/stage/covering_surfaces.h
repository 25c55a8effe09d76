#pragma once
// Surfaces around all of the data, as meshes are seen first: what is added inside of one is not seen.

#include "app/first/data_summary.h"
#include "app/model/document/document.h"
#include "app/model/stage/stage.h"

namespace farfield::app {

/// Adds `object`, of `data`, and hides the surfaces that would hide it. None where something inside is shown already: whoever sees
/// both has chosen so.
ObjectId addSeen(Draft& draft, session::Object object, const DataSummary& data);
/// The same as a step of its own.
ObjectId addSeen(Document& document, session::Object object, const DataSummary& data);

/// Removes an object; a surface that was hidden so that this is seen is shown again in the same step, unless something else inside is.
void removeSeen(Document& document, ObjectId id, ObjectId hiddenForIt);

/// What Document::edit() knows the step by in which addSeen() adds `object`, so that showAgain() can be a part of it: by the surface that
/// it hides, the last one where it hides several. Empty where it hides none.
QString stepThatHidesFor(const session::Object& object, const DataSummary& data, const DocumentState& state);

/// Whether nothing is seen of what was added, which is none of the reasons to hide a surface.
bool showsNothing(const session::Object& object, const ObjectStatus& status);
/// Shows a surface that was hidden `forNothing`, as a part of that step where nothing has come since.
void showAgain(Document& document, ObjectId cover, const session::Object& forNothing);

}  // namespace farfield::app
