#include "app/ui/widgets/choice_run.h"

#include <QComboBox>
#include <QKeyEvent>

#include "app/ui/widgets/typed_line.h"

namespace farfield::ui {
namespace {

/// Of a list that is closed.
bool moves(const QKeyEvent& key) {
  switch (key.key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
      return !(key.modifiers() & Qt::AltModifier);  // which opens it
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
    case Qt::Key_Home:
    case Qt::Key_End:
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return false;
    default:
      return !key.text().isEmpty() && key.text()[0].isPrint();
  }
}

}  // namespace

ChoiceRun::ChoiceRun(QComboBox* list) : QObject(list) {
  m_pause.setSingleShot(true);
  m_pause.setInterval(kTypingPauseMs);
  connect(&m_pause, &QTimer::timeout, this, &ChoiceRun::ended);
  list->installEventFilter(this);
}

bool ChoiceRun::goesOn() {
  if (m_byKey)
    m_pause.start();
  else
    m_pause.stop();
  return m_byKey;
}

void ChoiceRun::handTo(ChoiceRun& next) {
  if (&next == this || !m_pause.isActive()) return;
  m_pause.stop();
  next.m_byKey = true;
  next.m_pause.start();
}

bool ChoiceRun::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) m_byKey = moves(*static_cast<QKeyEvent*>(event));
  if (event->type() == QEvent::MouseButtonPress) m_byKey = false;
  return QObject::eventFilter(watched, event);
}

}  // namespace farfield::ui
