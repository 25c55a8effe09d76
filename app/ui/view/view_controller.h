#pragma once
// Keeps the view at what the stage shows and the document says, and brings back what is done in the view:
// items, camera, handles of the selected object, and what is under the cursor.
//
// The camera. A document that says "auto" is looked at from a direction, all of it; while nobody moves the
// view it follows what there is to see. As soon as somebody does, the document has that camera, as one step
// of undo for one movement. What is dragged by its handle moves in a view that stands still: what it shows then is
// fitted in only when somebody asks for all of it. What is shown or hidden by hand leaves the view where it is: if that is no longer the
// one of everything, it is the document's camera from then on, as part of the same step.

#include <QObject>
#include <QTimer>
#include <optional>

#include "app/model/app_model.h"
#include "render/qt3d/viewport.h"

namespace farfield::ui {

class SeedSight;

class ViewController : public QObject {
  Q_OBJECT
 public:
  ViewController(app::AppModel& model, qt3d::Viewport& viewport, QObject* parent = nullptr);

  /// Commands that move the view go to this one, which moves on its own; nullptr: to that of the session's camera.
  void setApart(qt3d::Viewport* view) { m_apart = view; }
  /// What is pointed at is seen from this view; nullptr: from the first.
  void setEye(const qt3d::Viewport* view) { m_eye = view; }
  /// Its handles are shown; 0: none.
  void setSelected(app::ObjectId id);
  /// From `direction`, all of it.
  void lookAlong(Vec3 direction, Vec3 up, const QString& text);
  void resetView();
  void setOrthographic(bool on);
  /// A camera that somebody has told; one step after it rests.
  void setCamera(const scene::Camera& camera);
  /// Such a camera for what is shown in the view that setCamera() moves.
  scene::Camera fittedCamera(const session::AutoCamera& camera) const;
  /// Stretches the axes of the view, as a step; those until one is `final` are the same one.
  void setStretch(Vec3 stretch, bool final);
  /// Moves the view that commands go to so that `bounds` fill it, from the present direction.
  void showBounds(const Bounds& bounds);
  /// What is seen now is the session's camera, also while it is still moving.
  void rest();
  /// Steps follow one another, and pictures follow them.
  void setPlaying(bool playing) { m_isPlaying = playing; }
  /// What is under the cursor.
  struct Hovered {
    Vec3 place;
    std::string data;
    std::vector<std::string> functions;  ///< that are read there
    QString item = {};                   ///< of the view
    bool isPlaced = false;               ///< the data were asked, and it lies in them, or nowhere near
  };
  const std::optional<Hovered>& hovered() const { return m_hovered; }
  /// Puts a probe that stays there.
  void pinProbe(const std::optional<Hovered>& at);
  /// Whether nothing of `bounds` is seen, nor will be by itself: the view stays where the session's camera is.
  bool isOutOfSight(const Bounds& bounds) const;
  /// Whether the view has been told where to look from; before, its camera means nothing.
  bool isFitted() const { return m_applied.has_value(); }
  /// For a picture of these proportions: all that the view shows as it rests, from the same place.
  scene::Camera pictureCamera(double aspect) const;
  /// The same of a session's camera, as if the view were so large.
  scene::Camera pictureCamera(const std::variant<session::AutoCamera, session::FixedCamera>& camera,
                              QSize seen, double aspect) const;
  /// What a view that looks at all of it has in sight.
  Bounds fittedBounds() const;
  /// Width:height of the view.
  double aspect() const;
  static constexpr const char* kDragKey = "handle.drag";  ///< of the step of a drag, so that it is one
  static QString idText(app::ObjectId id) { return QString::number(id); }
  /// Of an item of the view, whether it is the object or the edges drawn over it; 0: none.
  static app::ObjectId objectOf(const QString& itemId) { return itemId.section('/', 0, 0).toULongLong(); }

