#include "app/ui/panels/probe_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "app/model/fields/read_functions.h"
#include "app/model/fields/window_kinds.h"
#include "app/model/files/file_saver.h"
#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/editors/function_editor.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/names.h"
#include "app/ui/widgets/number_edit.h"
#include "app/ui/widgets/tab_order.h"
#include "core/fields/functions/vector_parts.h"

namespace farfield::ui {
namespace {
constexpr int kPlaceColumns = 4;  // the probe and x, y, z
}

ProbePanel::ProbePanel(app::AppModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_hint(new QLabel(this)),
      m_table(new QTableWidget(this)),
      m_functions(new QToolButton(this)),
      m_time(new QToolButton(this)),
      m_copy(new QToolButton(this)),
      m_csv(new QToolButton(this)),
      m_remove(new QToolButton(this)),
      m_menu(new QMenu(this)),
      m_adding(new QLabel(tr("Read also"), this)),
      m_addingRow(new QHBoxLayout) {
  auto* const column = new QVBoxLayout(this);
  column->setContentsMargins(kPanelMargin, 4, kPanelMargin, 4);
  m_hint->setObjectName("probes.hint");
  m_hint->setWordWrap(true);
  m_hint->setForegroundRole(QPalette::PlaceholderText);
  m_table->setObjectName("probes.table");
  m_table->setAccessibleName(tr("Probes"));
  m_table->setWhatsThis(tr(
      "Each probe, where it is, and what is read there at the step that is shown. A click selects it; Delete takes the chosen ones away."));
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setTabKeyNavigation(false);
  m_table->verticalHeader()->hide();
  m_table->horizontalHeader()->setHighlightSections(false);
  m_table->setFrameShape(QFrame::NoFrame);
  const auto set = [&](QToolButton* button, const char* name, const QString& text, const QString& tip) {
    button->setObjectName(QString("probes.") + name);
    button->setText(text);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
  };
  set(m_functions, "functions", tr("Values"), tr("What is read at all probes"));
  m_functions->setPopupMode(QToolButton::InstantPopup);
  m_functions->setMenu(m_menu);
  set(m_time, "time", tr("Over time"), tr("Plots what is read at the chosen probe over all steps"));
  set(m_copy, "copy", tr("Copy rows"), tr("All probes as text, or those whose rows are chosen"));
  m_copy->setMinimumWidth(m_copy->sizeHint().width());  // of either word: nothing moves
  showWhatIsCopied();
  set(m_csv, "csv", tr("CSV …"), tr("All probes and their values, with all digits"));
  set(m_remove, "remove", tr("Remove"), tr("Takes the chosen probes away"));
  auto* const buttons = new QHBoxLayout;
  buttons->setSpacing(2);
  for (QToolButton* const button : {m_functions, m_time, m_copy, m_csv, m_remove}) buttons->addWidget(button);
  buttons->addStretch();
  column->addLayout(buttons);
  column->addWidget(m_hint);
  m_addingRow->addWidget(m_adding);
  column->addLayout(m_addingRow);
  column->addWidget(m_table, 1);
  // Without the table there is nothing that would fill the panel.
  column->addStretch(0);
  tabAsLaidOut(*column);

  connect(m_time, &QToolButton::clicked, this, &ProbePanel::plotChosen);
  connect(m_copy, &QToolButton::clicked, this, &ProbePanel::copy);
  connect(m_csv, &QToolButton::clicked, this, &ProbePanel::save);
  connect(m_remove, &QToolButton::clicked, this, &ProbePanel::removeChosen);
  auto* const removes = new QShortcut(QKeySequence::Delete, m_table);
  removes->setContext(Qt::WidgetShortcut);
  connect(removes, &QShortcut::activated, this, &ProbePanel::removeChosen);
  connect(m_menu, &QMenu::aboutToShow, this, &ProbePanel::fillFunctions);
  connect(m_table, &QTableWidget::cellClicked, this, [this](int row, int) {
    m_isMarked = false;
    showWhatIsCopied();
    if (row >= 0 && static_cast<std::size_t>(row) < m_rows.size())
      emit objectChosen(m_rows[static_cast<std::size_t>(row)].id);
  });
  connect(m_table, &QTableWidget::itemSelectionChanged, this, [this] {
    m_isMarked = m_marking;
    m_remove->setEnabled(!chosenRows().empty());
    showWhatIsCopied();
  });
  connect(&model.document(), &app::Document::changed, this, &ProbePanel::refresh);
  connect(&model.stage(), &app::Stage::dataOpened, this, &ProbePanel::refresh);
  connect(&model.document(), &app::Document::replaced, this, [this] {
    m_marks.clear();
    refresh();
  });
  connect(&model.stage(), &app::Stage::itemReady, this,
          [this](app::ObjectId id, const scene::SceneItem& item, bool) {
            if (item.marks.empty() && !m_marks.contains(id)) return;
            m_marks[id] = item.marks;
            refresh();
          });
  connect(&model.stage(), &app::Stage::itemGone, this, [this](app::ObjectId id) {
    if (m_marks.erase(id) > 0) refresh();
  });
  refresh();
}

QSize ProbePanel::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 56, fontMetrics().height() * 14};
}

