#pragma once
// What is so from now on though nobody wants it taken back, as that data have another address: no step of the document, but a change of
// all its states, also of those that can be done again.

#include <functional>
#include <optional>

#include "app/model/document/document.h"

namespace farfield::app {

/// What is to be another frame or another object is returned. The file has it as it was, so the document counts as changed.
void correct(Document& document,
             const std::function<std::optional<session::Session>(const session::Session& frame)>& frame,
             const std::function<std::optional<session::Object>(const session::Object&)>& object);

}  // namespace farfield::app
