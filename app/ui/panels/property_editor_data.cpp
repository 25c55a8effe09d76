// The properties of data: what is known of them, and what can be done with them.

#include <QComboBox>
#include <QCommandLinkButton>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "app/first/first_objects.h"
#include "app/model/fields/window_kinds.h"
#include "app/model/files/data_files.h"
#include "app/model/files/plain_numbers.h"
#include "app/model/files/series_names.h"
#include "app/model/own_functions.h"
#include "app/model/renderers/renderer_plans.h"
#include "app/model/stage/renderer_links.h"
#include "app/model/words/info_words.h"
#include "app/model/words/some_names.h"
#include "app/model/workshop/changed_files.h"
#include "app/model/workshop/missing_steps.h"
#include "app/model/workshop/moved_files.h"
#include "app/ui/dialogs/command_palette.h"
#include "app/ui/dialogs/moved_data.h"
#include "app/ui/editors/plot3d_options.h"
#include "app/ui/editors/raw_options.h"
#include "app/ui/panels/program_job.h"
#include "app/ui/panels/property_editor.h"
#include "app/ui/widgets/elided_button.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/number_edit.h"
#include "core/base/foreign_file.h"
#include "core/base/units.h"
#include "core/fields/functions/reading_choices.h"
#include "core/fields/words/dates.h"
#include "core/paging/arranging/flat_mesh.h"
#include "core/paging/pages/cell_samples.h"
#include "core/session/kinds/grid_surface/surface_sheets.h"

