#pragma once
// The shaders of resources/shaders for Qt 3D: one effect for lines, one for particles and one for surfaces, each opaque and
// transparent. Items share them; what differs between items are parameters of their materials. A second pass draws depths
// as colours, at which rays through volumes end or go behind what is transparent.

#include <Qt3DCore/QNode>
#include <Qt3DRender/QAbstractTexture>
#include <Qt3DRender/QEffect>
#include <Qt3DRender/QParameter>
#include <Qt3DRender/QRenderPass>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "core/scene/color_choice.h"
#include "render/view/view_transform.h"

namespace farfield::qt3d {

/// Values of the QFilterKeys of passes.
inline constexpr const char *kDrawnKey = "drawn", *kColors = "colors", *kDepths = "depths";

class Effects {
 public:
  enum class Kind { Lines, Particles, Triangles };
  /// All nodes become children of `parent`.
  explicit Effects(Qt3DCore::QNode* parent);

  /// Made when first needed. `deep`: as view::ViewTransform::isDeep().
  Qt3DRender::QEffect* effect(Kind kind, bool transparent, bool deep);
  /// The 256 colours of a map; made when first needed, and kept until forgetMaps(). Throws Invalid for unknown names.
  Qt3DRender::QAbstractTexture* colorMap(const scene::MapChoice& choice);
  /// Lets go of maps that are not `used`, where there are many: one that is being edited is another one all the time.
  void forgetMaps(const std::set<scene::MapChoice>& used);
  bool hasManyMaps() const;
  /// Sets what all shaders know of the view. `perPixel` as drawnPerPixel in
  /// resources/shaders/shade.glsl.
  void setView(float widthPixels, float heightPixels, float perPixel, bool orthographic, float dashClock,
               Vec3 axisScale, std::array<float, 2> deepDepths);
  /// Sets what is cut away of everything that is clipped.
  void setClip(const view::ClipUniforms& clip);
  /// Why a shader could not be built; empty if all were.
  QString problem() const { return m_problem; }

 private:
  Qt3DRender::QEffect* make(Kind kind, bool transparent, bool deep);
  Qt3DRender::QRenderPass* makePass(Kind kind, bool depths, bool deep);

  Qt3DCore::QNode* m_parent;
  Qt3DRender::QParameter* m_viewportPixels;
  Qt3DRender::QParameter* m_perPixel;
  Qt3DRender::QParameter* m_orthographic;
  Qt3DRender::QParameter* m_dashClock;
  Qt3DRender::QParameter* m_axisScale;
  Qt3DRender::QParameter* m_deepDepths;
  std::array<Qt3DRender::QParameter*, 3> m_clips;
  std::map<std::tuple<Kind, bool, bool>, Qt3DRender::QEffect*> m_effects;
  std::map<scene::MapChoice, Qt3DRender::QAbstractTexture*> m_maps;
  QString m_problem;
};

}  // namespace farfield::qt3d
