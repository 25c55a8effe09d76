// drag_source X Y [--move | --only-move] [--text] PATH|uri:URI …: a window at X, Y of the screen out of which files can be dragged with
// the mouse, as out of a file manager; with --move it proposes to move them, with --text it offers their names as text as well. Another
// client of the display than the one that they are dropped onto. Writes what became of each drag to stdout, a line each: "copy", "move",
// "refused".
#include <QDrag>
#include <QGuiApplication>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QPixmap>
#include <QRasterWindow>
#include <QUrl>
#include <cstdio>

namespace {

class Source final : public QRasterWindow {
 public:
  Source(QList<QUrl> urls, QStringList how) : m_urls(std::move(urls)), m_how(std::move(how)) {}

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.fillRect(QRect(QPoint(0, 0), size()), Qt::lightGray);
    painter.drawText(QRect(QPoint(0, 0), size()), Qt::AlignCenter, m_urls.front().fileName());
  }
  void mouseMoveEvent(QMouseEvent* event) override {
    if (!(event->buttons() & Qt::LeftButton) || m_dragging) return;
    m_dragging = true;
    auto* const data = new QMimeData;
    data->setUrls(m_urls);
    if (m_how.contains("--text")) data->setText(m_urls.front().toString());
    auto* const drag = new QDrag(this);
    drag->setMimeData(data);
    QPixmap pixmap(16, 16);
    pixmap.fill(Qt::darkGray);
    drag->setPixmap(pixmap);
    const Qt::DropAction action = m_how.contains("--only-move") ? drag->exec(Qt::MoveAction)
                                  : m_how.contains("--move")
                                      ? drag->exec(Qt::CopyAction | Qt::MoveAction, Qt::MoveAction)
                                      : drag->exec(Qt::CopyAction | Qt::MoveAction, Qt::CopyAction);
    std::puts(action == Qt::CopyAction ? "copy" : action == Qt::MoveAction ? "move" : "refused");
    std::fflush(stdout);
    m_dragging = false;
  }

 private:
  QList<QUrl> m_urls;
  QStringList m_how;
  bool m_dragging = false;
};

}  // namespace

int main(int count, char** words) {
  QGuiApplication application(count, words);
  const QStringList arguments = QGuiApplication::arguments();
  if (arguments.size() < 4) return 2;
  QList<QUrl> urls;
  QStringList how;
  for (const QString& word : arguments.mid(3))
    if (word.startsWith("--"))
      how.append(word);
    else
      urls.append(word.startsWith("uri:") ? QUrl(word.mid(4)) : QUrl::fromLocalFile(word));
  Source source(urls, how);
  source.setTitle("drag source");
  source.setGeometry(arguments[1].toInt(), arguments[2].toInt(), 120, 80);
  source.show();
  return QGuiApplication::exec();
}
