#include "app/ui/plots/plot_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "app/first/first_objects.h"
#include "app/model/document/plot_line.h"
#include "app/model/document/volume_looks.h"
#include "app/model/object_tree.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/number_edit.h"
#include "app/ui/widgets/tab_order.h"
#include "app/ui/widgets/typed_line.h"

namespace farfield::ui {
namespace {

/// While somebody types or plays.
constexpr int kSoonMs = 60;

}  // namespace

PlotPanel::PlotPanel(app::AppModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_kind(new QComboBox(this)),
      m_data(new QComboBox(this)),
      m_by(new QComboBox(this)),
      m_over(new QComboBox(this)),
      m_across(new QComboBox(this)),
      m_allData(new QCheckBox(tr("All data"), this)),
      m_all(new QCheckBox(tr("All probes"), this)),
      m_curve(new CurveView(this)),
      m_note(new QLabel(this)),
      m_csv(new QToolButton(this)),
      m_svg(new QToolButton(this)),
      m_curves(model.engine()),
      m_reader(model.engine()) {
  setObjectName("plotPanel");
  auto* const column = new QVBoxLayout(this);
  column->setContentsMargins(kPanelMargin, 6, kPanelMargin, 6);
  auto* const grid = new QGridLayout;
  grid->setHorizontalSpacing(6);
  grid->setVerticalSpacing(3);
  buildControls(grid);
  column->addLayout(grid);
  m_curve->setObjectName("plot.curve");
  column->addWidget(m_curve, 1);
  m_note->setObjectName("plot.note");
  m_note->setForegroundRole(QPalette::PlaceholderText);
  m_note->setWordWrap(true);
  m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_note->setFocusPolicy(Qt::NoFocus);  // it says nothing while it is empty
  m_note->setMinimumHeight(fontMetrics().lineSpacing());
  column->addWidget(m_note);
  auto* const buttons = new QHBoxLayout;
  const auto addButton = [&](QToolButton* button, const char* name, const QString& text, const QString& tip) {
    button->setObjectName(QString("plot.") + name);
    button->setText(text);
    button->setToolTip(tip);
    button->setEnabled(false);
    button->setFocusPolicy(Qt::TabFocus);
    buttons->addWidget(button);
  };
  addButton(m_csv, "csv", tr("Save as CSV …"), tr("The numbers of all curves, with all digits"));
  addButton(m_svg, "svg", tr("Save as SVG …"), tr("The drawing with its key, dark on white"));
  buttons->addStretch();
  column->addLayout(buttons);
  tabAsLaidOut(*column);

  m_soon.setSingleShot(true);
  m_soon.setInterval(kSoonMs);
  connect(&m_soon, &QTimer::timeout, this, &PlotPanel::ask);
  app::Stage& stage = model.stage();
  connect(&stage, &app::Stage::stepChanged, this, &PlotPanel::askSoon);
  connect(&stage, &app::Stage::stepsChanged, this, &PlotPanel::askSoon);
  connect(&stage, &app::Stage::dataOpened, this, &PlotPanel::fillData);
  connect(&stage, &app::Stage::dataGrown, this, &PlotPanel::askSoon);
  connect(&stage, &app::Stage::dataReadAgain, this, [this](const std::string& name, bool otherwise) {
    if (name == data() || plotsAllData()) {
      stopCurve();
      stopAlong();
      // What the session plots may be of a function that they have only now.
      if (otherwise && !m_typed) m_kept.reset();
    }
    fillData();
    askSoon();
  });
  connect(&stage, &app::Stage::itemReady, this,
          [this](app::ObjectId id, const scene::SceneItem&, bool complete) {
            if (complete && kind() == Kind::Values && id == object()) askSoon();
          });
  connect(&stage, &app::Stage::statusChanged, this, [this](app::ObjectId id) {
    const app::ObjectState state = m_model.stage().status(id).state;
    const bool isOver = state == app::ObjectState::Failed || state == app::ObjectState::Cancelled;
    if (isOver && kind() == Kind::Values && id == object()) askSoon();
  });
  connect(&model.document(), &app::Document::changed, this, &PlotPanel::fillData);
  connect(&model.document(), &app::Document::replaced, this, [this] {
    setPlace(0);
    m_kept.reset();
    fillData();
    if (m_kept) return;
    const QSignalBlocker quiet(this);
    takeKnownLine();
  });
  connect(&model.document(), &app::Document::objectChanged, this, [this](app::ObjectId id) {
    if (id == m_place) readPlace();
    if (isOfObjects() && id == object()) askSoon();
  });
  connect(&model.document(), &app::Document::imageChanged, this, [this] {
    if (kind() == Kind::Values && m_sums) showSums(object());  // what is cut away
  });
  connect(&model.document(), &app::Document::objectRemoved, this, [this](app::ObjectId id) {
    if (id == m_place) setPlace(0);
  });
  connect(&m_curves, &app::CurveReader::answered, this, &PlotPanel::takeAnswers);
  connect(&m_reader, &app::AlongReader::progressed, this, &PlotPanel::showAlongProgress);
  connect(&m_reader, &app::AlongReader::ended, this, &PlotPanel::takeAlong);
  fillData();
  showControls();
}

void PlotPanel::buildControls(QGridLayout* grid) {
  int row = 0;
  const auto addChoice = [&](const char* name, const QString& text, const QString& tip, QComboBox* choice) {
    auto* const label = new QLabel(text, this);
    label->setBuddy(choice);
    choice->setObjectName(QString("plot.") + name);
    choice->setAccessibleName(text);
    choice->setToolTip(tip);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice->setMinimumContentsLength(10);
    grid->addWidget(label, row, 0);
    grid->addWidget(choice, row++, 1, 1, 3);
    return label;
  };
  addChoice("kind", tr("Plot"), tr("What the curve shows"), m_kind);
  m_kind->addItem(tr("Along a line"));
  m_kind->addItem(tr("Over time at a point"));
  m_kind->addItem(tr("How often values occur"));
  m_kind->addItem(tr("Along the lines of an object"));
  m_dataLabel = addChoice("data", tr("Data"), tr("Whose functions are plotted"), m_data);
  m_allData->setObjectName("plot.allData");
  m_allData->setToolTip(
      tr("A curve of each data set that has the function, along the same line or at the same point"));
  grid->addWidget(m_allData, row++, 1, 1, 3);
  connect(m_allData, &QCheckBox::clicked, this, [this] {
    m_model.document().endMerge();
    keep();
    m_model.document().endMerge();
    askSoon();
  });
  m_overLabel = addChoice("over", tr("Over"), {}, m_over);
  m_byLabel = addChoice(
      "by", tr("Of"),
      tr("The function whose values are plotted, or an expression of functions; several with commas "
         "between, such as “%1”")
          .arg("mach, pressure"),
      m_by);
  m_acrossLabel =
      addChoice("across", tr("Over"),
                tr("The way along each line from where it begins, or where its points lie"), m_across);
  for (const QString& text : {tr("distance along the line"), tr("x"), tr("y"), tr("z")})
    m_across->addItem(text);
  m_by->setEditable(true);
  m_by->setInsertPolicy(QComboBox::NoInsert);
  for (std::size_t n = 0; n < 2; ++n) {
    m_endLabels[n] = new QLabel(this);
    grid->addWidget(m_endLabels[n], row, 0);
    for (int axis = 0; axis < 3; ++axis) {
      auto* const edit = new NumberEdit({}, this);
      edit->setObjectName(QStringLiteral("plot.%1.%2").arg(n == 0 ? "from" : "to").arg(QChar("xyz"[axis])));
      edit->setWhatsThis(
          n == 0
              ? tr("Where the line begins, or the point at which is read; its handle in the view can be dragged.")
              : tr("Where the line ends; its handle in the view can be dragged."));
      grid->addWidget(edit, row, 1 + axis);
      connect(edit, &NumberEdit::edited, this, [this](bool finished) {
        movePlace(finished);
        askSoon();
      });
      m_ends[n][static_cast<std::size_t>(axis)] = edit;
    }
    ++row;
  }
  m_all->setObjectName("plot.all");
  m_all->setToolTip(tr("A curve at each place of the probes that are shown"));
  grid->addWidget(m_all, row++, 1, 1, 3);
  connect(m_all, &QCheckBox::clicked, this, [this] {
    // Without it there is one of them.
    if (!m_place) setPlace(app::lastProbesOf(m_model.document(), data()));
    readPlace();
    m_model.document().endMerge();
    keep();
    m_model.document().endMerge();
    showControls();
    askSoon();
  });
  connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
    takeKnownLine();
    if (m_listsOfWalls != (kind() == Kind::Along)) fillFunctions(m_by->currentText().toStdString());
    fillObjects();
    showControls();
    askSoon();
  });
  connect(m_data, &QComboBox::activated, this, [this] {
    fillFunctions({});
    showLineThrough(nullptr);
    takeKnownLine();
    fillObjects();
    const Put put = putPlace();
    // With a point that is looked for the choice is one step, once it is there.
    if (put != Put::Later) keep(put == Put::Now ? QString(app::kPlotLineKey) : keyOf(*m_data, m_visit));
    if (put == Put::Now) m_model.document().endMerge();
    askSoon();
  });
  connect(m_over, &QComboBox::activated, this, [this] {
    if (kind() == Kind::Along) fillFunctions(functionAlong(object()));
    showControls();
    keepMet(*m_over);
    askSoon();
  });
  connect(m_across, &QComboBox::activated, this, [this] {
    keepMet(*m_across);
    askSoon();
  });
  connect(m_by, &QComboBox::currentIndexChanged, this, &PlotPanel::askSoon);
  m_typingPause.setSingleShot(true);
  m_typingPause.setInterval(kTypingPauseMs);
  connect(&m_typingPause, &QTimer::timeout, this, &PlotPanel::takeTyped);
  // What somebody chose is kept, and nothing that the panel fills in by itself.
  for (QComboBox* const choice : {m_kind, m_by})
    connect(choice, &QComboBox::activated, this, [this, choice] {
      keepMet(*choice);
      askSoon();  // where nothing was plotted what is chosen may be what stood there
    });
  for (QComboBox* const choice : {m_kind, m_data, m_by, m_over, m_across}) choice->installEventFilter(this);
  m_by->lineEdit()->installEventFilter(this);
  connect(m_by->lineEdit(), &QLineEdit::textEdited, this, &PlotPanel::seeTyped);
  connect(m_by->lineEdit(), &QLineEdit::editingFinished, this, &PlotPanel::endTyping);
  connect(m_csv, &QToolButton::clicked, this, [this] { save(tr("Tables (*.csv)"), "csv"); });
  connect(m_svg, &QToolButton::clicked, this, [this] { save(tr("Drawings (*.svg)"), "svg"); });
}

