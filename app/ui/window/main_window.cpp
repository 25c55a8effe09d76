#include "app/ui/window/main_window.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QProgressBar>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/model/stage/covering_surfaces.h"
#include "app/model/stage/renderer_links.h"
#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/dialogs/renderer_dialog.h"
#include "app/ui/panels/color_panel.h"
#include "app/ui/panels/memory_panel.h"
#include "app/ui/panels/pipeline_panel.h"
#include "app/ui/panels/probe_panel.h"
#include "app/ui/panels/property_editor.h"
#include "app/ui/panels/time_bar.h"
#include "app/ui/panels/view_panel.h"
#include "app/ui/panels/volume_panel.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/view/detail_label.h"
#include "app/ui/view/view_controller.h"
#include "app/ui/view/view_group.h"
#include "app/ui/widgets/focus_mark.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/message_list.h"
#include "app/ui/widgets/notice_bar.h"
#include "app/ui/widgets/reading_label.h"
#include "app/ui/widgets/status_line.h"
#include "app/ui/widgets/toolkit_words.h"
#include "app/ui/widgets/typed_line.h"
#include "app/ui/widgets/what_is_this.h"
#include "app/ui/widgets/wheel_guard.h"
#include "app/ui/window/cover_notice.h"
#include "app/ui/window/file_drops.h"
#include "app/ui/window/link_label.h"
#include "app/ui/window/panel_focus.h"
#include "app/ui/window/start_page.h"
#include "app/ui/window/window_keys.h"
#include "core/base/units.h"

namespace farfield::ui {
MainWindow::MainWindow(app::AppModel& model, QWidget* parent)
    : QMainWindow(parent),
      m_model(model),
      m_center(new QStackedWidget(this)),
      m_notice(new NoticeBar(this)),
      m_start(new StartPage(model, m_center)),
      m_viewport(new qt3d::Viewport(m_center)),
      m_controller(new ViewController(model, *m_viewport, this)),
      m_group(new ViewGroup(model, *m_viewport, m_center)),
      m_pipeline(new PipelinePanel(model, this)),
      m_properties(new PropertyEditor(model, this)),
      m_colors(new ColorPanel(model, this)),
      m_volume(new VolumePanel(model, this)),
      m_time(new TimeBar(model, this)),
      m_messages(new MessageList(this)),
      m_memory(new MemoryPanel(model, this)),
      m_probes(new ProbePanel(model, this)),
      m_plots(new PlotPanel(model, this)),
      m_kept(new ViewPanel(
          model,
          [this](const app::AnyCamera& camera, std::array<int, 2> size, std::function<void(QImage)> done) {
            drawView(camera, size, std::move(done));
          },
          this)),
      m_probe(new ReadingLabel(this)),
      m_sight(new ElidedLabel(this)),
      m_budget(new QLabel(this)),
      m_link(new LinkLabel(this)),
      m_progress(new QProgressBar(this)),
      m_cancel(new QToolButton(this)) {
  setObjectName("mainWindow");
  new ToolkitWords(this);  // before there is anything that says one of them
  // A panel is dragged out of a stack alone: windows of whole stacks come back empty from what is kept of the layout, and
  // then keep the program from ending (Qt 6.4).
  setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
  m_viewport->setFocusPolicy(Qt::StrongFocus);
  m_viewport->setAccessibleName(tr("View"));
  m_viewport->setWhatsThis(tr(
      "The data, as the pipeline lists what shows them. The left button turns, the middle one pans, the wheel "
      "zooms; the arrow keys turn, with Shift they pan. Handles are dragged, a click selects. ? shows all keys."));
  m_viewport->setObjectName("viewport");
  m_center->addWidget(m_start);
  m_center->addWidget(m_group);
  m_group->setController(m_controller);
  auto* const center = new QWidget(this);
  auto* const column = new QVBoxLayout(center);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_notice);
  column->addWidget(m_center, 1);
  setCentralWidget(center);
  makeDocks();
  m_panelFocus = std::make_unique<PanelFocus>(this, center, m_docks);
  new FileDrops(this, [this](const QStringList& paths) { openPaths(paths); });
  makeActions();
  makeMenus();
  connectModel();
  qApp->installEventFilter(this);
  new WhatIsThis(this);
  new WheelGuard(this);
  new FocusMark(this);

