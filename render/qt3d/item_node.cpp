#include "render/qt3d/item_node.h"

#include <QVector2D>
#include <QVector4D>
#include <Qt3DCore/QAttribute>
#include <Qt3DCore/QBuffer>
#include <Qt3DCore/QGeometry>
#include <Qt3DRender/QGeometryRenderer>
#include <algorithm>
#include <cmath>
#include <utility>

namespace farfield::qt3d {
namespace {

using namespace Qt3DCore;
using namespace Qt3DRender;
using view::PickIndex;
using view::Vertex;

QVector4D asVector(const scene::Rgba& color) {
  return {color[0], color[1], color[2], color[3]};
}

bool isTransparent(const Look& look) {
  const auto isClear = [](const scene::Rgba& color) { return color[3] >= 0 && color[3] < 1; };
  if (look.opacity < 1 || !look.colored) return look.opacity < 1 || isClear(look.color);
  return isClear(look.nanColor) || isClear(look.belowColor) || isClear(look.aboveColor);
}

QGeometry* geometryOf(const PreparedItem& item) {
  auto* const geometry = new QGeometry;
  const auto buffer = [&](const QByteArray& data) {
    auto* const made = new Qt3DCore::QBuffer(geometry);
    made->setData(data);
    return made;
  };
  const auto attribute = [&](Qt3DCore::QBuffer* from, const char* name, uint parts, uint offset,
                             uint stride) {
    geometry->addAttribute(new QAttribute(from, QString::fromLatin1(name), QAttribute::Float, parts,
                                          uint(item.vertexCount()), offset, stride));
  };
  auto* const vertices = buffer(item.vertices);
  attribute(vertices, "vertexPosition", 3, offsetof(Vertex, position), sizeof(Vertex));
  attribute(vertices, "vertexScalar", 2, offsetof(Vertex, scalar), sizeof(Vertex));
  attribute(vertices, "vertexPhase", 1, offsetof(Vertex, phase), sizeof(Vertex));
  if (item.kind == PickIndex::Kind::Triangles) {
    attribute(buffer(item.normals), "vertexNormal", 3, 0, 3 * sizeof(float));
    // Without a texture it is not looked at, but the shader has it.
    if (item.waves.isEmpty())
      attribute(vertices, "vertexWave", 2, offsetof(Vertex, scalar), sizeof(Vertex));
    else
      attribute(buffer(item.waves), "vertexWave", 2, 0, 2 * sizeof(float));
  }
  if (item.kind == PickIndex::Kind::Lines && !item.isParticles()) {
    // Without normals it is not looked at, but the shader has it.
    if (item.normals.isEmpty())
      attribute(vertices, "vertexNormal", 3, offsetof(Vertex, position), sizeof(Vertex));
    else
      attribute(buffer(item.normals), "vertexNormal", 3, 0, 3 * sizeof(float));
  }
  if (item.isParticles()) attribute(buffer(item.radii), "vertexRadius", 1, 0, sizeof(float));
  auto* const indices = new QAttribute(buffer(item.indices), QAttribute::UnsignedInt, 1,
                                       uint(std::size_t(item.indices.size()) / sizeof(std::uint32_t)));
  indices->setAttributeType(QAttribute::IndexAttribute);
  geometry->addAttribute(indices);
  return geometry;
}

}  // namespace

ItemNode::ItemNode(QEntity* root, Effects& effects, const Layers& layers, PreparedItemPtr item,
                   const Look& look)
    : m_effects(effects),
      m_layers(layers),
      m_item(std::move(item)),
      m_entity(std::make_unique<QEntity>()),
      m_transform(new Qt3DCore::QTransform),
      m_material(new QMaterial(m_entity.get())) {
  const auto parameter = [&](const char* name) {
    auto* const made = new QParameter(QString::fromLatin1(name), QVariant());
    m_material->addParameter(made);
    return made;
  };
  m_colored = parameter("colored");
  m_itemColor = parameter("itemColor");
  m_nanColor = parameter("nanColor");
  m_belowColor = parameter("belowColor");
  m_aboveColor = parameter("aboveColor");
  m_placeChange = parameter("placeChange");
  m_opacity = parameter("opacity");
  m_lighting = parameter("lighting");
  m_lineWidth = parameter("lineWidth");
  m_dashed = parameter("dashed");
  m_colorMap = parameter("colorMap");
  m_bandCount = parameter("bandCount");
  m_bandLines = parameter("bandLines");
  m_clipped = parameter("clipped");
  m_surfaceOrder = parameter("surfaceOrder");
  setOrder({});
  parameter("onSurface")->setValue(!m_item->normals.isEmpty());
  parameter("inTriangles")->setValue(m_item->inTriangles);
  m_entity->addComponent(m_transform);
  const bool lines = m_item->kind == PickIndex::Kind::Lines;
  QGeometry* const geometry = geometryOf(*m_item);
  geometry->setParent(m_entity.get());
  for (const Part& part : m_item->parts) {
    auto* const renderer = new QGeometryRenderer;
    renderer->setGeometry(geometry);
    renderer->setPrimitiveType(lines ? QGeometryRenderer::LineStripAdjacency : QGeometryRenderer::Triangles);
    renderer->setPrimitiveRestartEnabled(lines);
    renderer->setRestartIndexValue(static_cast<int>(view::kRestart));
    renderer->setIndexBufferByteOffset(int(part.firstIndex * sizeof(std::uint32_t)));
    renderer->setVertexCount(int(part.indexCount));
    auto* const entity = new QEntity(m_entity.get());
    entity->addComponent(renderer);
    entity->addComponent(m_material);
    m_parts.push_back(entity);
  }
  m_look.map.name.clear();  // no look has reached the nodes yet
  setLook(look);
  m_entity->setParent(root);
}

void ItemNode::setLook(const Look& look) {
  if (look == m_look) return;
  // first what may throw
  if (look.map != m_look.map) m_colorMap->setValue(QVariant::fromValue(m_effects.colorMap(look.map)));
  const bool transparent = isTransparent(look);
  QLayer* const layer = transparent ? m_layers.transparent : m_layers.opaque;
  if (layer != m_layer) {
    for (QEntity* const part : m_parts) {
      if (m_layer) part->removeComponent(m_layer);
      part->addComponent(layer);
    }
    m_layer = layer;
    applyEffect();
  }
  m_look = look;
  m_colored->setValue(look.colored);
  m_itemColor->setValue(asVector(look.color));
  m_nanColor->setValue(asVector(look.nanColor));
  m_belowColor->setValue(asVector(look.belowColor));
  m_aboveColor->setValue(asVector(look.aboveColor));
  m_placeChange->setValue(QVector2D(look.placeFactor, look.placeOffset));
  m_opacity->setValue(float(std::clamp(look.opacity, 0.0, 1.0)));
  m_lighting->setValue(static_cast<int>(look.lighting));
  m_dashed->setValue(look.dashed);
  m_bandCount->setValue(look.colored ? float(look.map.bands) : 0.0f);
  m_bandLines->setValue(look.bandLines);
  m_clipped->setValue(look.clipped);
  applyWidth();
  applyEnabled();
}

void ItemNode::setFrame(const view::LocalFrame& frame, Vec3 axisScale) {
  const auto& own = m_item->frame;
  const Vec3 place = scene::stretched(frame.factor * (own.center - frame.center), axisScale);
  const Vec3 scale = (frame.factor / own.factor) * axisScale;
  m_transform->setScale3D({float(scale.x), float(scale.y), float(scale.z)});
  m_transform->setTranslation({float(place.x), float(place.y), float(place.z)});
}

void ItemNode::setOrder(const view::SurfaceOrder& order) {
  m_surfaceOrder->setValue(QVector2D(order.later, order.surfaces));
}

void ItemNode::setDeep(bool deep) {
  if (std::exchange(m_isDeep, deep) != deep) applyEffect();
}

void ItemNode::applyEffect() {
  const Effects::Kind kind = m_item->isParticles()                    ? Effects::Kind::Particles
                             : m_item->kind == PickIndex::Kind::Lines ? Effects::Kind::Lines
                                                                      : Effects::Kind::Triangles;
  m_material->setEffect(m_effects.effect(kind, drawsTransparent(), m_isDeep));
}

void ItemNode::setDetail(double widthScale, const Detail& detail) {
  if (widthScale == m_widthScale && detail == m_detail) return;
  m_widthScale = widthScale;
  m_detail = detail;
  applyWidth();
  applyEnabled();
}

void ItemNode::applyWidth() {
  m_lineWidth->setValue(
      float(m_detail.lineWidth(std::clamp(m_look.widthPixels, 0.5, 1000.0) * m_widthScale)));
}

void ItemNode::applyEnabled() {
  const bool lines = m_item->kind == PickIndex::Kind::Lines;
  const auto drawn = lines ? std::size_t(std::ceil(m_detail.part * double(m_parts.size()))) : m_parts.size();
  for (std::size_t i = 0; i < m_parts.size(); ++i) m_parts[i]->setEnabled(isShown() && i < drawn);
}

}  // namespace farfield::qt3d
