#include "app/ui/widgets/elided_button.h"

#include <QHelpEvent>
#include <QStyle>
#include <QStyleOptionButton>
#include <QToolTip>
#include <algorithm>

namespace farfield::ui {
namespace {
constexpr int kReadLetters = 14;  // that tell what it is about
constexpr int kBesideIcon = 4;    // as in Qt's styles
}  // namespace

ElidedButton::ElidedButton(const QIcon& icon, const QString& text, QWidget* parent)
    : QPushButton(icon, text, parent) {}

ElidedButton::ElidedButton(const QString& text, QWidget* parent) : QPushButton(text, parent) {}

QSize ElidedButton::minimumSizeHint() const {
  const QSize whole = sizeHint();
  const int words = fontMetrics().horizontalAdvance(text());
  return {whole.width() - words + std::min(words, kReadLetters * fontMetrics().averageCharWidth()),
          whole.height()};
}

QString ElidedButton::shownText() const {
  QStyleOptionButton option;
  initStyleOption(&option);
  return option.text;
}

void ElidedButton::initStyleOption(QStyleOptionButton* option) const {
  QPushButton::initStyleOption(option);
  const int beside = icon().isNull() ? 0 : option->iconSize.width() + kBesideIcon;
  const int room = style()->subElementRect(QStyle::SE_PushButtonContents, option, this).width() - beside;
  option->text = fontMetrics().elidedText(option->text, Qt::ElideRight, room, Qt::TextShowMnemonic);
}

bool ElidedButton::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && shownText() != text()) {
    const QString tip = toolTip().isEmpty() ? text() : text() + '\n' + toolTip();
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tip, this);
    return true;
  }
  return QPushButton::event(event);
}

}  // namespace farfield::ui