  m_probe->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_probe->setAccessibleName(tr("Under the cursor"));
  setStatusBar(new StatusLine(this));
  statusBar()->addWidget(m_probe, 1);
  // What it says is read whole, also where no message beside it makes the status bar ask for room.
  m_progress->setMinimumWidth(fontMetrics().averageCharWidth() * 24);
  m_progress->setMaximumWidth(fontMetrics().averageCharWidth() * 34);
  m_progress->setAccessibleName(tr("Progress"));
  m_cancel->setDefaultAction(m_actions.at("cancel"));
  m_cancel->setAutoRaise(true);
  m_sight->setObjectName("volumes");
  m_sight->setAccessibleName(tr("Volumes in the view"));
  // What stands beside one another is told apart.
  auto* const detail = new DetailLabel(m_model, *m_group, this);
  for (QLabel* const label : std::initializer_list<QLabel*>{m_link, detail, m_sight, m_budget})
    label->setContentsMargins(kPanelMargin, 0, kPanelMargin, 0);
  statusBar()->addPermanentWidget(m_link);
  statusBar()->addPermanentWidget(detail);
  statusBar()->addPermanentWidget(m_sight);
  statusBar()->addPermanentWidget(m_progress);
  statusBar()->addPermanentWidget(m_cancel);
  m_budget->setObjectName("status.budget");
  statusBar()->addPermanentWidget(m_budget);
  connect(statusBar(), &QStatusBar::messageChanged, this, &MainWindow::showSights);

  resize(QSize(1440, 900).boundedTo(screen()->availableSize() * 0.95));
  resizeDocks({dockOf(m_pipeline), dockOf(m_properties)},
              {m_pipeline->sizeHint().width(), m_properties->sizeHint().width()}, Qt::Horizontal);
  m_usualLayout = saveState(kLayoutVersion);
  restorePlace();
  restoreLayout(m_model.settings().windowLayout("docks"));
  m_memory->setDetailed(!m_model.settings().windowLayout(kMemoryDetails).isEmpty());
  connect(m_memory, &MemoryPanel::detailsWanted, this, [this](bool wanted) {
    m_model.settings().setWindowLayout(kMemoryDetails, wanted ? kShown : "");
    showMemoryDetails(wanted);
  });
  if (const QByteArray choice = m_model.settings().windowLayout(kTimeChoice); !choice.isEmpty())
    m_timeChoice = choice == kShown;
  showCenter();
  showTitle();
  showBusy();
  updateActions();
}

MainWindow::~MainWindow() {
  // What is being typed takes effect while the window is still whole: those who are told of it write into its parts.
  if (QWidget* const field = focusWidget()) field->clearFocus();
  m_model.stage().disconnect(this);
}

