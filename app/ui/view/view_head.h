#pragma once
// The line above each of several views: which of the objects it shows, and whether it moves with the first view. Its menu
// changes both.

#include <QWidget>

#include "app/model/app_model.h"

class QMenu;
class QToolButton;

namespace farfield::ui {

class ViewHead : public QWidget {
  Q_OBJECT
 public:
  /// Of view `number` of the session's layout.
  ViewHead(app::AppModel& model, std::size_t number, QWidget* parent);
  /// As the session has it now.
  void refresh();
  /// The view that keys and commands go to stands out.
  void setActive(bool active);
  QToolButton& shown() { return *m_shown; }
  QToolButton& link() { return *m_link; }

 signals:
  /// The view is to move with the first one, or on its own.
  void linkWanted(bool linked);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fillMenu();
  /// As much of it as there is room for.
  void showSummary();
  QString summary() const;

  app::AppModel& m_model;
  const std::size_t m_number;
  QString m_summary;
  QToolButton *m_shown, *m_link;
  QMenu* m_menu;
};

}  // namespace farfield::ui
