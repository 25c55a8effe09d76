#pragma once
// Volumes: rays through the values of a function. forgetLooks() removes what changes without reading anything
// again.

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "core/scene/color_choice.h"
#include "core/scene/volume.h"
#include "core/session/kinds/kind.h"
#include "core/session/terms.h"

namespace farfield::session {

struct Volume {
  static constexpr const char* kType = "volume";
  static constexpr Engine kEngine = Engine::Auto;
  static constexpr bool kTakesDevices = true;
  std::string by;  ///< empty: the object's colouring function
  /// Colours; by default the object's own colouring.
  std::optional<scene::MapChoice> map;
  std::optional<std::array<double, 2>> range;
  std::optional<bool> logarithmic;
  /// A file of ParaView's with colours and opacities, relative to the session. Whoever reads the session reads it
  /// (color::ImportedMap) and puts in what it says; empty from then on.
  std::string transferFile;
  /// Of opacities, scene::kOpacityPresets; where there are points, what these were made from.
  std::optional<std::size_t> preset;
  /// Empty opacities: of the preset, or chosen from the values. The rest as in the scene; pixelError is 1 if neither it nor
  /// samplesPerVoxel is given.
  scene::VolumeLook look;
  bool saysQuality = false;
  bool operator==(const Volume&) const = default;
  void forgetLooks();
};

/// All keys of a volume, which other kinds have, too.
void readVolume(const detail::View& view, Volume& out);
void writeVolume(detail::Keys& out, const Volume& shape);
void readKeys(const detail::View& view, Volume& out);
void writeKeys(detail::Keys& out, const Volume& shape);
std::unique_ptr<ObjectRun> makeRun(const Volume& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
