#pragma once
// Draws one view of a scene with Qt 3D, on a thread other than the user interface's: with a software driver drawing takes far
// too long for that. The engine, which views share, is run by hand, one picture at a time, when something has changed, so that an
// idle view costs nothing.

#include <QImage>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/scene/scene.h"
#include "render/qt3d/detail_control.h"
#include "render/qt3d/shared_scene.h"

namespace farfield::view {
class ViewTransform;
}

namespace farfield::qt3d {

/// The camera and how to draw.
struct View {
  scene::Camera camera;
  Bounds bounds;
  scene::Rgba background{1, 1, 1, 1};
  scene::Clip clip = {};
  QSize pixels;           ///< of the picture
  double widthScale = 1;  ///< pixels per unit of line width
  double dashClock = 0;   ///< by how many dashes those of dashed lines have moved on
  /// A level of DetailControl for pictures in motion; none: chosen so that they follow the hand.
  std::optional<int> heldLevel = {};
  /// A hand waits for the pictures, as while something is dragged, or they are to follow one another: in less detail where that is quicker.
  bool isHurried = false;
  std::uint64_t number = 0;  ///< another one for each view in which volumes look different
};

/// A finished picture.
struct Frame {
  QImage image;  ///< may be smaller than the view asks for; then to be scaled up
  View view;
  double milliseconds = 0;
  bool full = false;  ///< no better one will come
  /// Depths of opaque items, if wanted: 0 … 1 as in view::ViewTransform, of `depthPixels`, top row first.
  std::vector<float> depths = {};
  QSize depthPixels = {};
  /// Where there are transparent items, too: they alone, colours times alpha and alpha, of the size of `image`; and the depths
  /// of the nearest of them, as above.
  QImage veil = {};
  std::vector<float> veilDepths = {};
  /// Where edges of what is opaque cross pixels, `depths` are those of what lies behind: of what is near, the part that each pixel
  /// has of it (colours times that part, and the part; of the size of `image`), and the depths. Null: no edge is known of.
  QImage edges = {};
  std::vector<float> edgeDepths = {};
  std::vector<QString> shown;  ///< items that are in a picture for the first time
  /// Dashes have moved to where the next ones were, and every picture was the same: none of them is seen.
  bool movesUnseen = false;
};

/// States: not started; failed (problem() says why, nothing is drawn any more); idle; wanting a picture (one
/// call of drawNow() is on its way); settling (a timer runs, then comes a picture in more detail, at most two
/// of them; if even the last is not in full detail, the timer runs once more for each that is left, until the view has been at
/// rest for as long as their times are worth; while another view of the scene is moved, it waits); left coarse (drawing it finely
/// would take too long; a timer runs now and then to find out whether it no longer would, as the machine may merely have had other
/// work). Everything is called on the thread of the
/// object, which is that of the scene, except setView(), which is for any thread.
class SceneRenderer : public QObject {
  Q_OBJECT
 public:
  /// `scene` outlives it.
  explicit SceneRenderer(SharedScene& scene);
  ~SceneRenderer() override;

  /// From any thread: the view of the next picture. Views that come faster than pictures are skipped.
  void setView(const View& view);
  /// From any thread: how long a picture at rest may take, as DetailControl::setStillMs() has it.
  void setStillMs(double milliseconds);

 public:
  void start();
  /// Lets go of all items; nothing may be called afterwards.
  void stop();
  void setItem(const QString& id, const PreparedItemPtr& item, const Look& look);
  void setLook(const QString& id, const Look& look);
  void removeItem(const QString& id);
  /// Of all items: of surfaces at one place the later is seen.
  void setOrder(const QStringList& ids);
  /// Whether frames have depths from now on.
  void setDepthsWanted(bool wanted);
  /// A picture in full detail, even in motion.
  void capture(const std::function<void(const Frame&)>& done);

 signals:
  void frameReady(const farfield::qt3d::Frame& frame);
  /// No better picture will come for now than the last one, which is not in full detail: that would take about so many seconds.
  void restsAsItIs(double seconds);
  /// Pictures cannot be drawn, and why.
  void failed(const QString& problem);
  void itemFailed(const QString& id, const QString& message);

 private:
  struct Shown {
    PreparedItemPtr item;
    Look look;
    bool isDrawn() const { return look.visible && look.opacity > 0; }
  };
  /// `onlyDashes`: nothing else has changed than how far these have moved.
  void wantPicture(bool onlyDashes = false);
  void drawNow();
  void settle();
  enum class Purpose { Show, Time };
  void draw(int level, Purpose purpose = Purpose::Show);
  void tryAgain();
  /// How a picture is drawn.
  struct Shot {
    const view::ViewTransform& transform;  ///< of the whole picture, in pixels that are drawn
    int level = 0, samples = 1;
    int width = 0, firstRow = 0, rows = 0;  ///< of the part that is drawn
    bool fine = false;                      ///< of pixels that are samples of those shown
    bool veiled = false;
  };
  /// Colours and depths as drawn, of as many pixels. False: nothing can be drawn any more.
  bool shoot(const Shot& shot, Frame& frame);
  /// In bands, so that targets keep their bounds. False also where another view is wanted meanwhile.
  bool shootFine(const Shot& shot, Frame& frame);
  bool isOutdated();
  bool movesUnseen(const QImage& picture, int level);
  void takeView();
  int levelNow();
  /// Everything that is held looks as in this view, and what it does not have is not drawn.
  void dressItems();
  void orderSurfaces();
  void fail(const QString& problem);

  SharedScene& m_scene;
  bool m_running = false;
  std::map<QString, Shown> m_items;
  QStringList m_order;
  DetailControl m_detail;
  QTimer m_settle;
  QTimer m_again;         // while the view is left coarse
  int m_tries = 0;        // since then
  bool m_wanted = false;  // a call of drawNow() is on its way
  bool m_depthsWanted = false;
  bool m_rested = false;       // the quick picture after the last movement has been drawn
  int m_drawn = 0;             // level of the last picture
  double m_patience = 1;       // grows with the time in which nothing moves
  std::vector<QString> m_new;  // not in any picture yet
  std::vector<std::function<void(const Frame&)>> m_captures;
  View m_view;
  /// Pictures that are the same, although dashes have moved.
  struct Same {
    QImage picture;
    View view;
    int level = -1, count = 0;
    double way = 0;  ///< by so many dashes
  } m_same;
  bool m_hasChanged = true;  // something else than dashes, since the last picture

  std::mutex m_mutex;
  View m_next;                // guarded by the mutex
  bool m_nextSet = false;     // guarded by the mutex
  bool m_onlyDashes = false;  // the same: since the last picture was wanted
  /// Of the last picture, so that one of something that changes in the same view is known.
  std::optional<View> m_lastDrawn;
};

}  // namespace farfield::qt3d

Q_DECLARE_METATYPE(farfield::qt3d::Frame)
