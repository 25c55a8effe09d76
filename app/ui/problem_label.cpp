#include "app/ui/problem_label.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <algorithm>

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
    if (m_label) m_label->hide();
    return;
  }
  QWidget* const page = pageOf(field);
  if (m_label && m_label->parentWidget() != page) delete m_label;
  if (!m_label) {
    m_label = new QLabel(page);
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
  m_field = field;
  m_label->setObjectName(objectName);
  m_label->setText(text);
  place();
}

void ProblemLabel::place() {
  QWidget* const page = m_label->parentWidget();
  if (!page->isAncestorOf(m_field)) return;
  const QRect its(m_field->mapTo(page, QPoint()), m_field->size());
  const int width =
      std::min(page->width(), std::max(its.width(), kNarrowest * m_label->fontMetrics().averageCharWidth()));
  m_label->setFixedWidth(width);
  const int high = m_label->heightForWidth(width);
  m_label->resize(width, high);
  const QWidget* const held = QApplication::focusWidget();
  const QRect typed = held && page->isAncestorOf(held) && held != m_field && !m_field->isAncestorOf(held) &&
                              !held->isAncestorOf(m_field)
                          ? QRect(held->mapTo(page, QPoint()), held->size())
                          : QRect();
  const QRect seen = page->visibleRegion().boundingRect();
  const QRect below(std::clamp(its.left(), 0, page->width() - width), its.bottom() + 2, width, high);
  const QRect above = below.translated(0, its.top() - 1 - high - below.top());
  const bool fitsBelow = seen.isEmpty() || below.bottom() <= seen.bottom();
  const bool fitsAbove = seen.isEmpty() ? above.top() >= 0 : above.top() >= seen.top();
  QRect to = fitsBelow || !fitsAbove ? below : above;
  if (to.intersects(typed)) to = to == below ? above : below;
  m_label->move(to.topLeft());
  m_label->raise();
  m_label->setVisible(!to.intersects(typed));
}

}  // namespace farfield::ui
