#pragma once
// The interactive view of a scene as a widget. It shows the items it is given, with the same shaders, colours
// and legends as batch pictures, keeps turning them while they are replaced, and lets the user point at items
// and drag handles. It knows nothing of data, sessions or commands.

#include <QImage>
#include <QPointF>
#include <QString>
#include <QWidget>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/scene/legend_looks.h"
#include "core/scene/scene.h"
#include "render/color/color_vision.h"
#include "render/qt3d/volume_sight.h"
#include "render/view/handle.h"

namespace farfield::qt3d {

/// Must be called before any other Qt object exists, in programs that show a Viewport: Qt 3D chooses its
/// renderer by the environment, and the shaders are for OpenGL. Also makes the process's allocator return
/// large blocks to the system at once.
void prepareEnvironment();

class Viewport;

struct ViewportOptions {
  int samples = 4;  ///< per pixel, for smooth edges; fewer where the driver has no more, 1 for none
  std::size_t itemBytes =
      std::size_t(384)
      << 20;  ///< the most that one item may hold; more lines are thinned, larger surfaces simplified
  Viewport* beside =
      nullptr;  ///< draws on the thread of this one and with its buffers, so that items of both are held once
};

/// Lives on the UI thread, like all widgets. No call waits for geometry, the driver or a file: geometry is
/// visited on one thread, drawn on another, and searched under the cursor on a third; rays through volumes
/// are cast on a fourth (volume_layer.h), coarsely at once, and refined while nothing moves. Only the
/// destructor waits for these to finish what they are doing.
///
/// Left button: turn, or drag a handle; with Shift pan, with Ctrl zoom, with both roll. Middle button: pan.
/// Right button: zoom; without moving: contextMenuWanted(). Wheel: zoom at the cursor. Double click: the
/// place under the cursor becomes the middle, about which the view turns. R shows everything; arrows turn
/// (with Shift pan); + and - zoom. Legends can be dragged. A handle's drag with Shift keeps to one axis, with Ctrl to the
/// surface under the cursor; Esc puts the handle back.
class Viewport : public QWidget {
  Q_OBJECT
 public:
  explicit Viewport(QWidget* parent = nullptr, ViewportOptions options = {});
  ~Viewport() override;

  /// Why no pictures can be drawn, one sentence, which the widget shows instead; empty if they can. Known
  /// soon after the start: see problemFound().
  QString problem() const;

  /// Adds an item, or replaces the one of this id: the old one stays until the new geometry is ready. The
  /// geometry is visited on a thread of the viewport until itemShown() or itemFailed(), and must not be
  /// visited elsewhere meanwhile. A change of only colour, width, opacity or light (same geometry objects,
  /// same scale) is shown at once.
  void setItem(const QString& id, const scene::SceneItem& item);
  void removeItem(const QString& id);
  /// Removes all items.
  void clear();
  /// The order in which legends are shown; items not named come last. Of surfaces at one place the later is seen.
  void setOrder(const QStringList& ids);

  /// However transparent it is in pictures: in the window nothing lies behind the view.
  void setBackground(scene::Rgba color);
  /// Bounds of everything in the scene: used by fit() and for near and far planes.
  void setBounds(const Bounds& bounds);
  /// Drawn at the top left ("step 42"); may be empty.
  void setTitle(const QString& title);
  void setLegendsVisible(bool visible);
  /// How legends look, and what else is written over the picture, but for the orientation.
  void setNotes(const scene::LegendLooks& legends, const scene::Annotations& notes);
  /// Whose legends items have (scene::LegendPlace::owner): several owners have legends of their own.
  void setLegendOwners(const std::map<QString, std::string>& owners);
  /// `look`, which the legend of `function` of `owner` is about to have, with the place at which the corner that it has nearest to one of the view
  /// stays where it is seen, as large as it becomes. As it is where nobody has placed it, or it is not seen.
  scene::LegendLook heldInPlace(const std::string& owner, const std::string& function,
                                const scene::LegendLook& look);
  void setAxesVisible(bool visible);
  /// What is cut away of all items, but for those that are not clipped.
  void setClip(const scene::Clip& clip);
  /// How far particles, dashes and textures have moved on while they stand still, and from where they move (scene::Scene::phase).
  void setPhase(double phase);
  /// Particles, dashes or textures are on their way: one picture follows the other for as long as they are seen.
  bool movesByItself() const;
  /// Shows everything as seen with that vision. Captured pictures are not changed.
  void setVision(color::Vision vision);

  /// Draws what moves in this detail (DetailControl's levels, 0 is all of it) however long it takes; none: so
  /// that it follows the hand. For comparing pictures of different times.
  void holdDetail(std::optional<int> level);
  /// From now on pictures follow a hand that drags something or steps that are played. Else what changes in a view that stands still takes
  /// no lines of other items away: the picture before stays for as long as one with all lines takes.
  void setHurried(bool hurried);
  /// How long a picture at rest may take at most, without patience (DetailControl::setStillMs()).
  void setStillMs(double milliseconds);
  /// What the picture at rest is not as sharp as it can be for: about so long drawing that would take. 0: it is, or will soon be.
  double secondsToSharp() const;

