// What the panel of plots shows of what was read: curves, what is to be known of them, and how often values occur in the data.

#include <QComboBox>
#include <QLabel>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "app/model/object_tree.h"
#include "app/model/plot_choice.h"
#include "app/model/words/some_names.h"
#include "app/model/words/unit_words.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/plots/value_bars.h"
#include "core/fields/functions/vector_parts.h"
#include "core/fields/places/moving_places.h"
#include "core/fields/words/dates.h"

namespace farfield::ui {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

QString timeUnitsOf(const app::DataSummary& data) {
  const auto said = data.description.attributes.find("time.units");
  return said == data.description.attributes.end() ? QString() : QString::fromStdString(said->second);
}

template <class Is>
std::ptrdiff_t countOf(const std::vector<double>& values, const Is& is) {
  return std::count_if(values.begin(), values.end(), is);
}

/// Of points, or of steps but for those that could not be read.
std::ptrdiff_t countOutside(const app::CurveAnswer& answer, const std::vector<double>& values) {
  return countOf(values, [](double value) { return std::isnan(value); }) -
         static_cast<std::ptrdiff_t>(answer.unread.size());
}

/// “Step 3 could not be read: …”
void noteUnread(const app::CurveAnswer& answer, const QString& data, QStringList& notes) {
  if (answer.unread.empty()) return;
  QStringList steps;
  for (const std::int64_t step : answer.unread) steps.append(QString::number(step));
  const QString why = app::windowMessage(answer.whyUnread), of = data.isEmpty() ? data : data + ": ";
  notes.append(steps.size() == 1
                   ? PlotPanel::tr("%1There is a gap at step %2, which cannot be read: %3.")
                         .arg(of, steps.front(), why)
                   : PlotPanel::tr("%1There are gaps at steps %2, which cannot be read; the first: %3.")
                         .arg(of, app::someNames(steps, ", "), why));
}

std::ptrdiff_t countNoNumbers(const std::vector<double>& values) {
  return countOf(values, [](double value) { return std::isinf(value); });
}

/// Takes those out that have no value anywhere, where others have some: their steps are none of the plot.
template <class Read>
std::vector<Read> withoutValues(std::vector<Read>& all) {
  const auto hasValues = [](const Read& each) {
    return std::any_of(each.answer->values.begin(), each.answer->values.end(), [](const auto& values) {
      return std::any_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
    });
  };
  const auto first = std::stable_partition(all.begin(), all.end(), hasValues);
  if (first == all.begin()) return {};
  std::vector<Read> none(std::make_move_iterator(first), std::make_move_iterator(all.end()));
  all.erase(first, all.end());
  return none;
}

/// But for rounding.
bool isOnePlace(double a, double b) {
  return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

bool areOnePlaces(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), isOnePlace);
}

/// Which of these ascending places it is.
std::size_t numberOf(double place, const std::vector<double>& places) {
  auto at = std::lower_bound(places.begin(), places.end(), place);
  if (at != places.begin() && isOnePlace(*(at - 1), place)) --at;
  return static_cast<std::size_t>(at - places.begin());
}

/// How far along the line its points are.
std::vector<double> waysOf(const app::CurveAnswer& answer) {
  const double whole = length(answer.request.to - answer.request.from);
  const std::size_t count = answer.values.empty() ? 0 : answer.values.front().size();
  std::vector<double> ways(count);
  for (std::size_t n = 0; n < count; ++n)
    ways[n] = count > 1 ? whole * static_cast<double>(n) / static_cast<double>(count - 1) : 0;
  return ways;
}

/// When the steps of the data are, as the first of those that are plotted counts time; nothing where the two cannot be compared.
std::optional<std::vector<double>> timesOf(const app::DataSummary& data, const app::DataSummary& first) {
  std::vector<double> times = data.description.times;
  if (&data == &first || timeUnitsOf(data) == timeUnitsOf(first)) return times;
  const auto its = fields::Dates::of(data.description), wanted = fields::Dates::of(first.description);
  for (double& time : times) {
    const auto converted = its && wanted ? its->timeIn(*wanted, time) : std::nullopt;
    if (!converted) return std::nullopt;
    time = *converted;
  }
  return times;
}

