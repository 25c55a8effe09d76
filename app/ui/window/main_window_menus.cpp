// The window's actions, and where they are found: menus, tool bar, context menu, command palette.

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QUndoStack>
#include <algorithm>

#include "app/first/first_objects.h"
#include "app/first/first_places.h"
#include "app/model/document/kept_views.h"
#include "app/model/document/volume_looks.h"
#include "app/model/fields/window_kinds.h"
#include "app/model/files/series_names.h"
#include "app/model/probes.h"
#include "app/model/stage/renderer_links.h"
#include "app/model/words/some_names.h"
#include "app/ui/dialogs/command_palette.h"
#include "app/ui/dialogs/dialogs.h"
#include "app/ui/dialogs/guide.h"
#include "app/ui/panels/pipeline_panel.h"
#include "app/ui/panels/program_job.h"
#include "app/ui/panels/property_editor.h"
#include "app/ui/panels/time_bar.h"
#include "app/ui/panels/volume_panel.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/view/camera_dialog.h"
#include "app/ui/view/view_controller.h"
#include "app/ui/view/view_group.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/names.h"
#include "app/ui/widgets/sample_offers.h"
#include "app/ui/widgets/typed_line.h"
#include "app/ui/widgets/what_is_this.h"
#include "app/ui/window/main_window.h"
#include "app/ui/window/panel_focus.h"

