// The panels of the window: where they are, which are seen, and what is remembered of that.

#include <QChildEvent>
#include <QDockWidget>
#include <QStackedWidget>
#include <QTabBar>
#include <algorithm>

#include "app/ui/calculator.h"
#include "app/ui/color_panel.h"
#include "app/ui/main_window.h"
#include "app/ui/memory_panel.h"
#include "app/ui/message_list.h"
#include "app/ui/pipeline_panel.h"
#include "app/ui/plot_panel.h"
#include "app/ui/probe_panel.h"
#include "app/ui/property_editor.h"
#include "app/ui/renderer_panel.h"
#include "app/ui/time_bar.h"
#include "app/ui/view_group.h"
#include "app/ui/view_panel.h"
#include "app/ui/volume_panel.h"

namespace farfield::ui {

void MainWindow::makeDocks() {
  const auto add = [this](const char* name, const QString& title, QWidget* widget, Qt::DockWidgetArea area) {
    auto* const dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(widget);
    addDockWidget(area, dock);
    m_docks.append(dock);
    return dock;
  };
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  QDockWidget* const pipeline = add("dock.pipeline", tr("Pipeline"), m_pipeline, Qt::LeftDockWidgetArea);
  QDockWidget* const kept = add("dock.views", tr("Views"), m_kept, Qt::LeftDockWidgetArea);
  QDockWidget* const properties =
      add("dock.properties", tr("Properties"), m_properties, Qt::RightDockWidgetArea);
  QDockWidget* const colors = add("dock.colors", tr("Colours"), m_colors, Qt::RightDockWidgetArea);
  QDockWidget* const volume = add("dock.volume", tr("Volume"), m_volume, Qt::RightDockWidgetArea);
  QDockWidget* const time = m_timeDock = add("dock.time", tr("Time"), m_time, Qt::BottomDockWidgetArea);
  QDockWidget* const memory = m_memoryDock =
      add("dock.memory", tr("Memory and I/O"), m_memory, Qt::BottomDockWidgetArea);
  QDockWidget* const messages = add("dock.messages", tr("Messages"), m_messages, Qt::BottomDockWidgetArea);
  QDockWidget* const probes = add("dock.probes", tr("Probes"), m_probes, Qt::RightDockWidgetArea);
  QDockWidget* const plots = add("dock.plots", tr("Plots"), m_plots, Qt::RightDockWidgetArea);
  QDockWidget* const renderer =
      add("dock.renderer", tr("Renderer"), new RendererPanel(m_model, this), Qt::BottomDockWidgetArea);
  time->installEventFilter(this);
  connect(time->toggleViewAction(), &QAction::triggered, this, [this](bool on) {
    if (on) keepTimeChoice(true);
  });
  splitDockWidget(time, memory, Qt::Vertical);
  tabifyDockWidget(pipeline, kept);
  pipeline->raise();
  tabifyDockWidget(properties, colors);
  tabifyDockWidget(colors, volume);
  properties->raise();
  tabifyDockWidget(memory, messages);
  tabifyDockWidget(messages, renderer);
  tabifyDockWidget(volume, probes);
  tabifyDockWidget(probes, plots);
  for (QDockWidget* const dock : {probes, plots, renderer}) dock->hide();  // until somebody wants them
  properties->raise();
  memory->raise();
  m_time->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  resizeDocks({pipeline, properties}, {m_pipeline->sizeHint().width(), m_properties->sizeHint().width()},
              Qt::Horizontal);
  resizeDocks({memory}, {m_memory->sizeHint().height()}, Qt::Vertical);
}

QDockWidget* MainWindow::dockOf(const QWidget* panel) const {
  return *std::find_if(m_docks.begin(), m_docks.end(),
                       [&](const QDockWidget* dock) { return dock->widget() == panel; });
}

void MainWindow::showPanel(const QWidget* panel) {
  dockOf(panel)->show();
  dockOf(panel)->raise();
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
    restoreState(m_usualLayout, kLayoutVersion);
    showTimeWhereThereIsAny();
  } else {
    m_workLayout = m_usualLayout;
  }
}

void MainWindow::childEvent(QChildEvent* event) {
  QMainWindow::childEvent(event);
  // Those of panels behind one another, which Qt makes when it needs them.
  if (auto* const tabs = qobject_cast<QTabBar*>(event->child());
      tabs && event->type() == QEvent::ChildPolished)
    tabs->setAccessibleName(tr("Panels"));
}

void MainWindow::showCalculator(const std::string& dataName) {
  auto* dialog = findChild<Calculator*>();
  if (!dialog) dialog = new Calculator(m_model, dataName, this);
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

}  // namespace farfield::ui
