#pragma once
// One item in Qt 3D's scene: its buffers, its material, and an entity for every part that is drawn at once.

#include <Qt3DCore/QEntity>
#include <Qt3DCore/QTransform>
#include <Qt3DRender/QLayer>
#include <Qt3DRender/QMaterial>
#include <Qt3DRender/QParameter>
#include <memory>
#include <vector>

#include "render/qt3d/detail_control.h"
#include "render/qt3d/effects.h"
#include "render/qt3d/prepared_item.h"
#include "render/view/surface_order.h"

namespace farfield::qt3d {

/// Entities in no layer are not drawn.
struct Layers {
  Qt3DRender::QLayer* opaque = nullptr;
  Qt3DRender::QLayer* transparent = nullptr;
};

/// Deletes its nodes in its destructor. All on the drawing thread.
class ItemNode {
 public:
  ItemNode(Qt3DCore::QEntity* root, Effects& effects, const Layers& layers, PreparedItemPtr item,
           const Look& look);
  ItemNode(const ItemNode&) = delete;
  ItemNode& operator=(const ItemNode&) = delete;

  /// Throws Invalid for an unknown colour map; then the look is unchanged.
  void setLook(const Look& look);
  const Look& look() const { return m_look; }
  /// Places the item in a scene whose drawn coordinates are those of `frame`, multiplied by `axisScale`.
  void setFrame(const view::LocalFrame& frame, Vec3 axisScale);
  /// As view::ViewTransform::isDeep().
  void setDeep(bool deep);
  /// Which of the surfaces at one place is seen. Nothing to what is no surface.
  void setOrder(const view::SurfaceOrder& order);
  /// `widthScale`: pixels of the display per unit of the widths.
  void setDetail(double widthScale, const Detail& detail);

  bool isShown() const { return m_look.visible && m_look.opacity > 0; }
  bool drawsTransparent() const { return m_layer == m_layers.transparent; }
  const PreparedItem& item() const { return *m_item; }

 private:
  void applyEffect();
  void applyWidth();
  void applyEnabled();

  Effects& m_effects;
  Layers m_layers;
  PreparedItemPtr m_item;
  Look m_look;
  double m_widthScale = 1;
  Detail m_detail;
  bool m_isDeep = false;
  Qt3DRender::QLayer* m_layer = nullptr;        // the layer of the parts
  std::unique_ptr<Qt3DCore::QEntity> m_entity;  // owns all the others
  Qt3DCore::QTransform* m_transform;
  Qt3DRender::QMaterial* m_material;
  Qt3DRender::QParameter *m_colored, *m_itemColor, *m_nanColor, *m_belowColor, *m_aboveColor, *m_placeChange;
  Qt3DRender::QParameter *m_opacity, *m_lighting, *m_lineWidth, *m_dashed, *m_colorMap, *m_bandCount,
      *m_bandLines, *m_clipped, *m_surfaceOrder;
  std::vector<Qt3DCore::QEntity*> m_parts;
};

}  // namespace farfield::qt3d