void MainWindow::connectModel() {
  connect(m_time->playAction(), &QAction::toggled, m_controller, &ViewController::setPlaying);
  app::Document& document = m_model.document();
  app::Stage& stage = m_model.stage();
  connect(m_start, &StartPage::openWanted, this, &MainWindow::openDialog);
  connect(m_start, &StartPage::connectWanted, this, [this] { connectDialog(); });
  connect(m_start, &StartPage::message, this, [this](const QString& text) { tell(text, true); });
  connect(m_start, &StartPage::recentWanted, this, &MainWindow::openRecent);
  connect(m_start, &StartPage::sampleWanted, this, [this](const QString& url) {
    m_model.openData({{url, {}}});
  });
  connect(m_pipeline, &PipelinePanel::selectionChanged, this, &MainWindow::showSelection);
  connect(m_pipeline, &PipelinePanel::menuWanted, this, &MainWindow::showObjectMenu);
  connect(m_pipeline, &PipelinePanel::message, this, [this](const QString& text) { tell(text, true); });
  connect(m_colors, &ColorPanel::visionChosen, m_viewport, &qt3d::Viewport::setVision);
  connect(m_colors, &ColorPanel::message, this, &MainWindow::tell);
  m_colors->holdLegendsIn(*m_viewport);
  connect(m_volume, &VolumePanel::message, this, &MainWindow::tell);
  connect(m_viewport, &qt3d::Viewport::volumeSeen, this,
          [this](const QString& id, const qt3d::VolumeSight& sight) { showSight(id.toULongLong(), sight); });
  connect(&stage, &app::Stage::itemGone, this, [this](app::ObjectId id) {
    if (m_sights.erase(id) > 0) showSight(0, {});
  });
  connect(&m_model.document(), &app::Document::objectRemoved, this, &MainWindow::takeBackProblem);
  connect(m_properties, &PropertyEditor::addWanted, this, &MainWindow::addObject);
  connect(m_properties, &PropertyEditor::convertWanted, this, &MainWindow::convertData);
  connect(m_properties, &PropertyEditor::gridWanted, this, &MainWindow::askForGrid);
  connect(m_properties, &PropertyEditor::calculatorWanted, this, &MainWindow::showCalculator);
  connect(m_properties, &PropertyEditor::loginWanted, this, &MainWindow::logInFor);
  connect(m_properties, &PropertyEditor::rendererWanted, this, &MainWindow::rendererDialog);
  // As before, which the dialog tells of.
  connect(m_properties, &PropertyEditor::startWanted, this,
          [this](const std::string& name) { rendererDialog(name)->begin(); });
  connect(&stage, &app::Stage::dataReadAgain, this, &MainWindow::tellReadAgain);
  connect(&stage, &app::Stage::stepsChanged, this, [this] {
    updateActions();
    showTimeWhereThereIsAny();
  });
  connect(&m_model, &app::AppModel::memoryLent, this, &MainWindow::updateActions);  // to jobs
  connect(m_controller, &ViewController::probed, this,
          [this](const QString& text) { m_probe->showReadings(text); });
  connect(m_controller, &ViewController::message, this, [this](const QString& text) { tell(text); });
  connect(m_controller, &ViewController::probePinned, this, [this](app::ObjectId id) {
    m_pipeline->select(id);  // so that it can be dragged
    showPanel(m_probes);
    m_probes->showLast(id);
  });
  connect(m_probes, &ProbePanel::objectChosen, this, [this](app::ObjectId id) { m_pipeline->select(id); });
  connect(m_kept, &ViewPanel::keepWanted, this, &MainWindow::keepView);
  connect(m_kept, &ViewPanel::replaceWanted, this, [this](const std::string& name) {
    restViews();
    app::replaceView(m_model.document(), name, seenIn());
  });
  connect(m_kept, &ViewPanel::flyWanted, this, &MainWindow::flyTo);
  connect(m_kept, &ViewPanel::message, this, [this](const QString& text) { tell(text, true); });
  connect(m_probes, &ProbePanel::timePlotWanted, this,
          [this](app::ObjectId probe, std::size_t number, const std::string& function) {
            const session::Object* const object = m_model.document().object(probe);
            if (!object) return;
            showPanel(m_plots);
            m_plots->showOverTime(object->data, std::get<session::Probe>(object->shape).points.at(number),
                                  function, probe, number);
          });
  // Selected, it has handles in the view.
  connect(m_plots, &PlotPanel::placeChanged, this, [this] {
    if (m_plots->place()) m_pipeline->select(m_plots->place());
  });
  connect(m_probes, &ProbePanel::message, this, [this](const QString& text) { tell(text); });
  connect(m_plots, &PlotPanel::message, this, [this](const QString& text) { tell(text); });
  connect(m_controller, &ViewController::itemClicked, this, [this](app::ObjectId id) {
    m_pipeline->select(id);  // none: the picture as a whole
  });
  connect(m_controller, &ViewController::orthographicChanged, this,
          [this](bool on) { m_actions.at("orthographic")->setChecked(on); });
  connect(m_viewport, &qt3d::Viewport::contextMenuWanted, this, [this](const QPoint& at, const QString& id) {
    if (const app::ObjectId object = ViewController::objectOf(id)) m_pipeline->select(object);
    showObjectMenu(at);
  });
  connect(m_viewport, &qt3d::Viewport::itemFailed, this,
          [this](const QString&, const QString& message) { tell(app::windowText(message), true); });

  connect(&document, &app::Document::changed, this, [this] {
    showCenter();
    checkReadingOffers();
    updateActions();
  });
  connect(&stage, &app::Stage::itemGone, this, [this] {  // it may be of what is gone
    m_probe->showReadings({});
  });
  connect(&document, &app::Document::replaced, this, [this] {
    m_probe->showReadings({});  // it was of data that are gone
    if (m_model.document().isEmpty()) statusBar()->clearMessage();
    m_toldProblems.clear();
    checkReadingOffers();
    m_sights.clear();
    showSight(0, {});
    showCenter();
    showTitle();
    showSelection();
  });
  connect(&document, &app::Document::pathChanged, this, &MainWindow::showTitle);
  connect(&document, &app::Document::modifiedChanged, this, &MainWindow::showTitle);
  connect(&stage, &app::Stage::busyChanged, this, &MainWindow::showBusy);
  connect(&stage, &app::Stage::statusChanged, this, &MainWindow::showStatus);
  connect(&stage, &app::Stage::dataStatusChanged, this, [this](const std::string& name) {
    const app::DataStatus status = m_model.stage().dataStatus(name);
    if (status.state == app::DataState::Failed) {
      tell(tr("%1: %2").arg(QString::fromStdString(name), app::stateText(status)), true);
      // The cause, and what can be done, stand in its properties.
      // Those that nothing shows yet have been added just now.
      const auto& objects = m_model.document().session().objects;
      const bool isUsed = std::any_of(objects.begin(), objects.end(),
                                      [&](const session::Object& each) { return each.data == name; });
      if (!m_pipeline->selectedObject() || !isUsed) {
        m_pipeline->selectData(name);
        showPanel(m_properties);
      }
    }
    checkReadingOffers();
    if (status.state == app::DataState::Open && !status.problem.message.empty()) {
      const session::DataSource* const source = m_model.document().session().find(name);
      const bool isRendered = source && !app::rendererOf(*source).empty();
      const QString why = (isRendered ? tr("%1: %2.") : tr("%1 %2"))
                              .arg(QString::fromStdString(name), app::stateText(status));
      tell(why, true);
      const QString inShort =
          tr("%1: the renderer has ended, or cannot be reached.").arg(QString::fromStdString(name));
      offerReading(name, isRendered && !status.problem.isRefused ? inShort : why);
    }
    updateActions();
    showBusy();
  });
  connect(&m_model, &app::AppModel::firstObjectsAdded, this, [this](const std::string& name) {
    const auto ids = m_model.document().objectIds();
    if (!ids.empty()) m_pipeline->select(ids.back());
    const auto summary = m_model.stage().summary(name);
    const bool seen = !summary || !m_controller->isOutOfSight(summary->bounds);
    tell((seen ? tr("Opened %1. The tool bar adds what else is to be shown.")
               : tr("Opened %1. It lies outside of what is seen: F shows everything."))
             .arg(QString::fromStdString(name)));
  });
  connect(&m_model, &app::AppModel::colorsStandIn, this, [this](const QString& said) { tell(said); });
  connect(&m_model, &app::AppModel::loadFailed, this, [this](const QString& path, const QString& problem) {
    m_model.settings().removeRecent(path);
    tell(problem, true);
    warn(tr("The session cannot be opened."), problem);
  });
  connect(&m_model, &app::AppModel::changedMeanwhile, this,
          [this](const QString& path, const std::function<void()>& open) {
            if (mayClose(open, tr("%1 takes its place: it was being read while you made them.")
                                   .arg(QFileInfo(path).fileName())))
              open();
          });
  connect(&m_model, &app::AppModel::notOpened, this, [this](const QStringList& remarks, bool nothing) {
    for (const QString& remark : remarks) tell(remark, true);
    if (nothing) return warn(tr("Nothing was opened."), remarks.join("\n\n"));
    // What is opened says so in the status bar right away, in the place of that.
    m_notice->say(tr("Not everything was opened. %1").arg(remarks.join(' ')), tr("Show the messages"),
                  [this] { showPanel(m_messages); });
  });
  connect(&m_model, &app::AppModel::gridTaken, this, [this](const QString& solution, const QString& grid) {
    tell(tr("%1: opened with the grid %2, the only file beside it whose blocks have the same sizes.")
             .arg(QFileInfo(solution).fileName(), QFileInfo(grid).fileName()));
  });
  connect(&m_model, &app::AppModel::sessionLoaded, this,
          [this](const QString& path) { tell(tr("Opened %1").arg(path)); });
  connect(&m_model, &app::AppModel::saved, this, [this](const QString& path) {
    noteWritten(m_model.settings(), path);
    tell(savedWords(path));
    if (const auto then = std::exchange(m_afterSave, nullptr)) then();
  });
  connect(&m_model, &app::AppModel::saveFailed, this, [this](const QString&, const QString& problem) {
    m_afterSave = nullptr;
    tell(problem, true);
    warn(tr("The session could not be saved."), problem);
  });
  connect(&m_model, &app::AppModel::changedElsewhere, this, &MainWindow::askToReplaceSession);
  connect(&m_model.recovery(), &app::Recovery::problemChanged, this, [this](const QString& problem) {
    if (!problem.isEmpty()) tell(problem, true);
  });
  connect(&m_model.engine(), &app::Engine::counted, this, [this](const app::WorkshopCounters& counters) {
    const std::uint64_t lent = m_model.lentBytes(),
                        budget = lent > 0 ? m_model.memoryBytes() : counters.budgetBytes;
    m_budget->setText((lent > 0 ? tr("%1 in memory, budget %2, shared") : tr("%1 in memory, budget %2"))
                          .arg(QString::fromStdString(formatBytes(counters.residentBytes)),
                               QString::fromStdString(formatBytes(budget))));
    m_budget->setToolTip(tr("Data held in memory, and the budget that is never exceeded") +
                         (lent > 0 ? tr("; %1 of it are lent to what is being written")
                                         .arg(QString::fromStdString(formatBytes(lent)))
                                   : QString()));
    m_memory->setPictureBytes(m_viewport->geometryBytes());
    if (counters.budgetBytes > std::exchange(m_budgetBytes, counters.budgetBytes)) retrySights();
  });
  connect(&m_model.settings(), &app::Settings::themeChanged, this,
          [this] { applyTheme(m_model.settings().theme()); });
  connect(&m_model.settings(), &app::Settings::recentChanged, this, &MainWindow::showRecentMenu);
  watchLinks();
}

