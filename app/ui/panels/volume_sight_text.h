#pragma once
// What is said of a volume in the view: how much of its detail is seen, how coarsely data of other grids are sampled for it, and why
// nothing of it is seen.

#include <QString>

#include "app/model/stage/stage.h"
#include "core/session/run/volumes/sampled_volume.h"
#include "render/qt3d/volume_sight.h"

namespace farfield::ui {

/// "complete, in full detail", "refining, at 1/4 of full detail, 45 %": the state of a volume in the view.
/// `status` is the object's: by it is said why nothing is seen.
QString textOfSight(const qt3d::VolumeSight& sight, const app::ObjectStatus& status = {});

/// The samples of data that have no regular grid; none of other data.
session::VolumeSamples samplesOf(const app::ObjectStatus& status);
/// Whether they are much further apart than cells are thick, and not the data in full detail.
bool areCoarse(const session::VolumeSamples& samples);
/// How many times as far, in words.
QString timesOf(const session::VolumeSamples& samples);
/// How many along the longest side one may take next: as many as the finest cells ask for, or twice as many, but no more than that where
/// these are many. No more than there are: it cannot be finer.
int finerNodes(const session::VolumeSamples& samples);

}  // namespace farfield::ui
