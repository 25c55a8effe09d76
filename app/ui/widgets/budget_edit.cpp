#include "app/ui/widgets/budget_edit.h"

#include <QToolTip>

#include "app/ui/widgets/look.h"
#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/base/units.h"

namespace farfield::ui {
namespace {

QString bytesText(std::uint64_t bytes) {
  return QString::fromStdString(formatBytes(bytes));
}

}  // namespace

std::optional<std::uint64_t> budgetTyped(const QString& text, std::uint64_t least, std::uint64_t most) {
  QString plain = text.simplified().remove(' ');
  if (plain.count(',') == 1) plain.replace(',', '.');
  if (plain.isEmpty()) return std::nullopt;
  if (plain.back().isDigit()) plain.append('M');
  try {
    const std::uint64_t bytes = parseBytes(plain.toUpper().replace("IB", "iB").toStdString());
    if (bytes >= least && bytes <= most) return bytes;
  } catch (const Error&) {
  }
  return std::nullopt;
}

BudgetEdit::BudgetEdit(app::AppModel& model, QWidget* parent) : QLineEdit(parent), m_model(model) {
  setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  setAcceptDrops(false);
  const auto hint = [this] { setToolTip(tr("%1 Return takes it.").arg(budgetsTaken())); };
  hint();
  connect(&model, &app::AppModel::memoryLent, this, hint);
  connect(this, &QLineEdit::textEdited, this, &BudgetEdit::judge);
  connect(this, &QLineEdit::editingFinished, this, &BudgetEdit::take);
  m_problemRead.setSingleShot(true);
  m_problemRead.setInterval(kProblemReadMs);
  connect(&m_problemRead, &QTimer::timeout, this, [this] { m_problem.show(this, {}, {}); });
  showBudget(model.memoryBytes());
}

void BudgetEdit::showBudget(std::uint64_t bytes) {
  if (isModified()) return;
  const QString shown = bytesText(bytes);
  if (text() != shown) setText(shown);
  showWarning(this, QPalette::Text, false);
}

QString BudgetEdit::budgetsTaken() const {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  // No less than there must be, as it is said.
  const QString range = tr("A number with MiB or GiB, %1 MiB to %2.")
                            .arg((m_model.leastMemoryBytes() + kMiB - 1) / kMiB)
                            .arg(bytesText(machineMemoryBytes()));
  const QString why = m_model.whyNotLessMemory();
  return why.isEmpty() ? range : range + ' ' + why;
}

void BudgetEdit::sayNotTaken() {
  QToolTip::hideText();  // it says the same
  m_problem.show(this, tr("That was not taken. %1").arg(budgetsTaken()), objectName() + ".error");
  m_problemRead.start();
}

void BudgetEdit::judge(const QString& typed) {
  const bool isWrong = !budgetTyped(typed, m_model.leastMemoryBytes(), machineMemoryBytes());
  showWarning(this, QPalette::Text, isWrong);
  // What was said is of what stood there before.
  m_problem.show(this, {}, {});
  if (isWrong)
    QToolTip::showText(mapToGlobal(QPoint(0, height())), toolTip(), this);
  else
    QToolTip::hideText();
}

void BudgetEdit::take() {
  if (!isModified()) return;
  const auto typed = budgetTyped(text(), m_model.leastMemoryBytes(), machineMemoryBytes());
  if (!typed || !m_model.setMemoryBytes(*typed)) sayNotTaken();
  setModified(false);  // what is no budget gives way to what there is
  showBudget(m_model.memoryBytes());
  emit wasTyped();
}

}  // namespace farfield::ui
