// What the panel of plots shows of what was read: curves, what is to be known of them, and how often values occur in the data.

#include <QComboBox>
#include <QLabel>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "app/model/object_tree.h"
#include "app/model/plot_choice.h"
#include "app/model/unit_words.h"
#include "app/ui/plot_panel.h"
#include "app/ui/value_bars.h"
#include "core/fields/dates.h"
#include "core/fields/moving_places.h"
#include "core/fields/vector_parts.h"

namespace farfield::ui {
namespace {

/// A gap is a gap, whatever the reason.
std::vector<double> withGaps(std::vector<double> values) {
  for (double& value : values)
    if (!std::isfinite(value)) value = std::numeric_limits<double>::quiet_NaN();
  return values;
}

QString timeUnitsOf(const app::DataSummary& data) {
  const auto said = data.description.attributes.find("time.units");
  return said == data.description.attributes.end() ? QString() : QString::fromStdString(said->second);
}

template <class Is>
std::ptrdiff_t countOf(const std::vector<double>& values, const Is& is) {
  return std::count_if(values.begin(), values.end(), is);
}

/// What is read of several functions, or at several probes, over no places yet.
Curve curvesOf(const app::CurveAnswer& answer, const app::DataSummary& data,
               const std::function<QString(std::size_t n, const QString& function)>& nameOf) {
  Curve curve;
  const std::vector<std::string>& functions = answer.request.functions;
  const std::size_t places = std::max<std::size_t>(1, answer.request.places.size());
  for (std::size_t n = 0; n < functions.size() * places; ++n) {
    const std::string& function = functions[n % functions.size()];
    Curve::Other its{nameOf(n, QString::fromStdString(fields::withUnits(data.description, function))),
                     n < answer.values.size() ? withGaps(answer.values[n]) : std::vector<double>{},
                     QString::fromStdString(function),
                     QString::fromStdString(fields::unitsOf(data.description, function))};
    curve.take(n, std::move(its));
  }
  return curve;
}

}  // namespace

QString PlotPanel::nameOfCurve(std::size_t n, const QString& function) const {
  const std::size_t place = m_asked && !m_asked->functions.empty() ? n / m_asked->functions.size() : 0;
  return m_probes.size() > 1 && place < m_probes.size() ? tr("%1 at %2").arg(function, m_probes[place].name)
                                                        : function;
}

QString PlotPanel::textOfOneStep(const app::CurveAnswer& answer, const Curve& curve) {
  if (std::all_of(answer.values.begin(), answer.values.end(),
                  [](const auto& values) { return std::isnan(values.front()); }))
    return answer.values.size() > answer.request.functions.size()
               ? tr("The data have one step only, and the probes lie outside of them.")
               : tr("The data have one step only, and the point lies outside of them.");
  QStringList numbers, without;
  for (std::size_t n = 0; n < curve.count(); ++n)
    if (const double value = answer.values[n].front(); std::isfinite(value))
      numbers.append(tr("%1 = %2").arg(curve.nameOf(n), shortNumber(value)));
    else if (!std::isnan(value))
      without.append(curve.nameOf(n));
  return numbers.isEmpty()
             ? tr("The data have one step only, and %1 is not a number there.").arg(without.join(", "))
             : tr("The data have one step only: %1 there.").arg(numbers.join(", "));
}

void PlotPanel::showAnswer(const app::CurveAnswer& answer) {
  if (answer.request != m_asked) return;
  if (!answer.problem.empty()) return showNothing(app::windowMessage(answer.problem));
  m_answer = answer;
  m_sums.reset();
  m_alongRead.reset();
  m_saysWrong = false;
  const auto summary = m_model.stage().summary(data());
  if (!summary) return showNothing(tr("No data are open."));
  const std::size_t functions = answer.request.functions.size(), places = answer.request.places.size();
  Curve curve = curvesOf(answer, *summary,
                         [this](std::size_t n, const QString& function) { return nameOfCurve(n, function); });
  // Where one function has no place, none has.
  const std::size_t count = curve.values.size();
  const auto outside = answer.values.empty()
                           ? 0
                           : countOf(answer.values.front(), [](double value) { return std::isnan(value); });
  const bool isOutside = answer.part == 1 && places < 2 &&
                         answer.request.kind != app::CurveRequest::Kind::Values &&
                         outside == static_cast<std::ptrdiff_t>(count);
  QStringList notes;
  // “At 3 of 401 points x is not a number.” Of one curve its name stands above it.
  const auto noteNoNumbers = [&](const QString& one, const QString& several) {
    for (std::size_t n = 0; n < answer.values.size() && answer.part == 1; ++n)
      if (const auto without = countOf(answer.values[n], [](double value) { return std::isinf(value); });
          without > 0)
        notes.append(curve.count() == 1 ? one.arg(without).arg(count)
                                        : several.arg(without).arg(count).arg(curve.nameOf(n)));
  };
  if (answer.part < 1) notes.append(tr("%1 % are read.").arg(static_cast<int>(100 * answer.part)));
  switch (answer.request.kind) {
    case app::CurveRequest::Kind::Line:
      curve.across = tr("distance from the first point");
      curve.across = app::withLengthUnits(curve.across, *summary);
      curve.ends = {0, std::max(1e-300, length(answer.request.to - answer.request.from))};
      if (outside > 0) notes.append(tr("%1 of %2 points lie outside of the data.").arg(outside).arg(count));
      noteNoNumbers(tr("At %1 of %2 points it is not a number."),
                    tr("At %1 of %2 points %3 is not a number."));
      break;
    case app::CurveRequest::Kind::Time: {
      if (count == 1 && isOutside) moveInside();
      if (count == 1) return showNothing(textOfOneStep(answer, curve));
      // Of these data: the window's own times are those of the data with the most steps.
      const paging::DatasetDescription& its = summary->description;
      const std::int64_t last = its.steps() - 1;
      curve.across = tr("time");
      if (const QString units = timeUnitsOf(*summary); !units.isEmpty() && !fields::saidDate(its, 0))
        curve.across += " [" + units + "]";
      for (std::size_t n = 0; n < count; ++n) {
        const std::int64_t step = std::min(static_cast<std::int64_t>(n), last);
        curve.places.push_back(its.times[static_cast<std::size_t>(step)]);
        if (const auto date = fields::saidDate(its, step))
          curve.said.push_back(QString::fromStdString(*date));
      }
      if (curve.said.size() < curve.places.size()) curve.said.clear();  // not all of them have one
      if (!curve.places.empty()) curve.ends = {curve.places.front(), curve.places.back()};
      if (!(curve.ends[0] < curve.ends[1])) curve.ends[1] = curve.ends[0] + 1;
      curve.marked = its.times[static_cast<std::size_t>(std::min(m_model.stage().step(), last))];
      bool saysHowToGo = false;
      for (std::size_t place = 0; place < places && answer.part == 1; ++place) {
        const auto without =
            countOf(answer.values[place * functions], [](double value) { return std::isnan(value); });
        if (without > 0)
          notes.append(
              places > 1
                  ? tr("At %1 of %2 steps %3 lies outside of the data.")
                        .arg(without)
                        .arg(count)
                        .arg(m_probes[place].name)
                  : tr("At %1 of %2 steps the point lies outside of the data.").arg(without).arg(count));
        const std::vector<std::int64_t>& goes = answer.request.goesFrom;
        if (without > 0 && fields::cellsMove(its) && !fields::bodiesMove(its) &&
            (place >= goes.size() || goes[place] == app::kStays) && !saysHowToGo) {
          saysHowToGo = true;
          notes.append(tr("The grid moves; a probe that goes with it has values: see its properties."));
        }
      }
      if (const std::size_t all = app::probesOf(m_model.document(), data()).size();
          plotsAllProbes() && all > places)
        notes.append(tr("The first %1 of %2 probes are plotted.").arg(places).arg(all));
      noteNoNumbers(tr("At %1 of %2 steps it is not a number."), tr("At %1 of %2 steps %3 is not a number."));
      break;
    }
    case app::CurveRequest::Kind::Values: {
      const app::ValueHistogram& found = answer.histogram;
      if (!found.least()) return showNothing(answer.part < 1 ? tr("Looking …") : tr("There are no values."));
      curve.across = curve.up;
      curve.up = answer.ofCells ? tr("cells") : tr("nodes");
      setBars(curve, found, *found.least(), *found.greatest());
      notes.append(
          (answer.ofCells ? tr("%1 cells, from %2 to %3, on average %4.")
                          : tr("%1 nodes, from %2 to %3, on average %4."))
              .arg(found.weight(), 0, 'f', 0)
              .arg(shortNumber(*found.least()), shortNumber(*found.greatest()), shortNumber(*found.mean())));
      if (const auto several = app::plottedFunctions(*summary, m_by->currentText()); several.size() > 1)
        notes.append(tr("Of several functions those of the first are counted."));
      if (found.notFinite() > 0) notes.append(tr("%1 are not numbers.").arg(found.notFinite(), 0, 'f', 0));
      break;
    }
  }
  m_curve->showCurve(curve);
  if (const QString& note = m_curve->axes().note; !note.isEmpty()) notes.append(note);
  m_note->setText(notes.join(' '));
  if (isOutside) moveInside();
  for (QToolButton* const button : {m_csv, m_svg}) button->setEnabled(answer.part == 1);
}

}  // namespace farfield::ui
