#pragma once
// Lines as particles that go along them: what a picture needs to put spheres at equal intervals of the flow's time, wherever all of
// them have moved on to. The lines are read while they are drawn, so lines of any length cost a chunk of memory, and to move on
// costs nothing but another number for the shader.

#include <memory>

#include "core/session/kinds/streamlines/line_surfaces.h"
#include "core/session/results/polylines.h"

namespace farfield::session {

/// For scene::SceneItem::particles: a particle at the seed, and one wherever the value of the column is a multiple of the period,
/// which must be above 0. Of steps so long that more than 32 particles would stand on one, some are left out. Lines of one vertex are
/// left out. Throws, while it is drawn, what reading the lines throws.
std::shared_ptr<const scene::LineGeometry> lineParticles(std::shared_ptr<const Polylines> lines,
                                                         const LineSurfaceStyle& style,
                                                         const DashStyle& particles);

}  // namespace farfield::session
