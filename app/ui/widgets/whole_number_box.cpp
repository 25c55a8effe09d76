#include "app/ui/widgets/whole_number_box.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QRegularExpression>
#include <utility>

#include "app/ui/widgets/look.h"

namespace farfield::ui {

WholeNumberBox::WholeNumberBox(QWidget* parent) : QSpinBox(parent) {
  m_saidLongEnough.setSingleShot(true);
  m_saidLongEnough.setInterval(kProblemReadMs);
  connect(&m_saidLongEnough, &QTimer::timeout, this, [this] { say({}); });
  connect(lineEdit(), &QLineEdit::textEdited, this, &WholeNumberBox::seeTyped);
  connect(this, &QSpinBox::editingFinished, this, [this] { m_typing = false; });
}

QValidator::State WholeNumberBox::validate(QString& text, int& position) const {
  const QValidator::State state = QSpinBox::validate(text, position);
  if (state != QValidator::Invalid) return state;
  QString typed = text;
  if (!suffix().isEmpty() && typed.endsWith(suffix())) typed.chop(suffix().size());
  static const QRegularExpression kNumber("^\\s*-?\\d+\\s*$");
  return kNumber.match(typed).hasMatch() ? QValidator::Intermediate : QValidator::Invalid;
}

void WholeNumberBox::seeTyped() {
  if (!std::exchange(m_typing, true)) m_before = value();
  const bool good = lineEdit()->hasAcceptableInput();
  say(good ? QString() : tr("From %1 to %2%3.").arg(minimum()).arg(maximum()).arg(suffix()));
  judge(good);
}

void WholeNumberBox::putBack() {
  m_typing = false;
  setValue(m_before);
  m_saidLongEnough.start();
  judge(true);
}

void WholeNumberBox::say(const QString& problem) {
  m_saidLongEnough.stop();
  m_problem.show(this, problem, objectName() + ".error");
}

void WholeNumberBox::judge(bool good) {
  if (std::exchange(m_isGood, good) == good) return;
  showWarning(lineEdit(), QPalette::Text, !good);
  emit judged();
}

void WholeNumberBox::stepBy(int steps) {
  if (!m_isGood) putBack();
  QSpinBox::stepBy(steps);
}

void WholeNumberBox::keyPressEvent(QKeyEvent* event) {
  // Nothing goes on with a number that was not taken.
  if (!m_isGood && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
    putBack();
    selectAll();
    return event->accept();
  }
  QSpinBox::keyPressEvent(event);
}

void WholeNumberBox::focusOutEvent(QFocusEvent* event) {
  if (!m_isGood) putBack();
  QSpinBox::focusOutEvent(event);
}

}  // namespace farfield::ui
