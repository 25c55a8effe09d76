#include "app/ui/widgets/typed_line.h"

#include <QAbstractItemView>
#include <QCoreApplication>
#include <QLineEdit>

namespace farfield::ui {
namespace {

constexpr auto kTypedIsWanted = static_cast<QEvent::Type>(QEvent::User + 1);

}  // namespace

void leaveToDocument(QLineEdit* line) {
  handLineTo(*line, *line);
}

void handLineTo(const QLineEdit& from, QLineEdit& to) {
  const QString text = from.text();
  const int at = from.cursorPosition(), start = from.selectionStart();
  const int selected = static_cast<int>(from.selectedText().size());
  const bool modified = &from != &to && from.isModified();
  to.setText(text);
  to.setModified(modified);
  if (start < 0)
    to.setCursorPosition(at);
  else if (at == start)
    to.setSelection(start + selected, -selected);
  else
    to.setSelection(start, selected);
}

bool asksForTyped(const QEvent& event) {
  return event.type() == kTypedIsWanted;
}

void takeTyped(QWidget* field) {
  if (!field) return;
  QEvent event(kTypedIsWanted);
  event.ignore();
  QCoreApplication::sendEvent(field, &event);
  auto* const line = qobject_cast<QLineEdit*>(field);
  if (event.isAccepted() || !line || !line->isModified()) return;
  // A name that is typed into a list is the list's once the line is left; other lines that are taken whole have a signal for that.
  QWidget* const around = line->parentWidget();
  if (auto* const list = qobject_cast<QAbstractItemView*>(around ? around->parentWidget() : nullptr))
    list->setFocus(Qt::OtherFocusReason);
  else
    emit line->editingFinished();
}

void chooseAll(QLineEdit* line) {
  // From the end, so that of what is too long the beginning is seen.
  const int all = static_cast<int>(line->text().size());
  line->setSelection(all, -all);
}

}  // namespace farfield::ui
