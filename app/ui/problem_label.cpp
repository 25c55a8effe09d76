#include "app/ui/problem_label.h"

#include <QLabel>

namespace farfield::ui {

ProblemLabel::~ProblemLabel() {
  delete m_label;
}

void ProblemLabel::show(QWidget* field, const QString& text, const QString& objectName) {
  if (text.isEmpty()) {
    if (m_label) m_label->hide();
    return;
  }
  if (!m_label) {
    m_label = new QLabel(field->parentWidget());
    m_label->setWordWrap(true);
    m_label->setMargin(4);
    m_label->setAutoFillBackground(true);
    m_label->setFrameShape(QFrame::StyledPanel);
    m_label->setBackgroundRole(QPalette::ToolTipBase);
    m_label->setForegroundRole(QPalette::ToolTipText);
    m_label->setTextFormat(Qt::PlainText);
  }
  const int width = field->width();
  m_label->setObjectName(objectName);
  m_label->setText(text);
  m_label->setFixedWidth(width);
  m_label->resize(width, m_label->heightForWidth(width));
  m_label->move(field->mapTo(field->parentWidget(), QPoint(0, field->height() + 1)));
  m_label->raise();
  m_label->show();
}

}  // namespace farfield::ui
