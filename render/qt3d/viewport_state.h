#pragma once
// The state of a Viewport, shared by the files that implement it: viewport.cpp (camera, pictures),
// viewport_items.cpp (items) and viewport_input.cpp (mouse and keys).

#include <QElapsedTimer>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "render/qt3d/handle_painter.h"
#include "render/qt3d/item_loader.h"
#include "render/qt3d/overlay.h"
#include "render/qt3d/scene_renderer.h"
#include "render/qt3d/viewport.h"
#include "render/qt3d/volume_layer.h"
#include "render/view/screen_map.h"

namespace farfield::qt3d {

struct Viewport::State {
  State(Viewport& viewport, ViewportOptions options);
  ~State();

  /// How what is shown looks, and by which scale its vertices lie on the map.
  struct Still {
    Look look;
    scene::ColorScale built;
  };
  struct Item {
    /// Of what is shown.
    Look lookNow() const {
      Look now = still ? still->look : look;
      now.visible = look.visible;
      return now;
    }

    scene::SceneItem wanted;
    Look look;
    scene::ColorScale built;    // by which the vertices that are shown, or are being loaded, lie on the map
    std::uint64_t loading = 0;  // the running request; 0: none
    PreparedItemPtr shown;
    std::optional<Still> still;               // while something else is loaded in the place of what is shown
    std::optional<scene::ColorScale> legend;  // of what is shown
    bool drawn = false;                       // in a picture that was shown, by whatever it was then
  };
  struct Picked {
    QString item;  // empty: nothing
    Vec3 place;
  };
  /// Landing: of a handle that was let go over a surface, until what was under it has been found.
  enum class Drag { None, Rotate, Pan, Zoom, Roll, Handle, Landing, Legend, Box };

  // Items (viewport_items.cpp)
  void setItem(const QString& id, const scene::SceneItem& item);
  static void takeScale(Item& item);
  void loaded(const ItemLoader::Result& result);
  void sendLook(const QString& id, const Item& item);
  void removeItem(const QString& id);
  bool isHidden(const QString& id) const;
  /// What comes later than its neighbours is put between them.
  void putInOrder(const QString& id);
  void arrange();
  void setHidden(const QStringList& ids);
  /// Shows an item of the viewport that is followed, as far as it is loaded there.
  void mirror(const QString& id, const Item& item);
  void mirrorLook(const State& leader);
  void setHandles(std::vector<view::Handle> wanted, const QString& item);
  void showHandles();
  /// For each viewport that follows this one.
  template <class Call>
  void toFollowers(Call call) {
    for (const QPointer<Viewport>& follower : followers)
      if (follower) call(*follower->m_state);
  }
  /// After something other than items has changed: the picture is drawn anew, and so are those of the others.
  void lookChanged();
  void sendVolumes();
  /// What is drawn over the picture and moves with the camera, for paintMarks().
  scene::Scene markedScene(const scene::Camera& seen) const;
  template <class Call>
  void toRenderer(Call call) {
    QMetaObject::invokeMethod(
        renderer, [this, call] { call(*renderer); }, Qt::QueuedConnection);
  }

  // View (viewport.cpp)
  QSize devicePixels() const;
  /// Where title and legends go, in device pixels.
  QRect notesPixels() const;
  void sendView();
  void moveTo(const scene::Camera& to);
  void noteUpwards();
  void flyTo(const scene::Camera& to);
  void runDashes();
  double dashClock() const;
  void show(const Frame& frame);
  void markDrawn(const std::vector<QString>& ids);
  QImage composed(const Frame& frame) const;
  void paintOverlay(QPainter& painter, const scene::Camera& seen) const;
  view::ScreenMap map() const;
  /// Of the width, what a camera is fitted into so that legends beside the data have the room that their letters need.
  double aspect() const { return double(self.width()) / std::max(1, self.height()); }

  // Legends (viewport_legends.cpp)
  struct DraggedLegend {
    scene::LegendPlace place;
    color::PixelBox box;  ///< as it was where the drag began, in device pixels
    bool moves = true;    ///< or stays, while those that it stood with are moved
  };
  LegendContents legendContents(const scene::LegendLooks& looks) const;
  /// Later: a scale that several items have changes with one item after the other.
  void updateLegends();
  void startLegends();
  const scene::ColorScale& commonLegend(const Item& item) const;
  void takeLegends();
  std::string legendOwnerOf(const QString& id) const;
  std::vector<std::string> ownersOf(const std::string& function) const;
  /// Its number among those that are drawn.
  std::optional<std::size_t> legendAt(QPointF place) const;
  std::vector<DraggedLegend> legendsWith(std::size_t number) const;
  void moveLegends(QPointF by, bool finished);
  scene::LegendLook heldInPlace(const std::string& owner, const std::string& function,
                                scene::LegendLook look);

