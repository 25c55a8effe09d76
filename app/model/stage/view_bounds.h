#pragma once
// What is to be seen in each of several views, which may show some of the objects alone: how far it reaches.

#include <cstddef>
#include <vector>

#include "app/model/stage/stage.h"

namespace farfield::app {

/// Views that look from the same place as view `number` of the layout, itself among them.
std::vector<std::size_t> linkedViews(const session::ViewLayout& layout, std::size_t number);
/// Objects whose pictures are shown in at least one of these views.
std::vector<ObjectId> shownIn(const Document& document, const Stage& stage, const session::ViewLayout& layout,
                              const std::vector<std::size_t>& views);
/// Of what view `number` shows; of views one over the other, of both, as one goes on where the other ends. Where nothing is shown, as
/// Stage::bounds().
Bounds boundsIn(const Document& document, const Stage& stage, const session::ViewLayout& layout,
                std::size_t number);

}  // namespace farfield::app