std::vector<std::size_t> ProbePanel::chosenRows() const {
  // Not selectedRows(): of columns that have come meanwhile nothing is selected.
  std::set<std::size_t> rows;
  for (const QModelIndex& index : m_table->selectionModel()->selectedIndexes())
    rows.insert(static_cast<std::size_t>(index.row()));
  return {rows.begin(), rows.end()};
}

void ProbePanel::refresh() {
  m_rows = app::probeRows(m_model.document(), m_marks);
  const std::vector<std::string> columns = app::probedFunctions(m_rows);
  const bool any = !m_rows.empty();
  m_hint->setText(hint());
  m_hint->setVisible(!any);
  m_table->setVisible(any);
  for (QToolButton* const button : {m_functions, m_time, m_copy, m_csv, m_remove}) button->setVisible(any);
  m_adding->setVisible(any);
  if (any) makeAdding();
  if (m_added) m_added->setVisible(any);
  QStringList heads{tr("Probe")};
  for (const fields::AxisName& axis : axesOfRows())
    heads.append(QString::fromStdString(fields::saidOf(axis)));
  for (const std::string& name : columns) heads.append(headOf(name));
  if (m_heads != heads) {
    m_heads = heads;
    m_table->setColumnCount(static_cast<int>(heads.size()));
    m_table->setHorizontalHeaderLabels(heads);
    const QScopedValueRollback goesOn(m_marking, m_isMarked);
    for (const std::size_t row : chosenRows())
      m_table->selectionModel()->select(m_table->model()->index(static_cast<int>(row), 0),
                                        QItemSelectionModel::Select | QItemSelectionModel::Rows);
  }
  m_table->setRowCount(static_cast<int>(m_rows.size()));
  for (std::size_t n = 0; n < m_rows.size(); ++n) {
    const app::ProbeRow& row = m_rows[n];
    const auto put = [&](int column, const QString& text) {
      QTableWidgetItem* item = m_table->item(static_cast<int>(n), column);
      if (!item) m_table->setItem(static_cast<int>(n), column, item = new QTableWidgetItem);
      if (item->text() != text) item->setText(text);
    };
    put(0, tr("%1 %2").arg(row.object).arg(row.number + 1));
    for (int axis = 0; axis < 3; ++axis) put(1 + axis, QString::number(row.place[axis], 'g', 6));
    for (std::size_t c = 0; c < columns.size(); ++c)
      put(kPlaceColumns + static_cast<int>(c), app::probeValueText(row, columns[c]));
    // Without any value there is a column less to say it in.
    if (row.known && !row.found && columns.empty())
      put(0, tr("%1 %2: outside").arg(row.object).arg(row.number + 1));
  }
  m_table->resizeColumnsToContents();
  m_remove->setEnabled(!chosenRows().empty());
  showWhatIsCopied();
}