/// What is said of a curve takes up to three lines in a panel that is as low as it may be, which the curve has in the mean time.
QSize PlotPanel::minimumSizeHint() const {
  return QWidget::minimumSizeHint() + QSize(0, 2 * fontMetrics().lineSpacing());
}

QSize PlotPanel::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 56, fontMetrics().height() * 26};
}

PlotPanel::Kind PlotPanel::kind() const {
  return static_cast<Kind>(std::max(0, m_kind->currentIndex()));
}

bool PlotPanel::isOfObjects() const {
  return kind() == Kind::Values || kind() == Kind::Along;
}

app::ObjectId PlotPanel::object() const {
  return m_over->currentData().toULongLong();
}

std::string PlotPanel::data() const {
  return m_data->currentText().toStdString();
}

bool PlotPanel::canPlotAllData() const {
  return m_data->count() > 1 && !isOfObjects();
}

bool PlotPanel::plotsAllData() const {
  return canPlotAllData() && m_allData->isChecked();
}

void PlotPanel::chooseData(const std::string& name) {
  if (const int at = m_data->findText(QString::fromStdString(name)); at >= 0) m_data->setCurrentIndex(at);
}

Vec3 PlotPanel::end(std::size_t n) const {
  Vec3 point;
  for (int axis = 0; axis < 3; ++axis)
    point[axis] = m_ends[n][static_cast<std::size_t>(axis)]->value().value_or(0);
  return point;
}