namespace farfield::ui {
namespace {

/// In the advice of an error that this option helps against.
constexpr const char* kSkipsBadSteps = "badSteps=skip";

/// Nodes along the axes of a block; of one without axes how many there are, and its cells, which do not follow from them, unless it is
/// the only one, as those of the data are said beside it.
QString sizeText(const paging::DatasetDescription& data, std::size_t number) {
  const paging::BlockDescription& block = data.blocks[number];
  const Index3& dims = block.dims;
  if (!block.isUnstructured()) return QStringLiteral("%1 × %2 × %3").arg(dims[0]).arg(dims[1]).arg(dims[2]);
  return data.blocks.size() == 1 ? PropertyEditor::tr("unstructured")
                                 : PropertyEditor::tr("%L1 nodes, %L2 cells")
                                       .arg(paging::nodesInFile(data, static_cast<int>(number)))
                                       .arg(block.cells);
}

/// What the name of a file tells of its format.
QString endingOf(const std::string& source) {
  return QString::fromStdString(source).section('/', -1).section('.', -1).toLower();
}

/// Whether what was opened has no places of its own, as the reader of PLOT3D says.
bool isLoneSolution(const app::Problem& problem) {
  const QString text = QString::fromStdString(problem.message);
  return text.contains(QLatin1String("solution")) &&
         (text.contains(QLatin1String("not a grid")) || text.contains(QLatin1String("not a PLOT3D grid")));
}

/// Whether it is known what the file is, which is neither plain numbers nor PLOT3D then.
bool saysWhatItIs(const app::Problem& problem) {
  return isLoneSolution(problem) || problem.message.find(kForeign) != std::string::npos ||
         problem.message.find("HDF5") != std::string::npos;
}

}  // namespace

void PropertyEditor::addHeading(QGridLayout* grid, const QString& text) {
  QLabel* const heading = makeHeading(text, grid->parentWidget());
  heading->setContentsMargins(0, 8, 0, 0);
  grid->addWidget(heading, grid->rowCount(), 0, 1, kColumns);
}

void PropertyEditor::addHint(QGridLayout* grid, const QString& text) {
  auto* const hint = new QLabel(text, grid->parentWidget());
  hint->setWordWrap(true);
  hint->setForegroundRole(QPalette::PlaceholderText);
  grid->addWidget(hint, grid->rowCount(), 0, 1, kColumns);
}

void PropertyEditor::addText(QGridLayout* grid, const QString& label, const QString& text) {
  const int row = grid->rowCount();
  auto* const name = new QLabel(label, grid->parentWidget());
  name->setForegroundRole(QPalette::PlaceholderText);
  grid->addWidget(name, row, 0, Qt::AlignLeft | Qt::AlignTop);
  auto* const value = new QLabel(text, grid->parentWidget());
  value->setWordWrap(true);
  value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  value->setMinimumWidth(1);
  grid->addWidget(value, row, 1, 1, kColumns - 1);
}

QPushButton* PropertyEditor::addOffer(QGridLayout* grid, const char* iconName, const QString& text,
                                      const QString& what, std::function<void()> work) {
  auto* const button = new ElidedButton(icon(iconName), text, grid->parentWidget());
  button->setWhatsThis(what);
  grid->addWidget(button, grid->rowCount(), 0, 1, kColumns);
  // Later: what it does takes this page away.
  connect(button, &QPushButton::clicked, this, std::move(work), Qt::QueuedConnection);
  return button;
}

void PropertyEditor::addRendererOffers(QGridLayout* grid) {
  const session::DataSource* const source = m_model.document().session().find(m_data);
  if (source && app::rendererPlan(m_model.settings(), QString::fromStdString(app::rendererOf(*source))))
    addOffer(grid, "play", tr("Start it again"),
             tr("With the same data, solution and ranks, as it was started from this window."),
             [this, name = m_data] { emit startWanted(name); });
  addOffer(grid, "connect", tr("Connect to renderer …"),
           tr("Starts a renderer, or connects to one that runs, in the place of the one that is gone."),
           [this, name = m_data] { emit rendererWanted(name); });
}

void PropertyEditor::buildPlot3dOptions(QWidget* page, QGridLayout* grid) {
  const session::DataSource* const source = m_model.document().session().find(m_data);
  if (!source || !(source->reader.empty() || source->reader == "plot3d")) return;
  const std::string& first = source->source.front();
  if (first.starts_with("sample://") || first.starts_with("slab://") ||
      app::saysItsFormat(QString::fromStdString(first)) || endingOf(first) == "raw" ||
      source->options.contains("dims"))
    return;
  addHeading(grid, tr("If it is PLOT3D"));
  addHint(grid, tr("How it was written is found by looking. What you know of it goes before that: choose it, "
                   "and read the files "
                   "so."));
  auto* const choices = new Plot3dOptions(1, page);  // the panel is narrow
  std::map<std::string, std::string> present;
  for (const auto& [key, value] : source->options) present[key] = session::textOf(value);
  choices->setOptions(present);
  grid->addWidget(choices, grid->rowCount(), 0, 1, kColumns);
  auto* const read = new ElidedButton(icon("data"), tr("Read it so"), page);
  read->setObjectName("plot3d.read");
  read->setWhatsThis(tr("Opens the files as chosen above; the session keeps it."));
  grid->addWidget(read, grid->rowCount(), 0, 1, kColumns);
  // Later: what it does takes this page away.
  connect(
      read, &QPushButton::clicked, this,
      [this, choices = QPointer(choices), name = m_data] {
        if (choices) m_model.readAs(name, Plot3dOptions::keys(), choices->options());
      },
      Qt::QueuedConnection);
}

void PropertyEditor::buildRawOptions(QWidget* page, QGridLayout* grid) {
  const session::DataSource* const source = m_model.document().session().find(m_data);
  if (!source || !(source->reader.empty() || source->reader == "raw") || !source->solution.empty()) return;
  const std::string& first = source->source.front();
  // What is told from its name, or is a grid more likely than not, is no list of plain numbers.
  if (!app::isNamedAsNumbers(QString::fromStdString(first))) return;
  const bool isOpen = m_model.stage().dataStatus(m_data).state == app::DataState::Open;
  addHeading(grid, isOpen ? tr("Read as plain numbers") : tr("If it is plain numbers"));
  auto* const choices = new RawOptions(page);
  // Files may be slow to answer.
  QStringList files;
  for (const std::string& each : source->source)
    files.append(QString::fromStdString(m_model.document().session().resolve(each)));
  const auto sizes = std::make_shared<std::optional<app::NumberFiles>>();
  m_model.files().look([files, sizes] { *sizes = app::sizesOf(files); },
                       [sizes, choices = QPointer(choices)] {
                         if (choices) choices->setFiles(*sizes);
                       });
  std::map<std::string, std::string> present =
      rawOptionsInName(QString::fromStdString(first).section('/', -1));
  for (const auto& [key, value] : source->options) present[key] = session::textOf(value);
  grid->addWidget(choices, grid->rowCount(), 0, 1, kColumns);
  auto* const read = new ElidedButton(icon("data"), tr("Read them so"), page);
  read->setObjectName("raw.read");
  read->setWhatsThis(tr("Opens the file as described above; the session keeps it."));
  connect(choices, &RawOptions::changed, read, &QPushButton::setEnabled);
  choices->setOptions(present);
  grid->addWidget(read, grid->rowCount(), 0, 1, kColumns);
  // Later: what it does takes this page away.
  connect(
      read, &QPushButton::clicked, this,
      [this, choices = QPointer(choices), name = m_data] {
        if (choices) m_model.readAs(name, RawOptions::keys(), choices->options());
      },
      Qt::QueuedConnection);
}

void PropertyEditor::keepChoices(const std::string& dataName) {
  const auto summary = m_model.stage().summary(dataName);
  const session::DataSource* const source = m_model.document().session().find(dataName);
  if (summary && source) m_keptChoices.keep(m_model.document().session(), *source, summary->choices);
}

void PropertyEditor::buildReadingChoices(const std::vector<fields::ReadingChoice>& choices, QWidget* page,
                                         QGridLayout* grid) {
  if (choices.empty()) return;
  addHeading(grid, tr("Read from the file"));
  for (const fields::ReadingChoice& choice : choices) {
    const int row = grid->rowCount();
    auto* const name = new QLabel(QString::fromStdString(choice.title), page);
    name->setForegroundRole(QPalette::PlaceholderText);
    grid->addWidget(name, row, 0);
    auto* const list = new QComboBox(page);
    list->setObjectName("data.choice." + QString::fromStdString(choice.option));
    list->setAccessibleName(name->text());
    list->setToolTip(tr("What of the file is opened; the session keeps the choice"));
    list->setWhatsThis(tr(
        "The file holds more than one answer. Another one opens the data anew, as one step that can be undone; "
        "objects that are coloured by what is not there then take other colours until it is, and others that show it say so."));
    list->setFocusPolicy(Qt::StrongFocus);
    list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    list->setMinimumContentsLength(12);
    name->setBuddy(list);
    for (const auto& value : choice.values) {
      list->addItem(QString::fromStdString(value.text));
      list->setItemData(list->count() - 1, QString::fromStdString(value.text), Qt::ToolTipRole);
    }
    list->setCurrentIndex(choice.now < choice.values.size() ? static_cast<int>(choice.now) : -1);
    grid->addWidget(list, row, 1, 1, kColumns - 1);
    // Later: what it does takes this page away.
    connect(
        list, &QComboBox::activated, this,
        [this, choice, name = m_data](int chosen) {
          const auto at = static_cast<std::size_t>(chosen);
          if (at == choice.now || at >= choice.values.size()) return;
          std::map<std::string, std::string> options;
          if (at != choice.byDefault) options[choice.option] = choice.values[at].value;
          m_model.readAs(name, {choice.option}, options);
        },
        Qt::QueuedConnection);
  }
}

void PropertyEditor::buildData(QWidget* page, QGridLayout* grid) {
  const app::DataStatus status = m_model.stage().dataStatus(m_data);
  grid->addWidget(makeHeading(QString::fromStdString(m_data), page), grid->rowCount(), 0, 1, kColumns);
  if (const session::DataSource* source = m_model.document().session().find(m_data)) {
    QStringList files;
    for (const auto* names : {&source->source, &source->solution})
      for (const std::string& name : *names)
        files.append(app::shownPattern(QString::fromStdString(m_model.document().session().resolve(name))));
    // A path may be broken at any of its folders.
    addText(grid, tr("From"), app::someNames(files).replace('/', QStringLiteral("/\u200b")));
  }
  if (const auto readings = m_model.readings(m_data); !readings.empty()) {
    const bool open = status.state != app::DataState::Failed;
    addHeading(grid, open ? tr("Ways to read it: another is a click away") : tr("Ways to read it"));
    addHint(grid,
            tr("The files fit each of these to the byte. Whoever wrote them knows which is right: choose the "
               "block sizes that you expect."));
    for (const app::FileReading& reading : readings) {
      // "how: what it gives": the sizes are what people know.
      const QString text = QString::fromStdString(reading.text);
      const auto colon = text.lastIndexOf(": ");
      const bool chosen = open && m_model.isReadSo(m_data, reading);
      QString title = colon < 0 ? tr("Read it so") : text.mid(colon + 2);
      title.replace(QRegularExpression("(?<=\\d)x(?=\\d)"), QStringLiteral(" × "));
      auto* const button = new QCommandLinkButton(chosen ? tr("%1 (as now)").arg(title) : title,
                                                  colon < 0 ? text : text.left(colon), page);
      button->setObjectName("reading");
      button->setIcon(icon("data"));
      button->setIconSize({18, 18});
      button->setEnabled(!chosen);
      button->setToolTip(tr("Reads the files so; the session keeps the choice"));
      grid->addWidget(button, grid->rowCount(), 0, 1, kColumns);
      // Later: what it does takes this page away.
      connect(
          button, &QPushButton::clicked, this,
          [this, reading, name = m_data] { m_model.chooseReading(name, reading); }, Qt::QueuedConnection);
    }
  }
  if (status.state == app::DataState::Failed) {
    if (const session::DataSource* const source = m_model.document().session().find(m_data))
      buildReadingChoices(m_keptChoices.of(m_model.document().session(), *source), page, grid);
    const auto offer = [&](const char* iconName, const QString& text, const QString& what,
                           std::function<void()> work) {
      addOffer(grid, iconName, text, what, std::move(work));
    };
    addHeading(grid, tr("What to do"));
    if (status.problem.asksForLogin)
      offer("connect", tr("Log in …"), tr("Gives the server a token; it is kept for the next time."),
            [this, name = m_data] { emit loginWanted(name); });
    offer("reset", tr("Try again"), tr("Opens the files anew, as when they were written meanwhile."),
          [this, name = m_data] { m_model.stage().retryOpening(name); });
    if (const session::DataSource* const source = m_model.document().session().find(m_data))
      if (const QString function = app::functionInTheWay(*source, status.problem); !function.isEmpty())
        offer("remove", tr("Remove the function %1").arg(function),
              tr("Takes the function of your own away, so that the data can be opened."),
              [this, name = m_data, function] { app::removeFunctions(m_model, name, {function}); });
    // It may have ended with the window that had started it.
    if (const session::DataSource* const source = m_model.document().session().find(m_data);
        source && !app::rendererOf(*source).empty())
      addRendererOffers(grid);
    if (const session::DataSource* const source = m_model.document().session().find(m_data);
        source && app::isNotThere(*source, status.problem))
      offer("open", tr("Choose the file …"), tr("Says where the file is now, if it was moved or renamed."),
            [this, name = m_data] { askForMovedData(window(), m_model, name); });
    if (status.problem.advice.find(kSkipsBadSteps) != std::string::npos)
      offer("data", tr("Leave bad steps out"), tr("Opens those steps that can be read."),
            [this, name = m_data] {
              m_model.readAs(name, {"badSteps"}, {{"badSteps", "skip"}});
            });
    const session::DataSource* const source = m_model.document().session().find(m_data);
    if (source && isLoneSolution(status.problem))
      offer("data", tr("Choose the grid that it belongs to …"),
            tr("A solution has values alone; where they are stands in the file of its grid."),
            [this, name = m_data] { emit gridWanted(name); });
    if (source && !source->solution.empty())
      offer("data", tr("Open the grid alone"), tr("Without the values of the solution."),
            [this, name = m_data] { m_model.leaveSolutionOut(name); });
    offer("remove", tr("Remove it"),
          tr("Takes the data out of the pipeline, with their objects. The files stay."),
          [this, name = m_data] { m_model.document().removeData(name); });
  }
  if (status.state == app::DataState::Failed && !saysWhatItIs(status.problem)) {
    buildRawOptions(page, grid);
    buildPlot3dOptions(page, grid);
  }
  // What was told by hand may fit and be wrong, as only the picture shows.
  if (const session::DataSource* const source = m_model.document().session().find(m_data);
      status.state == app::DataState::Open && source && source->options.contains("dims"))
    buildRawOptions(page, grid);
  const session::DataSource* const shown = m_model.document().session().find(m_data);
  const bool isOpen = status.state == app::DataState::Open;
  const bool lacksLogin = isOpen && m_model.stage().lacksLogin(m_data);
  const bool lacksRenderer = isOpen && shown && app::lacksRenderer(*shown, m_model.stage());
  if (lacksLogin || lacksRenderer) addHeading(grid, tr("What to do"));
  if (lacksLogin)
    addOffer(grid, "connect", tr("Log in …"), tr("Gives the server a token; it is kept for the next time."),
             [this, name = m_data] { emit loginWanted(name); })
        ->setObjectName("data.login");
  if (lacksRenderer) {
    addRendererOffers(grid);
    addOffer(grid, "reset", tr("Try again"), tr("Asks once more whether the renderer is there."),
             [this, name = m_data] { m_model.stage().readAgain(name); });
  }
  if (!status.summary) return;
  const app::DataSummary& summary = *status.summary;
  const paging::DatasetDescription& description = summary.description;
  addText(grid, tr("Format"),
          QString::fromStdString(description.format) +
              (description.pageEdge > 0 ? tr(", pages of %1 nodes along an edge").arg(description.pageEdge)
                                        : QString()));
  std::int64_t nodes = 0;
  for (std::size_t n = 0; n < description.blocks.size(); ++n)
    nodes += paging::nodesInFile(description, static_cast<int>(n));
  addText(grid, tr("Nodes"), QLocale().toString(static_cast<qlonglong>(nodes)));
  addText(grid, tr("Cells"), QLocale().toString(static_cast<qlonglong>(app::cellsOf(description))));
  if (paging::areCellSamples(description))
    addText(grid, tr("Values of cells"), tr("at their centres and, as those beside, at the ends of blocks"));
  QStringList blocks;
  for (std::size_t n = 0; n < description.blocks.size() && n < 12; ++n)
    blocks.append((description.blocks.size() > 1 ? QString::number(n) + ": " : QString()) +
                  sizeText(description, n) + (description.blocks[n].hasIblank ? tr(", blanked") : QString()));
  if (description.blocks.size() > 12) blocks.append(tr("and %1 more").arg(description.blocks.size() - 12));
  addText(grid, description.blocks.size() == 1 ? tr("Block") : tr("Blocks"), blocks.join('\n'));
  // a file may name very many
  QStringList surfaces;
  QSet<QString> known;
  for (const paging::NamedSurface& surface : description.surfaces) {
    if (!session::hasArea(description, surface)) continue;
    const QString name = QString::fromStdString(surface.name);
    if (known.contains(name)) continue;
    known.insert(name);
    surfaces.append(name);
  }
  if (!surfaces.isEmpty()) addText(grid, tr("Surfaces"), app::someNames(surfaces, QStringLiteral(", ")));
  if (!summary.bounds.empty())
    for (int a = 0; a < 3; ++a)
      addText(grid, QString(QChar("xyz"[a])), textOfRange(summary.bounds.min[a], summary.bounds.max[a]));
  if (description.steps() > 1)
    addText(grid, tr("Steps"),
            fields::saidDate(description, 0)
                ? tr("%1, %2")
                      .arg(description.steps())
                      .arg(QString::fromStdString(fields::saidTimes(description)))
                : tr("%1, times %2")
                      .arg(description.steps())
                      .arg(textOfRange(description.times.front(), description.times.back())));
  if (const std::vector<std::string> leftOut = app::stepsLeftOut(summary); !leftOut.empty()) {
    QStringList lines;
    for (const std::string& line : leftOut) lines.append(QString::fromStdString(line));
    addText(grid, tr("Left out"), app::someNames(lines).replace('/', QStringLiteral("/\u200b")));
  }
  if (const QStringList leftOut = app::InfoWords::leftOut(summary.explanation); !leftOut.isEmpty())
    addText(grid, tr("Not read"), app::someNames(leftOut));
  if (description.storedBytes > 0)
    addText(grid, tr("On disk"), QString::fromStdString(formatBytes(description.storedBytes)));
  QStringList functions;
  for (const fields::FunctionInfo& function : summary.functions)
    functions.append(QString::fromStdString(function.name));
  for (const fields::FunctionInfo& part : summary.parts) functions.append(QString::fromStdString(part.name));
  addText(grid, tr("Functions"), functions.join(", "));
  if (app::whyNoOwnFunctions(summary).isEmpty()) {
    auto* const calculator = new ElidedButton(tr("Formulas, and functions of your own …"), page);
    calculator->setObjectName("data.calculator");
    calculator->setWhatsThis(
        tr("The calculator: how each function is computed, and expressions that become functions."));
    grid->addWidget(calculator, grid->rowCount(), 0, 1, kColumns);
    connect(calculator, &QPushButton::clicked, this, [this, name = m_data] { emit calculatorWanted(name); });
  }
  for (const auto& [name, range] : summary.ranges)
    addText(grid, QString::fromStdString(name), textOfRange(range[0], range[1]));

  buildReadingChoices(summary.choices, page, grid);
  addHeading(grid, tr("Show more of it"));
  for (const app::WindowKind& kind : app::windowKinds()) {
    if (!app::canAdd(kind, summary)) continue;
    auto* const button =
        new ElidedButton(icon(QString::fromUtf8(nameOf(kind.type))), plainText(kind.actionText), page);
    button->setWhatsThis(kind.tip);
    grid->addWidget(button, grid->rowCount(), 0, 1, kColumns);
    connect(button, &QPushButton::clicked, this,
            [this, type = kind.type, name = m_data] { emit addWanted(type, name); });
  }
  if (const session::DataSource* const source = m_model.document().session().find(m_data);
      source && app::whyNotReadAgain(*source).isEmpty()) {
    addHeading(grid, tr("If the files have changed"));
    auto* const button = new ElidedButton(icon("reset"), tr("Read again"), page);
    button->setObjectName("data.readAgain");
    button->setToolTip(m_readAgain->toolTip());
    button->setEnabled(!status.isReadAgain);
    grid->addWidget(button, grid->rowCount(), 0, 1, kColumns);
    // Later: what it does takes this page away.
    connect(
        button, &QPushButton::clicked, this, [this, name = m_data] { m_model.stage().readAgain(name); },
        Qt::QueuedConnection);
  }
  if (app::canBeConverted(summary)) {
    addHeading(grid, tr("Make it faster"));
    addHint(grid,
            tr("The files are read as they are. A paged store of them opens at once and reads less: worth it "
               "for what is looked at more than twice, or is larger than the memory."));
    auto* const button = new ElidedButton(icon("export"), tr("Convert to a paged store …"), page);
    button->setObjectName("convert");
    const auto follow = [this, button] {
      const bool isBusy = m_model.lentBytes() > 0;
      button->setEnabled(!isBusy);
      button->setToolTip(isBusy ? whyNoOtherJob() : QString());
    };
    follow();
    connect(&m_model, &app::AppModel::memoryLent, button, follow);
    grid->addWidget(button, grid->rowCount(), 0, 1, kColumns);
    connect(button, &QPushButton::clicked, this, [this, name = m_data] { emit convertWanted(name); });
  }
}

}  // namespace farfield::ui
