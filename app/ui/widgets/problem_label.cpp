#include "app/ui/widgets/problem_label.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QLabel>
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace farfield::ui {
namespace {

constexpr int kNarrowest = 24;  // in letters
constexpr int kLowest = 6;      // in lines: where there are fewer there is no room beside the field

/// What scrolls with the field, or all of its panel, or of its window where the panel is as low as that of time.
QWidget* pageOf(const QWidget* field) {
  QWidget* page = field->parentWidget();
  while (!page->isWindow() && page->parentWidget()) {
    const auto* const area = qobject_cast<const QAbstractScrollArea*>(page->parentWidget()->parentWidget());
    if ((area && area->viewport() == page->parentWidget()) ||
        (qobject_cast<QDockWidget*>(page->parentWidget()) &&
         page->height() >= kLowest * field->fontMetrics().lineSpacing()))
      break;
    page = page->parentWidget();
  }
  return page;
}

/// Tells when what the field stands on is moved, resized, shown or hidden: a label that stands beyond the panel does not go with it.
class Follower final : public QObject {
 public:
  Follower(QObject* parent, QWidget* field, std::function<void()> moved)
      : QObject(parent), m_moved(std::move(moved)) {
    for (QWidget* at = field; at && !at->isWindow(); at = at->parentWidget()) at->installEventFilter(this);
  }
  bool eventFilter(QObject* /*watched*/, QEvent* event) override {
    const QEvent::Type type = event->type();
    if (type == QEvent::Move || type == QEvent::Resize || type == QEvent::Show || type == QEvent::Hide)
      QMetaObject::invokeMethod(this, m_moved, Qt::QueuedConnection);  // when all of it is where it goes
    return false;
  }

 private:
  const std::function<void()> m_moved;
};

struct Places {
  QRect below, above;
  QRect seen;   ///< empty: nothing of the host is shown yet
  QRect typed;  ///< of another field that has the keyboard
  bool fitsBelow, fitsAbove;
};

/// Where the label may stand in `host`, an ancestor of the field.
Places placesIn(const QWidget* host, const QWidget* field, const QLabel* label) {
  const QRect its(field->mapTo(host, QPoint()), field->size());
  const int width =
      std::min(host->width(), std::max(its.width(), kNarrowest * label->fontMetrics().averageCharWidth()));
  const int high = label->heightForWidth(width);
  const QWidget* const held = QApplication::focusWidget();
  Places places;
  if (held && host->isAncestorOf(held) && held != field && !field->isAncestorOf(held) &&
      !held->isAncestorOf(field))
    places.typed = QRect(held->mapTo(host, QPoint()), held->size());
  places.seen = host->isWindow() ? host->rect() : host->visibleRegion().boundingRect();
  places.below = QRect(std::clamp(its.left(), 0, host->width() - width), its.bottom() + 2, width, high);
  places.above = places.below.translated(0, its.top() - 1 - high - places.below.top());
  const QRect& seen = places.seen;
  places.fitsBelow = seen.isEmpty() || places.below.bottom() <= seen.bottom();
  places.fitsAbove = seen.isEmpty() ? places.above.top() >= 0 : places.above.top() >= seen.top();
  return places;
}

}  // namespace

ProblemLabel::~ProblemLabel() {
  delete m_label;
}

const QWidget* ProblemLabel::label() const {
  return m_label;
}

void ProblemLabel::show(QWidget* field, const QString& text, const QString& objectName) {
  if (text.isEmpty() || !field->parentWidget()) {
    m_field.clear();
    delete m_follower;
    if (m_label) m_label->hide();
    return;
  }
  if (!m_label) {
    m_label = new QLabel(pageOf(field));
    m_label->setWordWrap(true);
    m_label->setMargin(4);
    m_label->setAutoFillBackground(true);
    m_label->setFrameShape(QFrame::StyledPanel);
    m_label->setBackgroundRole(QPalette::ToolTipBase);
    m_label->setForegroundRole(QPalette::ToolTipText);
    m_label->setTextFormat(Qt::PlainText);
    m_label->setAttribute(Qt::WA_TransparentForMouseEvents);  // clicks are meant for what it lies over
    QObject::connect(qApp, &QApplication::focusChanged, m_label, [this] {
      if (m_field) place();
    });
  }
  if (m_field != field || !m_follower) {
    delete m_follower;
    m_follower = new Follower(m_label, field, [this] { place(); });
  }
  m_field = field;
  m_label->setObjectName(objectName);
  m_label->setText(text);
  place();
}

void ProblemLabel::place() {
  if (!m_label || !m_field) return;
  QWidget* host = pageOf(m_field);
  if (!host->isAncestorOf(m_field)) return;
  m_label->ensurePolished();
  Places places = placesIn(host, m_field, m_label);
  // A panel may be as high as one line. What is out of sight in it has nothing to be said of beyond it.
  const bool isSeen = places.seen.intersects(QRect(m_field->mapTo(host, QPoint()), m_field->size()));
  if (isSeen && !places.fitsBelow && !places.fitsAbove && !host->isWindow()) {
    const Places beyond = placesIn(m_field->window(), m_field, m_label);
    if (beyond.fitsBelow || beyond.fitsAbove) {
      places = beyond;
      host = m_field->window();
    }
  }
  if (m_label->parentWidget() != host) m_label->setParent(host);
  QRect to = places.fitsBelow || !places.fitsAbove ? places.below : places.above;
  if (to.intersects(places.typed)) to = to == places.below ? places.above : places.below;
  m_label->setFixedWidth(to.width());
  m_label->setGeometry(to);
  m_label->raise();
  m_label->setVisible(!to.intersects(places.typed));
}

}  // namespace farfield::ui