void PlotPanel::setEnd(std::size_t n, Vec3 point) {
  for (int axis = 0; axis < 3; ++axis) m_ends[n][static_cast<std::size_t>(axis)]->setValue(point[axis]);
}

void PlotPanel::setKind(Kind kind) {
  m_kind->setCurrentIndex(static_cast<int>(kind));
}

void PlotPanel::fillData() {
  const std::string before = data();
  QStringList names;
  for (const session::DataSource& source : m_model.document().session().data)
    if (m_model.stage().summary(source.name)) names.append(QString::fromStdString(source.name));
  QStringList listed;
  for (int n = 0; n < m_data->count(); ++n) listed.append(m_data->itemText(n));
  if (names != listed) {
    const QSignalBlocker quiet(m_data);
    m_data->clear();
    m_data->addItems(names);
    m_data->setCurrentIndex(std::max(0, m_data->findText(QString::fromStdString(before))));
  }
  if (names != listed || m_by->count() == 0) {
    fillFunctions({});
    if (data() != before) {
      showLineThrough(nullptr);
      // That which a session keeps, which nobody chose: it is not selected.
      const QSignalBlocker quiet(this);
      takeKnownLine();
    }
    showControls();
    askSoon();
    m_kept.reset();
  }
  fillObjects();
  takeChoice();
  if (kind() == Kind::Along) askSoon();  // what lines lie on has moved, perhaps
  if (kind() != Kind::Time) return;
  showControls();
  if (plotsAllProbes()) askSoon();  // they come, go, move and are called something else
}

