#pragma once
// One quantity, one scale: colours of the objects of a data set, or of two that are compared, that show the same function are changed
// together, unless one is set apart (session::Coloring::apart).

#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "app/model/document/document.h"

namespace farfield::app {

/// `id`, and the objects whose colours go with its: of the same data, coloured by the same function, and not set
/// apart. It alone where it is set apart or has one colour.
std::vector<ObjectId> sharingColors(const Document& document, ObjectId id);

/// Those that share the range and the logarithm, and not the map: volumes, whose map goes with their opacities, and what others share with them.
std::vector<ObjectId> sharingScaleAlone(const Document& document, ObjectId id);

/// Changes the colours of `id` and of those that go with them, as one step of the undo stack (Document::edit); of those that share the scale
/// alone the range and the logarithm, where `edit` changes these.
void editColors(Document& document, ObjectId id, const QString& text, const QString& key,
                const std::function<void(session::Coloring&)>& edit);

/// In a step that has begun to compare data: objects whose scale is one now take over the colours of those of `leading`.
/// What they had is remembered for separateColors().
void joinColors(const Document& document, Draft& draft, const std::string& leading);
/// In a step after which no data are compared: what was joined has the colours from before again, and so has what came to it since with
/// the same; but not what somebody gave other colours meanwhile.
void separateColors(Draft& draft);

/// For a file: what separateColors() would do, by the names of objects.
std::vector<session::ColorsBefore> joinedColors(const DocumentState& state);
/// Out of a file again; `layout` has none of it then.
void takeJoined(DocumentState& state, session::ViewLayout& layout);

/// `object` with the colours that others of the same data and function have, where there are any; with their range and logarithm alone
/// where it is a volume, or all others are.
session::Object withSharedColors(session::Object object, const session::Session& session);

}  // namespace farfield::app
