#include "app/ui/widgets/elided_label.h"

#include <QPainter>
#include <QStyle>

namespace farfield::ui {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setMinimumWidth(1);
}

void ElidedLabel::showText(const QString& text) {
  if (text == this->text()) return;
  setText(text);
  setToolTip(text);
}

QString ElidedLabel::shownText() const {
  return fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  style()->drawItemText(&painter, contentsRect(), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                        palette(), isEnabled(), shownText(), foregroundRole());
}

}  // namespace farfield::ui
