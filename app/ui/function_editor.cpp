#include "app/ui/function_editor.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QCompleter>
#include <QFocusEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <QRegularExpression>
#include <QStringListModel>

#include "app/ui/look.h"

namespace farfield::ui {
namespace {

const QStringList& words() {
  static const QStringList all{"sqrt(", "abs(",  "exp(",  "log(",  "log10(", "sin(", "cos(",
                               "tan(",  "asin(", "acos(", "atan(", "min(",   "max(", "atan2("};
  return all;
}

/// Completes the name that is being typed, wherever it stands in an expression.
class NameCompleter final : public QCompleter {
 public:
  NameCompleter(const QStringList& names, QLineEdit* line) : QCompleter(names, line), m_line(line) {
    setCaseSensitivity(Qt::CaseInsensitive);
    setCompletionMode(QCompleter::PopupCompletion);
    setMaxVisibleItems(12);
  }
  QStringList splitPath(const QString& path) const override {
    const int typed = lengthOfLastName(path);
    // Behind an operator or in a number no name is typed: of all of them, nothing is to be looked for.
    return {typed > 0 ? path.right(typed) : QStringLiteral("\n")};
  }
  QString pathFromIndex(const QModelIndex& index) const override {
    const QString text = m_line->text();
    return text.chopped(lengthOfLastName(text)) + QCompleter::pathFromIndex(index);
  }

 private:
  QLineEdit* m_line;
};

}  // namespace

void completeNames(QLineEdit* line, const QStringList& names) {
  line->setCompleter(new NameCompleter(names + words(), line));
}

int lengthOfLastName(const QString& text) {
  // The e of 1e-6 is no name.
  static const QRegularExpression kName("(?<![A-Za-z0-9.])[A-Za-z][A-Za-z0-9_-]*$");
  return static_cast<int>(kName.match(text).capturedLength());
}

FunctionEditor::FunctionEditor(const app::Field& field, QWidget* parent)
    : FieldEditor(parent), m_list(new QComboBox(this)), m_check(field.check) {
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
  completeNames(line, names);
  // The line has the keyboard through it.
  m_list->installEventFilter(this);
  m_pause.setSingleShot(true);
  m_pause.setInterval(QApplication::keyboardInputInterval());
  connect(&m_pause, &QTimer::timeout, this, [this] { take(false); });
  connect(line, &QLineEdit::textEdited, this, [this] {
    showProblem();
    m_pause.start();
  });
  connect(line, &QLineEdit::returnPressed, this, [this] { take(true); });
  connect(m_list, &QComboBox::activated, this, [this](int index) {
    // Return in the line comes here, too: what is typed counts then.
    if (m_list->lineEdit()->text() == m_list->itemText(index)) take(true);
  });
}

FunctionEditor::~FunctionEditor() = default;

void FunctionEditor::setField(const app::Field& field) {
  m_check = field.check;
}

void FunctionEditor::setValue(const QVariant& value) {
  m_value = value.toString();
  if (m_list->lineEdit()->isModified() && m_list->lineEdit()->hasFocus()) return;
  const int index = m_list->findData(m_value);
  const QSignalBlocker quiet(m_list);
  m_list->setCurrentIndex(index);
  m_list->lineEdit()->setText(index >= 0 ? m_list->itemText(index) : m_value);
  m_list->lineEdit()->setCursorPosition(0);
  showProblem();
}

QString FunctionEditor::typed() const {
  const QString text = m_list->lineEdit()->text().trimmed();
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
  m_error.show(this, wrong, m_list->objectName() + ".error");
  m_list->setAccessibleDescription(wrong);
}

void FunctionEditor::take(bool final) {
  m_pause.stop();
  const QString text = typed();
  if (!problem().isEmpty()) return showProblem();
  // What was typed is the document's from now on, to undo as well.
  if (final) m_list->lineEdit()->setText(m_list->lineEdit()->text());
  if (text != m_value || final) {
    m_value = text;
    emit edited(text, final);
  }
}

bool FunctionEditor::eventFilter(QObject* watched, QEvent* event) {
  if (m_keepsTyped) return FieldEditor::eventFilter(watched, event);
  if (watched == m_list && event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && m_list->lineEdit()->isModified()) {
    takeBack();
    return true;
  }
  if (event->type() != QEvent::FocusOut || watched != m_list) return FieldEditor::eventFilter(watched, event);
  // Not when a list of names opens.
  if (static_cast<QFocusEvent*>(event)->reason() == Qt::PopupFocusReason || !m_list->lineEdit()->isModified())
    return false;
  const QPointer<FunctionEditor> guard(this);
  if (problem().isEmpty()) take(true);
  if (guard) takeBack();
  return false;
}

/// What was typed and not taken.
void FunctionEditor::takeBack() {
  m_pause.stop();
  m_list->lineEdit()->setModified(false);
  setValue(m_value);
}

}  // namespace farfield::ui
