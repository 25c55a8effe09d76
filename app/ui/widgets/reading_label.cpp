#include "app/ui/widgets/reading_label.h"

#include <QStringList>

namespace farfield::ui {

void ReadingLabel::showReadings(const QString& text) {
  m_all = text;
  setToolTip(text);
  fit();
}

QSize ReadingLabel::sizeHint() const {
  return minimumSizeHint();
}

QSize ReadingLabel::minimumSizeHint() const {
  return {1, QLabel::minimumSizeHint().height()};
}

void ReadingLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  fit();
}

void ReadingLabel::fit() {
  const int room = contentsRect().width();
  const auto fits = [&](const QString& text) { return fontMetrics().horizontalAdvance(text) <= room; };
  if (fits(m_all)) return setText(m_all);
  const QString more = QString(kBetween) + QStringLiteral("…");
  QString shown;
  for (const QString& reading : m_all.split(kBetween)) {
    const QString longer = shown.isEmpty() ? reading : shown + kBetween + reading;
    if (!fits(longer + more)) break;
    shown = longer;
  }
  setText(shown.isEmpty() ? fontMetrics().elidedText(m_all, Qt::ElideRight, room) : shown + more);
}

}  // namespace farfield::ui
