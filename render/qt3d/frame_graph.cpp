#include "render/qt3d/frame_graph.h"

#include <Qt3DRender/QCameraSelector>
#include <Qt3DRender/QFilterKey>
#include <Qt3DRender/QLayerFilter>
#include <Qt3DRender/QNoDraw>
#include <Qt3DRender/QRenderPassFilter>
#include <Qt3DRender/QRenderTarget>
#include <Qt3DRender/QRenderTargetOutput>
#include <Qt3DRender/QSortPolicy>
#include <Qt3DRender/QTexture>
#include <Qt3DRender/QViewport>

namespace farfield::qt3d {

using namespace Qt3DRender;

namespace {

/// Nodes below it are drawn by the passes of that name.
QRenderPassFilter* drawing(const char* what, QFrameGraphNode* under) {
  auto* const filter = new QRenderPassFilter(under);
  auto* const key = new QFilterKey(filter);
  key->setName(QString::fromLatin1(kDrawnKey));
  key->setValue(QString::fromLatin1(what));
  filter->addMatch(key);
  return filter;
}

void clearing(QFrameGraphNode* under, QClearBuffers::BufferType what, const QColor& color) {
  auto* const clear = new QClearBuffers(under);
  clear->setBuffers(what);
  clear->setClearColor(color);
  new QNoDraw(clear);
}

void addTransparent(QFrameGraphNode* under, QLayer* layer) {
  auto* const transparent = new QLayerFilter(under);
  transparent->addLayer(layer);
  auto* const sorted = new QSortPolicy(transparent);
  sorted->setSortTypes(QList<QSortPolicy::SortType>{QSortPolicy::BackToFront});
  drawing(kColors, sorted);
}

}  // namespace

FrameGraph::FrameGraph(Qt3DCore::QEntity* root, QObject* surface)
    : m_root(root),
      m_surface(new QRenderSurfaceSelector(root)),
      m_target(new QRenderTargetSelector(m_surface)) {
  m_surface->setSurface(surface);

  auto* const eye = m_eyeEntity = new Qt3DCore::QEntity(root);
  m_lens = new QCameraLens;
  m_lens->setProjectionType(QCameraLens::CustomProjection);
  m_eye = new Qt3DCore::QTransform;
  eye->addComponent(m_lens);
  eye->addComponent(m_eye);
  QFrameGraphNode* const camera = into(m_target);
  m_clear = new QClearBuffers(camera);
  m_clear->setBuffers(QClearBuffers::ColorDepthBuffer);
  new QNoDraw(m_clear);

  m_layers.opaque = new QLayer(root);
  m_layers.transparent = new QLayer(root);
  auto* const opaque = new QLayerFilter(camera);
  opaque->addLayer(m_layers.opaque);
  drawing(kColors, opaque);
  addTransparent(camera, m_layers.transparent);

  m_capture = new QRenderCapture(new QNoDraw(camera));

  m_depthsWanted = new QSubtreeEnabler(m_surface);
  m_depthsWanted->setEnablement(QSubtreeEnabler::Persistent);
  m_depthsWanted->setEnabled(false);
  m_depthTarget = new QRenderTargetSelector(m_depthsWanted);
  addDepths(m_depthTarget, m_layers.opaque, m_depthCapture);

  m_veilWanted = new QSubtreeEnabler(m_surface);
  m_veilWanted->setEnablement(QSubtreeEnabler::Persistent);
  m_veilWanted->setEnabled(false);
  m_veilTarget = new QRenderTargetSelector(m_veilWanted);
  QFrameGraphNode* const veil = into(m_veilTarget);
  clearing(veil, QClearBuffers::ColorDepthBuffer, Qt::transparent);
  auto* const hiding = new QLayerFilter(veil);
  hiding->addLayer(m_layers.opaque);
  drawing(kDepths, hiding);
  clearing(veil, QClearBuffers::ColorBuffer, Qt::transparent);
  addTransparent(veil, m_layers.transparent);
  m_veilCapture = new QRenderCapture(new QNoDraw(veil));
  m_veilDepthTarget = new QRenderTargetSelector(m_veilWanted);
  addDepths(m_veilDepthTarget, m_layers.transparent, m_veilDepthCapture);
}

QFrameGraphNode* FrameGraph::into(QRenderTargetSelector* target) {
  auto* const camera = new QCameraSelector(new QViewport(target));
  camera->setCamera(m_eyeEntity);
  return camera;
}

void FrameGraph::addDepths(QRenderTargetSelector* target, QLayer* layer, QRenderCapture*& capture) {
  QFrameGraphNode* const camera = into(target);
  clearing(camera, QClearBuffers::ColorDepthBuffer, Qt::white);
  auto* const solid = new QLayerFilter(camera);
  solid->addLayer(layer);
  drawing(kDepths, solid);
  capture = new QRenderCapture(new QNoDraw(camera));
}

FrameGraph::Target FrameGraph::makeTarget(int samples) {
  Target target;
  target.samples = samples;
  target.node = new QRenderTarget(m_root);
  const auto output = [&](QRenderTargetOutput::AttachmentPoint point,
                          QAbstractTexture::TextureFormat format) {
    QAbstractTexture* texture = nullptr;
    if (samples > 1) {
      texture = new QTexture2DMultisample;
      texture->setSamples(samples);
    } else {
      texture = new QTexture2D;
    }
    texture->setFormat(format);
    texture->setGenerateMipMaps(false);
    auto* const made = new QRenderTargetOutput;
    made->setAttachmentPoint(point);
    made->setTexture(texture);
    target.node->addOutput(made);
    return texture;
  };
  target.color = output(QRenderTargetOutput::Color0, QAbstractTexture::RGBA8_UNorm);
  target.depth = output(QRenderTargetOutput::Depth, QAbstractTexture::D32F);
  return target;
}

void FrameGraph::resize(Target& target, QSize pixels, int samples) {
  if (target.samples != samples) {
    delete target.node;
    target = makeTarget(samples);
  }
  for (QAbstractTexture* const texture : {target.color, target.depth})
    texture->setSize(pixels.width(), pixels.height());
}

void FrameGraph::setTarget(int slot, QSize pixels, int samples) {
  Target& target = m_targets[slot];
  resize(target, pixels, samples);
  m_surface->setExternalRenderTargetSize(pixels);
  m_target->setTarget(target.node);
  if (!m_depthsWanted->isEnabled()) return;
  resize(m_depths, pixels, 1);
  m_depthTarget->setTarget(m_depths.node);
  if (!m_veilWanted->isEnabled()) return;
  resize(m_veil, pixels, 1);
  m_veilTarget->setTarget(m_veil.node);
  resize(m_veilDepths, pixels, 1);
  m_veilDepthTarget->setTarget(m_veilDepths.node);
}

void FrameGraph::setDepthsWanted(bool wanted) {
  m_depthsWanted->setEnabled(wanted);
}

void FrameGraph::setVeilWanted(bool wanted) {
  m_veilWanted->setEnabled(wanted);
}

void FrameGraph::setCamera(const QMatrix4x4& turn, const QMatrix4x4& projection) {
  m_lens->setProjectionMatrix(projection);
  m_eye->setMatrix(turn.inverted());
}

}  // namespace farfield::qt3d