 signals:
  /// What is under the cursor, in a line; empty where there is nothing.
  void probed(const QString& text);
  void itemClicked(farfield::app::ObjectId id);
  void probePinned(farfield::app::ObjectId id);
  /// Why something that was asked for was not done.
  void message(const QString& text);
  void orthographicChanged(bool on);
  /// What is written over the view may be other texts now.
  void textsChanged();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void replaceAll();
  void applyCamera(bool animate);
  void cameraMoved();
  void keepCamera();
  void showHandles();
  void showPicture();
  void followBounds();
  void showOrder();
  std::vector<std::string> whatTextsNameOf() const;
  void moveLegends(const std::vector<scene::LegendPlace>& places, bool finished);
  void putLegendsBack();
  void removeItem(app::ObjectId id);
  void moveClip(const QString& handle, const std::vector<Vec3>& positions, bool finished);
  void moveHandle(const QString& handle, const std::vector<Vec3>& positions, bool finished);
  bool isWhereItWas(const QString& handle, const std::vector<Vec3>& positions) const;
  session::Object asSeen(session::Object object, app::ObjectId id) const;
  void takeMarks(app::ObjectId id, const scene::SceneItem& item);
  void probe(Vec3 position, const QString& itemId);
  void showAnswer(const app::ProbeAnswer& answer);
  Vec3 strayAt(Vec3 place) const;
  app::ProbeRequest requestAt(Vec3 place, const std::string& dataName) const;
  void seekProbe(app::ObjectId id, std::size_t number, const QString& key);
  void putProbe(const app::ProbeAnswer& answer);
  /// Without 2.7e-16, which is 0 that went through the picture.
  Vec3 plainPlace(Vec3 place) const;
  bool isAuto() const;
  bool staysForTick();
  void holdView(const session::Object& next);
  void letGoOfView(app::ObjectId id, const session::Object& before);
  Bounds boundsSeenIn(const qt3d::Viewport& view) const;
  void show(const Bounds& bounds, Vec3 direction, Vec3 up);
  /// Where the view looks from as it rests; with a session's camera, as if it were so large.
  scene::Camera restingCamera() const;
  scene::Camera restingCamera(const std::variant<session::AutoCamera, session::FixedCamera>& camera,
                              QSize seen) const;

  app::AppModel& m_model;
  qt3d::Viewport& m_viewport;
  qt3d::Viewport* m_apart = nullptr;
  const qt3d::Viewport* m_eye = nullptr;
  app::ObjectId m_selected = 0;
  std::vector<std::string> m_textsOf;  ///< whatTextsNameOf(), as they were filled in last
  bool m_dragging = false, m_isPlaying = false;
  bool m_pressed = false;                       ///< a button, in the view
  std::optional<session::Object> m_beforeDrag;  ///< the selected object, while its handle is dragged
  std::vector<view::Handle> m_handlesBefore;    ///< its handles then
  std::map<app::ObjectId, std::vector<Vec3>> m_markedPlaces;  ///< of probes, as they were read last
  /// While one is dragged.
  std::optional<scene::LegendLooks> m_legendsBefore;
  /// Of an object whose handle was dragged while the view looked at all: the bounds that it had before, which count
  /// as long as it has one of these shapes.
  struct Held {
    Bounds bounds;
    std::vector<session::Shape> shapes;
  };
  std::map<app::ObjectId, Held> m_held;
  std::optional<scene::Camera> m_applied;  ///< what the view was last told
  /// An object that was shown or hidden by hand, until all of it is there, and the key of that step.
  struct Ticked {
    app::ObjectId id;
    QString step;
    double aspect;  ///< of the view then
  };
  std::optional<Ticked> m_ticked;
  QTimer m_cameraRests{this}, m_fitSoon{this};
  std::uint64_t m_probe = 0;
  /// Places of probes that were put somewhere, which the data are asked about, by number of the request.
  struct Dragged {
    app::ObjectId id;
    std::size_t number;
    Vec3 place;
    QString key;  ///< of the step that put it there
  };
  std::map<std::uint64_t, Dragged> m_draggedProbes;
  SeedSight* m_seeds;
  std::uint64_t m_dragsAsked = 0;
  std::optional<Hovered> m_hovered;
};

/// Whether both see the same, up to what moving there and back may leave.
bool sameCamera(const scene::Camera& a, const scene::Camera& b);

}  // namespace farfield::ui
