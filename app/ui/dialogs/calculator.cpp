#include "app/ui/dialogs/calculator.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFocusEvent>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTreeWidget>
#include <algorithm>

#include "app/model/own_functions.h"
#include "app/ui/editors/function_editor.h"
#include "app/ui/widgets/clear_button.h"
#include "app/ui/widgets/look.h"
#include "core/fields/functions/defined_functions.h"

namespace farfield::ui {
namespace {

std::vector<fields::FunctionInfo> listedIn(const app::DataSummary& data) {
  std::vector<fields::FunctionInfo> all = data.functions;
  all.insert(all.end(), data.parts.begin(), data.parts.end());
  return all;
}

}  // namespace

Calculator::Calculator(app::AppModel& model, const std::string& dataName, QWidget* parent)
    : QDialog(parent),
      m_model(model),
      m_data(new QComboBox(this)),
      m_filter(new QLineEdit(this)),
      m_name(new QLineEdit(this)),
      m_functions(new QTreeWidget(this)),
      m_place(new QWidget(this)),
      m_problem(new QLabel(this)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Calculator"));
  setObjectName("calculator");
  auto* const grid = new QGridLayout(this);
  const auto row = [&](int at, const QString& text, QWidget* widget, const char* name, const QString& tip) {
    auto* const label = new QLabel(text, this);
    label->setBuddy(widget);
    widget->setObjectName(name);
    widget->setToolTip(tip);
    grid->addWidget(label, at, 0);
    grid->addWidget(widget, at, 1, 1, 2);
    return label;
  };
  row(0, tr("&Data"), m_data, "calculator.data", tr("Whose functions are listed, and which get the new one"));
  row(1, tr("&Find"), m_filter, "calculator.filter",
      tr("Lists those alone that have these letters in their name or formula"));
  m_filter->setPlaceholderText(tr("a part of a name or a formula"));
  addClearButton(*m_filter);
  m_functions->setObjectName("calculator.functions");
  m_functions->setAccessibleName(tr("Functions of the data"));
  m_functions->setHeaderLabels({tr("Function"), tr("Formula")});
  m_functions->setRootIsDecorated(false);
  m_functions->setUniformRowHeights(true);
  m_functions->setTextElideMode(Qt::ElideRight);
  m_functions->setToolTip(tr("Double click, or Return: into the expression"));
  grid->addWidget(m_functions, 2, 0, 1, 3);
  const auto button = [&](const char* iconName, const QString& text, const char* name, const QString& tip) {
    auto* const made = new QPushButton(icon(iconName), text, this);
    made->setObjectName(name);
    made->setToolTip(tip);
    made->setAutoDefault(false);
    return made;
  };
  m_insert =
      button("duplicate", tr("&Insert"), "calculator.insert", tr("The chosen function into the expression"));
  m_remove =
      button("remove", tr("&Remove"), "calculator.remove", tr("Takes away a function that you defined"));
  auto* const buttons = new QHBoxLayout;
  buttons->addWidget(m_insert);
  buttons->addWidget(m_remove);
  buttons->addStretch();
  grid->addLayout(buttons, 3, 0, 1, 3);
  row(4, tr("&Name"), m_name, "calculator.name",
      tr("What the new function is called in all lists of functions"));
  m_name->setPlaceholderText(tr("polytropic"));
  auto* const inPlace = new QVBoxLayout(m_place);
  inPlace->setContentsMargins(0, 0, 0, 0);
  m_expressionLabel =
      row(5, tr("&Expression"), m_place, "calculator.place",
          tr("Computed at each node from other functions; three with commas between are a vector"));
  m_keep = button("save", tr("&Keep it"), "calculator.keep",
                  tr("From now on it is a function of the data; the session keeps it"));
  m_problem->setObjectName("calculator.problem");
  m_problem->setWordWrap(true);
  m_problem->setForegroundRole(QPalette::PlaceholderText);
  // Room for what may have to be said, so that nothing moves.
  m_problem->setMinimumHeight(5 * fontMetrics().lineSpacing());
  m_problem->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  grid->addWidget(m_problem, 6, 1);
  grid->addWidget(m_keep, 6, 2, Qt::AlignTop);
  grid->setColumnStretch(1, 1);
  auto* const box = new QDialogButtonBox(QDialogButtonBox::Close, this);
  box->button(QDialogButtonBox::Close)->setAutoDefault(false);
  grid->addWidget(box, 7, 0, 1, 3);
  connect(box, &QDialogButtonBox::rejected, this, &QDialog::close);

  connect(m_data, &QComboBox::currentIndexChanged, this, [this] {
    m_shown = nullptr;
    refresh();
  });
  connect(m_filter, &QLineEdit::textChanged, this, [this] {
    for (int n = 0; n < m_functions->topLevelItemCount(); ++n) {
      QTreeWidgetItem* const item = m_functions->topLevelItem(n);
      const QString text = m_filter->text().trimmed();
      item->setHidden(!item->text(0).contains(text, Qt::CaseInsensitive) &&
                      !item->text(1).contains(text, Qt::CaseInsensitive));
    }
  });
  connect(m_functions, &QTreeWidget::currentItemChanged, this, &Calculator::showChosen);
  // What was kept is the chosen one already.
  connect(m_functions, &QTreeWidget::itemClicked, this, &Calculator::showChosen);
  m_functions->installEventFilter(this);
  connect(m_functions, &QTreeWidget::itemActivated, this, &Calculator::insertChosen);
  connect(m_insert, &QPushButton::clicked, this, &Calculator::insertChosen);
  connect(m_remove, &QPushButton::clicked, this, &Calculator::removeChosen);
  connect(m_name, &QLineEdit::textChanged, this, &Calculator::check);
  connect(m_name, &QLineEdit::returnPressed, this, [this] { line()->setFocus(); });
  connect(m_keep, &QPushButton::clicked, this, &Calculator::keep);
  connect(&model.document(), &app::Document::changed, this, &Calculator::refreshData);
  connect(&model.document(), &app::Document::replaced, this, &Calculator::refreshData);
  connect(&model.stage(), &app::Stage::dataStatusChanged, this, &Calculator::refresh);
  // As it is seen, whatever was made first.
  setTabOrder(m_data, m_filter);
  setTabOrder(m_filter, m_functions);
  setTabOrder(m_functions, m_insert);
  setTabOrder(m_insert, m_remove);
  setTabOrder(m_remove, m_name);
  setTabOrder(m_name, m_keep);
  setTabOrder(m_keep, box->button(QDialogButtonBox::Close));
  makeExpression();
  refreshData();
  if (const int at = m_data->findText(QString::fromStdString(dataName)); at >= 0) m_data->setCurrentIndex(at);
  resize(fontMetrics().averageCharWidth() * 78, fontMetrics().lineSpacing() * 34);
  m_filter->setFocus();
}

std::string Calculator::dataName() const {
  return m_data->currentText().toStdString();
}

QLineEdit* Calculator::line() const {
  return m_expression->findChild<QLineEdit*>();
}

void Calculator::refreshData() {
  QStringList names;
  for (const session::DataSource& source : m_model.document().session().data)
    names.append(QString::fromStdString(source.name));
  QStringList shown;
  for (int n = 0; n < m_data->count(); ++n) shown.append(m_data->itemText(n));
  if (names != shown) {
    const QString before = m_data->currentText();
    const QSignalBlocker quiet(m_data);
    m_data->clear();
    m_data->addItems(names);
    m_data->setCurrentIndex(std::max(0, m_data->findText(before)));
    if (m_data->currentText() != before) m_shown = nullptr;
  }
  refresh();
}

void Calculator::refresh() {
  const auto summary = m_model.stage().summary(dataName());
  auto own = app::ownFunctions(m_model.document().session(), dataName());
  // While it is opened anew, what was known of it stays.
  if (summary == m_shown && own == m_own) {
    if (!m_kept.isEmpty()) check();  // it may be waited for no more
    return;
  }
  if (!summary && m_shown) return;
  m_shown = summary;
  m_own = std::move(own);
  if (!m_own.contains(m_kept.toStdString())) m_kept.clear();  // undone
  const QString chosen = !m_kept.isEmpty()            ? m_kept
                         : m_functions->currentItem() ? m_functions->currentItem()->text(0)
                                                      : QString();
  {
    const QSignalBlocker quiet(m_functions);
    m_functions->clear();
    if (summary)
      for (const fields::FunctionInfo& function : listedIn(*summary)) {
        const QString name = QString::fromStdString(function.name);
        const bool isOwn = m_own.contains(function.name);
        auto* const item = new QTreeWidgetItem(
            m_functions, {name, isOwn                      ? m_own.at(function.name)
                                : function.formula.empty() ? tr("in the data")
                                                           : QString::fromStdString(function.formula)});
        item->setToolTip(1, item->text(1));
        if (isOwn) {
          QFont font = item->font(0);
          font.setBold(true);
          item->setFont(0, font);
        }
        if (function.components == 3)
          item->setText(0, name), item->setText(1, tr("a vector: %1").arg(item->text(1)));
        if (name == chosen) m_functions->setCurrentItem(item);
      }
    m_functions->resizeColumnToContents(0);
  }
  emit m_filter->textChanged(m_filter->text());
  if (QTreeWidgetItem* const item = m_functions->currentItem(); item && item->text(0) == m_kept) {
    if (item->isHidden()) m_filter->clear();
    m_functions->scrollToItem(item);
  }
  makeExpression();
  showChosen();
}

/// With the names that there are now; what is typed stays.
void Calculator::makeExpression() {
  const QString typed = m_expression ? line()->text() : QString();
  const bool hadFocus = m_expression && line()->hasFocus();
  app::Field field;
  if (m_shown)
    for (const fields::FunctionInfo& function : listedIn(*m_shown))
      if (function.components == 1)
        field.choices.emplace_back(QString::fromStdString(function.name),
                                   QString::fromStdString(function.name));
  field.check = [this](const QString& text) { return problemOfExpression(text); };
  // Later: it may be what the key came from that brought this about.
  if (m_expression) {
    m_expression->hide();
    m_expression->setParent(nullptr);
    m_expression->deleteLater();
  }
  m_expression = new FunctionEditor(field, m_place);
  m_expression->keepTyped();
  auto* const list = m_expression->findChild<QComboBox*>();
  list->setObjectName("calculator.expression");
  list->setAccessibleName(tr("Expression"));
  m_place->layout()->addWidget(m_expression);
  m_place->setFocusProxy(m_expression);
  m_expressionLabel->setBuddy(list);
  // It was made after the others, and is not where Tab comes last.
  QWidget::setTabOrder(m_name, list);
  QWidget::setTabOrder(list, m_keep);
  m_expression->setValue(QString());
  line()->setText(typed);
  line()->setPlaceholderText(tr("pressure/density^1.4"));
  connect(line(), &QLineEdit::textChanged, this, &Calculator::check);
  connect(line(), &QLineEdit::returnPressed, this, [this] {
    if (m_keep->isEnabled()) keep();
  });
  if (hadFocus) line()->setFocus();
  check();
}

void Calculator::showChosen() {
  QTreeWidgetItem* const item = m_functions->currentItem();
  if (item && !item->isSelected()) item->setSelected(true);  // the list has the keyboard by Tab
  const bool isOwn = item && m_own.contains(item->text(0).toStdString());
  if (item && item->text(0) != m_kept && !m_kept.isEmpty()) m_kept.clear(), check();
  m_insert->setEnabled(item != nullptr);
  m_remove->setEnabled(isOwn);
  if (!isOwn || !m_functions->hasFocus()) return;
  // To be looked at, and changed.
  m_name->setText(item->text(0));
  line()->setText(m_own.at(item->text(0).toStdString()));
}

bool Calculator::eventFilter(QObject* watched, QEvent* event) {
  // With the mouse it is known only by the click which one is meant.
  if (watched == m_functions && event->type() == QEvent::FocusIn && !m_kept.isEmpty() &&
      static_cast<QFocusEvent*>(event)->reason() != Qt::MouseFocusReason)
    showChosen();
  return QDialog::eventFilter(watched, event);
}

void Calculator::insertChosen() {
  const QTreeWidgetItem* const item = m_functions->currentItem();
  if (!item) return;
  // The expression of a function that is being changed is not to have that function in it.
  if (m_own.contains(item->text(0).toStdString()) && m_name->text() == item->text(0))
    m_name->clear(), line()->clear();
  const QString name = item->text(0);
  const bool isPlain = fields::problemOfFunctionName(name.toStdString()).empty();
  line()->insert(isPlain ? name : "{" + name + "}");
  line()->setFocus();
}

QString Calculator::problemOfExpression(const QString& text) const {
  return m_shown ? app::problemOfOwnExpression(*m_shown, m_name->text().trimmed(), text.trimmed())
                 : QString();
}

void Calculator::check() {
  const bool nothing = m_name->text().isEmpty() && line()->text().isEmpty();
  if (!nothing) m_kept.clear();
  const QString ofName =
      nothing || !m_shown ? QString() : app::problemOfOwnName(*m_shown, m_name->text().trimmed());
  const QString ofExpression = nothing ? QString() : problemOfExpression(line()->text());
  showWarning(m_name, QPalette::Text, !ofName.isEmpty());
  showWarning(line(), QPalette::Text, !ofExpression.isEmpty());
  // What has not been typed yet is no mistake beside one that has.
  QStringList problems;
  if (!ofName.isEmpty() && (ofExpression.isEmpty() || !m_name->text().isEmpty())) problems.append(ofName);
  if (!ofExpression.isEmpty() && (ofName.isEmpty() || !line()->text().isEmpty()))
    problems.append(ofExpression);
  const QString wrong = problems.join('\n');
  const QString never = m_shown ? app::whyNoOwnFunctions(*m_shown) : QString();
  const bool isOwn = m_own.contains(m_name->text().trimmed().toStdString());
  m_problem->setText(
      !m_kept.isEmpty()
          ? (isListed(m_kept)
                 ? tr("“%1” is kept: it is in all lists of functions from now on, and in the session.")
                 : tr("“%1” is kept in the session. It is in the lists of functions once the data can be read with it."))
                .arg(m_kept)
      : nothing && !never.isEmpty() ? never
      : nothing
          ? tr("Numbers, functions, + - * / ^ and parentheses; sqrt, abs, exp, log, log10, sin, cos, tan, "
               "asin, acos, atan, min, max, atan2. Three with commas between are a vector.")
      : !wrong.isEmpty() ? wrong
      : isOwn            ? tr("It takes the place of the one of this name.")
                         : QString());
  showWarning(m_problem, QPalette::WindowText, !wrong.isEmpty());
  m_problem->setForegroundRole(wrong.isEmpty() ? QPalette::PlaceholderText : QPalette::WindowText);
  m_keep->setEnabled(!nothing && m_shown && wrong.isEmpty());
}

Calculator::Draft Calculator::draft() const {
  return {dataName(), m_name->text(), line()->text()};
}

void Calculator::setDraft(const Draft& draft) {
  if (draft.data != dataName()) return;
  m_name->setText(draft.name);
  line()->setText(draft.expression);
  check();
}

void Calculator::keep() {
  const QString name = m_name->text().trimmed(), expression = line()->text();
  m_name->clear();
  line()->clear();
  m_kept = name;
  app::defineFunction(m_model.document(), dataName(), name, expression);
  check();
}

void Calculator::removeChosen() {
  const QTreeWidgetItem* const item = m_functions->currentItem();
  if (!item) return;
  const QString name = item->text(0);
  const app::FunctionUsers users = app::usersOf(m_model, dataName(), name);
  const auto remove = [this, data = dataName(), names = QStringList(name) + users.functions] {
    app::removeFunctions(m_model, data, names);
  };
  if (!users.any()) return remove();
  QStringList lines;
  if (!users.functions.isEmpty())
    lines.append(tr("Functions made of it, which go with it: %1.").arg(users.functions.join(", ")));
  if (!users.objects.isEmpty()) lines.append(tr("Objects: %1.").arg(users.objects.join(", ")));
  if (users.plot) lines.append(tr("The curve in the panel of plots."));
  if (users.plot || !users.objects.isEmpty())
    lines.append(tr(
        "What shows it alone is not shown until it gets another function; what reads others beside it goes on with those."));
  lines.append(tr("Undo brings all of it back."));
  auto* const box = new QMessageBox(QMessageBox::Question, tr("Farfield"),
                                    tr("“%1” is in use. Remove it?").arg(name), QMessageBox::NoButton, this);
  box->setObjectName("removeFunction");
  box->setInformativeText(lines.join('\n'));
  const QPushButton* const yes = box->addButton(tr("&Remove it"), QMessageBox::DestructiveRole);
  QPushButton* const no = box->addButton(tr("&Keep it"), QMessageBox::RejectRole);
  box->setDefaultButton(no);
  box->setEscapeButton(no);
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(box, &QMessageBox::finished, this, [box, yes, remove] {
    if (box->clickedButton() == yes) remove();
  });
  box->open();
}

bool Calculator::isListed(const QString& name) const {
  const auto data = m_model.stage().summary(dataName());
  if (!data) return false;
  const auto& attributes = data->description.attributes;
  const auto its = attributes.find(std::string(fields::kDefinitionKey) + name.toStdString());
  const auto own = app::ownFunctions(m_model.document().session(), dataName());
  const auto kept = own.find(name.toStdString());
  return its != attributes.end() && kept != own.end() && its->second == kept->second.toStdString();
}

}  // namespace farfield::ui
