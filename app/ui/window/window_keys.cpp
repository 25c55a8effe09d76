#include "app/ui/window/window_keys.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>

namespace farfield::ui {

bool staysWith(const QObject* widget, const QKeyEvent& key) {
  const bool isPage = key.key() == Qt::Key_PageUp || key.key() == Qt::Key_PageDown;
  return (qobject_cast<const QComboBox*>(widget) || qobject_cast<const QListWidget*>(widget)) &&
         !(key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) &&
         (isPage || (!key.text().isEmpty() && key.text()[0].isPrint()));
}

bool isStepOver(const QObject* widget, const QKeyEvent& key) {
  const bool isPage = key.key() == Qt::Key_PageUp || key.key() == Qt::Key_PageDown;
  const bool hasValue =
      qobject_cast<const QAbstractSpinBox*>(widget) ||
      (qobject_cast<const QAbstractSlider*>(widget) && !qobject_cast<const QScrollBar*>(widget));
  return isPage && hasValue && !(key.modifiers() & ~(Qt::ControlModifier | Qt::KeypadModifier));
}

bool isReturn(const QKeyEvent& key) {
  return (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) && !key.isAutoRepeat() &&
         !(key.modifiers() & ~Qt::KeypadModifier);
}

bool isLeftOutByReturn(const QAbstractButton* button) {
  const auto* const push = qobject_cast<const QPushButton*>(button);
  return push && qobject_cast<const QDialog*>(push->window()) && !push->autoDefault();
}

bool isLeftToWindow(const QObject* widget, const QKeyEvent& key) {
  const auto* const choice = qobject_cast<const QComboBox*>(widget);
  const auto* const line = choice ? choice->lineEdit() : qobject_cast<const QLineEdit*>(widget);
  return line && ((key.matches(QKeySequence::Undo) && !line->isUndoAvailable()) ||
                  (key.matches(QKeySequence::Redo) && !line->isRedoAvailable()));
}

bool isPressedBesideText(const QObject* widget) {
  const auto* const button = qobject_cast<const QAbstractButton*>(widget);
  const QWidget* const held = QApplication::focusWidget();
  return button && held && !(button->focusPolicy() & Qt::ClickFocus) && !held->isAncestorOf(button);
}

bool isBehindQuestion(const QObject* object) {
  const QWidget* const question = QApplication::activeModalWidget();
  while (object && !object->isWidgetType()) object = object->parent();
  const auto* at = static_cast<const QWidget*>(object);
  if (!question || !at || at->window()->windowType() == Qt::Popup) return false;
  while (at && at != question) at = at->parentWidget();
  return !at;
}

}  // namespace farfield::ui
