// What the panel of plots asks for: of which data, functions and places, and why there may be nothing.

#include <QCheckBox>
#include <QComboBox>
#include <algorithm>
#include <utility>

#include "app/model/fields/window_kinds.h"
#include "app/model/plot_choice.h"
#include "app/ui/plots/plot_panel.h"

namespace farfield::ui {
namespace {

constexpr int kPoints = 401;

}  // namespace

void PlotPanel::stopCurve() {
  m_curves.stop();
  m_asked.clear();
}

void PlotPanel::ask() {
  if (!isVisible()) return;
  const auto summary = m_model.stage().summary(data());
  const bool isAlong = kind() == Kind::Along;
  if (!isAlong || !summary) stopAlong();
  if (!summary) return showNothing(tr("No data are open."));
  if (kind() == Kind::Values && object() != 0) {
    stopCurve();
    return askObject(object());
  }
  ++m_sumsAsked;  // an answer that is on its way comes too late
  QString why = whyNone();
  if (why.isEmpty() && isAlong && object() == 0) why = app::whyNoLines();
  // Nobody asked for a curve of what has no line and no point in the view.
  if (why.isEmpty() && !isOfObjects() && !m_place && !m_model.document().state().frame->plot)
    why = tr("Nothing is plotted. Choose Compute ▸ Plot along a line or Plot over time.");
  if (why.isEmpty() && plotsAllProbes() && app::probesOf(m_model.document(), data()).empty())
    why = tr("No probe of these data is shown.");
  if (!why.isEmpty()) {
    stopCurve();
    stopAlong();
    return showNothing(why);
  }
  if (m_by->currentText().isEmpty() && !m_typing)
    return showNothing(tr("There is nothing to plot in these data."));
  const QString wrong = problemOf(m_by->currentText());
  // While it is being typed, what was taken last is plotted.
  if (!wrong.isEmpty() && (!m_typed || m_taken.isEmpty())) return showWrong(wrong);
  const QString by = wrong.isEmpty() ? m_by->currentText() : m_taken;
  if (isAlong) return askAlong(*summary, by);
  std::vector<Asked> asked = curvesToRead(by);
  if (m_asked == asked) {
    if (isAnswered()) showAnswers(m_answers);
    return;
  }
  m_asked = std::move(asked);
  if (m_answers.empty()) m_curve->showText(tr("Looking …"));
  std::vector<app::CurveRequest> requests;
  for (const Asked& each : m_asked) requests.push_back(each.request);
  m_curves.read(std::move(requests));
}

std::vector<PlotPanel::Asked> PlotPanel::curvesToRead(const QString& functions) {
  std::vector<std::string> names{data()};
  for (const session::DataSource& source : m_model.document().session().data)
    if (plotsAllData() && source.name != names.front()) names.push_back(source.name);
  const std::vector<std::string> wanted = app::plottedFunctions(*m_model.stage().summary(data()), functions);
  m_leftOut.clear();
  std::vector<std::pair<std::string, std::vector<std::string>>> plotted;
  std::size_t curves = 0, tooMany = 0;
  for (const std::string& name : names) {
    const auto summary = m_model.stage().summary(name);
    if (!summary) continue;
    std::vector<std::string> its;
    const auto check = app::checkOfPlotted(summary, kind());
    const QString shown = QString::fromStdString(name), why = app::whyNoPlot(kind(), *summary);
    for (const std::string& function : wanted)
      if (why.isEmpty() && check(QString::fromStdString(function)).isEmpty())
        its.push_back(function);
      else if (why.isEmpty())
        m_leftOut.append(tr("%1 has no %2.").arg(shown, QString::fromStdString(function)));
    if (!why.isEmpty()) m_leftOut.append(tr("%1 is left out. %2").arg(shown, why));
    if (its.empty()) continue;
    if (!plotted.empty() && curves + its.size() > app::kMostCurves) {
      ++tooMany;
      continue;
    }
    curves += its.size();
    plotted.emplace_back(name, std::move(its));
  }
  if (tooMany > 0)
    m_leftOut.append(
        tr("The first %1 of %2 data sets are plotted.").arg(plotted.size()).arg(plotted.size() + tooMany));
  m_probes = kind() == Kind::Time ? probes(curves) : std::vector<app::PlacedProbe>{};
  std::vector<Asked> asked;
  for (auto& [name, its] : plotted)
    asked.push_back({name, requestOf(name, *m_model.stage().summary(name), std::move(its))});
  return asked;
}

app::CurveRequest PlotPanel::requestOf(const std::string& data, const app::DataSummary& summary,
                                       std::vector<std::string> functions) const {
  app::CurveRequest request;
  request.dataKey = m_model.stage().keyOf(data);
  request.functions = std::move(functions);
  request.kind = kind() == Kind::Line   ? app::CurveRequest::Kind::Line
                 : kind() == Kind::Time ? app::CurveRequest::Kind::Time
                                        : app::CurveRequest::Kind::Values;
  if (kind() == Kind::Time)
    request.count = static_cast<int>(summary.description.steps());  // asked anew when there are more
  else
    // The last one of these where others have more: there are other values once they have as many.
    request.step = std::min(m_model.stage().step(), summary.description.steps() - 1);
  if (kind() == Kind::Line) {
    request.from = end(0);
    request.to = end(1);
    request.count = kPoints;
    // Between two probes that go with a body it goes with them.
    const session::Object* const object = m_model.document().object(m_place);
    const auto* const line = object ? std::get_if<session::Probe>(&object->shape) : nullptr;
    if (line && !line->goesFrom.empty()) {
      request.places = {end(0), end(1)};
      request.goesFrom = line->goesFrom;
    }
  }
  for (const app::PlacedProbe& probe : m_probes) {
    request.places.push_back(probe.point);
    request.goesFrom.push_back(probe.goesFrom);
  }
  if (kind() == Kind::Values) request.functions.resize(1);  // nothing is said of several together
  return request;
}

std::vector<app::PlacedProbe> PlotPanel::probes(std::size_t functions) const {
  if (!plotsAllProbes()) {
    app::PlacedProbe one{{}, end(0)};
    const session::Object* const object = m_model.document().object(m_place);
    const auto* const probe = object ? std::get_if<session::Probe>(&object->shape) : nullptr;
    if (probe && m_placeNumber < probe->points.size())
      one.goesFrom = app::placeOfProbe(*probe, m_placeNumber).goesFrom;
    return {one};
  }
  std::vector<app::PlacedProbe> found = app::probesOf(m_model.document(), data());
  const std::size_t most = std::max<std::size_t>(1, app::kMostCurves / std::max<std::size_t>(1, functions));
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace farfield::ui
