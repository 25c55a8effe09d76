#include "remote/slabs/look_bytes.h"

#include <cmath>

namespace farfield::remote {
namespace {

constexpr std::uint32_t kMostPoints = 4096, kMostPlanes = 64;
constexpr std::size_t kMostName = 1024;

void writeColor(ByteWriter& out, const scene::Rgba& color) {
  for (const float part : color) out.number(part);
}

scene::Rgba readColor(ByteReader& in) {
  scene::Rgba color{};
  for (float& part : color) {
    part = in.number<float>();
    if (!(part >= 0 && part <= 1)) throw Protocol("a colour that is none");
  }
  return color;
}

void writeOptional(ByteWriter& out, const std::optional<double>& value) {
  out.number(static_cast<std::uint8_t>(value.has_value()));
  if (value) out.number(*value);
}

std::optional<double> readOptional(ByteReader& in) {
  if (!readFlag(in)) return std::nullopt;
  return readFinite(in);
}

}  // namespace

double readFinite(ByteReader& in) {
  const auto value = in.number<double>();
  if (!std::isfinite(value)) throw Protocol("a number that is not finite");
  return value;
}

std::int64_t readStep(ByteReader& in) {
  const auto step = in.number<std::int64_t>();
  if (step < 0 || step >= static_cast<std::int64_t>(kMostTimes))
    throw Protocol("there is no step " + std::to_string(step));
  return step;
}

bool readFlag(ByteReader& in) {
  const auto flag = in.number<std::uint8_t>();
  if (flag > 1) throw Protocol("neither yes nor no");
  return flag == 1;
}

void writePoint(ByteWriter& out, Vec3 point) {
  for (int a = 0; a < 3; ++a) out.number(point[a]);
}

Vec3 readPoint(ByteReader& in) {
  Vec3 point;
  for (int a = 0; a < 3; ++a) point[a] = readFinite(in);
  return point;
}

void writeOpacity(ByteWriter& out, const std::vector<scene::OpacityPoint>& points) {
  out.number(static_cast<std::uint32_t>(points.size()));
  for (const scene::OpacityPoint& point : points) {
    out.number(point.value);
    out.number(point.opacity);
  }
}

std::vector<scene::OpacityPoint> readOpacity(ByteReader& in) {
  const std::uint32_t count = in.count(2 * sizeof(double));
  if (count > kMostPoints) throw Protocol("too many opacities");
  std::vector<scene::OpacityPoint> points;
  for (std::uint32_t n = 0; n < count; ++n) {
    scene::OpacityPoint point;
    point.value = readFinite(in);
    point.opacity = readFinite(in);
    if (point.opacity < 0 || point.opacity > 1) throw Protocol("an opacity that is none");
    if (n > 0 && point.value < points.back().value) throw Protocol("opacities out of order");
    points.push_back(point);
  }
  return points;
}

void writeLook(ByteWriter& out, const scene::VolumeLook& look) {
  writeOpacity(out, look.opacity);
  writeOptional(out, look.unitLength);
  out.number(static_cast<std::uint8_t>(look.mode));
  out.number(look.value);
  out.number(static_cast<std::uint8_t>(look.lit));
  out.number(static_cast<std::uint8_t>(look.nearest));
  out.number(look.samplesPerVoxel);
  writeOptional(out, look.pixelError);
  out.number(static_cast<std::uint8_t>(look.clipBox.has_value()));
  if (look.clipBox)
    for (const Vec3& corner : *look.clipBox) writePoint(out, corner);
  out.number(static_cast<std::uint32_t>(look.clipPlanes.size()));
  for (const scene::ClipPlane& plane : look.clipPlanes) {
    writePoint(out, plane.origin);
    writePoint(out, plane.normal);
  }
}

scene::VolumeLook readLook(ByteReader& in) {
  scene::VolumeLook look;
  look.opacity = readOpacity(in);
  if (look.opacity.empty()) throw Protocol("a volume without opacities");
  look.unitLength = readOptional(in);
  if (look.unitLength && !(*look.unitLength > 0)) throw Protocol("a unit of length that is none");
  const auto mode = in.number<std::uint8_t>();
  if (mode > static_cast<std::uint8_t>(scene::VolumeMode::Isosurface))
    throw Protocol("there is no mode " + std::to_string(mode));
  look.mode = static_cast<scene::VolumeMode>(mode);
  look.value = readFinite(in);
  look.lit = readFlag(in);
  look.nearest = readFlag(in);
  look.samplesPerVoxel = readFinite(in);
  if (!(look.samplesPerVoxel >= 1e-3 && look.samplesPerVoxel <= 64)) throw Protocol("a quality that is none");
  look.pixelError = readOptional(in);
  if (look.pixelError && !(*look.pixelError >= 0.01 && *look.pixelError <= 1e4))
    throw Protocol("a quality that is none");
  if (readFlag(in)) {
    const Vec3 low = readPoint(in);
    look.clipBox = {low, readPoint(in)};
  }
  const std::uint32_t planes = in.count(6 * sizeof(double));
  if (planes > kMostPlanes) throw Protocol("too many planes");
  for (std::uint32_t n = 0; n < planes; ++n) {
    const Vec3 origin = readPoint(in);
    look.clipPlanes.push_back({origin, readPoint(in)});
  }
  return look;
}

void writeScale(ByteWriter& out, const scene::ColorScale& scale) {
  out.text(scale.map.name);
  out.number(static_cast<std::uint32_t>(scale.map.points.size()));
  for (const scene::MapPoint& point : scale.map.points) {
    out.number(point.place);
    for (const std::uint8_t part : point.color) out.number(part);
  }
  out.number(static_cast<std::uint8_t>(scale.map.inverted));
  out.number(static_cast<std::int32_t>(scale.map.bands));
  out.number(scale.min);
  out.number(scale.max);
  out.number(static_cast<std::uint8_t>(scale.logarithmic));
  writeColor(out, scale.nanColor);
  for (const auto& color : {scale.below, scale.above}) {
    out.number(static_cast<std::uint8_t>(color.has_value()));
    if (color) writeColor(out, *color);
  }
}

scene::ColorScale readScale(ByteReader& in) {
  scene::ColorScale scale;
  scale.map.name = in.text(kMostName);
  const std::uint32_t points = in.count(sizeof(double) + 3);
  if (points > static_cast<std::uint32_t>(scene::kMostMapPoints)) throw Protocol("too many colours");
  for (std::uint32_t n = 0; n < points; ++n) {
    scene::MapPoint point;
    point.place = readFinite(in);
    for (std::uint8_t& part : point.color) part = in.number<std::uint8_t>();
    scale.map.points.push_back(point);
  }
  scale.map.inverted = readFlag(in);
  scale.map.bands = in.number<std::int32_t>();
  if (scale.map.bands < 0 || scale.map.bands > scene::kMostBands) throw Protocol("too many colours");
  scale.min = readFinite(in);
  scale.max = readFinite(in);
  scale.logarithmic = readFlag(in);
  scale.nanColor = readColor(in);
  for (auto* const color : {&scale.below, &scale.above})
    if (readFlag(in)) *color = readColor(in);
  return scale;
}

void writeCamera(ByteWriter& out, const scene::Camera& camera) {
  writePoint(out, camera.position);
  writePoint(out, camera.target);
  writePoint(out, camera.up);
  out.number(camera.fieldOfViewDegrees);
  out.number(static_cast<std::uint8_t>(camera.orthographic));
  out.number(camera.orthographicHeight);
  writePoint(out, camera.stretch);
}

scene::Camera readCamera(ByteReader& in) {
  scene::Camera camera;
  camera.position = readPoint(in);
  camera.target = readPoint(in);
  camera.up = readPoint(in);
  camera.fieldOfViewDegrees = readFinite(in);
  camera.orthographic = readFlag(in);
  camera.orthographicHeight = readFinite(in);
  camera.stretch = readPoint(in);
  if (!scene::isUsableStretch(camera.stretch)) throw Protocol("axes that are stretched by nothing");
  return camera;
}

}  // namespace farfield::remote