bool isOutside(const app::CurveAnswer& answer) {
  // Where one function has no place, none has.
  const bool isOfSeveral =
      answer.request.kind == app::CurveRequest::Kind::Time && answer.request.places.size() > 1;
  return answer.part == 1 && !isOfSeveral && !answer.values.empty() &&
         countOutside(answer, answer.values.front()) ==
             static_cast<std::ptrdiff_t>(answer.values.front().size() - answer.unread.size());
}

/// “At 3 of 401 points x is not a number.” Of one curve its name stands above it. `first` is the number of the first curve of this answer.
void noteNoNumbers(const app::CurveAnswer& answer, const Curve& curve, std::size_t first, const QString& one,
                   const QString& several, QStringList& notes) {
  for (std::size_t n = 0; n < answer.values.size() && answer.part == 1; ++n)
    if (const auto without = countNoNumbers(answer.values[n]); without > 0)
      notes.append(curve.count() == 1
                       ? one.arg(without).arg(answer.values[n].size())
                       : several.arg(without).arg(answer.values[n].size()).arg(curve.nameOf(first + n)));
}

}  // namespace

QString PlotPanel::nameOfCurve(const Read& read, std::size_t n, const QString& function) const {
  const std::size_t place = n / read.answer->request.functions.size();
  const QString its = m_probes.size() > 1 && place < m_probes.size()
                          ? tr("%1 at %2").arg(function, m_probes[place].name)
                          : function;
  return m_asked.size() > 1 ? tr("%1: %2").arg(read.data, its) : its;
}

void PlotPanel::addCurves(Curve& curve, const std::vector<Read>& all) {
  m_columns.clear();
  // Lines that go with bodies may be of one length, and elsewhere.
  const auto isOneLine = [](const app::CurveRequest& a, const app::CurveRequest& b) {
    return a.kind != app::CurveRequest::Kind::Line || (a.from == b.from && a.to == b.to);
  };
  const Read& front = all.front();
  m_samePlaces = std::all_of(all.begin(), all.end(), [&](const Read& each) {
    return areOnePlaces(each.places, front.places) && isOneLine(each.answer->request, front.answer->request);
  });
  if (m_samePlaces) {
    curve.places = all.front().places;
  } else {
    for (const Read& each : all)
      curve.places.insert(curve.places.end(), each.places.begin(), each.places.end());
    std::sort(curve.places.begin(), curve.places.end());
    curve.places.erase(std::unique(curve.places.begin(), curve.places.end(), isOnePlace), curve.places.end());
  }
  std::size_t number = 0;
  for (const Read& each : all) {
    const app::CurveAnswer& answer = *each.answer;
    const paging::DatasetDescription& its = each.summary->description;
    for (std::size_t n = 0; n < answer.values.size(); ++n) {
      const std::string& function = answer.request.functions[n % answer.request.functions.size()];
      std::vector<double> values(curve.places.size(), kElsewhere);
      for (std::size_t k = 0; k < answer.values[n].size() && k < each.places.size(); ++k) {
        const double value = answer.values[n][k];
        // A gap is a gap, whatever the reason.
        values[m_samePlaces ? k : numberOf(each.places[k], curve.places)] =
            std::isfinite(value) ? value : kGap;
      }
      const QString named = QString::fromStdString(fields::withUnits(its, function));
      m_columns.append(nameOfCurve(each, n, QString::fromStdString(function)));
      // What has other units in other data has another axis.
      curve.take(number++, {nameOfCurve(each, n, named), std::move(values), named,
                            QString::fromStdString(fields::unitsOf(its, function))});
    }
  }
}