void MainWindow::showCenter() {
  QWidget* const wanted = m_model.document().isEmpty() ? static_cast<QWidget*>(m_start) : m_group;
  if (m_center->currentWidget() == wanted && m_centerShown) return;
  m_centerShown = true;
  m_center->setCurrentWidget(wanted);
  // Panels have nothing to show beside the start page.
  if (wanted == m_start) {
    m_panelFocus->endVisit();
    m_workLayout = saveState(kLayoutVersion);
    for (QDockWidget* const dock : m_docks) dock->hide();
    // What is hidden hands the keyboard on to any control; nobody has gone to one.
    m_start->setFocus(Qt::OtherFocusReason);
  } else {
    if (!m_workLayout.isEmpty()) restoreLayout(m_workLayout);
    m_workLayout.clear();
    showTimeWhereThereIsAny();
    m_viewport->setFocus();
  }
  for (QDockWidget* const dock : m_docks) dock->toggleViewAction()->setEnabled(wanted == m_group);
}

bool MainWindow::focusNextPrevChild(bool next) {
  return m_panelFocus->step(next);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  if (auto* const dock = qobject_cast<QDockWidget*>(watched);
      dock && event->type() == QEvent::Close && m_docks.contains(dock) && comesToFront(dock)) {
    event->ignore();
    return true;
  }
  // The window behind a dialog takes no clicks, and no keys either. Its commands look only for whether it is the active one.
  if ((event->type() == QEvent::KeyPress || event->type() == QEvent::Shortcut) && isBehindQuestion(watched))
    return true;
  // Return presses what has the keyboard, as it does in dialogs; also in those where it presses nothing beside a field.
  if (event->type() == QEvent::KeyPress && isReturn(*static_cast<QKeyEvent*>(event)))
    if (auto* const button = qobject_cast<QAbstractButton*>(watched);
        button && (button->window() == this || isLeftOutByReturn(button))) {
      button->click();
      return true;
    }
  if (event->type() == QEvent::KeyPress && m_model.stage().steps() > 1 &&
      isStepOver(watched, *static_cast<QKeyEvent*>(event)))
    return true;
  if (event->type() == QEvent::MouseButtonPress && isPressedBesideText(watched))
    takeTyped(QApplication::focusWidget());
  // Where a view has just been moved to, too: undoing and saving are off where there is nothing else.
  if (event->type() == QEvent::ShortcutOverride &&
      (static_cast<QKeyEvent*>(event)->matches(QKeySequence::Undo) ||
       static_cast<QKeyEvent*>(event)->matches(QKeySequence::Save)) &&
      watched->isWidgetType() && static_cast<QWidget*>(watched)->window() == this)
    restViews();
  // By its own button or among the panels; what only hides it is no choice of the user's.
  if (watched == m_timeDock && event->type() == QEvent::Close && !m_closing) keepTimeChoice(false);
  if (event->type() == QEvent::ShortcutOverride &&
      (isBehindQuestion(watched) || staysWith(watched, *static_cast<QKeyEvent*>(event)))) {
    event->accept();
    return true;
  }
  if (event->type() == QEvent::ShortcutOverride &&
      (isLeftToWindow(watched, *static_cast<QKeyEvent*>(event)) ||
       isCommandBesideText(watched, *static_cast<QKeyEvent*>(event)))) {
    // Commands may be off until what is being typed has taken effect.
    takeTyped(QApplication::focusWidget());
    event->ignore();
    return true;
  }
  return QMainWindow::eventFilter(watched, event);
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  // What nothing between has a use for.
  QAction* const play = m_time->playAction();
  if (event->key() != Qt::Key_Space || event->modifiers() || event->isAutoRepeat() || !play->isEnabled())
    return QMainWindow::keyPressEvent(event);
  play->trigger();
}