void PlotPanel::fillFunctions(const std::string& wish) {
  const QSignalBlocker quiet(m_by);
  m_by->clear();
  const auto summary = m_model.stage().summary(data());
  if (!summary) return;
  for (const std::string& name : app::scalarsToChoose(*summary)) m_by->addItem(QString::fromStdString(name));
  // Of lines on walls; of others it is said that they have none.
  m_listsOfWalls = kind() == Kind::Along;
  if (m_listsOfWalls)
    for (const std::string& name : app::wallFunctions(*summary)) m_by->addItem(QString::fromStdString(name));
  for (const std::string& name : {wish, app::usualScalar(*summary)})
    if (const int at = m_by->findText(QString::fromStdString(name)); at >= 0) {
      m_by->setCurrentIndex(at);
      break;
    }
  // An expression is in no list.
  const QString typed = QString::fromStdString(wish);
  if (!wish.empty() && m_by->findText(typed) < 0 && app::checkOfPlotted(summary)(typed).isEmpty())
    m_by->setEditText(typed);
}

void PlotPanel::fillObjects() {
  const bool isAlong = kind() == Kind::Along;
  const bool listsLines = m_over->count() > 0 && m_over->itemData(0).toULongLong() != 0;
  const app::ObjectId before = listsLines == isAlong ? object() : 0;
  const app::ObjectId kept =
      m_kept && m_kept->kind == Kind::Values ? m_model.document().idNamed(m_kept->on) : 0;
  QList<std::pair<QString, qulonglong>> wanted;
  if (!isAlong) wanted.append({tr("all of the data"), 0});
  const app::Document& document = m_model.document();
  for (const app::ObjectId id :
       isAlong ? app::objectsWithLines(document, data()) : std::vector<app::ObjectId>{})
    wanted.append({QString::fromStdString(document.object(id)->name), id});
  for (const app::ObjectId id : isAlong ? std::vector<app::ObjectId>{} : document.objectIds()) {
    const session::Object* const its = document.object(id);
    if (its->data != data() || app::volumeIn(*its)) continue;
    // What was chosen stays so: who hides it for a while gets its values back with it.
    const bool isChosen = id == before || id == kept;
    if (isChosen || (its->visible && !its->color.by.empty()))
      wanted.append({QString::fromStdString(its->name), id});
  }
  QList<std::pair<QString, qulonglong>> listed;
  for (int n = 0; n < m_over->count(); ++n)
    listed.append({m_over->itemText(n), m_over->itemData(n).toULongLong()});
  if (wanted == listed) return;
  const QSignalBlocker quiet(m_over);
  m_over->clear();
  for (const auto& [text, id] : wanted) m_over->addItem(text, id);
  m_over->setCurrentIndex(std::max(0, m_over->findData(qulonglong(before))));
  if (object() == before) return;
  showControls();
  askSoon();
}

