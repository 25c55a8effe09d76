#pragma once
// One, two or four views in the middle of the window, as the session's layout has it. The first one is the window's viewport; the
// others follow it: they show the same geometry, held once, as far as the layout says, and what is done in them is done as in
// the first. Cameras move together, or each on its own. Two views can lie over each other, seen left and right of a divider.

#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "app/model/app_model.h"
#include "app/model/document/view_layout.h"
#include "render/qt3d/viewport.h"

namespace farfield::ui {

class ViewController;
class ViewHead;

/// The line between two views that lie over each other: to be dragged, or moved by the arrow keys.
class ViewDivider : public QWidget {
  Q_OBJECT
 public:
  explicit ViewDivider(QWidget* parent);

 signals:
  /// To where in the parent's coordinates; `finished` when it is let go.
  void moved(int x, bool finished);
  /// Esc, while it is dragged.
  void putBack();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  int m_held = 0;  ///< where it was taken hold of
  bool m_dragged = false;
};

/// Lives on the UI thread. Other views are made when they are first wanted and kept, empty, when they no longer are: taking one down
/// would wait for the picture that it draws.
class ViewGroup : public QWidget {
  Q_OBJECT
 public:
  /// `first` becomes a child. Both outlive what they are asked for here.
  ViewGroup(app::AppModel& model, qt3d::Viewport& first, QWidget* parent = nullptr);
  /// That of the first view, which what is done in the others goes to. Before others are wanted.
  void setController(ViewController* controller);

  /// How many are seen, at least 1.
  std::size_t count() const { return m_count; }
  qt3d::Viewport& view(std::size_t number) { return number == 0 ? m_first : *m_others.at(number - 1); }
  /// The one that had the keyboard last.
  qt3d::Viewport& active() { return view(m_active); }
  /// Its number where it has a camera of its own; else 0.
  std::size_t activeOnItsOwn() const { return isLinked(m_active) ? 0 : m_active; }
  /// Width to height of each view where they are arranged so.
  double aspectIn(app::Arrangement arrangement);
  /// Movements of views with cameras of their own that are not steps yet become them.
  void rest();
  /// Where volumes are shown as they are now.
  void stopRefining();
  void castVolumesAgain();
  /// To a frame that is drawn in any of them, by keys in the active one; or no longer in any.
  void zoomToNextBox(bool wanted);
  /// All of them, or none.
  void setCamerasLinked(bool linked);
  bool areCamerasLinked() const;

 signals:
  /// How many there are, which has the keyboard, or what moves with what.
  void changed();
  /// active() is seen from another place, or is another one.
  void activeMoved();
  /// One of the views other than the first shows another picture, or has come to rest.
  void othersDrawn();
  /// One of the views waits for a frame to zoom to, or none does any longer.
  void boxAwaited(bool awaited);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void makeView();
  void makeHead();
  QSize viewSize(std::size_t count, bool over) const;
  void refresh();
  void showObjects();
  void showBounds();
  void showTexts();
  void showCameras(bool animate);
  void place();
  void moved(std::size_t number, const scene::Camera& camera);
  void noteBox(bool awaited);
  void keepCamera(std::size_t number);
  void link(std::size_t number, bool linked);
  void focusChanged(QWidget* now);
  void showActive();
  bool isLinked(std::size_t number) const;

  app::AppModel& m_model;
  qt3d::Viewport& m_first;
  ViewController* m_controller = nullptr;
  std::vector<qt3d::Viewport*> m_others;
  std::vector<QTimer*> m_rests;         ///< of the others' cameras
  std::vector<scene::Camera> m_wanted;  ///< what the layout said last of theirs
  std::vector<ViewHead*> m_heads;
  std::optional<double> m_dividerBefore;  ///< while it is dragged
  ViewDivider* m_divider;
  std::size_t m_count = 1, m_active = 0;
  bool m_linking = false;  ///< a view moves because another does
};

}  // namespace farfield::ui
