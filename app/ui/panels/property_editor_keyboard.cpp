// Where the keyboard is among the properties, and where it goes when these are made anew: what is typed goes on in the same field, at the
// same height.

#include <QComboBox>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLineEdit>
#include <QScrollBar>
#include <QToolButton>

#include "app/ui/editors/field_editor.h"
#include "app/ui/panels/property_editor.h"
#include "app/ui/widgets/typed_line.h"

namespace farfield::ui {
namespace {

/// The line that is typed into where `widget` has the keyboard; null: none.
QLineEdit* lineOf(QWidget* widget) {
  if (auto* const choice = qobject_cast<QComboBox*>(widget)) return choice->lineEdit();
  return qobject_cast<QLineEdit*>(widget);
}

/// The widgets of an editor that are of one kind.
QWidgetList likeIn(const FieldEditor& editor, const QMetaObject* kind) {
  QWidgetList found = editor.findChildren<QWidget*>();
  found.removeIf([&](const QWidget* widget) { return widget->metaObject() != kind; });
  return found;
}

}  // namespace

const PropertyEditor::Row* PropertyEditor::heldRow() const {
  const QWidget* const held = focusWidget();
  if (!m_page || !held || !held->hasFocus()) return nullptr;
  for (const Row& row : m_page->rows)
    if (row.editor == held || row.editor->isAncestorOf(held) || row.reset == held) return &row;
  return nullptr;
}

int PropertyEditor::heightOf(const Row& row) const {
  return row.editor->mapTo(m_page->widget, QPoint()).y() - verticalScrollBar()->value();
}

bool PropertyEditor::isToBeTypedOver() const {
  const QLineEdit* const line = lineOf(focusWidget());
  if (!line) return false;
  // Leaving the field before made the page anew: the toolkit tells at the end of all that where the keyboard has come to.
  const bool comes = m_reached != focusWidget() && QGuiApplication::mouseButtons() == Qt::NoButton;
  return comes || (!line->text().isEmpty() && line->selectedText() == line->text());
}

PropertyEditor::Held PropertyEditor::whatIsHeld(const Row& row) const {
  Held held;
  held.keys = keysFrom(row);
  held.height = heightOf(row);
  held.editor = row.editor;
  held.typedOver = isToBeTypedOver();
  held.onReset = focusWidget() == row.reset;
  held.kind = focusWidget()->metaObject();
  held.number = likeIn(*row.editor, held.kind).indexOf(focusWidget());
  return held;
}

void PropertyEditor::holdRow(const Held& held) {
  const QStringList& keys = held.keys;
  FieldEditor& before = *held.editor;
  const Row* found = nullptr;
  for (const QString& key : keys) {
    for (const Row& row : m_page->rows)
      if (!found && row.field.key == key) found = &row;
    if (found) break;
  }
  if (found) {
    const bool same = found->field.key == keys.front();
    if (same) before.handTypingTo(*found->editor);
    if (same && held.onReset && found->reset && !found->reset->isHidden())
      found->reset->setFocus(Qt::OtherFocusReason);
    else if (QWidget* const part = likeIn(*found->editor, held.kind).value(same ? held.number : -1))
      part->setFocus(Qt::OtherFocusReason);
    else if (!found->editor->isAncestorOf(focusWidget()))
      found->editor->setFocus(Qt::TabFocusReason);
    if (QLineEdit* const line = lineOf(focusWidget()); line && held.typedOver) chooseAll(line);
    m_page->widget->layout()->activate();
    verticalScrollBar()->setValue(verticalScrollBar()->value() + heightOf(*found) - held.height);
  }
  before.dropTyping();
}

/// The field that has the keyboard, and those that may get it where that one goes: the ones below it, then those above.
QStringList PropertyEditor::keysFrom(const Row& held) const {
  QStringList keys, above;
  for (const Row& row : m_page->rows) {
    if (&row == &held || !keys.isEmpty())
      keys.append(row.field.key);
    else
      above.prepend(row.field.key);
  }
  return keys + above;
}

}  // namespace farfield::ui
