#include "app/ui/whole_number_box.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QRegularExpression>
#include <utility>

#include "app/ui/look.h"

namespace farfield::ui {

WholeNumberBox::WholeNumberBox(QWidget* parent) : QSpinBox(parent) {
  m_saidLongEnough.setSingleShot(true);
  m_saidLongEnough.setInterval(kProblemReadMs);
  connect(&m_saidLongEnough, &QTimer::timeout, this,
          [this] { m_problem.show(this, {}, objectName() + ".error"); });
  connect(lineEdit(), &QLineEdit::textChanged, this, &WholeNumberBox::judge);
}

QValidator::State WholeNumberBox::validate(QString& text, int& position) const {
  const QValidator::State state = QSpinBox::validate(text, position);
  if (state != QValidator::Invalid) return state;
  QString typed = text;
  if (!suffix().isEmpty() && typed.endsWith(suffix())) typed.chop(suffix().size());
  static const QRegularExpression kNumber("^\\s*-?\\d+\\s*$");
  return kNumber.match(typed).hasMatch() ? QValidator::Intermediate : QValidator::Invalid;
}

void WholeNumberBox::judge() {
  const bool good = lineEdit()->hasAcceptableInput();
  if (std::exchange(m_isGood, good) == good) {
    // Who goes on typing has read it.
    if (good && m_saidLongEnough.isActive() && lineEdit()->isModified()) {
      m_saidLongEnough.stop();
      m_problem.show(this, {}, objectName() + ".error");
    }
    return;
  }
  showWarning(lineEdit(), QPalette::Text, !good);
  m_saidLongEnough.stop();
  if (!good)
    m_problem.show(this,
                   tr("From %1 to %2%3. %4")
                       .arg(minimum())
                       .arg(maximum())
                       .arg(suffix(), m_why ? m_why() : QString())
                       .trimmed(),
                   objectName() + ".error");
  else if (lineEdit()->isModified())
    m_problem.show(this, {}, objectName() + ".error");
  else
    m_saidLongEnough.start();  // it was put back
  emit judged();
}

void WholeNumberBox::keyPressEvent(QKeyEvent* event) {
  const bool wasGood = m_isGood;
  QSpinBox::keyPressEvent(event);
  // Nothing goes on with a number that was not taken.
  if (!wasGood && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) event->accept();
}

}  // namespace farfield::ui
