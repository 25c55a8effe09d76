#include "app/ui/widgets/name_completer.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QRegularExpression>
#include <utility>

#include "app/ui/widgets/typed_line.h"

namespace farfield::ui {
namespace {

const QStringList& words() {
  static const QStringList all{"sqrt(", "abs(",  "exp(",  "log(",  "log10(", "sin(", "cos(",
                               "tan(",  "asin(", "acos(", "atan(", "min(",   "max(", "atan2("};
  return all;
}

}  // namespace

NameCompleter::NameCompleter(const QStringList& names, QLineEdit* line, std::function<bool()> isGood)
    : QCompleter(names + words(), line), m_line(line), m_names(names), m_isGood(std::move(isGood)) {
  setCaseSensitivity(Qt::CaseInsensitive);
  setCompletionMode(QCompleter::PopupCompletion);
  setMaxVisibleItems(12);
  line->setCompleter(this);
  m_pause.setSingleShot(true);
  m_pause.setInterval(kTypingPauseMs);
  connect(line, &QLineEdit::textEdited, &m_pause, qOverload<>(&QTimer::start));
  connect(&m_pause, &QTimer::timeout, this, [this] {
    const QString text = m_line->text();
    if (isOpen() && !isChosenFrom() && m_names.contains(text.right(lengthOfLastName(text)))) popup()->hide();
  });
}

QStringList NameCompleter::splitPath(const QString& path) const {
  const int typed = lengthOfLastName(path);
  // Behind an operator or in a number no name is typed: of all of them, nothing is to be looked for.
  return {typed > 0 ? path.right(typed) : QStringLiteral("\n")};
}

QString NameCompleter::pathFromIndex(const QModelIndex& index) const {
  return completed(QCompleter::pathFromIndex(index));
}

QString NameCompleter::completed(const QString& name) const {
  // What was typed: a name that is being chosen stands in the line meanwhile.
  const QString typed = completionPrefix();
  return typed.chopped(lengthOfLastName(typed)) + name;
}

bool NameCompleter::isOpen() const {
  return popup()->isVisible();
}

bool NameCompleter::isChosenFrom() const {
  return isOpen() && popup()->currentIndex().isValid();
}

void NameCompleter::close() {
  if (isOpen()) popup()->hide();
}

void NameCompleter::keepOff(const QWidget* said) {
  m_said = said;
  if (said && said->isVisible()) placeSoon();
}

bool NameCompleter::eventFilter(QObject* watched, QEvent* event) {
  // The line opens and places it anew with each letter.
  if (qobject_cast<QAbstractItemView*>(watched) &&
      (event->type() == QEvent::Show || event->type() == QEvent::Move || event->type() == QEvent::Resize))
    placeSoon();
  if (event->type() == QEvent::KeyPress && watched == popup()) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if ((key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Tab) && takeChosen()) return true;
  }
  return QCompleter::eventFilter(watched, event);
}

bool NameCompleter::takeChosen() {
  QModelIndex chosen = popup()->currentIndex();
  if (!chosen.isValid() && completionModel()->rowCount() == 1 && !m_isGood())
    chosen = completionModel()->index(0, completionColumn());
  if (!chosen.isValid()) return false;
  const QString text = completed(chosen.data(completionRole()).toString());
  // As if it had been typed, so that the line's owner hears of it. For that, too, the line opens the list.
  m_line->selectAll();
  m_line->insert(text);
  popup()->hide();
  return true;
}

void NameCompleter::placeSoon() {
  if (!std::exchange(m_placing, true))
    QMetaObject::invokeMethod(this, &NameCompleter::place, Qt::QueuedConnection);
}

void NameCompleter::place() {
  m_placing = false;
  if (!isOpen() || !m_said || !m_said->isVisible()) return;
  const QRect said(m_said->mapToGlobal(QPoint()), m_said->size());
  if (!popup()->geometry().intersects(said)) return;
  // A list of choices puts itself in the place of its line.
  const QRect both = widget()->rect().united({widget()->mapFromGlobal(said.topLeft()), said.size()});
  complete(both.adjusted(0, -1, 0, 1));  // which it would touch
}

int lengthOfLastName(const QString& text) {
  // The e of 1e-6 is no name.
  static const QRegularExpression kName("(?<![A-Za-z0-9.])[A-Za-z][A-Za-z0-9_-]*$");
  return static_cast<int>(kName.match(text).capturedLength());
}

}  // namespace farfield::ui
