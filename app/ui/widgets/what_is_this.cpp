#include "app/ui/widgets/what_is_this.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMainWindow>
#include <QStatusBar>
#include <QWhatsThis>
#include <QWidget>

#include "app/model/fields/object_fields.h"
#include "app/ui/widgets/number_edit.h"

namespace farfield::ui {
namespace {

/// Bounds beyond it are those of the type, and nothing that anybody meets.
constexpr double kNoLimit = 1e100;

/// As it is written in a field of that kind; empty where there is no usual one.
QString defaultOf(const app::Field& field) {
  if (!field.byDefault.isValid()) return field.automatic;
  switch (field.kind) {
    case app::FieldKind::Flag:
      return field.byDefault.toBool() ? WhatIsThis::tr("on") : WhatIsThis::tr("off");
    case app::FieldKind::Integer:
    case app::FieldKind::Number:
      return textOfNumber(field.byDefault.toDouble());
    case app::FieldKind::Choice:
      for (const auto& [value, label] : field.choices)
        if (value == field.byDefault.toString()) return label;
      return {};
    case app::FieldKind::Map:
      return QString::fromStdString(field.byDefault.value<scene::MapChoice>().name);
    default:
      return {};
  }
}

/// In the status bars of the windows that have one.
void say(const QString& text) {
  for (QWidget* const window : QApplication::topLevelWidgets())
    if (auto* const main = qobject_cast<QMainWindow*>(window)) main->statusBar()->showMessage(text);
}

}  // namespace

WhatIsThis::WhatIsThis(QObject* parent) : QObject(parent) {
  qApp->installEventFilter(this);
}

QString WhatIsThis::textFor(const QWidget* widget) {
  for (const QWidget* at = widget; at; at = at->parentWidget()) {
    if (const auto* const label = qobject_cast<const QLabel*>(at); label && label->buddy())
      return textFor(label->buddy());
    for (const QString& text : {at->whatsThis(), at->toolTip(), at->accessibleDescription()})
      if (!text.isEmpty()) return text;
    if (at->isWindow()) break;
  }
  return {};
}

QString WhatIsThis::textFor(const app::Field& field) {
  QString name = field.label;
  if (!field.unit.isEmpty()) name += " (" + field.unit + ')';
  QStringList lines{"<b>" + name.toHtmlEscaped() + "</b>"};
  if (!field.tip.isEmpty()) lines.append(field.tip.toHtmlEscaped());
  const bool isNumber = field.kind == app::FieldKind::Integer || field.kind == app::FieldKind::Number;
  if (isNumber && field.greatest > field.least) {
    const bool isLimited = field.greatest < kNoLimit;
    const QString least = textOfNumber(field.least), greatest = textOfNumber(field.greatest);
    if (isLimited)
      lines.append(
          (field.leastExcluded ? tr("Above %1, up to %2.") : tr("From %1 to %2.")).arg(least, greatest));
    else if (field.least > -kNoLimit)
      lines.append((field.leastExcluded ? tr("Above %1.") : tr("%1 or more.")).arg(least));
  }
  if (const QString usual = defaultOf(field); !usual.isEmpty())
    lines.append(tr("By default: %1.").arg(usual.toHtmlEscaped()));
  return lines.join("<br>");
}

void WhatIsThis::showFor(QWidget* widget) {
  QString text = textFor(widget);
  const bool asked = QApplication::activeModalWidget() != nullptr;
  if (!widget || (text.isEmpty() && !asked)) return askByClick();
  // A question is answered first; until then the guide waits.
  if (text.isEmpty()) text = tr("There is no more to say of this than its name.");
  QWhatsThis::showText(widget->mapToGlobal(widget->rect().center()), text, widget);
}

void WhatIsThis::askByClick() {
  QWhatsThis::enterWhatsThisMode();
  say(tr(
      "Click on what you want to know about, or go there with Tab and press Shift+F1. Esc ends this; F1 opens "
      "the guide."));
}

bool WhatIsThis::eventFilter(QObject* watched, QEvent* event) {
  auto* const widget = watched->isWidgetType() ? static_cast<QWidget*>(watched) : nullptr;
  if (!widget) return false;
  switch (event->type()) {
    case QEvent::LeaveWhatsThisMode:
      say({});
      return false;
    case QEvent::KeyPress: {
      const auto& key = *static_cast<QKeyEvent*>(event);
      if (key.key() != Qt::Key_F1 || key.modifiers() != Qt::ShiftModifier || QWhatsThis::inWhatsThisMode())
        return false;
      showFor(widget);
      return true;
    }
    case QEvent::QueryWhatsThis:
      event->setAccepted(!textFor(widget).isEmpty());
      return true;
    case QEvent::WhatsThis:
      QWhatsThis::showText(static_cast<QHelpEvent*>(event)->globalPos(), textFor(widget), widget);
      return true;
    default:
      return false;
  }
}

}  // namespace farfield::ui
