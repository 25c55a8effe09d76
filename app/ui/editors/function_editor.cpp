#include "app/ui/editors/function_editor.h"

#include <QComboBox>
#include <QFocusEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPointer>
#include <utility>

#include "app/model/document/fit_for_files.h"
#include "app/ui/widgets/choice_run.h"
#include "app/ui/widgets/esc_key.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/name_completer.h"
#include "app/ui/widgets/typed_line.h"

namespace farfield::ui {
FunctionEditor::FunctionEditor(const app::Field& field, QWidget* parent)
    : FieldEditor(parent), m_list(new QComboBox(this)), m_run(new ChoiceRun(m_list)), m_check(field.check) {
  auto* const row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(m_list);
  setFocusProxy(m_list);
  m_list->setEditable(true);
  m_list->setInsertPolicy(QComboBox::NoInsert);
  m_list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_list->setMinimumContentsLength(8);
  m_list->setMaxVisibleItems(24);
  QStringList names;
  for (const auto& [value, label] : field.choices) {
    m_list->addItem(label, value);
    if (!value.isEmpty()) names.append(value);
  }
  QLineEdit* const line = m_list->lineEdit();
  line->setAcceptDrops(false);  // files are dropped onto the window
  line->setPlaceholderText(tr("a function, or an expression"));
  m_list->setCompleter(nullptr);
  m_names = new NameCompleter(names, line, [this] { return problem().isEmpty(); });
  // The line has the keyboard through it.
  m_list->installEventFilter(this);
  m_pause.setSingleShot(true);
  m_pause.setInterval(kTypingPauseMs);
  connect(&m_pause, &QTimer::timeout, this, [this] {
    if (m_names->isChosenFrom()) return m_pause.start();
    if (m_takesAtPauses) take(false);
  });
  const auto edit = [this] {
    beginTyping();
    m_untaken = true;
    showProblem();
    m_pause.start();
  };
  connect(line, &QLineEdit::textEdited, this, edit);
  // A name of the list of names is not typed for the line, which has it in a moment. It is chosen, as with Return, where it makes sense
  // of all that is typed.
  connect(
      m_names, qOverload<const QString&>(&QCompleter::activated), this,
      [this, edit] {
        if (typed() != m_value) edit();
        if (m_typing && problem().isEmpty()) take(true);
      },
      Qt::QueuedConnection);
  connect(line, &QLineEdit::returnPressed, this, [this] { take(true); });
  m_read.setSingleShot(true);
  m_read.setInterval(kProblemReadMs);
  connect(&m_read, &QTimer::timeout, this, [this] { m_error.show(this, {}, {}); });
  connect(m_list, &QComboBox::activated, this, [this](int index) {
    // Return in the line comes here, too: what is typed counts then. So does that the keyboard goes.
    if (m_held || m_list->lineEdit()->text() != m_list->itemText(index)) return;
    m_typing = false;
    take(!m_run->goesOn());
  });
  connect(m_run, &ChoiceRun::ended, this, [this] {
    if (!m_typing) take(true);
  });
}

FunctionEditor::~FunctionEditor() = default;

void FunctionEditor::setField(const app::Field& field) {
  m_check = field.check;
}

void FunctionEditor::keepTyped() {
  m_keepsTyped = true;
  m_takesAtPauses = false;
}

void FunctionEditor::setValue(const QVariant& value) {
  const bool other = std::exchange(m_value, value.toString()) != value.toString();
  // Undone, or changed elsewhere, after what was typed had taken effect: that is no more.
  if (m_typing && other && !m_untaken && !m_telling) {
    m_typing = false;
    emit interrupted();
  }
  if (m_typing) return;
  const int index = m_list->findData(m_value);
  QLineEdit* const line = m_list->lineEdit();
  // What is chosen to be typed over stays so, whatever else changes.
  if (const QString text = index >= 0 ? m_list->itemText(index) : m_value;
      m_list->currentIndex() != index || line->text() != text) {
    const QSignalBlocker quiet(m_list);
    m_list->setCurrentIndex(index);
    line->setText(text);
  }
  if (!line->hasFocus()) line->setCursorPosition(0);
  showProblem();
}

void FunctionEditor::holdTyping() {
  const QLineEdit* const line = m_list->lineEdit();
  m_held = true;
  m_heldBehind = line->hasFocus() && line->cursorPosition() == line->text().size();
}

void FunctionEditor::handTypingTo(FieldEditor& next) {
  auto* const other = dynamic_cast<FunctionEditor*>(&next);
  if (!other || other == this) return;
  m_run->handTo(*other->m_run);
  if (m_heldBehind) other->m_list->lineEdit()->end(false);
  if (!std::exchange(m_typing, false)) return;
  m_pause.stop();
  handLineTo(*m_list->lineEdit(), *other->m_list->lineEdit());
  other->m_before = m_before;
  other->m_taken = m_taken;
  other->m_untaken = std::exchange(m_untaken, false);
  other->m_typing = true;
  other->showProblem();
  if (other->m_untaken) other->m_pause.start();
}

void FunctionEditor::dropTyping() {
  m_pause.stop();
  m_held = m_typing = m_untaken = false;
  m_names->close();
  setValue(m_value);
}

QString FunctionEditor::typed() const {
  const QString text = app::plainText(m_list->lineEdit()->text()).trimmed();
  const int index = m_list->findText(text, Qt::MatchFixedString | Qt::MatchCaseSensitive);
  return index >= 0 ? m_list->itemData(index).toString() : text;
}

QString FunctionEditor::problem() const {
  const QString text = typed();
  if (m_list->findData(text) >= 0 || text == m_value) return {};
  return m_check ? m_check(text) : QString();
}

void FunctionEditor::showProblem() {
  const QString wrong = m_list->lineEdit()->isModified() ? problem() : QString();
  showWarning(m_list->lineEdit(), QPalette::Text, !wrong.isEmpty());
  m_read.stop();
  // Who keeps what is typed says below what is wrong with it.
  m_error.show(this, m_keepsTyped ? QString() : wrong, m_list->objectName() + ".error");
  m_names->keepOff(m_error.label());
  m_list->setAccessibleDescription(wrong);
}

void FunctionEditor::beginTyping() {
  if (std::exchange(m_typing, true)) return;
  m_before = m_value;
  m_taken = false;
}

void FunctionEditor::take(bool final) {
  m_pause.stop();
  if (m_telling) return;
  if (!problem().isEmpty()) {
    showProblem();
    // It covers what stands there, which is wanted again once it has been read.
    if (final) m_read.start();
    return;
  }
  const QString text = typed();
  const bool changed = text != m_value;
  m_untaken = false;
  m_taken |= changed;
  if (final) m_typing = false;
  m_value = text;
  if (changed || final) leaveToDocument(m_list->lineEdit());
  if (changed || final) tell(text, final);
}

void FunctionEditor::tell(const QString& value, bool final) {
  const QPointer guard(this);
  m_telling = true;
  emit edited(value, final);
  if (guard) m_telling = false;
}

bool FunctionEditor::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_list && asksForTyped(*event)) {
    if (m_untaken && !m_keepsTyped) take(false);
    event->accept();
    return true;
  }
  if (watched != m_list || m_keepsTyped || !m_typing || m_held)
    return FieldEditor::eventFilter(watched, event);
  if (event->type() == QEvent::FocusOut) {
    // Not when a list of names opens.
    if (static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason && !m_telling) leave();
    return false;
  }
  const Esc esc = escIn(*event);
  if (esc == Esc::Pressed) takeBack();
  return esc != Esc::None;
}

void FunctionEditor::leave() {
  const QPointer<FunctionEditor> guard(this);
  const QString wrong = problem();
  take(true);
  if (!guard || !m_typing) return;
  m_typing = m_untaken = false;
  setValue(m_value);
  // Who was quick has not seen yet what is wrong with it.
  m_error.show(this, wrong, m_list->objectName() + ".error");
  m_read.start();
}

void FunctionEditor::takeBack() {
  m_pause.stop();
  m_typing = m_untaken = false;
  const bool tells = std::exchange(m_taken, false);
  setValue(tells ? m_before : m_value);
  chooseAll(m_list->lineEdit());
  if (tells) tell(m_before, true);
}

}  // namespace farfield::ui