namespace farfield::ui {
namespace {

/// Where the numbers begin of requests for places in data: those of points under the cursor are smaller.
constexpr int kFrameWordsMs = 15'000;

/// What adds an object, in the order of menus and bars. Bars have room for what most data can be shown by.
enum class Where { Menu, Bar };
std::vector<const char*> addingActions(Where where) {
  std::vector<const char*> names;
  for (const app::WindowKind& kind : app::windowKinds())
    if (kind.action && (where == Where::Menu || (kind.inBars && !kind.needsSteps)))
      names.push_back(kind.action);
  return names;
}

}  // namespace

/// With the keys, where it has some.
void MainWindow::setTip(QAction& action, const QString& tip) {
  const QString key = action.shortcut().toString(QKeySequence::NativeText);
  action.setToolTip(key.isEmpty() ? tip : tip + " (" + key + ')');
  action.setStatusTip(tip);
}

QAction* MainWindow::action(const char* name, const QString& iconName, const QString& text,
                            const QKeySequence& keys, const QString& tip, std::function<void()> work) {
  auto* const made = new QAction(text, this);
  made->setObjectName(name);
  if (!iconName.isEmpty()) made->setIcon(icon(iconName));
  made->setShortcut(keys);
  setTip(*made, tip);
  connect(made, &QAction::triggered, this, [work = std::move(work)] {
    takeTyped(QApplication::focusWidget());
    work();
  });
  addAction(made);
  m_actions[name] = made;
  return made;
}

void MainWindow::makeActions() {
  action("new", "new", tr("&New"), QKeySequence::New, tr("Begin with nothing"), [this] {
    if (mayClose([this] { m_model.document().clear(); })) m_model.document().clear();
  });
  action("open", "open", tr("&Open …"), QKeySequence::Open, tr("Open data or a session"),
         [this] { openDialog(); });
  action("openFolder", "open", tr("Open &folder …"), {},
         tr("Open the data in a folder, or a folder that is a data set, as Zarr and AMReX have them"),
         [this] { openFolderDialog(); });
  action("connect", "connect", tr("&Connect …"), QKeySequence("Ctrl+Shift+O"),
         tr("Open data that stay on another machine: a paging server, a web server, S3"),
         [this] { connectDialog(); });
  action(
      "renderer", "slabs", tr("Connect &to renderer …"), QKeySequence("Ctrl+Alt+O"),
      tr("Have farfield-slabd render beside the data: one that runs, or that is started here or by ssh"),
      [this] {
        rendererDialog(app::dataForRenderer(m_model.document(), m_model.stage(), m_pipeline->selectedData()));
      });
  action("save", "save", tr("&Save"), QKeySequence::Save, tr("Save the session"), [this] { save(false); });
  action("saveAs", {}, tr("Save &as …"), QKeySequence("Ctrl+Shift+S"),
         tr("Save the session under another name"), [this] { save(true); });
  action("exportImage", "image", tr("Export &picture …"), QKeySequence("Ctrl+E"),
         tr("Write what is shown as a picture of any size"), [this] { exportImage(); });
  action("exportGeometry", "export", tr("Export &geometry …"), {},
         tr("Write lines and surfaces as files that ParaView and VTK read"), [this] { exportGeometry(); });
  action("exportAnimation", "play", tr("Export an&imation …"), {}, {},  // as of "convert"
         [this] { exportAnimation(); });
  action("copyCommand", "copy-command", tr("Copy as &batchvis command"), {},
         tr("The command that makes the same picture with no display"), [this] { copyBatchCommand(); });
  action("convert", "export", tr("Con&vert to a paged store …"), {},
         {},  // what it does, or why it does not: updateActions()
         [this] { convertData(dataToConvert()); });
  action("recover", {}, tr("&Unsaved work …"), {},
         tr("Look for work that a program left behind when it was ended"),
         [this] { offerLeftWork(Offer::OnDemand); });
  action("quit", {}, tr("&Quit"), QKeySequence::Quit, tr("End Farfield"), [this] { close(); });

  QUndoStack& steps = m_model.document().undoStack();
  QAction* const undo = steps.createUndoAction(this, tr("Undo"));
  QAction* const redo = steps.createRedoAction(this, tr("Redo"));
  // What is being typed, or where a view has just been moved to, is the last step.
  disconnect(undo, &QAction::triggered, &steps, nullptr);
  disconnect(redo, &QAction::triggered, &steps, nullptr);
  const auto after = [this, &steps](QAction* action, void (QUndoStack::*go)()) {
    connect(action, &QAction::triggered, &steps, [this, &steps, go] {
      takeTyped(QApplication::focusWidget());
      restViews();
      (steps.*go)();
    });
  };
  after(undo, &QUndoStack::undo);
  after(redo, &QUndoStack::redo);
  undo->setIcon(icon("undo"));
  undo->setShortcut(QKeySequence::Undo);
  redo->setIcon(icon("redo"));
  redo->setShortcuts({QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")});
  for (QAction* const made : {undo, redo}) addAction(made);
  m_actions["undo"] = undo;
  m_actions["redo"] = redo;
  undo->setObjectName("undo");
  redo->setObjectName("redo");

  for (const app::WindowKind& kind : app::windowKinds())
    if (kind.action)
      action(kind.action, nameOf(kind.type), kind.actionText, QKeySequence(kind.keys), kind.tip,
             [this, type = kind.type] { addObject(type); });
  action("remove", "remove", tr("&Remove"), QKeySequence::Delete,
         tr("Remove what is selected in the pipeline"), [this] { removeSelected(); });
  action("duplicate", "duplicate", tr("&Duplicate"), QKeySequence("Ctrl+D"),
         tr("Another one like the selected object"), [this] { duplicateSelected(); });
  action("rename", {}, tr("Re&name"), QKeySequence("F2"), tr("Change the name of what is selected"), [this] {
    showPanel(m_pipeline);
    m_pipeline->renameSelected();
  });
  action("recompute", "reset", tr("Compute &again"), QKeySequence("F5"),
         tr("Compute the selected object once more"), [this] {
           if (const app::ObjectId id = m_pipeline->selectedObject()) m_model.stage().recompute(id);
           if (m_pipeline->isDataSelected()) readAgain(m_pipeline->selectedData());
         });
  action("readAgain", "reset", tr("&Read again"), QKeySequence("Ctrl+F5"), {},  // updateActions()
         [this] { readAgain(dataToRead()); });
  makePlotActions();
  action("calculator", {}, tr("Calc&ulator …"), QKeySequence("Ctrl+Shift+F"),
         tr("The functions of the data and their formulas, and functions of your own"), [this] {
           const session::Object* const object = m_model.document().object(m_pipeline->selectedObject());
           showCalculator(object ? object->data : m_pipeline->selectedData());
         });
  action("pinProbe", "probe", tr("&Pin a probe"), QKeySequence("P"),
         tr("Values of what is under the cursor stay there, in the view and in pictures"),
         [this] { m_controller->pinProbe(m_controller->hovered()); });
  action("cancel", "cancel", tr("S&top computing"), QKeySequence(Qt::Key_Escape),
         tr("Stop; what is there stays"), [this] {
           m_model.stage().cancelAll();
           m_group->stopRefining();
         });

  action("resetView", "fit", tr("&Reset view"), QKeySequence("R"),
         tr("Show everything from the usual direction"), [this] { m_controller->resetView(); });
  action("fit", {}, tr("Show &everything"), QKeySequence("F"),
         tr("Show everything from the present direction"), [this] {
           const scene::Camera camera = m_group->active().camera();
           m_controller->lookAlong(camera.position - camera.target, camera.up, tr("Show everything"));
         });
  action("fitSelection", {}, tr("Show the &selected object"), QKeySequence("Shift+F"),
         tr("Move so that the selected object, or the selected data, fill the view"),
         [this] { fitSelection(); });
  QAction* const box = action("zoomBox", "zoom-box", tr("&Zoom to a box"), QKeySequence("B"),
                              tr("Frame a part of the view; it then fills the view"), [] {});
  box->setCheckable(true);
  connect(box, &QAction::triggered, this, [this](bool on) {
    m_group->zoomToNextBox(on);
    if (on)
      statusBar()->showMessage(
          tr("Drag a frame, or move one with arrow keys (Shift: its size). Enter zooms, Esc leaves."),
          kFrameWordsMs);
  });
  connect(m_group, &ViewGroup::boxAwaited, this, [this, box](bool awaited) {
    box->setChecked(awaited);
    if (!awaited) statusBar()->clearMessage();
  });
  action("camera", {}, tr("&Camera …"), QKeySequence("Ctrl+Shift+C"),
         tr("The camera in numbers, to be typed, copied and pasted"), [this] {
           auto* const dialog = new CameraDialog(*m_group, *m_controller, this);
           dialog->setAttribute(Qt::WA_DeleteOnClose);
           dialog->show();
         });
  action("stretch", {}, tr("S&tretch axes …"), {},
         tr("Data that are much wider than high are seen as if they were higher"), [this] { stretchAxes(); });
  QAction* const upright = action(
      "turntable", {}, tr("Keep &up upright"), QKeySequence("U"),
      tr("Dragging and arrow keys turn about the axis of the data that points up, and never roll"), [] {});
  upright->setCheckable(true);
  connect(upright, &QAction::toggled, this, [this](bool on) {
    m_viewport->setUpright(on);
    m_model.settings().setWindowLayout("turntable", on ? "on" : "");
  });
  connect(upright, &QAction::triggered, this, [this](bool on) {
    const Vec3 up = m_group->active().upwards();
    const QString axis = up.x != 0 ? "x" : up.y != 0 ? "y" : "z";
    tell(on ? tr("Dragging and arrow keys keep the %1 axis upright").arg(axis)
            : tr("Dragging and arrow keys turn freely"));
  });
  upright->setChecked(!m_model.settings().windowLayout("turntable").isEmpty());
  const struct {
    const char *name, *keys;
    QString text;
    Vec3 direction, up;
  } kViews[] = {{"viewPlusX", "X", tr("From +X"), {1, 0, 0}, {0, 0, 1}},
                {"viewMinusX", "Shift+X", tr("From −X"), {-1, 0, 0}, {0, 0, 1}},
                {"viewPlusY", "Y", tr("From +Y"), {0, 1, 0}, {0, 0, 1}},
                {"viewMinusY", "Shift+Y", tr("From −Y"), {0, -1, 0}, {0, 0, 1}},
                {"viewPlusZ", "Z", tr("From +Z"), {0, 0, 1}, {0, 1, 0}},
                {"viewMinusZ", "Shift+Z", tr("From −Z"), {0, 0, -1}, {0, 1, 0}},
                {"viewIsometric", "I", tr("&Isometric"), {1, -1, 1}, {0, 0, 1}}};
  for (const auto& view : kViews)
    action(view.name, view.name == std::string("viewIsometric") ? "isometric" : "", view.text,
           QKeySequence(view.keys), tr("Look at everything from there"),
           [this, direction = view.direction, up = view.up, text = view.text] {
             m_controller->lookAlong(direction, up, tr("View %1").arg(QString(text).remove('&').toLower()));
           });
  action("keepView", {}, tr("&Keep this view"), QKeySequence("Ctrl+Shift+K"),
         tr("Keep the place to look from in the session, to come back to it"), [this] { keepView(); });
  action("picture", "image", tr("&Picture settings"), {},
         tr("Background, title, legends and size of the picture"), [this] {
           m_pipeline->select(0);
           showPanel(m_properties);
         });
  QAction* const orthographic = action("orthographic", "orthographic", tr("&Orthographic"), QKeySequence("O"),
                                       tr("Without perspective"), [] {});
  orthographic->setCheckable(true);
  connect(orthographic, &QAction::toggled, this, [this](bool on) { m_controller->setOrthographic(on); });
  QAction* const axes =
      action("axes", {}, tr("Orientation &axes"), {}, tr("The axes in the corner of the view"), [] {});
  axes->setCheckable(true);
  axes->setChecked(true);
  connect(axes, &QAction::toggled, this, [this](bool on) { m_viewport->setAxesVisible(on); });
  makeSplitActions();
  action("nextPanel", {}, tr("&Next panel"), QKeySequence("F6"), tr("The keyboard goes to the next panel"),
         [this] { m_panelFocus->goToPanel(true); });
  action("previousPanel", {}, tr("Pre&vious panel"), QKeySequence("Shift+F6"),
         tr("The keyboard goes to the panel before"), [this] { m_panelFocus->goToPanel(false); });
  makePanelActions();
  action("resetLayout", {}, tr("Reset the la&yout"), {}, tr("Docks and tool bars where they were at first"),
         [this] { resetLayout(); });

  action("palette", "search", tr("&Find a command …"), QKeySequence("Ctrl+K"), tr("Every command by name"),
         [this] {
           auto* const palette = new CommandPalette(actionsBelow(*menuBar()), this);
           palette->adjustSize();
           palette->move(mapToGlobal(QPoint((width() - palette->width()) / 2, height() / 8)));
           palette->show();
           // A panel that is asked for by name is to be worked in, also one that is open: it would be closed if it were marked so.
           connect(palette, &CommandPalette::ran, this, [this](QAction* ran) {
             for (QDockWidget* const dock : m_docks)
               if (dock->toggleViewAction() == ran) {
                 ran->setChecked(false);
                 QTimer::singleShot(0, dock, [dock] {
                   if (PanelFocus::isInSight(dock)) PanelFocus::enter(dock);
                 });
               }
           });
         });
  action("guide", "help", tr("&Guide"), QKeySequence::HelpContents, tr("How everything works, with a search"),
         [this] {
           auto* guide = findChild<Guide*>();
           if (!guide) {
             guide = new Guide(this);
             guide->setAttribute(Qt::WA_DeleteOnClose);
           }
           guide->show();
           guide->raise();
           guide->activateWindow();
         })
      ->setShortcutContext(
          Qt::ApplicationShortcut);  // also in the calculator, and other dialogs that are no questions
  action("keys", "help", tr("&Keys and mouse"), QKeySequence("?"), tr("What keys and mouse do"), [this] {
    QList<QAction*> shown;
    for (QAction* const each : findChildren<QAction*>())
      if (!each->shortcut().isEmpty()) shown.append(each);
    makeCheatSheet(shown, this)->open();
  });
  action("whatIsThis", "help", tr("&What is this?"), QKeySequence("Shift+F1"),
         tr("Explains the field or the button that has the keyboard, or what is clicked next"),
         [] { WhatIsThis::showFor(QApplication::focusWidget()); });
  action("explainClick", {}, tr("&Explain what is clicked"), {},
         tr("The next click explains what it hits, and does nothing else"), [] { WhatIsThis::askByClick(); });
  action("settings", "settings", tr("Se&ttings …"), QKeySequence("Ctrl+,"),
         tr("Preferences: appearance, memory, processors"), [this] { makeSettings(m_model, this)->open(); });
  action("theme", {}, tr("&Light or dark"), QKeySequence("Ctrl+Shift+L"),
         tr("Change the theme between light and dark"),
         [this] { m_model.settings().setTheme(isDark() ? app::Theme::Light : app::Theme::Dark); });
  action("about", {}, tr("&About Farfield"), {}, tr("Version, licences, diagnostics"),
         [this] { makeAbout(m_model, this)->open(); });
}

void MainWindow::addObject(session::ObjectType type, const std::string& dataName) {
  const std::string name = dataName.empty() ? m_pipeline->selectedData() : dataName;
  const auto add = [this, type](const std::string& its, const std::optional<Vec3>& place) {
    const app::ObjectId id = m_model.addObject(type, its, m_pipeline->selectedObject(), place);
    if (!id) return tell(tr("Open data first, and wait until they are open."), true);
    m_pipeline->select(id);
    // The field that had the keyboard was of another object.
    QTimer::singleShot(0, this, [this] {
      if (isActiveWindow() && (!QApplication::focusWidget() || m_properties->hasFocus()))
        m_group->active().setFocus(Qt::OtherFocusReason);
    });
    tellUnits(*m_model.document().object(id));
    // The panel of volumes has nothing to say of anything else.
    if (PanelFocus::isInSight(dockOf(m_volume)) && !app::volumeIn(*m_model.document().object(id)))
      showPanel(m_properties);
  };
  const std::string open = m_model.openDataOr(name);
  if (type != session::kTypeOf<session::Probe> || !m_model.stage().summary(open)) return add(name, {});
  m_model.seekInside(open, middleOf(*m_model.stage().summary(open)), this,
                     [add, open](Vec3 place) { add(open, place); });
}

void MainWindow::makeMenus() {
  const auto fill = [this](QMenu* menu, const std::vector<const char*>& names) {
    for (const char* const name : names) {
      if (*name)
        menu->addAction(m_actions.at(name));
      else
        menu->addSeparator();
    }
  };
  QMenu* const file = menuBar()->addMenu(tr("&File"));
  fill(file, {"new", "open", "openFolder", "connect", "renderer"});
  m_recent = file->addMenu(tr("Open &recent"));
  QMenu* const samples = file->addMenu(tr("Open a sa&mple"));
  for (const SampleOffer& offer : sampleOffers()) {
    QAction* const open = samples->addAction(offer.name);
    open->setToolTip(offer.line);
    connect(open, &QAction::triggered, this, [this, url = offer.url] { m_model.openData({{url, {}}}); });
  }
  file->addSeparator();
  fill(file, {"save", "saveAs", "", "exportImage", "exportAnimation", "exportGeometry", "copyCommand",
              "convert", "", "recover", "", "quit"});
  fill(menuBar()->addMenu(tr("&Edit")),
       {"undo", "redo", "", "duplicate", "rename", "remove", "", "palette", "settings"});
  fill(menuBar()->addMenu(tr("&Add")), addingActions(Where::Menu));
  QMenu* const view = menuBar()->addMenu(tr("&View"));
  fill(view, {"resetView", "fit", "fitSelection", "zoomBox", "", "viewPlusX", "viewMinusX", "viewPlusY",
              "viewMinusY", "viewPlusZ", "viewMinusZ", "viewIsometric"});
  m_views = view->addMenu(tr("Kept &views"));
  m_views->setObjectName("keptViews");
  connect(m_views, &QMenu::aboutToShow, this, &MainWindow::showViewsMenu);
  QMenu* const split = view->addMenu(tr("Split the vie&w"));
  split->setObjectName("splitView");
  fill(split, {"oneView", "twoViews", "fourViews", "compareData", "", "linkCameras"});
  fill(view,
       {"keepView", "camera", "", "stretch", "orthographic", "turntable", "picture", "axes", "theme", ""});
  QMenu* const panels = view->addMenu(tr("Pa&nels"));
  for (QDockWidget* const dock : m_docks) panels->addAction(dock->toggleViewAction());
  panels->addSeparator();
  fill(panels, {"nextPanel", "previousPanel", "", "tearPanel", "panelLeft", "panelRight", "panelBottom"});
  panels->addSeparator();
  fill(view, {"resetLayout"});
  QMenu* const compute = menuBar()->addMenu(tr("&Compute"));
  fill(compute, {"recompute", "readAgain", "cancel", "", "calculator", "pinProbe", "plotLine", "plotAlong",
                 "plotTime", "plotValues", ""});
  for (QAction* const each : m_time->stepActions()) compute->addAction(each);
  fill(menuBar()->addMenu(tr("&Help")), {"guide", "keys", "whatIsThis", "explainClick", "", "about"});

  QToolBar* const bar = addToolBar(tr("Tools"));
  bar->setObjectName("toolBar");
  bar->setIconSize({20, 20});
  bar->setToolButtonStyle(Qt::ToolButtonIconOnly);
  const auto put = [&](std::initializer_list<const char*> names) {
    for (const char* const name : names) {
      if (*name)
        bar->addAction(m_actions.at(name));
      else
        bar->addSeparator();
    }
  };
  put({"open", "save", "", "undo", "redo", ""});
  for (const char* const name : addingActions(Where::Bar)) {
    bar->addAction(m_actions.at(name));
    // Beside one another they need not say "Add" each.
    QString text = plainText(*m_actions.at(name)).remove(tr("Add "));
    m_actions.at(name)->setIconText(text.replace(0, 1, text[0].toUpper()));
    if (auto* const button = qobject_cast<QToolButton*>(bar->widgetForAction(m_actions.at(name))))
      button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  }
  put({"", "resetView", "zoomBox", "viewIsometric", "orthographic", "", "exportImage", "palette"});
  panels->addAction(bar->toggleViewAction());

  for (const char* const name : addingActions(Where::Bar)) m_pipeline->addButton(m_actions.at(name));
  for (const char* const name : {"duplicate", "remove"}) m_pipeline->addButton(m_actions.at(name));
  // In other panels Delete is of what is there: a point, a kept view, a probe.
  QAction* const remove = m_actions.at("remove");
  remove->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  removeAction(remove);
  for (QWidget* const panel : {static_cast<QWidget*>(m_pipeline), static_cast<QWidget*>(m_group)})
    panel->addAction(remove);
  // Space presses buttons; in the view it plays, and where nothing has a use for it (keyPressEvent).
  m_time->playAction()->setShortcutContext(Qt::WidgetShortcut);
  m_viewport->addAction(m_time->playAction());
  showRecentMenu();
}

void MainWindow::showRecentMenu() {
  m_recent->clear();
  const QStringList recent = m_model.settings().recent(), texts = recentTexts(recent);
  for (qsizetype n = 0; n < recent.size(); ++n) {
    const QString& what = recent[n];
    QAction* const open = m_recent->addAction(withoutMnemonics(texts[n]));
    open->setStatusTip(app::someNames(app::shownPattern(what).split('\n'), QStringLiteral("   ")));
    connect(open, &QAction::triggered, this, [this, what] { openRecent(what); });
  }
  m_recent->setEnabled(!m_recent->isEmpty());
  if (m_recent->isEmpty()) return;
  m_recent->addSeparator();
  connect(m_recent->addAction(tr("Clear the list of files")), &QAction::triggered, this,
          [this] { m_model.settings().clearRecent(); });
}

void MainWindow::showViewsMenu() {
  m_views->clear();
  const std::vector<session::NamedView>& views = m_model.document().session().views;
  for (const session::NamedView& view : views) {
    const QString name = QString::fromStdString(view.name);
    QAction* const go = m_views->addAction(withoutMnemonics(name));
    go->setObjectName("keptView");
    connect(go, &QAction::triggered, this, [this, name = view.name] { flyTo(name); });
  }
  if (views.empty()) {
    m_views->addAction(tr("None yet"))->setEnabled(false);
    return;
  }
  QMenu* const forget = m_views->addMenu(tr("Forget"));
  for (const session::NamedView& view : views)
    connect(forget->addAction(withoutMnemonics(QString::fromStdString(view.name))), &QAction::triggered, this,
            [this, name = view.name] { app::forgetView(m_model.document(), name); });
}

void MainWindow::showObjectMenu(const QPoint& globalPosition) {
  QMenu menu(this);
  const app::ObjectId id = m_pipeline->selectedObject();
  if (const session::Object* const object = m_model.document().object(id)) {
    QAction* const visible = menu.addAction(object->visible ? tr("Hide") : tr("Show"));
    connect(visible, &QAction::triggered, this, [this, id, shows = !object->visible] {
      // Meanwhile another session may have come in its place.
      if (!m_model.document().object(id)) return;
      app::ObjectTree& tree = m_model.tree();
      tree.setData(tree.indexOf(id), shows ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole);
    });
    for (const char* const name : {"rename", "duplicate", "remove", "recompute"})
      menu.addAction(m_actions.at(name));
    if (session::hasLines(object->shape)) menu.addAction(m_actions.at("plotAlong"));
    menu.addSeparator();
  } else if (m_pipeline->isDataSelected()) {
    for (const char* const name : addingActions(Where::Menu)) menu.addAction(m_actions.at(name));
    for (const char* const name : {"rename", "remove", "readAgain"}) menu.addAction(m_actions.at(name));
    menu.addSeparator();
  }
  // The cursor is over the menu, once there is one.
  if (const auto under = m_controller->hovered())
    connect(menu.addAction(icon("probe"), tr("Pin a probe here")), &QAction::triggered, this,
            [this, under] { m_controller->pinProbe(under); });
  for (const char* const name : {"resetView", "fit", "fitSelection", "exportImage"})
    menu.addAction(m_actions.at(name));
  menu.exec(globalPosition);
}

namespace {

/// `selected`: the data that are, or that what is selected is of.
QString whyNotConverted(app::AppModel& model, const std::string& selected) {
  const auto& sources = model.document().session().data;
  if (sources.empty()) return MainWindow::tr("No data are open.");
  if (selected.empty() && sources.size() > 1)
    return MainWindow::tr("Select the data in the pipeline, of which there are several.");
  const auto summary = model.stage().summary(selected.empty() ? sources.front().name : selected);
  return !summary ? MainWindow::tr("The data are not open.")
         : summary->description.format == "sample"
             ? MainWindow::tr("A sample is computed, not read: “farfield convert” makes a store of it.")
         : !app::rendererFunctions(*summary).empty()
             ? MainWindow::tr("A renderer gives pictures, not values: convert the files that it reads.")
             : MainWindow::tr("It is a paged store already.");
}

}  // namespace

void MainWindow::updateActions() {
  const app::ObjectId id = m_pipeline->selectedObject();
  const bool dataSelected = m_pipeline->isDataSelected();
  const app::Document& document = m_model.document();
  // That an object would be of, whatever else is open.
  const auto summary = m_model.stage().summary(m_model.openDataOr(m_pipeline->selectedData()));
  for (const app::WindowKind& kind : app::windowKinds()) {
    if (!kind.action) continue;
    QAction* const add = m_actions.at(kind.action);
    add->setEnabled(summary && app::canAdd(kind, *summary));
    // Who looks for it learns why not.
    const QString why = summary ? app::whyNotAdded(kind, *summary) : QString();
    setTip(*add, why.isEmpty() ? kind.tip : why);
  }
  for (const char* const name : {"remove", "rename", "recompute"})
    m_actions.at(name)->setEnabled(id != 0 || dataSelected);
  m_actions.at("duplicate")->setEnabled(id != 0);
  const bool something = !document.session().data.empty();
  // Another step is no change, of which closing asks, but it is in the file: who asks for it saves it.
  const bool hasSteps = m_model.stage().steps() > 1;
  m_actions.at("save")->setEnabled(something &&
                                   (document.isModified() || document.path().isEmpty() || hasSteps));
  for (const char* const name :
       {"saveAs",     "exportImage",   "exportGeometry", "copyCommand", "keepView",   "resetView",
        "fit",        "viewPlusX",     "viewMinusX",     "viewPlusY",   "viewMinusY", "viewPlusZ",
        "viewMinusZ", "viewIsometric", "orthographic",   "axes",        "picture",    "zoomBox",
        "camera",     "turntable",     "pinProbe",       "twoViews",    "fourViews",  "compareData",
        "stretch",    "tearPanel",     "panelLeft",      "panelRight",  "panelBottom"})
    m_actions.at(name)->setEnabled(something);
  m_actions.at("fitSelection")->setEnabled(id != 0 || dataSelected);
  updatePlots(summary.get());
  updateReading();
  // Jobs, of which there is one at a time.
  const QString busy = m_model.lentBytes() > 0 ? whyNoOtherJob() : QString();
  const auto setJob = [&](const char* name, bool canBegin, const QString& what) {
    QAction* const job = m_actions.at(name);
    job->setEnabled(canBegin && busy.isEmpty());
    const QString& tip = canBegin && !busy.isEmpty() ? busy : what;
    job->setStatusTip(tip);
    job->setToolTip(tip);
  };
  setJob("exportAnimation", hasAnimations(),
         tr("Numbered pictures of the steps of the data, or of a turn around what is shown"));
  const bool canConvert = !dataToConvert().empty();
  setJob("convert", canConvert,
         canConvert ? tr("Write the selected data into one file that opens at once and of which less is read")
                    : whyNotConverted(m_model, m_pipeline->selectedData()));
}

}  // namespace farfield::ui
