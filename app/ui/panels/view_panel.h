#pragma once
// The panel of kept views: a small picture of each, as the objects look from there; a click flies there. Pictures are
// drawn anew for each window, and are in no session.

#include <QImage>
#include <QTimer>
#include <QWidget>
#include <array>
#include <functional>
#include <map>

#include "app/model/app_model.h"
#include "app/model/document/kept_views.h"

class QLabel;
class QListWidget;
class QListWidgetItem;
class QToolButton;

namespace farfield::ui {

class ViewPanel : public QWidget {
  Q_OBJECT
 public:
  /// Draws what is shown from a camera, soon; `done` is called on this thread, with a null picture where none can be
  /// drawn.
  using Draw = std::function<void(const app::AnyCamera& camera, std::array<int, 2> sizePixels,
                                  std::function<void(QImage)> done)>;

  ViewPanel(app::AppModel& model, Draw draw, QWidget* parent = nullptr);
  QListWidget& list() { return *m_list; }
  /// Those of all views are out of date.
  void drawAgain();
  QSize sizeHint() const override;

 signals:
  /// The view as it is now is to be kept, or to take the place of one.
  void keepWanted();
  void replaceWanted(const std::string& name);
  /// One is to be looked from.
  void flyWanted(const std::string& name);
  void message(const QString& text);

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Picture {
    app::AnyCamera camera;
    QImage image;        ///< null: none could be drawn
    bool tried = false;  ///< while the view looked from there
  };
  void refresh();
  void drawNext();
  void showButtons();
  void renamed(QListWidgetItem* item);
  void showMenu(const QPoint& place);
  std::string chosen() const;
  QIcon iconOf(const std::string& name) const;

  app::AppModel& m_model;
  Draw m_draw;
  QLabel* m_hint;
  QListWidget* m_list;
  QToolButton *m_keep, *m_replace, *m_rename, *m_remove;
  std::map<std::string, Picture> m_pictures;  ///< by views
  QTimer m_soon{this};
  std::string m_drawing;    ///< the view whose picture is on its way
  std::uint64_t m_age = 0;  ///< grows when all pictures are out of date
  bool m_filling = false;
};

}  // namespace farfield::ui
