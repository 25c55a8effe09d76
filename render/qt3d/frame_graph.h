#pragma once
// Qt 3D's frame graph: how a picture is drawn. Into targets of our own, not into a window, so that it works
// on a thread of its own and the widget shows the finished picture.

#include <QColor>
#include <QMatrix4x4>
#include <QSize>
#include <Qt3DCore/QEntity>
#include <Qt3DCore/QTransform>
#include <Qt3DRender/QCameraLens>
#include <Qt3DRender/QClearBuffers>
#include <Qt3DRender/QRenderCapture>
#include <Qt3DRender/QRenderSurfaceSelector>
#include <Qt3DRender/QRenderTargetSelector>
#include <Qt3DRender/QSubtreeEnabler>
#include <map>

#include "render/qt3d/item_node.h"

namespace farfield::qt3d {

/// Opaque items first, then transparent ones from back to front, which do not write depths:
///
///   surface > { target > viewport > camera > { clear > no drawing
///                                              opaque layer > colours
///                                              transparent layer > sorted > colours
///                                              no drawing > capture }
///               enabler > target > viewport > camera > { clear > no drawing
///                                                        opaque layer > depths
///                                                        no drawing > capture } }
///               enabler > { target > … { clear > no drawing
///                                        opaque layer > depths
///                                        clear colours > no drawing
///                                        transparent layer > sorted > colours
///                                        no drawing > capture }
///                           target > … { clear > no drawing
///                                        transparent layer > depths
///                                        no drawing > capture } }
///
/// For casting rays, if wanted, the second part draws the depths of opaque items; the third the veil: transparent items alone,
/// as far as opaque ones do not hide them, and the depths of the nearest.
///
/// Depth tests and blending belong to the passes of the effects: set here, they would leak from one branch
/// into the next.
class FrameGraph {
 public:
  /// `surface` is a QSurface. All nodes become children of `root`.
  FrameGraph(Qt3DCore::QEntity* root, QObject* surface);

  Qt3DRender::QFrameGraphNode* top() const { return m_surface; }
  const Layers& layers() const { return m_layers; }

  /// Size of the target, and samples per pixel (1: no smoothing). Targets are kept by `slot`: sizes used in
  /// turn should have one each.
  void setTarget(int slot, QSize pixels, int samples);
  void setBackground(const QColor& color) { m_clear->setClearColor(color); }
  /// `turn`: view::ViewTransform::turn().
  void setCamera(const QMatrix4x4& turn, const QMatrix4x4& projection);
  /// The caller deletes the reply.
  Qt3DRender::QRenderCaptureReply* capture() { return m_capture->requestCapture(); }
  /// Whether pictures come with depths from now on; then without smooth edges.
  void setDepthsWanted(bool wanted);
  /// The same for depths, packed into colours as in resources/shaders/peel.glsl; white: nothing there.
  Qt3DRender::QRenderCaptureReply* captureDepths() { return m_depthCapture->requestCapture(); }
  /// The same for transparent items: colours times alpha and alpha, and depths.
  void setVeilWanted(bool wanted);
  Qt3DRender::QRenderCaptureReply* captureVeil() { return m_veilCapture->requestCapture(); }
  Qt3DRender::QRenderCaptureReply* captureVeilDepths() { return m_veilDepthCapture->requestCapture(); }

 private:
  struct Target {
    int samples = 0;
    Qt3DRender::QRenderTarget* node = nullptr;
    Qt3DRender::QAbstractTexture *color = nullptr, *depth = nullptr;
  };
  Target makeTarget(int samples);
  /// What is drawn into a target of its own, with the camera.
  Qt3DRender::QFrameGraphNode* into(Qt3DRender::QRenderTargetSelector* target);
  void addDepths(Qt3DRender::QRenderTargetSelector* target, Qt3DRender::QLayer* layer,
                 Qt3DRender::QRenderCapture*& capture);
  void resize(Target& target, QSize pixels, int samples);

  Qt3DCore::QEntity* m_root;
  Qt3DRender::QRenderSurfaceSelector* m_surface;
  Qt3DRender::QRenderTargetSelector* m_target;
  Qt3DRender::QClearBuffers* m_clear;
  Qt3DRender::QRenderCapture* m_capture;
  Qt3DCore::QEntity* m_eyeEntity;
  Qt3DRender::QCameraLens* m_lens;
  Qt3DCore::QTransform* m_eye;
  Layers m_layers;
  std::map<int, Target> m_targets;  // by slot
  Target m_depths, m_veil, m_veilDepths;
  Qt3DRender::QSubtreeEnabler *m_depthsWanted, *m_veilWanted;
  Qt3DRender::QRenderTargetSelector *m_depthTarget, *m_veilTarget, *m_veilDepthTarget;
  Qt3DRender::QRenderCapture *m_depthCapture, *m_veilCapture, *m_veilDepthCapture;
};

}  // namespace farfield::qt3d
