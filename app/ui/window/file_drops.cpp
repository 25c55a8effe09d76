#include "app/ui/window/file_drops.h"

#include <QApplication>
#include <QDockWidget>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QSysInfo>
#include <QTextEdit>

namespace farfield::ui {
namespace {

/// A file manager may say on which machine the file is, though it is this one.
bool isHere(const QUrl& url) {
  return url.host().isEmpty() || url.host() == "localhost" ||
         url.host().compare(QSysInfo::machineHostName(), Qt::CaseInsensitive) == 0;
}

bool isText(const QWidget* widget) {
  const auto is = [](const QObject* each) {
    return qobject_cast<const QLineEdit*>(each) || qobject_cast<const QTextEdit*>(each) ||
           qobject_cast<const QPlainTextEdit*>(each);
  };
  return is(widget) || is(widget->parent());  // a text's events are its viewport's
}

/// In the window or in one of its panels, which may be a window of its own, or one of several in one.
bool isWithin(const QWidget* widget, const QWidget* window) {
  while (widget != window && !qobject_cast<const QDockWidget*>(widget) && !widget->isWindow())
    widget = widget->parentWidget();
  return widget == window || qobject_cast<const QDockWidget*>(widget);
}

}  // namespace

QStringList openablePaths(const QList<QUrl>& urls) {
  static const QStringList kKinds{"far", "far+ssh", "http", "https", "s3", "slab", "sample"};
  QStringList paths;
  for (const QUrl& url : urls) {
    if (!url.isValid()) continue;
    QString path;
    if (url.isLocalFile()) {
      QUrl here = url;
      if (isHere(url)) here.setHost({});
      path = here.toLocalFile();
      if (path.contains(QChar::Null)) continue;  // there is no such name
    } else if (kKinds.contains(url.scheme())) {
      path = url.toString();
    }
    if (!path.isEmpty() && !paths.contains(path)) paths.append(path);
  }
  return paths;
}

FileDrops::FileDrops(QWidget* window, std::function<void(const QStringList&)> open)
    : QObject(window), m_window(window), m_open(std::move(open)) {
  window->setAcceptDrops(true);
  for (QDockWidget* const dock : window->findChildren<QDockWidget*>()) dock->setAcceptDrops(true);
  qApp->installEventFilter(this);
}

bool FileDrops::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop) return false;
  auto* const widget = qobject_cast<QWidget*>(watched);
  if (!widget || !isWithin(widget, m_window)) return false;
  auto* const drag = static_cast<QDropEvent*>(event);
  const QMimeData* const data = drag->mimeData();
  if (!data || !data->hasUrls()) return false;
  const bool takes = widget == m_window || qobject_cast<QDockWidget*>(widget);
  // What lies around a field takes them.
  if (!takes && isText(widget)) {
    drag->ignore();
    return true;
  }
  if (!takes) return false;
  const QStringList paths = openablePaths(data->urls());
  const bool isPossible = (drag->possibleActions() & (Qt::CopyAction | Qt::LinkAction)) != 0;
  if (paths.isEmpty() || !isPossible || QApplication::activeModalWidget()) {
    drag->ignore();
    return true;
  }
  drag->setDropAction(drag->possibleActions() & Qt::CopyAction ? Qt::CopyAction : Qt::LinkAction);
  drag->accept();
  if (event->type() == QEvent::Drop) m_open(paths);
  return true;
}

}  // namespace farfield::ui
