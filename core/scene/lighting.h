#pragma once
// How an item of a scene is lit.

namespace farfield::scene {

/// The light on an item. It comes from where the camera is, and changes how light a colour is, never its hue.
enum class Lighting {
  Off,   ///< colours as the legend has them
  Soft,  ///< these where the surface faces the eye, a little darker where it turns away
  Full   ///< bright and dark sides, with a shine
};

}  // namespace farfield::scene