/// What to do, or why that would not help with any of the data that are open.
QString ProbePanel::hint() const {
  QString why;
  for (const session::DataSource& source : m_model.document().session().data) {
    const auto summary = m_model.stage().summary(source.name);
    if (!summary) continue;
    why = app::whyNothing(app::windowKind(session::kTypeOf<session::Probe>), *summary);
    if (why.isEmpty()) break;
  }
  return why.isEmpty()
             ? tr("Point at something in the view and press P: a probe stays there, and its values stand here.")
             : why;
}

std::array<fields::AxisName, 3> ProbePanel::axesOfRows() const {
  std::vector<std::shared_ptr<const app::DataSummary>> summaries;
  std::vector<const paging::DatasetDescription*> described;
  for (const app::ProbeRow& row : m_rows) {
    const session::Object* const object = m_model.document().object(row.id);
    const auto summary = object ? m_model.stage().summary(object->data) : nullptr;
    if (!summary) continue;
    summaries.push_back(summary);
    described.push_back(&summary->description);
  }
  return fields::axisNames(described);
}

QString ProbePanel::headOf(const std::string& function) const {
  std::set<std::string> heads;  // of the data that have it
  for (const app::ProbeRow& row : m_rows) {
    const session::Object* const object = m_model.document().object(row.id);
    const auto summary = object ? m_model.stage().summary(object->data) : nullptr;
    const bool isRead = std::any_of(row.values.begin(), row.values.end(),
                                    [&](const auto& value) { return value.first == function; });
    if (summary && isRead) heads.insert(fields::withUnits(summary->description, function));
  }
  return QString::fromStdString(heads.size() == 1 ? *heads.begin() : function);
}

QString ProbePanel::problemOf(const QString& typed) const {
  for (const std::string& function : app::functionsFromText(typed, m_names)) {
    QString problem;
    for (const app::ProbeRow& row : m_rows) {
      const session::Object* const object = m_model.document().object(row.id);
      const auto summary = object ? m_model.stage().summary(object->data) : nullptr;
      if (!summary) continue;
      problem = app::problemOfRead(*summary, {function});
      if (problem.isEmpty()) break;  // of several data one may have it
    }
    if (!problem.isEmpty()) return problem;
  }
  return {};
}

