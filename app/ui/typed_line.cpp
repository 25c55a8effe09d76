#include "app/ui/typed_line.h"

#include <QAbstractSpinBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSpinBox>
#include <QTimer>
#include <QVariant>

namespace farfield::ui {
namespace {

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

void takeAtPauses(QAbstractSpinBox* box) {
  new SpinTyping(box);
}

}  // namespace farfield::ui