QString PlotPanel::textOfOneStep(const std::vector<Read>& all, const Curve& curve) const {
  std::vector<double> values;
  for (const Read& each : all)
    for (const std::vector<double>& its : each.answer->values) values.push_back(its.front());
  if (std::all_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
    return m_probes.size() > 1 ? tr("The data have one step only, and the probes lie outside of them.")
                               : tr("The data have one step only, and the point lies outside of them.");
  QStringList numbers, without;
  for (std::size_t n = 0; n < curve.count(); ++n)
    if (std::isfinite(values[n]))
      numbers.append(tr("%1 = %2").arg(curve.nameOf(n), shortNumber(values[n])));
    else if (!std::isnan(values[n]))
      without.append(curve.nameOf(n));
  return numbers.isEmpty()
             ? tr("The data have one step only, and %1 is not a number there.").arg(without.join(", "))
             : tr("The data have one step only: %1 there.").arg(numbers.join(", "));
}

bool PlotPanel::isAnswered() const {
  return !m_asked.empty() && std::equal(m_answers.begin(), m_answers.end(), m_asked.begin(), m_asked.end(),
                                        [](const app::CurveAnswer& answer, const Asked& asked) {
                                          return app::isAnswerTo(asked.request, answer);
                                        });
}

void PlotPanel::takeAnswers(const std::vector<app::CurveAnswer>& answers) {
  if (answers.size() > m_asked.size()) return;  // of what is asked for no more
  const bool isWhole = answers.size() == m_asked.size();
  // What was plotted before stays until all curves that take its place are there: they do not come and go while a line is dragged.
  if (isWhole || m_answers.empty() || m_answers.front().request == answers.front().request)
    return showAnswers(answers);
  const auto done = static_cast<double>(answers.size() - 1) + answers.back().part;
  m_note->setText(
      tr("%1 % are read.").arg(static_cast<int>(100 * done / static_cast<double>(m_asked.size()))));
  showSavable();
}

bool PlotPanel::isWhole() const {
  if (m_curve->curve().values.empty() || m_soon.isActive()) return false;
  if (m_sums) return true;
  if (m_alongRead) return m_isAlongWhole;
  return isAnswered() && std::all_of(m_answers.begin(), m_answers.end(),
                                     [](const app::CurveAnswer& answer) { return answer.part == 1; });
}

void PlotPanel::showSavable() {
  // As steps are played each curve takes the place of one that was there only just now: what is asked for waits for it.
  const bool isShown = !m_curve->curve().values.empty();
  for (QToolButton* const button : {m_csv, m_svg}) button->setEnabled(isShown);
  m_comes = true;
  if (isWhole()) writeAwaited();
}

void PlotPanel::showAnswers(const std::vector<app::CurveAnswer>& answers) {
  m_answers = std::vector<app::CurveAnswer>(answers);
  m_sums.reset();
  m_alongRead.reset();
  m_saysWrong = false;
  std::vector<Read> all;
  QStringList problems;
  double done = 0;
  for (std::size_t n = 0; n < m_answers.size(); ++n) {
    const app::CurveAnswer& answer = m_answers[n];
    done += answer.part;
    Read read{QString::fromStdString(m_asked[n].data), m_model.stage().summary(m_asked[n].data), &answer, {}};
    if (!answer.problem.empty()) {
      const QString problem = app::windowMessage(answer.problem);
      problems.append(m_asked.size() > 1 ? tr("%1: %2").arg(read.data, problem) : problem);
    } else if (read.summary) {
      all.push_back(std::move(read));
    }
  }
  if (all.empty()) return showNothing(problems.isEmpty() ? tr("No data are open.") : problems.join(' '));
  const double part = done / static_cast<double>(m_asked.size());
  m_unread = problems;
  switch (all.front().answer->request.kind) {
    case app::CurveRequest::Kind::Line:
      return showLines(std::move(all), part);
    case app::CurveRequest::Kind::Time:
      return showTimes(std::move(all), part);
    case app::CurveRequest::Kind::Values:
      return showValues(all.front(), part);
  }
}

void PlotPanel::showLines(std::vector<Read> all, double part) {
  Curve curve;
  curve.across = app::withLengthUnits(tr("distance from the first point"), *all.front().summary);
  for (Read& each : all) each.places = waysOf(*each.answer);
  addCurves(curve, all);
  curve.ends = {0, std::max(1e-300, curve.places.empty() ? 0.0 : curve.places.back())};
  QStringList notes;
  std::size_t first = 0;
  for (const Read& each : all) {
    const app::CurveAnswer& answer = *each.answer;
    if (const auto outside = countOutside(answer, answer.values.front()); outside > 0)
      notes.append(tr("%1 of %2 points lie outside of %3.")
                       .arg(outside)
                       .arg(each.places.size())
                       .arg(m_asked.size() > 1 ? each.data : tr("the data")));
    noteNoNumbers(answer, curve, first, tr("At %1 of %2 points it is not a number."),
                  tr("At %1 of %2 points %3 is not a number."), notes);
    first += answer.values.size();
  }
  const bool lies = !isOutside(*all.front().answer);
  finish(curve, std::move(notes), part);
  if (!lies) moveInside();
}

void PlotPanel::showTimes(std::vector<Read> all, double part) {
  QStringList notes;
  // Of these data: the window's own times are those of the data with the most steps.
  const Read first = all.front();
  std::vector<Read> timed;
  for (Read& each : all)
    if (auto times = timesOf(*each.summary, *first.summary)) {
      each.places = std::move(*times);
      each.places.resize(each.answer->values.empty() ? 0 : each.answer->values.front().size(),
                         each.places.back());
      timed.push_back(std::move(each));
    } else {
      notes.append(tr("%1 is left out: it counts time in other units.").arg(each.data));
    }
  const std::vector<Read> empty = withoutValues(timed);
  Curve curve;
  addCurves(curve, timed);
  const bool lies = !isOutside(*first.answer);
  if (curve.places.size() == 1) {
    if (!lies) moveInside();
    return showNothing(textOfOneStep(timed, curve));
  }
  curve.across = tr("time");
  const paging::DatasetDescription& its = first.summary->description;
  if (const QString units = timeUnitsOf(*first.summary); !units.isEmpty() && !fields::saidDate(its, 0))
    curve.across += " [" + units + "]";
  curve.said.resize(curve.places.size());
  for (const Read& each : timed)
    for (std::size_t k = 0; k < each.places.size(); ++k)
      if (const auto date =
              fields::saidDate(each.summary->description,
                               std::min(static_cast<std::int64_t>(k), each.summary->description.steps() - 1)))
        curve.said[m_samePlaces ? k : numberOf(each.places[k], curve.places)] = QString::fromStdString(*date);
  const auto isUnsaid = [](const QString& date) { return date.isEmpty(); };
  if (std::any_of(curve.said.begin(), curve.said.end(), isUnsaid)) curve.said.clear();
  if (!curve.places.empty()) curve.ends = {curve.places.front(), curve.places.back()};
  if (!(curve.ends[0] < curve.ends[1])) curve.ends[1] = curve.ends[0] + 1;
  const double shown = its.times[static_cast<std::size_t>(std::min(m_model.stage().step(), its.steps() - 1))];
  if (shown >= curve.ends[0] && shown <= curve.ends[1]) curve.marked = shown;
  std::size_t number = 0;
  for (const Read& each : timed) {
    noteUnread(*each.answer, m_asked.size() > 1 ? each.data : QString(), notes);
    noteOutside(each, notes);
    noteNoNumbers(*each.answer, curve, number, tr("At %1 of %2 steps it is not a number."),
                  tr("At %1 of %2 steps %3 is not a number."), notes);
    number += each.answer->values.size();
  }
  for (const Read& each : empty) {
    noteOutside(each, notes);
    for (std::size_t n = 0; n < each.answer->values.size() && each.answer->part == 1; ++n)
      if (const auto without = countNoNumbers(each.answer->values[n]); without > 0)
        notes.append(
            tr("At %1 of %2 steps %3 is not a number.")
                .arg(without)
                .arg(each.answer->values[n].size())
                .arg(nameOfCurve(
                    each, n,
                    QString::fromStdString(
                        each.answer->request.functions[n % each.answer->request.functions.size()]))));
  }
  if (const std::size_t places = app::probesOf(m_model.document(), data()).size();
      plotsAllProbes() && places > m_probes.size())
    notes.append(tr("The first %1 of %2 probes are plotted.").arg(m_probes.size()).arg(places));
  finish(curve, std::move(notes), part);
  if (!lies) moveInside();
}

/// At which steps places lie outside, and what helps.
void PlotPanel::noteOutside(const Read& read, QStringList& notes) const {
  const app::CurveAnswer& answer = *read.answer;
  const std::size_t functions = answer.request.functions.size(), places = answer.request.places.size();
  const paging::DatasetDescription& its = read.summary->description;
  const QString of = m_asked.size() > 1 ? read.data : tr("the data");
  bool saysHowToGo = false;
  for (std::size_t place = 0; place < places && answer.part == 1; ++place) {
    const std::vector<double>& values = answer.values[place * functions];
    const auto without = countOutside(answer, values);
    if (without == 0) continue;
    notes.append(tr("At %1 of %2 steps %3 lies outside of %4.")
                     .arg(without)
                     .arg(values.size())
                     .arg(places > 1 ? m_probes[place].name : tr("the point"), of));
    const std::vector<std::int64_t>& goes = answer.request.goesFrom;
    if (fields::cellsMove(its) && !fields::bodiesMove(its) &&
        (place >= goes.size() || goes[place] == app::kStays) && !std::exchange(saysHowToGo, true))
      notes.append(tr("The grid moves; a probe that goes with it has values: see its properties."));
  }
}

void PlotPanel::showValues(const Read& read, double part) {
  const app::CurveAnswer& answer = *read.answer;
  const app::ValueHistogram& found = answer.histogram;
  if (!found.least())
    return part < 1 ? showNothing(tr("Looking …"), true) : showNothing(tr("There are no values."));
  Curve curve;
  curve.across =
      QString::fromStdString(fields::withUnits(read.summary->description, answer.request.functions.front()));
  curve.up = answer.ofCells ? tr("cells") : tr("nodes");
  setBars(curve, found, *found.least(), *found.greatest());
  QStringList notes{
      (answer.ofCells ? tr("%1 cells, from %2 to %3, on average %4.")
                      : tr("%1 nodes, from %2 to %3, on average %4."))
          .arg(found.weight(), 0, 'f', 0)
          .arg(shortNumber(*found.least()), shortNumber(*found.greatest()), shortNumber(*found.mean()))};
  if (const auto several = app::plottedFunctions(*read.summary, m_by->currentText()); several.size() > 1)
    notes.append(tr("Of several functions those of the first are counted."));
  if (found.notFinite() > 0) notes.append(tr("%1 are not numbers.").arg(found.notFinite(), 0, 'f', 0));
  finish(curve, std::move(notes), part);
}

void PlotPanel::finish(const Curve& curve, QStringList notes, double part) {
  if (part < 1) notes.prepend(tr("%1 % are read.").arg(static_cast<int>(100 * part)));
  notes += m_leftOut + m_unread;
  Curve shown = curve;
  shown.isPart = part < 1;
  m_curve->showCurve(shown);
  if (const QString& note = m_curve->axes().note; !note.isEmpty()) notes.append(note);
  m_note->setText(notes.join(' '));
  showSavable();
}

}  // namespace farfield::ui
