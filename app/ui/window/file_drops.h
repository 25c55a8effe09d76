#pragma once
// Files, folders and addresses that are dragged out of another program and dropped onto the window are opened, wherever in it that is, also on
// panels that were torn off, and on fields, which would take them for text. They are read where they are: whatever the other program
// proposes, a drop is a copy, so that nobody takes it for moved and removes it.

#include <QList>
#include <QObject>
#include <QStringList>
#include <QUrl>
#include <QWidget>
#include <functional>

namespace farfield::ui {

/// Of what is dragged that which can be opened: paths of this machine, and addresses of kinds that data may have. Bookmarks, mail and
/// what a program's trash holds are none, nor is what is no address at all.
QStringList openablePaths(const QList<QUrl>& urls);

class FileDrops : public QObject {
  Q_OBJECT
 public:
  /// `open` is called with what is dropped onto `window` or one of its dock widgets. Nothing is taken while a dialog waits for an answer.
  FileDrops(QWidget* window, std::function<void(const QStringList&)> open);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* const m_window;
  const std::function<void(const QStringList&)> m_open;
};

}  // namespace farfield::ui
