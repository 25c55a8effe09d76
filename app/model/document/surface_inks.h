#pragma once
// Colours of lines that lie on surfaces, isolines, arrows and lines on a wall: light on what is dark more often than not, dark on what is
// light. They follow the colours of the surface for as long as nobody gives them others.

#include "app/model/document/document.h"

namespace farfield::app {

/// In which lines stand out from `surface`.
scene::Rgba inkOn(const session::Object& surface);

/// `object` with the colour that stands out from `surface`, or from `background` where that is hidden, where it is of lines in one colour.
void inkLines(session::Object& object, const session::Object& surface, const scene::Rgba& background);

/// After a change from `before`: lines whose colour was that for the colours of their surface have that for its new ones, or for the
/// background where it is hidden or gone.
void followInks(const DocumentState& before, Draft& draft);

}  // namespace farfield::app
