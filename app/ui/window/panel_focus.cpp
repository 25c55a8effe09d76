#include "app/ui/window/panel_focus.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QScrollArea>
#include <QStatusBar>
#include <QTabBar>
#include <QTimer>
#include <algorithm>
#include <utility>

namespace farfield::ui {
namespace {

bool takesTab(const QWidget* widget) {
  return widget->isEnabled() && widget->isVisible() && (widget->focusPolicy() & Qt::TabFocus) &&
         !widget->focusProxy();
}

/// In a panel that scrolls it may be further up or down.
void giveFocus(QWidget* to, Qt::FocusReason reason) {
  // Styles mark what has the keyboard where keys lead through a window; by themselves they see that of Tab alone.
  to->window()->setAttribute(Qt::WA_KeyboardFocusChange);
  to->setFocus(reason);
  for (QWidget* at = to->parentWidget(); at; at = at->parentWidget())
    if (auto* const area = qobject_cast<QScrollArea*>(at)) area->ensureWidgetVisible(to);
}

}  // namespace

PanelFocus::PanelFocus(QMainWindow* window, QWidget* center, QList<QDockWidget*> docks)
    : m_window(window), m_center(center), m_docks(std::move(docks)) {
  connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, const QWidget* now) {
    if (const int panel = panelOf(now); panel >= 0) m_current = qobject_cast<QDockWidget*>(panels()[panel]);
    // A menu or a dialog is no other place: the keyboard comes back from there.
    if (m_visited && now && now->window() == m_window && !m_visited->isAncestorOf(now)) endVisit();
    comeOutSoon();
  });
  // Who brings one to the front means it to stay there.
  connect(m_window, &QMainWindow::tabifiedDockWidgetActivated, this, [this](QDockWidget* dock) {
    if (m_visited && dock != m_visited && m_window->tabifiedDockWidgets(m_visited).contains(dock))
      m_visited = m_front = nullptr;
    comeOutSoon();
  });
}

void PanelFocus::comeOutSoon() {
  if (std::exchange(m_comesOut, true)) return;
  QTimer::singleShot(0, this, [this] {
    m_comesOut = false;
    const int panel = panelOf(QApplication::focusWidget());
    auto* const behind = panel > 0 ? qobject_cast<QDockWidget*>(panels()[panel]) : nullptr;
    if (!behind || !behind->isVisible() || isInSight(behind)) return;
    for (QDockWidget* const each : m_window->tabifiedDockWidgets(behind))
      if (isInSight(each)) {
        if (!enter(each)) m_center->setFocus(Qt::OtherFocusReason);
        return;
      }
  });
}

bool PanelFocus::isInSight(const QDockWidget* dock) {
  return dock->isVisible() &&
         (dock->isFloating() || dock->parentWidget()->rect().intersects(dock->geometry()));
}

QList<QWidget*> PanelFocus::panels() const {
  QList<QWidget*> all{m_center};
  for (QDockWidget* const dock : m_docks) all.append(dock);
  return all;
}

QList<QWidget*> PanelFocus::stopsIn(QWidget* panel) {
  QList<QWidget*> stops;
  if (takesTab(panel)) stops.append(panel);
  for (QWidget* at = panel->nextInFocusChain(); at && at != panel; at = at->nextInFocusChain())
    if (panel->isAncestorOf(at) && takesTab(at)) stops.append(at);
  // What scrolls comes before what is in it, whichever was put into the window first.
  for (qsizetype n = 1; n < stops.size(); ++n) {
    const auto inside = std::find_if(stops.begin(), stops.begin() + n,
                                     [&](const QWidget* each) { return stops[n]->isAncestorOf(each); });
    if (inside != stops.begin() + n) std::rotate(inside, stops.begin() + n, stops.begin() + n + 1);
  }
  return stops;
}

QWidget* PanelFocus::stopBehind(QWidget* gone, const QList<QWidget*>& stops) {
  for (QWidget* at = gone->nextInFocusChain(); at != gone; at = at->nextInFocusChain())
    if (stops.contains(at)) return at;
  return nullptr;
}

int PanelFocus::panelOf(const QWidget* widget) const {
  const QList<QWidget*> all = panels();
  for (int n = 0; n < all.size(); ++n)
    if (widget && (all[n] == widget || all[n]->isAncestorOf(widget))) return n;
  return -1;
}

bool PanelFocus::step(bool forward) const {
  QList<QWidget*> stops = stopsIn(m_center);
  for (QDockWidget* const dock : m_docks)
    if (isInSight(dock)) stops += stopsIn(dock);
  for (QTabBar* const bar : m_window->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
    if (takesTab(bar) && bar->count() > 0) stops.append(bar);
  stops += stopsIn(m_window->statusBar());
  if (stops.isEmpty()) return false;
  QWidget* const from = QApplication::focusWidget();
  const auto at = stops.indexOf(from);
  const auto count = stops.size();
  // Just hidden or switched off by what was done with it: on in the same panel, where there is something.
  if (const int panel = panelOf(from); at < 0 && panel > 0)
    if (QWidget* const near = stopBehind(from, stopsIn(panels()[panel]))) {
      giveFocus(near, forward ? Qt::TabFocusReason : Qt::BacktabFocusReason);
      return true;
    }
  const auto next = at < 0 ? (forward ? 0 : count - 1) : (at + (forward ? 1 : count - 1)) % count;
  giveFocus(stops[next], forward ? Qt::TabFocusReason : Qt::BacktabFocusReason);
  return true;
}

void PanelFocus::visit(QDockWidget* dock) {
  const QList<QDockWidget*> beside = m_window->tabifiedDockWidgets(dock);
  QDockWidget* front = nullptr;
  if (m_visited && beside.contains(m_visited))
    front = m_front;  // it waits for the next one, too
  else if (!isInSight(dock))
    for (QDockWidget* const each : beside)
      if (isInSight(each)) front = each;
  endVisit();
  dock->raise();
  if (front && front != dock) {
    m_visited = dock;
    m_front = front;
  }
}

void PanelFocus::endVisit() {
  const QPointer<QDockWidget> front = std::exchange(m_front, nullptr),
                              visited = std::exchange(m_visited, nullptr);
  if (front && visited && !visited->isHidden() && m_window->tabifiedDockWidgets(visited).contains(front))
    front->raise();
}

void PanelFocus::stayWith(const QDockWidget* dock) {
  if (dock == m_visited) m_visited = m_front = nullptr;
}

void PanelFocus::goToPanel(bool forward) {
  const QList<QWidget*> all = panels();
  const int count = static_cast<int>(all.size());
  const int from = std::max(0, panelOf(QApplication::focusWidget()));
  for (int n = 1; n <= count; ++n) {
    QWidget* const panel = all[(from + (forward ? n : count - n)) % count];
    if (auto* const dock = qobject_cast<QDockWidget*>(panel)) {
      if (!dock->isVisible()) continue;
      visit(dock);
    }
    if (enter(panel)) return;
  }
}

bool PanelFocus::enter(QWidget* panel) {
  const QList<QWidget*> stops = stopsIn(panel);
  if (stops.isEmpty()) return false;
  QWidget* to = panel->focusWidget();
  if (!to || !stops.contains(to)) to = stops.front();
  // What scrolls is only around what is worked with.
  if (const auto next = stops.indexOf(to) + 1; next < stops.size() && to->isAncestorOf(stops[next]))
    to = stops[next];
  // Panels that are torn off are windows of their own.
  if (!panel->window()->isActiveWindow()) panel->window()->activateWindow();
  giveFocus(to, Qt::TabFocusReason);
  return true;
}

}  // namespace farfield::ui
