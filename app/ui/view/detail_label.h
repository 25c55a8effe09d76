#pragma once
// Says which objects are seen in less detail than they have: coarsely, until they are computed or because that was stopped, not yet
// drawn, or simplified, because all of their triangles or lines would be too many for the view; and whether the whole view is, because
// drawing it takes its time, or would take so long that it is left as it is, or because something in it moves by itself. Empty while
// everything is as it is.

#include <QSet>
#include <QTimer>
#include <map>

#include "app/model/app_model.h"
#include "app/ui/widgets/elided_label.h"

namespace farfield::ui {

class ViewGroup;

/// Lives on the UI thread; both arguments outlive it.
class DetailLabel : public ElidedLabel {
  Q_OBJECT
 public:
  DetailLabel(app::AppModel& model, ViewGroup& views, QWidget* parent = nullptr);

 private:
  void refresh();
  QString textOf(app::ObjectId id) const;
  bool isOnItsWay(app::ObjectId id) const;
  /// Of the view, or views, that are left as they are at rest; empty: none is.
  QString textOfRest() const;
  void watchMotion();
  void lookAtMotion();

  /// What the view has of an object.
  struct Held {
    bool lines = false;
    double part = 1;
    /// Shown is not yet as finely as at rest.
    enum class Drawing { Done, Loading, Loaded, Shown } drawing = Drawing::Done;
  };

  app::AppModel& m_model;
  ViewGroup& m_views;
  std::map<app::ObjectId, Held> m_held;
  QTimer m_patience{this};   ///< runs while drawing may still be over before anybody asks
  QTimer m_viewRests{this};  ///< runs while pictures follow one another, as of a view that is turned
  bool m_viewSettled = true, m_viewSaid = false;
  QString m_restSaid;
  /// Of views, which may be gone: those that are watched, and those whose last picture was coarse, as they move by themselves.
  QSet<const QObject*> m_watched, m_movingCoarse;
  QTimer m_moves{this};  ///< runs while that may be over before anybody asks
  bool m_movesSaid = false;
};

}  // namespace farfield::ui