  scene::Camera camera() const;
  /// With `animate` it moves there in a quarter of a second; cameraChanged() is sent along the way.
  void setCamera(const scene::Camera& camera, bool animate = false);
  /// Shows all of the bounds from the present direction.
  void fit(bool animate = true);
  /// Shows all of the bounds from `direction` (from the middle to the eye).
  void viewAlong(Vec3 direction, Vec3 up, bool animate = true);
  /// What `fit` makes of `bounds` for an aspect, or, in a narrow view, for the part of it that legends leave: there they need more than a
  /// fitted camera leaves them. `seen`: as if the view were so large.
  scene::Camera besideLegends(const Bounds& bounds, const std::function<scene::Camera(double aspect)>& fit,
                              QSize seen = {}) const;
  void setOrthographic(bool orthographic);
  bool isOrthographic() const;

  /// Dragging and arrow keys turn about the axis x, y or z that points up most, which stays upright, also after a look along it; else as a
  /// ball.
  void setUpright(bool upright);
  /// The axis that stays upright then: ±x, ±y or ±z.
  Vec3 upwards() const;
  /// The next drag with the left button frames a part of the view, which then fills it. So does a frame that keys make: arrows
  /// move it, with Shift its lower right corner, Return takes it. `wanted` false: no longer.
  void zoomToNextBox(bool wanted = true);

  /// `item`: that they belong to; where a view hides it, they are not there either.
  void setHandles(std::vector<view::Handle> handles, const QString& item = {});

  /// From now on it shows what `leader` shows and how that looks, handles and notes too, from a camera of its own; the geometry is
  /// held once for both. Nothing but setCamera(), setHidden(), setNotesArea() and the like of single views is to be called on it
  /// then. nullptr: it shows nothing any more. `leader` must outlive that.
  void follow(Viewport* leader);
  /// Title and texts of this view alone, in place of those of the one that it follows.
  void setOwnTexts(const QString& title, const std::vector<scene::TextNote>& texts);
  /// The same of what is seen in this view alone, in place of setBounds(); not where they are empty.
  void setOwnBounds(const Bounds& bounds);
  /// Items that this view alone does not show, with those that belong to them ("12" and "12/…"), also ones that come later.
  void setHidden(const QStringList& ids);
  bool hidesItem(const QString& id) const;
  /// The part of the view where title, legends and orientation go, in its coordinates; a null one: all of it. Legends are at its left
  /// where it ends before the view does: its right lies in the middle of what is seen then.
  void setNotesArea(const QRect& area);

  /// The picture as it is shown, with legends, axes and handles, in device pixels, as soon as it is drawn.
  /// Null if nothing can be drawn. The function is not called after the viewport is gone.
  void capture(std::function<void(QImage)> done);

  /// Bytes of vertices and indices held for what is shown.
  std::size_t geometryBytes() const;
  /// Volumes stay as they are shown now, until the view or one of them changes.
  void stopRefining();
  /// Also those that could not be drawn before.
  void castVolumesAgain();

  QSize sizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 signals:
  void cameraChanged(const farfield::scene::Camera& camera);
  /// The cursor rests on, or moved over, a point of an item.
  void pointedAt(farfield::Vec3 position, const QString& itemId);
  /// The cursor is over nothing.
  void pointedAway();
  /// A mouse button was pressed and released without a drag, on an item (or on none: empty id).
  void clicked(farfield::Vec3 position, const QString& itemId);
  void contextMenuWanted(const QPoint& globalPosition, const QString& itemId);
  /// A new picture is shown; drawing it took so long on the drawing thread.
  void frameDrawn(double milliseconds);
  /// A handle is dragged; `finished` when the button is let go.
  void handleMoved(const QString& id, const std::vector<farfield::Vec3>& positions, bool finished);
  /// Legends are dragged, and what stood with them stays.
  void legendsMoved(const std::vector<farfield::scene::LegendPlace>& places, bool finished);
  /// What legendsMoved() has said since the drag began is taken back.
  void legendsPutBack();
  /// Its geometry is made ready to be drawn; until then what was shown of it before stays.
  void itemLoading(const QString& id);
  void itemShown(const QString& id);
  /// A frame is waited for (zoomToNextBox()), or no longer.
  void boxAwaited(bool awaited);
  /// What is shown is drawn as finely as it is drawn at rest, but for what secondsToSharp() says.
  void settled();
  /// With every item that is loaded, before it is shown: the part of its lines or triangles that is held, less than 1 where all of
  /// them would be too many.
  void itemHeld(const QString& id, double part);
  /// About a volume, while it is refined and when that is over.
  void volumeSeen(const QString& id, const farfield::qt3d::VolumeSight& sight);
  void problemFound(const QString& sentence);
  void itemFailed(const QString& id, const QString& message);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace farfield::qt3d
