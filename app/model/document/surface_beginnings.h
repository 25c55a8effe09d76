#pragma once
// What objects that lie on surfaces begin with, so that something is seen of them. On a wall nothing moves but its shear, which in turn
// has no values inside of the flow. Whether the face of a block is a wall is not always known before something was computed on it:
// then what was chosen and shows nothing gives way to the other.

#include <optional>

#include "app/first/data_summary.h"
#include "core/session/results/stats.h"
#include "core/session/session.h"

namespace farfield::app {

/// Makes `object`, as it is new, suit the surface on which it is to lie, and what is seen where that is hidden.
void suitSurface(session::Object& object, const session::Object& surface, const DataSummary& data,
                 const scene::Rgba& background);
/// New lines are as far apart as they are seen one by one on all of `surface`, which may be a small part of the data.
void suitSize(session::Object& object, const Bounds& surface);

/// Lines that are as far apart as on a surface as large as the data, closer on one that is `surface`; none: they are not, or it is.
std::optional<session::Object> withOwnSpacing(const session::Object& object, const Bounds& surface,
                                              const DataSummary& data);

/// Whether nothing, or noise, is seen of what lies on a surface, because its vector is 0 or has no values there.
bool showsNoVector(const session::ObjectStats& stats);

/// `object`, as it is new, of which nothing is seen on `surface`, with the other vector that is likely to be seen there; none: there is
/// no other.
std::optional<session::Object> withOtherVector(const session::Object& object, const session::Object& surface,
                                               const DataSummary& data);

}  // namespace farfield::app
