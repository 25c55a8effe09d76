#pragma once
// The scene item of a volume: what the document says of colours and opacities, and what it leaves to the values.

#include <memory>
#include <string>

#include "core/scene/scene.h"
#include "core/session/run/volumes/volume_maker.h"

namespace farfield::session {

struct Object;
struct Volume;

/// Of `volume`, shown as `shape` and `shown` say; `title` is the name of its function. Without a volume it has colours alone.
/// Waits for the values' range where it is needed. Throws what reading throws.
scene::SceneItem volumeItem(const Volume& shape, const Object& shown, const std::string& title,
                            const std::shared_ptr<CastVolume>& volume);

}  // namespace farfield::session