void ProbePanel::makeAdding() {
  std::vector<std::string> names;
  for (const app::ProbeRow& row : m_rows) {
    const session::Object* const object = m_model.document().object(row.id);
    if (const auto summary = object ? m_model.stage().summary(object->data) : nullptr)
      for (const std::string& name : app::readableFunctions(*summary))
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (m_added && names == m_names) return;
  m_names = names;
  app::Field field;
  for (const std::string& name : names)
    field.choices.emplace_back(QString::fromStdString(name), QString::fromStdString(name));
  field.check = [this](const QString& typed) { return problemOf(typed); };
  delete m_added;
  m_added = new FunctionEditor(field, this);
  m_added->waitForWhole();
  auto* const list = m_added->findChild<QComboBox*>();
  list->setObjectName("probes.add");
  list->setAccessibleName(tr("Read also"));
  list->setToolTip(
      tr("A function, or an expression, that is read at all probes as well; several with commas between"));
  m_addingRow->addWidget(m_added, 1);
  tabAsLaidOut(*layout());
  m_adding->setBuddy(list);
  m_added->setValue(QString());
  // Later: the editor is still at work.
  connect(
      m_added, &FieldEditor::edited, this,
      [this](const QVariant& value, bool final) {
        const QString typed = value.toString();
        if (!final || typed.isEmpty()) return;
        app::showAtProbes(m_model, app::functionsFromText(typed, m_names), true);
        if (m_added) m_added->setValue(QString());
      },
      Qt::QueuedConnection);
}

void ProbePanel::fillFunctions() {
  m_menu->clear();
  std::vector<std::string> names, shown;
  for (const app::ProbeRow& row : m_rows) {
    const session::Object* const object = m_model.document().object(row.id);
    if (!object || row.number > 0) continue;
    const auto add = [](std::vector<std::string>& to, const std::string& name) {
      if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
    };
    for (const std::string& name : std::get<session::Probe>(object->shape).show) add(shown, name);
    if (const auto summary = m_model.stage().summary(object->data))
      for (const std::string& name : app::readableFunctions(*summary)) add(names, name);
    for (const std::string& name : shown) add(names, name);  // expressions as well
  }
  for (const std::string& name : names) {
    QAction* const choice = m_menu->addAction(withoutMnemonics(QString::fromStdString(name)));
    choice->setCheckable(true);
    choice->setChecked(std::find(shown.begin(), shown.end(), name) != shown.end());
    connect(choice, &QAction::triggered, this,
            [this, name](bool on) { app::showAtProbes(m_model, {name}, on); });
  }
}

bool ProbePanel::copiesAll() const {
  return m_isMarked || chosenRows().empty();
}

/// The word says which, as a row that is marked looks like one that is chosen.
void ProbePanel::showWhatIsCopied() {
  m_copy->setText(copiesAll() ? tr("Copy all") : tr("Copy rows"));
}

void ProbePanel::copy() const {
  std::vector<app::ProbeRow> rows;
  if (!copiesAll())
    for (const std::size_t n : chosenRows()) rows.push_back(m_rows[n]);
  QApplication::clipboard()->setText(app::probeTable(rows.empty() ? m_rows : rows, '\t', m_rows));
}

bool ProbePanel::writeCsv(const QString& path) const {
  return app::saveFile(path, app::probeTable(m_rows, ',', m_rows).toUtf8()).isEmpty();
}

void ProbePanel::save() {
  askForNewFile(this, m_model.settings(),
                {tr("Save the probes"), tr("Tables (*.csv)"), "csv", "probes.csv", {}},
                [this](const QString& path) {
                  const QString problem = app::saveFile(path, app::probeTable(m_rows, ',', m_rows).toUtf8());
                  if (problem.isEmpty()) noteWritten(m_model.settings(), path);
                  emit message(problem.isEmpty() ? tr("Wrote %1").arg(path)
                                                 : tr("%1 could not be written: %2").arg(path, problem));
                });
}

void ProbePanel::removeChosen() {
  // From the last on, so that numbers stay what they are.
  std::vector<std::size_t> rows = chosenRows();
  const std::vector<app::ProbeRow> all = m_rows;
  for (auto n = rows.rbegin(); n != rows.rend(); ++n)
    app::unpinProbe(m_model.document(), all[*n].id, all[*n].number);
}

void ProbePanel::plotChosen() {
  const std::vector<std::size_t> chosen = chosenRows();
  if (m_rows.empty()) return;
  const app::ProbeRow& row = chosen.empty() ? m_rows.back() : m_rows[chosen.front()];
  std::string function;
  for (const auto& [name, values] : row.values)
    if (function.empty() && values.size() == 1) function = name;
  emit timePlotWanted(row.id, row.number, function);
}

void ProbePanel::showLast(app::ObjectId id) {
  for (std::size_t n = m_rows.size(); n-- > 0;)
    if (m_rows[n].id == id) {
      const QScopedValueRollback marks(m_marking, true);
      m_isMarked = true;
      m_table->selectRow(static_cast<int>(n));
      m_table->scrollToItem(m_table->item(static_cast<int>(n), 0));
      return;
    }
}

void ProbePanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) m_table->resizeColumnsToContents();
}

}  // namespace farfield::ui