bool MainWindow::isCommandBesideText(const QObject* widget, const QKeyEvent& key) const {
  if (!qobject_cast<const QLineEdit*>(widget) && !qobject_cast<const QAbstractSpinBox*>(widget) &&
      !qobject_cast<const QComboBox*>(widget))
    return false;
  if (!(key.modifiers() & Qt::ControlModifier)) return false;
  for (const auto usual : {QKeySequence::Copy, QKeySequence::Cut, QKeySequence::Paste,
                           QKeySequence::SelectAll, QKeySequence::Undo, QKeySequence::Redo})
    if (key.matches(usual)) return false;
  const QKeySequence pressed(key.keyCombination());
  return std::any_of(m_actions.begin(), m_actions.end(),
                     [&](const auto& each) { return each.second->shortcuts().contains(pressed); });
}

void MainWindow::showTitle() {
  setWindowTitle(tr("%1[*] – Farfield").arg(m_model.document().title()));
  setWindowModified(m_model.document().isModified());
  updateActions();
}

void MainWindow::showSelection() {
  const app::ObjectId id = m_pipeline->selectedObject();
  m_controller->setSelected(id);
  m_colors->showObject(id);
  m_volume->showObject(id);
  m_memory->showData(m_pipeline->selectedData());
  if (id)
    m_properties->showObject(id);
  else if (m_pipeline->isDataSelected())
    m_properties->showData(m_pipeline->selectedData());
  else
    m_properties->showPicture();
  updateActions();
}