void PlotPanel::showControls() {
  const Kind its = kind();
  const bool several = m_data->count() > 1;
  m_dataLabel->setVisible(several);
  m_data->setVisible(several);
  m_allData->setVisible(canPlotAllData());
  const bool isAlong = its == Kind::Along;
  m_overLabel->setText(isAlong ? tr("Along") : tr("Over"));
  m_over->setAccessibleName(m_overLabel->text());
  m_over->setToolTip(isAlong ? tr("Whose lines they are: isolines, streamlines or lines on a surface")
                             : tr("All of the data by nodes, or by cells what belongs to these; or an object "
                                  "by its area or length"));
  m_overLabel->setVisible(isOfObjects());
  m_over->setVisible(isOfObjects());
  m_acrossLabel->setVisible(isAlong);
  m_across->setVisible(isAlong);
  // Of an object its colours say which.
  const bool chooses = its != Kind::Values || object() == 0;
  m_byLabel->setVisible(chooses);
  m_by->setVisible(chooses);
  const QString names[2] = {its == Kind::Time ? tr("At") : tr("From"), tr("To")};
  // Nothing is chosen by it where there is one probe; what was chosen is always seen.
  const bool all = plotsAllProbes();
  m_all->setVisible(all || (its == Kind::Time && app::probesOf(m_model.document(), data()).size() > 1));
  for (std::size_t n = 0; n < 2; ++n) {
    const bool shown = its == Kind::Line || (its == Kind::Time && n == 0 && !all);
    m_endLabels[n]->setText(names[n]);
    m_endLabels[n]->setVisible(shown);
    for (int axis = 0; axis < 3; ++axis) {
      NumberEdit* const edit = m_ends[n][static_cast<std::size_t>(axis)];
      edit->setVisible(shown);
      edit->setAccessibleName(names[n] + ' ' + QChar("xyz"[axis]));
    }
  }
}

bool PlotPanel::plotsAllProbes() const {
  return kind() == Kind::Time && m_all->isChecked();
}

void PlotPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  askSoon();
}

void PlotPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  stopCurve();
  stopAlong();
  giveUpWriting(tr("the panel was closed before the curve was there"));
}

bool PlotPanel::eventFilter(QObject* watched, QEvent* event) {
  const bool ofFunction = watched == m_by || watched == m_by->lineEdit();
  if (ofFunction && takesKey(*event)) {
    event->accept();
    return true;
  }
  if (event->type() == QEvent::FocusOut && watched != m_by->lineEdit()) ++m_visit;
  if (asksForTyped(*event) && m_typingPause.isActive()) {
    m_typingPause.stop();
    takeTyped();
  }
  return QWidget::eventFilter(watched, event);
}

void PlotPanel::askSoon() {
  if (isVisible()) m_soon.start();
}

void PlotPanel::showNothing(const QString& text, bool comes) {
  m_answers.clear();
  m_sums.reset();
  m_alongRead.reset();
  m_saysWrong = false;
  m_curve->showText(text);
  m_note->clear();
  for (QToolButton* const button : {m_csv, m_svg}) button->setEnabled(false);
  m_comes = comes;
  if (!comes) giveUpWriting(tr("there is no curve"));
}

}  // namespace farfield::ui
