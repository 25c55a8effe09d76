#include "app/ui/editors/text_editor.h"

#include <QFocusEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <utility>

#include "app/model/document/fit_for_files.h"
#include "app/ui/widgets/esc_key.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/name_completer.h"
#include "app/ui/widgets/typed_line.h"

namespace farfield::ui {

TextEditor::TextEditor(const app::Field& field, QWidget* parent)
    : FieldEditor(parent),
      m_edit(new QLineEdit(this)),
      m_check(field.check),
      m_remark(field.remark),
      m_tip(field.tip),
      m_optional(!field.automatic.isEmpty()) {
  auto* const row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(m_edit);
  m_edit->setPlaceholderText(field.automatic);
  setFocusProxy(m_edit);
  m_edit->setAcceptDrops(false);  // files are dropped onto the window
  m_edit->installEventFilter(this);
  if (field.kind == app::FieldKind::Text && !field.choices.empty()) {
    QStringList names;
    for (const auto& [value, label] : field.choices) names.append(value);
    m_names = new NameCompleter(names, m_edit, [this] { return problem().isEmpty(); });
  }
  m_pause.setSingleShot(true);
  m_pause.setInterval(kTypingPauseMs);
  connect(&m_pause, &QTimer::timeout, this, [this] {
    if (m_names && m_names->isChosenFrom())
      m_pause.start();
    else
      take(false);
  });
  connect(m_edit, &QLineEdit::textEdited, this, [this] {
    if (!std::exchange(m_typing, true)) {
      m_before = m_value;
      m_taken = false;
    }
    m_untaken = true;
    showValidity();
    m_pause.start();
  });
  connect(m_edit, &QLineEdit::editingFinished, this, [this] {
    if (m_held) return;
    // Not typed but put there by an input method or a tool for those who cannot type.
    if (!m_typing && !m_telling && m_edit->text() != m_value.toString()) {
      m_before = m_value;
      m_taken = false;
      m_typing = true;
    }
    take(true);
  });
}

void TextEditor::setValue(const QVariant& value) {
  const bool other = m_value != value;
  m_value = QVariant(value);  // which may be the same one
  // Undone, or changed elsewhere, after what was typed had taken effect: that is no more.
  if (m_typing && other && !m_untaken && !m_telling) {
    m_typing = false;
    emit interrupted();
  }
  if (m_typing) return;
  if (value.toString() != m_edit->text()) m_edit->setText(value.toString());
  if (!m_edit->hasFocus()) m_edit->setCursorPosition(0);
  showValidity();
}

void TextEditor::setAutomaticText(const QString& text) {
  if (m_edit->placeholderText() != text) m_edit->setPlaceholderText(text);
}

void TextEditor::handTypingTo(FieldEditor& next) {
  auto* const other = dynamic_cast<TextEditor*>(&next);
  if (!other || other == this || !std::exchange(m_typing, false)) return;
  m_pause.stop();
  handLineTo(*m_edit, *other->m_edit);
  other->m_before = m_before;
  other->m_taken = m_taken;
  other->m_untaken = std::exchange(m_untaken, false);
  other->m_typing = true;
  other->showValidity();
  if (other->m_untaken) other->m_pause.start();
}

void TextEditor::dropTyping() {
  m_held = false;
  if (m_names) m_names->close();
  endTyping();
}

void TextEditor::endTyping() {
  m_pause.stop();
  m_typing = m_untaken = false;
  setValue(m_value);
}

void TextEditor::tell(const QVariant& value, bool final) {
  const QScopedValueRollback telling(m_telling, true);
  emit edited(value, final);
}

void TextEditor::take(bool final) {
  m_pause.stop();
  if (m_telling || !m_typing) return;
  const QString text = app::plainText(m_edit->text()).trimmed();
  const bool good = problem().isEmpty();
  const bool changed = good && text != m_value.toString();
  if (good) m_untaken = false;
  m_taken |= changed;
  const bool tells = changed || (final && m_taken);
  const QVariant value = changed ? (text.isEmpty() && m_optional ? QVariant() : QVariant(text)) : m_value;
  if (final) m_typing = m_untaken = false;
  if (changed) leaveToDocument(m_edit);
  if (tells) tell(value, final);
  if (final) setValue(m_value);  // what made no sense is taken back
}

void TextEditor::takeBack() {
  m_pause.stop();
  m_typing = m_untaken = false;
  const bool tells = std::exchange(m_taken, false);
  if (tells) m_value = m_before;
  setValue(QVariant(m_value));
  chooseAll(m_edit);
  if (tells) tell(m_before, true);
}

bool TextEditor::listIsOpen() const {
  return m_names && m_names->isOpen();
}

bool TextEditor::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_edit && !m_typing &&
      (event->type() == QEvent::FocusOut || event->type() == QEvent::FocusIn))
    showValidity();
  if (watched == m_edit && asksForTyped(*event)) {
    if (m_untaken) take(false);
    event->accept();
    return true;
  }
  if (watched != m_edit || !m_typing || m_held) return FieldEditor::eventFilter(watched, event);
  if (event->type() == QEvent::FocusOut) {
    // A list of names that opens takes the keyboard, and typing goes on; so it does in a window that is come back to.
    const Qt::FocusReason why = static_cast<QFocusEvent*>(event)->reason();
    if (why != Qt::PopupFocusReason && why != Qt::ActiveWindowFocusReason && !listIsOpen()) take(true);
    return false;
  }
  const Esc esc = escIn(*event);
  if (esc == Esc::Pressed) takeBack();
  return esc != Esc::None;
}

QString TextEditor::problem() const {
  if (m_edit->text().trimmed().isEmpty()) return m_optional ? QString() : tr("Something is needed here.");
  return m_check ? m_check(m_edit->text()) : QString();
}

void TextEditor::showValidity() {
  const QString wrong = problem();
  // What is remarked holds on when it has been taken, as long as one stays.
  const QString remark = wrong.isEmpty() && m_remark ? m_remark(m_edit->text()) : QString();
  m_edit->setToolTip(!wrong.isEmpty() ? wrong : remark.isEmpty() ? m_tip : remark);
  const QString said = m_typing && !wrong.isEmpty() ? wrong : m_edit->hasFocus() ? remark : QString();
  m_error.show(this, said, m_edit->objectName() + ".error");
  if (m_names) m_names->keepOff(m_error.label());
  if (wrong.isEmpty() == m_shownGood) return;
  m_shownGood = wrong.isEmpty();
  showWarning(m_edit, QPalette::Text, !m_shownGood);
}

}  // namespace farfield::ui