void MainWindow::removeSelected() {
  if (const app::ObjectId id = m_pipeline->selectedObject()) {
    app::removeSeen(m_model.document(), id, m_cover->hiddenFor(id));
  } else if (m_pipeline->isDataSelected()) {
    m_model.document().removeData(m_pipeline->selectedData());
  }
}

void MainWindow::fitSelection() {
  if (const app::ObjectId id = m_pipeline->selectedObject())
    m_controller->showBounds(m_model.stage().status(id).bounds);
  else if (const auto summary = m_model.stage().summary(m_pipeline->selectedData()))
    m_controller->showBounds(summary->bounds);
}

void MainWindow::duplicateSelected() {
  const session::Object* const object = m_model.document().object(m_pipeline->selectedObject());
  if (!object) return;
  app::ObjectId id = 0;
  m_model.document().edit(tr("Duplicate"), [&](app::Draft& draft) { id = draft.add(*object); });
  m_pipeline->select(id);
}

void MainWindow::tell(const QString& text, bool problem) {
  m_messages->add(problem ? MessageKind::Problem : MessageKind::Note, text);
  statusBar()->showMessage(text, problem ? 15'000 : 6'000);
  // Not over the panel that is being worked in.
  QDockWidget* const messages = dockOf(m_messages);
  const QWidget* const held = QApplication::focusWidget();
  const QList<QDockWidget*> beside = tabifiedDockWidgets(messages);
  const bool isInUse = std::any_of(beside.begin(), beside.end(), [&](const QDockWidget* dock) {
    return held && dock->isAncestorOf(held) && PanelFocus::isInSight(dock);
  });
  if (problem && !isInUse) messages->raise();
}

void MainWindow::warn(const QString& text, const QString& why) {
  auto* const box = new QMessageBox(QMessageBox::Warning, tr("Farfield"), text, QMessageBox::Ok, this);
  box->setObjectName("warning");
  box->setInformativeText(why);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->open();
}

void MainWindow::restViews() {
  m_controller->rest();
  m_group->rest();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  takeTyped(QApplication::focusWidget());
  const auto leave = [this] {
    m_closing = true;
    close();
  };
  // What is still being written is asked about first: who lets it go on has not decided about the session yet.
  if (!m_closing && (!mayStopJobs([this, leave] {
        if (mayReplace(leave)) leave();
      }) || !mayReplace(leave))) {
    event->ignore();
    return;
  }
  m_closing = true;
  m_panelFocus->endVisit();
  m_model.settings().setWindowLayout("geometry", saveGeometry());
  m_model.settings().setWindowLayout("docks",
                                     m_workLayout.isEmpty() ? saveState(kLayoutVersion) : m_workLayout);
  m_model.stage().cancelAll();
  event->accept();
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) update();
}

}  // namespace farfield::ui
