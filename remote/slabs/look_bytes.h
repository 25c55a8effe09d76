#pragma once
// How a volume is looked at, as parts of messages. Internal to remote/slabs. Reading throws Protocol for what cannot be drawn.

#include <vector>

#include "core/scene/scene.h"
#include "remote/protocol/bytes.h"

namespace farfield::remote {

constexpr std::size_t kMostTimes = std::size_t{1} << 20;  ///< steps of data

double readFinite(ByteReader& in);
/// From 0 to what data can have.
std::int64_t readStep(ByteReader& in);
/// 0 or 1.
bool readFlag(ByteReader& in);
void writePoint(ByteWriter& out, Vec3 point);
Vec3 readPoint(ByteReader& in);
void writeOpacity(ByteWriter& out, const std::vector<scene::OpacityPoint>& points);
std::vector<scene::OpacityPoint> readOpacity(ByteReader& in);
void writeLook(ByteWriter& out, const scene::VolumeLook& look);
scene::VolumeLook readLook(ByteReader& in);
/// What colours follow from: not its title, nor how its legend looks.
void writeScale(ByteWriter& out, const scene::ColorScale& scale);
scene::ColorScale readScale(ByteReader& in);
void writeCamera(ByteWriter& out, const scene::Camera& camera);
scene::Camera readCamera(ByteReader& in);

}  // namespace farfield::remote
