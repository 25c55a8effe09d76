// Plots, as commands of the window: along a line, along the lines of an object, over time, and how often values occur.

#include <QAction>

#include "app/first/first_objects.h"
#include "app/first/first_places.h"
#include "app/model/fields/window_kinds.h"
#include "app/model/plot_choice.h"
#include "app/model/probes.h"
#include "app/ui/panels/pipeline_panel.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/window/main_window.h"
#include "core/session/results/values_along.h"

namespace farfield::ui {
namespace {

QString tipOfPlot(session::PlotChoice::Kind kind) {
  switch (kind) {
    case session::PlotChoice::Kind::Line:
      return MainWindow::tr(
          "A function along a line through the data, as a curve; the rake of the selected object, where it has one");
    case session::PlotChoice::Kind::Time:
      return MainWindow::tr(
          "A function at a point at all steps, as a curve; at the probe that was pinned last");
    case session::PlotChoice::Kind::Values:
      return MainWindow::tr(
          "The histogram of a function: on the selected object, with its area and integrals, or in all of the data");
  }
  if (kind == session::PlotChoice::Kind::Along)
    return MainWindow::tr(
        "Functions along the lines of the selected object (isolines, streamlines, lines on a surface), as curves "
        "over the way along them or over x, y or z");
  return {};
}

}  // namespace

void MainWindow::makePlotActions() {
  action("plotLine", {}, tr("Plot along a &line"), QKeySequence("Ctrl+L"),
         tipOfPlot(session::PlotChoice::Kind::Line), [this] {
           showPanel(m_plots);
           m_plots->showFor(m_pipeline->selectedObject());
         });
  action("plotAlong", {}, tr("Plot along the lines of an ob&ject"), QKeySequence("Ctrl+Shift+J"),
         tipOfPlot(session::PlotChoice::Kind::Along), [this] {
           showPanel(m_plots);
           m_plots->showAlong(m_pipeline->selectedObject());
         });
  action("plotTime", {}, tr("Plot &over time"), QKeySequence("Ctrl+Shift+T"),
         tipOfPlot(session::PlotChoice::Kind::Time), [this] { plotOverTime(); });
  action("plotValues", {}, tr("&How often values occur"), QKeySequence("Ctrl+Shift+H"),
         tipOfPlot(session::PlotChoice::Kind::Values), [this] {
           showPanel(m_plots);
           m_plots->showValuesOn(m_pipeline->selectedObject());
         });
}

/// Of all of the data, in however many blocks: near to it a place with data is looked for.
Vec3 MainWindow::middleOf(const app::DataSummary& data) {
  return data.bounds.empty() ? app::placeInside(data) : data.bounds.center();
}

void MainWindow::plotOverTime() {
  showPanel(m_plots);
  const std::string name = m_pipeline->selectedData();
  const app::ObjectId last = app::lastProbesOf(m_model.document(), name);
  // Where there is none, one is put into the middle, to be dragged from there.
  for (const session::DataSource& source : m_model.document().session().data)
    if (const auto summary = m_model.stage().summary(source.name);
        !last && summary && (name.empty() || name == source.name))
      return plotOverTimeAt(source.name, middleOf(*summary));
  const session::Object* const object = m_model.document().object(last);
  if (!object) return;
  const auto& probe = std::get<session::Probe>(object->shape);
  m_plots->showOverTime(object->data, probe.points.back(), probe.show.empty() ? "" : probe.show.front(), last,
                        probe.points.size() - 1);
}

/// Puts a probe there, or as near as there are data.
void MainWindow::plotOverTimeAt(const std::string& dataName, Vec3 place) {
  const std::string usual = app::usualScalar(*m_model.stage().summary(dataName));
  m_model.seekInside(dataName, place, this, [this, dataName, usual](Vec3 where) {
    if (!m_model.document().session().find(dataName)) return;
    app::pinProbe(m_model.document(), dataName, where,
                  usual.empty() ? std::vector<std::string>{} : std::vector{usual},
                  app::shownStep(m_model, dataName));
    plotOverTime();
  });
}

/// Plots that these data have none of say why.
void MainWindow::updatePlots(const app::DataSummary* shown) {
  using Kind = session::PlotChoice::Kind;
  for (const auto& [kind, name] :
       {std::pair(Kind::Line, "plotLine"), std::pair(Kind::Time, "plotTime"),
        std::pair(Kind::Values, "plotValues"), std::pair(Kind::Along, "plotAlong")}) {
    QAction& plot = *m_actions.at(name);
    QString why = shown ? app::whyNoPlot(kind, *shown) : QString();
    const bool isAlong = kind == Kind::Along;
    if (isAlong && shown && why.isEmpty() &&
        app::objectsWithLines(m_model.document(), m_model.openDataOr(m_pipeline->selectedData())).empty())
      why = app::whyNoLines();
    const bool isOfData = kind == Kind::Line || isAlong;
    plot.setEnabled(why.isEmpty() && (!isOfData || !m_model.document().session().data.empty()) &&
                    (!isAlong || shown));
    setTip(plot, why.isEmpty() ? tipOfPlot(kind) : why);
  }
}

}  // namespace farfield::ui
