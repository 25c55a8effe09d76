#include "app/ui/problem_label.h"

#include <QAbstractScrollArea>
#include <QDockWidget>
#include <QLabel>
#include <algorithm>

namespace farfield::ui {
namespace {

constexpr int kNarrowest = 24;  // in letters

/// What scrolls with the field, or all of its panel or dialog.
QWidget* pageOf(const QWidget* field) {
  QWidget* page = field->parentWidget();
  while (!page->isWindow() && page->parentWidget()) {
    const auto* const area = qobject_cast<const QAbstractScrollArea*>(page->parentWidget()->parentWidget());
    if ((area && area->viewport() == page->parentWidget()) ||
        qobject_cast<QDockWidget*>(page->parentWidget()))
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
  }
  m_label->setObjectName(objectName);
  m_label->setText(text);
  const QRect its(field->mapTo(page, QPoint()), field->size());
  const int width =
      std::min(page->width(), std::max(its.width(), kNarrowest * m_label->fontMetrics().averageCharWidth()));
  m_label->setFixedWidth(width);
  const int high = m_label->heightForWidth(width);
  m_label->resize(width, high);
  const QRect seen = page->visibleRegion().boundingRect();
  const int below = its.bottom() + 2, above = its.top() - 1 - high;
  const bool fitsBelow = seen.isEmpty() || below + high - 1 <= seen.bottom();
  m_label->move(std::clamp(its.left(), 0, page->width() - width),
                fitsBelow || above < seen.top() ? below : above);
  m_label->raise();
  m_label->show();
}

}  // namespace farfield::ui
