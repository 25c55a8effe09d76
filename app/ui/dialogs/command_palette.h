#pragma once
// Every action of the window by name: type a few letters of it, Enter does it. What is not possible now is found as well, and says why.

#include <QDialog>
#include <QIcon>
#include <QList>
#include <QPointer>

class QAction;
class QLabel;
class QLineEdit;
class QListWidget;

namespace farfield::ui {

class CommandPalette : public QDialog {
  Q_OBJECT
 public:
  CommandPalette(const QList<QAction*>& actions, QWidget* parent);
  QSize sizeHint() const override;

 signals:
  /// It is triggered in a moment.
  void ran(QAction* action);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& typed);
  QAction* chosen() const;
  void showNote();
  void run();

  QList<QPointer<QAction>> m_actions;  ///< those of recent files may go meanwhile
  QLineEdit* m_line;
  QListWidget* m_list;
  QLabel* m_note;  ///< what is in the way of the chosen one
  QIcon m_noIcon;  ///< as wide as the others
};

/// All actions below the menus of a menu bar, or of a menu, in their order.
QList<QAction*> actionsBelow(const QWidget& menus);
/// How well `typed` fits `name`: -1 not at all; letters in order count, beginnings of words more.
int fitOf(const QString& typed, const QString& name);
/// The action's text without its mnemonic and dots.
QString plainText(const QString& text);
QString plainText(const QAction& action);

}  // namespace farfield::ui
