#include "app/ui/typed_line.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSpinBox>
#include <QTimer>
#include <QVariant>

namespace farfield::ui {
namespace {

constexpr auto kTypedIsWanted = static_cast<QEvent::Type>(QEvent::User + 1);

/// Belongs to its box.
class SpinTyping final : public QObject {
 public:
  explicit SpinTyping(QAbstractSpinBox* box)
      : QObject(box), m_box(box), m_line(box->findChild<QLineEdit*>()) {
    m_box->setKeyboardTracking(false);
    m_box->installEventFilter(this);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kTypingPauseMs);
    connect(&m_pause, &QTimer::timeout, this, [this] { take(); });
    connect(m_line, &QLineEdit::textEdited, this, [this] {
      if (!m_typing) m_before = m_box->property("value");
      m_typing = m_untaken = true;
      m_pause.start();
    });
    connect(m_box, &QAbstractSpinBox::editingFinished, this, [this] { end(); });
  }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (asksForTyped(*event)) {
      if (m_untaken) take();
      event->accept();
      return true;
    }
    if (event->type() == QEvent::ShortcutOverride) {
      const auto* const key = static_cast<QKeyEvent*>(event);
      if (key->key() == Qt::Key_Escape && m_typing) {
        event->accept();
        return true;
      }
      // The line would keep them to itself, whether there is something in it to take back or not.
      if ((key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) && !m_untaken) {
        end();
        event->ignore();
        return true;
      }
    }
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape &&
        m_typing) {
      end();
      m_box->setProperty("value", m_before);
      m_box->selectAll();
      return true;
    }
    return false;
  }

 private:
  void take() {
    if (!m_box->hasAcceptableInput()) return;  // it may become one
    m_untaken = false;
    m_box->interpretText();
    leaveToDocument(m_line);
  }
  void end() {
    m_pause.stop();
    m_typing = m_untaken = false;
    leaveToDocument(m_line);
  }

  QAbstractSpinBox* m_box;
  QLineEdit* m_line;
  QVariant m_before;  ///< the value when typing began
  bool m_typing = false, m_untaken = false;
  QTimer m_pause;
};

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

void takeAtPauses(QAbstractSpinBox* box) {
  new SpinTyping(box);
}

}  // namespace farfield::ui
