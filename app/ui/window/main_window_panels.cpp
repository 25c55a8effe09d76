// The panels of the window: where they are, which are seen, and what is remembered of that.

#include <QAbstractButton>
#include <QChildEvent>
#include <QDockWidget>
#include <QGuiApplication>
#include <QScopedValueRollback>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTimer>
#include <algorithm>
#include <memory>

#include "app/ui/dialogs/calculator.h"
#include "app/ui/panels/color_panel.h"
#include "app/ui/panels/memory_panel.h"
#include "app/ui/panels/pipeline_panel.h"
#include "app/ui/panels/probe_panel.h"
#include "app/ui/panels/property_editor.h"
#include "app/ui/panels/renderer_panel.h"
#include "app/ui/panels/time_bar.h"
#include "app/ui/panels/view_panel.h"
#include "app/ui/panels/volume_panel.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/view/stretch_notice.h"
#include "app/ui/view/view_group.h"
#include "app/ui/widgets/message_list.h"
#include "app/ui/window/cover_notice.h"
#include "app/ui/window/main_window.h"
#include "app/ui/window/moment_notice.h"
#include "app/ui/window/panel_focus.h"
#include "app/ui/window/panel_width.h"
#include "app/ui/window/unseen_notice.h"

namespace farfield::ui {
namespace {
constexpr int kFrame = 4, kTitle = 32;  ///< of windows, in most places
constexpr int kSetOff = 32;
constexpr int kSaidMs = 6000;
constexpr const char* kTearButton = "qt_dockwidget_floatbutton";  // as Qt calls it

/// A panel that its button tears off would lie where it was, as narrow as it was, and look as if it had not moved: it is set off towards
/// the middle, as large as suits it.
void setOffWhenTornOff(QDockWidget* dock, const QWidget* window) {
  auto* const tear = dock->findChild<QAbstractButton*>(kTearButton);
  if (!tear) return;
  const auto was = std::make_shared<QPoint>();
  QObject::connect(tear, &QAbstractButton::pressed, dock, [=] { *was = dock->mapToGlobal(QPoint()); });
  QObject::connect(tear, &QAbstractButton::clicked, dock, [=] {
    if (!dock->isFloating() || (dock->pos() - *was).manhattanLength() > kSetOff) return;
    const QPoint middle = window->mapToGlobal(window->rect().center()), its = dock->geometry().center();
    giveOwnSize(
        *dock, *window,
        dock->pos() +
            QPoint(its.x() < middle.x() ? kSetOff : dock->width() - dock->sizeHint().width() - kSetOff,
                   its.y() < middle.y() ? kSetOff : dock->height() - dock->sizeHint().height() - kSetOff));
  });
}
}  // namespace

void MainWindow::makeDocks() {
  const auto add = [this](const char* name, const QString& title, QWidget* widget, Qt::DockWidgetArea area,
                          const QString& what) {
    auto* const dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWhatsThis("<b>" + title + "</b><br>" + what);
    dock->setWidget(widget);
    addDockWidget(area, dock);
    m_docks.append(dock);
    setOffWhenTornOff(dock, this);
    connect(dock, &QDockWidget::dockLocationChanged, this, &MainWindow::boundMemory, Qt::QueuedConnection);
    connect(dock, &QDockWidget::topLevelChanged, this, &MainWindow::boundMemory, Qt::QueuedConnection);
    // Where it is behind others it would open unseen.
    connect(dock->toggleViewAction(), &QAction::triggered, dock, [this, dock](bool on) {
      if (on) dock->raise();
      if (on) m_panelFocus->stayWith(dock);
    });
    // One that is put back would lie behind those that it was stacked with.
    connect(dock, &QDockWidget::topLevelChanged, dock, [this, dock](bool floats) {
      if (floats || m_laysOut) return;
      QTimer::singleShot(0, dock, [dock] {
        if (!dock->isHidden() && !dock->isFloating()) dock->raise();
      });
    });
    return dock;
  };
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  QDockWidget* const pipeline = add(
      "dock.pipeline", tr("Pipeline"), m_pipeline, Qt::LeftDockWidgetArea,
      tr("Data, and under them what shows them. A tick hides or shows, F2 renames, Delete removes, dragging orders; the context menu has the rest."));
  QDockWidget* const kept = add("dock.views", tr("Views"), m_kept, Qt::LeftDockWidgetArea,
                                tr("Places to look from that were kept. A click, or Return, flies to one."));
  QDockWidget* const properties = add(
      "dock.properties", tr("Properties"), m_properties, Qt::RightDockWidgetArea,
      tr("All settings of what is selected in the pipeline; of the picture as a whole where nothing is. The arrow at the right of a value resets it."));
  QDockWidget* const colors =
      add("dock.colors", tr("Colours"), m_colors, Qt::RightDockWidgetArea,
          tr("The colours of the selected object: the map, the range of values that it covers, the legend."));
  QDockWidget* const volume = add("dock.volume", tr("Volume"), m_volume, Qt::RightDockWidgetArea,
                                  tr("How opaque a volume is at which value, and what colour it has there."));
  QDockWidget* const time = m_timeDock =
      add("dock.time", tr("Time"), m_time, Qt::BottomDockWidgetArea,
          tr("The steps of the data. Each is computed before the next one is shown."));
  QDockWidget* const memory = m_memoryDock =
      add("dock.memory", tr("Memory and I/O"), m_memory, Qt::BottomDockWidgetArea,
          tr("The memory that data may take, which is never exceeded, and what is read."));
  QDockWidget* const messages = add("dock.messages", tr("Messages"), m_messages, Qt::BottomDockWidgetArea,
                                    tr("What happened, with what to do about it."));
  QDockWidget* const probes =
      add("dock.probes", tr("Probes"), m_probes, Qt::RightDockWidgetArea,
          tr("Places that were pinned, with the values there at the step that is shown."));
  QDockWidget* const plots =
      add("dock.plots", tr("Plots"), m_plots, Qt::RightDockWidgetArea,
          tr("Curves: along a line, over time at a point, and how often values occur."));
  QDockWidget* const renderer = add(
      "dock.renderer", tr("Renderer"), new RendererPanel(m_model, this), Qt::BottomDockWidgetArea,
      tr("What the ranks of a renderer and this window do, as it happens: reading, rendering, sending, receiving."));
  connect(time->toggleViewAction(), &QAction::triggered, this, [this](bool on) {
    if (on) keepTimeChoice(true);
  });
  renderer->hide();  // before it has a place beside the others, which the window would stay wide enough for
  splitDockWidget(time, memory, Qt::Vertical);
  tabifyDockWidget(pipeline, kept);
  pipeline->raise();
  tabifyDockWidget(properties, colors);
  tabifyDockWidget(colors, volume);
  properties->raise();
  tabifyDockWidget(memory, messages);
  tabifyDockWidget(memory, renderer);
  tabifyDockWidget(volume, probes);
  tabifyDockWidget(probes, plots);
  for (QDockWidget* const dock : {probes, plots}) dock->hide();  // until somebody wants them
  properties->raise();
  memory->raise();
  m_time->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  resizeDocks({memory}, {m_memory->sizeHint().height()}, Qt::Vertical);
  keepWideEnough(*colors, *m_colors);
  keepWideEnough(*volume, *m_volume);
  m_cover = new CoverNotice(m_model.document(), m_model.stage(), m_model.tree(), *m_notice, this);
  connect(m_volume, &VolumePanel::sightShown, m_cover, &CoverNotice::showSight);
  new UnseenNotice(m_model.document(), *m_notice, this);
  new StretchNotice(m_model, *m_controller, *m_notice, this);
  new MomentNotice(
      m_model.document(), m_model.stage(), [this](const QString& text) { tell(text); }, this);
}

void MainWindow::makePanelActions() {
  action("tearPanel", {}, tr("Tear the panel &off, or put it back"), QKeySequence("Alt+Shift+Up"),
         tr("The panel that has the keyboard becomes a window of its own, or goes back to where it was"),
         [this] { tearOffPanel(); });
  const struct {
    const char *name, *keys;
    QString text;
    Qt::DockWidgetArea area;
  } kPlaces[] = {
      {"panelLeft", "Alt+Shift+Left", tr("Move the panel to the &left"), Qt::LeftDockWidgetArea},
      {"panelRight", "Alt+Shift+Right", tr("Move the panel to the &right"), Qt::RightDockWidgetArea},
      {"panelBottom", "Alt+Shift+Down", tr("Move the panel to the &bottom"), Qt::BottomDockWidgetArea}};
  for (const auto& place : kPlaces)
    action(place.name, {}, place.text, QKeySequence(place.keys),
           tr("Where the panel that has the keyboard is docked, in front of those that are there"),
           [this, area = place.area] { movePanelTo(area); });
}

void MainWindow::boundMemory() {
  const QList<QDockWidget*> stack = tabifiedDockWidgets(m_memoryDock);
  // Those that lie there from the first have no more to show than it.
  m_memory->setMayBeHigh(std::any_of(stack.begin(), stack.end(), [this](const QDockWidget* each) {
    return each->widget() != m_messages && !qobject_cast<const RendererPanel*>(each->widget());
  }));
}

QDockWidget* MainWindow::panelAtHand() {
  QDockWidget* const dock = m_panelFocus->current();
  if (dock && dock->isVisible()) return dock;
  statusBar()->showMessage(tr("No panel has the keyboard: F6 goes to one."), kSaidMs);
  return nullptr;
}

void MainWindow::tearOffPanel() {
  QDockWidget* const dock = panelAtHand();
  if (!dock) return;
  m_panelFocus->stayWith(dock);
  dock->findChild<QAbstractButton*>(kTearButton)->click();
  dock->raise();
  QTimer::singleShot(0, dock, [dock] { PanelFocus::enter(dock); });
}

void MainWindow::movePanelTo(Qt::DockWidgetArea area) {
  QDockWidget* const dock = panelAtHand();
  if (!dock) return;
  m_panelFocus->stayWith(dock);
  if (dockWidgetArea(dock) == area && !dock->isFloating()) {
    PanelFocus::enter(dock);
    return;
  }
  QDockWidget* largest = nullptr;
  const auto sizeOf = [](const QDockWidget* each) { return each->width() * each->height(); };
  for (QDockWidget* const each : m_docks)
    if (each != dock && !each->isFloating() && PanelFocus::isInSight(each) && dockWidgetArea(each) == area &&
        (!largest || sizeOf(each) > sizeOf(largest)))
      largest = each;
  const ColumnLeft left = dockWidgetArea(dock) == area ? ColumnLeft() : columnWithout(*this, *dock);
  dock->setFloating(false);
  addDockWidget(area, dock);
  if (largest) tabifyDockWidget(largest, dock);
  dock->show();
  dock->raise();
  const int heightThere = largest ? largest->height() : 0;
  // Once it is there, and what was behind it is seen.
  QTimer::singleShot(0, dock, [=, this] {
    if (dockWidgetArea(dock) == area) {
      boundMemory();
      giveRoomBack(*this, left);
      giveRoomTo(*this, *dock, heightThere);
    }
    PanelFocus::enter(dock);
  });
}

void MainWindow::restorePlace() {
  // One that has no place yet gets it from the window manager.
  if (!restoreGeometry(m_model.settings().windowLayout("geometry")) || isMaximized() || isFullScreen())
    return;
  const QScreen* const on = QGuiApplication::screenAt(geometry().center());
  // The frame comes when it is shown.
  const QRect room = (on ? on : screen())->availableGeometry().adjusted(kFrame, kTitle, -kFrame, -kFrame);
  if (const QRect its = within(room, geometry()); its != geometry()) setGeometry(its);
}

void MainWindow::restoreLayout(const QByteArray& layout) {
  const QScopedValueRollback laysOut(m_laysOut, true);
  restoreState(layout, kLayoutVersion);
}

QDockWidget* MainWindow::dockOf(const QWidget* panel) const {
  return *std::find_if(m_docks.begin(), m_docks.end(),
                       [&](const QDockWidget* dock) { return dock->widget() == panel; });
}

void MainWindow::showPanel(const QWidget* panel) {
  m_panelFocus->stayWith(dockOf(panel));
  dockOf(panel)->show();
  dockOf(panel)->raise();
}

bool MainWindow::comesToFront(QDockWidget* dock) {
  if (m_closing || !isVisible() || isMinimized() || dock->isHidden() || PanelFocus::isInSight(dock))
    return false;
  dock->raise();
  // It was taken for open, and is unmarked by then.
  QTimer::singleShot(0, dock, [dock] { dock->toggleViewAction()->setChecked(!dock->isHidden()); });
  return true;
}

void MainWindow::showTimeWhereThereIsAny() {
  if (m_center->currentWidget() == m_group)
    m_timeDock->setVisible(m_timeChoice.value_or(m_model.stage().steps() > 1));
}

void MainWindow::keepTimeChoice(std::optional<bool> shown) {
  m_timeChoice = shown;
  m_model.settings().setWindowLayout(kTimeChoice, !shown ? "" : *shown ? kShown : kClosed);
}

void MainWindow::showMemoryDetails(bool shown) {
  m_memory->setDetailed(shown);
  resizeDocks({m_memoryDock}, {m_memory->sizeHint().height()}, Qt::Vertical);
}

void MainWindow::resetLayout() {
  m_model.settings().setWindowLayout(kMemoryDetails, {});
  showMemoryDetails(false);
  keepTimeChoice(std::nullopt);
  if (m_workLayout.isEmpty()) {
    restoreLayout(m_usualLayout);
    showTimeWhereThereIsAny();
  } else {
    m_workLayout = m_usualLayout;
  }
}

void MainWindow::childEvent(QChildEvent* event) {
  QMainWindow::childEvent(event);
  // Those of panels behind one another, which Qt makes when it needs them.
  if (auto* const tabs = qobject_cast<QTabBar*>(event->child());
      tabs && event->type() == QEvent::ChildPolished) {
    tabs->setAccessibleName(tr("Panels"));
    tabs->setWhatsThis(tr("Panels behind one another: the arrow keys bring another one to the front."));
  }
}

void MainWindow::showCalculator(const std::string& dataName) {
  auto* dialog = findChild<Calculator*>();
  if (!dialog) {
    dialog = new Calculator(m_model, dataName, this);
    // What was being typed when Esc closed it.
    dialog->setDraft(m_calculatorDraft);
    connect(dialog, &QDialog::finished, this, [this, dialog] { m_calculatorDraft = dialog->draft(); });
  }
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

}  // namespace farfield::ui