  // Input (viewport_input.cpp)
  void press(QMouseEvent* event);
  void move(QMouseEvent* event);
  /// By angles in radians as view::rotated has them; upright where that is wanted.
  void turn(double yaw, double pitch);
  void release(QMouseEvent* event);
  void endElsewhere();
  bool takesEscape() const;
  bool key(QKeyEvent* event);
  void hover(QPointF at);
  void showUnderCursor();
  void leave();
  void pointAway();
  void cancelHandleDrag();
  void takeDragBack();
  enum class Pickable { All, Surfaces };
  void pick(QPointF at, Pickable what, std::function<void(const Picked&)> done);
  void pick(QPointF at, std::function<void(const Picked&)> done);
  void showDragged(const view::Handle& handle);
  void dragOnSurface(QPointF now);
  void land();
  bool holdsHandle() const { return drag == Drag::Handle || drag == Drag::Landing; }
  void awaitBox(bool awaited);
  bool boxKey(QKeyEvent* event);
  void zoomToBox(QRectF box);
  void setMarked(const std::optional<view::HandleHit>& hit);

  Viewport& self;
  const ViewportOptions options;
  QString problem;
  std::map<QString, Item> items;
  QStringList order, wantedOrder;  // of those that are there; of all that may come
  scene::Camera camera;
  Bounds bounds;
  scene::Rgba background{1, 1, 1, 1};
  QString title;
  struct OwnTexts {
    QString title;
    std::vector<scene::TextNote> texts;
  };
  std::optional<OwnTexts> ownTexts;
  Bounds ownBounds;
  std::optional<int> heldLevel;
  bool hurried = false;
  bool legendsVisible = true, axesVisible = true;
  scene::LegendLooks legendLooks;
  std::map<QString, std::string> legendOwners;
  /// Of legends whose size was changed where they had been put, by scene::legendKey().
  struct HeldCorner {
    std::optional<std::array<double, 2>> place;  ///< that was given to it then
    QSize pixels = {};                           ///< of the view
    std::array<bool, 2> isFar{};                 ///< along each axis: from the upper left corner of the view
    std::array<int, 2> edge{};                   ///< and which pixel it is
  };
  std::map<std::string, HeldCorner> heldCorners;
  scene::Annotations notes;
  scene::Clip clip;
  double phase = 0;
  bool upright = false;
  Vec3 upwards{0, 0, 1};  ///< the axis that stays upright
  color::Vision vision = color::Vision::Usual;

  std::vector<QPointer<Viewport>> followers;
  QPointer<Viewport> leader;
  QStringList hidden;  // items, by id
  QRect notesArea;

  Frame frame;  // the picture that is shown
  // Items that are drawn for the first time, perhaps in a picture that another took the place of while volumes were cast.
  std::mutex unshownMutex;
  std::vector<QString> unshown;
  // Above 0: no better picture of the objects that are no volumes comes for now, as that would take so many seconds.
  std::atomic<double> secondsToSharp = 0;
  View sent;  // to the renderer, the last
  LegendContents legendDrawing;
  LegendPicture legend;
  std::optional<LegendPicture> nextLegend;  // waits for the first picture of what it is about
  bool legendBusy = false;

  QTimer flightTimer{&self};
  QElapsedTimer flightTime;
  scene::Camera flightFrom, flightTo;

  // dashes move while any are seen
  QTimer dashTimer{&self};
  QElapsedTimer dashTime;
  bool dashSent = false;  // a picture with the dashes' present place is on its way

  std::vector<view::Handle> handles, handlesWanted;
  QString handlesItem;  // that they belong to
  std::optional<view::HandleHit> marked;
  std::optional<view::HandleDrag> handleDrag;
  Drag drag = Drag::None;
  Qt::MouseButton dragButton = Qt::NoButton;
  QPointF pressedAt, lastAt;
  scene::Camera cameraBefore;  // the drag
  bool dragged = false;        // further than a click may move
  std::vector<DraggedLegend> draggedLegends;
  bool boxWanted = false;
  std::optional<QRectF> keyFrame;  // the box, where keys make it

  std::optional<QPointF> hoverWanted;  // the newest position of the cursor during a search
  bool hoverBusy = false, pointing = false;
  std::optional<QPointF> restsAt;        // the cursor, while it is over the view
  std::optional<QPointF> surfaceWanted;  // the same of a handle that is dragged over surfaces
  bool surfaceBusy = false;

  std::unique_ptr<VolumeLayer> volumes;  // frames pass through it
  bool hasVolumes = false;
  std::shared_ptr<SharedScene> scene;
  SceneRenderer* renderer;  // on the scene's thread; deleted there
  QThreadPool pool;         // searches and legends, one at a time
  std::unique_ptr<ItemLoader> loader;
};

}  // namespace farfield::qt3d
