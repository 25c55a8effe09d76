// What the panel of plots shows of functions along the lines of an object: each line is a piece of the curve, with a gap before the next.

#include <QComboBox>
#include <QLabel>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/model/plot_choice.h"
#include "app/model/words/csv_text.h"
#include "app/model/words/unit_words.h"
#include "app/ui/plots/plot_panel.h"
#include "core/fields/functions/vector_parts.h"

namespace farfield::ui {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

double placeOn(const session::ValuesAlong& lines, std::size_t point, session::PlotChoice::Over over) {
  switch (over) {
    case session::PlotChoice::Over::X:
      return lines.points[point].x;
    case session::PlotChoice::Over::Y:
      return lines.points[point].y;
    case session::PlotChoice::Over::Z:
      return lines.points[point].z;
    case session::PlotChoice::Over::Length:
      break;
  }
  return lines.distances[point];
}

/// A number for each point, line by line, with a gap after each but the last.
template <class Of>
std::vector<double> lineByLine(const session::ValuesAlong& lines, const Of& of, bool gaps) {
  std::vector<double> numbers;
  numbers.reserve(lines.points.size() + lines.lengths.size());
  std::size_t point = 0;
  for (const std::uint32_t count : lines.lengths) {
    if (point > 0) numbers.push_back(gaps ? kGap : of(point));
    for (std::uint32_t n = 0; n < count; ++n, ++point) numbers.push_back(of(point));
  }
  return numbers;
}

}  // namespace

void PlotPanel::stopAlong() {
  m_reader.stop();
  m_alongAsked.reset();
}

void PlotPanel::askAlong(const app::DataSummary& summary, const QString& functions) {
  stopCurve();
  const session::Object* const object = m_model.document().object(this->object());
  if (!object) return;
  app::AlongRequest request;
  request.dataKey = m_model.stage().keyOf(data());
  request.lines = session::linesBy(*object, {});
  // The last one of these where others have more.
  request.step = std::min(m_model.stage().step(), summary.description.steps() - 1);
  request.functions = app::plottedFunctions(summary, functions);
  if (m_alongAsked == request) {
    if (m_alongRead) drawAlong();
    return;
  }
  // What is along other lines does not stand under the name of these until they are read.
  if (std::exchange(m_alongObject, this->object()) != this->object()) m_alongRead.reset();
  m_alongAsked = request;
  m_isAlongWhole = false;
  if (!m_alongRead) showNothing(tr("Looking …"), true);
  m_reader.read(request);
}

void PlotPanel::showAlongProgress(double part) {
  if (!m_alongAsked) return;
  m_note->setText(tr("%1 % are read.").arg(static_cast<int>(100 * part)));
  showSavable();
}

void PlotPanel::takeAlong(std::shared_ptr<const session::ValuesAlong> values, const QString& problem) {
  if (!m_alongAsked) return;
  if (!values) return showNothing(problem);
  m_answers.clear();
  m_sums.reset();
  m_saysWrong = false;
  m_alongRead = std::move(values);
  m_isAlongWhole = true;
  m_alongFunctions = m_alongAsked->functions;
  drawAlong();
}

void PlotPanel::drawAlong() {
  const session::ValuesAlong& lines = *m_alongRead;
  const auto summary = m_model.stage().summary(data());
  if (!summary) return showNothing(tr("No data are open."));
  if (lines.points.empty()) return showNothing(tr("There are no lines at this step."));
  const auto over = static_cast<session::PlotChoice::Over>(m_across->currentIndex());
  Curve curve;
  curve.wanders = true;
  curve.across = app::withLengthUnits(m_across->currentText(), *summary);
  curve.places = lineByLine(
      lines, [&](std::size_t n) { return placeOn(lines, n, over); }, false);
  const auto [least, greatest] = std::minmax_element(curve.places.begin(), curve.places.end());
  curve.ends = {*least, *greatest};
  if (!(curve.ends[0] < curve.ends[1])) {
    const double around = curve.ends[0] == 0 ? 1 : 0.1 * std::abs(curve.ends[0]);
    curve.ends = {curve.ends[0] - around, curve.ends[1] + around};
  }
  QStringList notes{
      lines.lengths.size() == 1
          ? tr("One line of %1 points.").arg(lines.points.size())
          : tr("%1 lines of %2 points in all.").arg(lines.lengths.size()).arg(lines.points.size())};
  if (lines.isPart)
    notes.append(
        tr("The lines have %1 points, more than are plotted: plot along fewer of them.").arg(lines.drawn));
  for (std::size_t n = 0; n < lines.values.size(); ++n) {
    const std::string& function = m_alongFunctions[n];
    const std::vector<double>& values = lines.values[n];
    const QString name = QString::fromStdString(fields::withUnits(summary->description, function));
    const auto without =
        std::count_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
    if (without > 0)
      notes.append(tr("At %1 of %2 points %3 is not a number.").arg(without).arg(values.size()).arg(name));
    Curve::Other its{
        name,
        lineByLine(
            lines, [&](std::size_t at) { return std::isfinite(values[at]) ? values[at] : kGap; }, true),
        QString::fromStdString(function),
        QString::fromStdString(fields::unitsOf(summary->description, function))};
    curve.take(n, std::move(its));
  }
  m_curve->showCurve(curve);
  if (const QString& note = m_curve->axes().note; !note.isEmpty()) notes.append(note);
  m_note->setText(notes.join(' '));
  showSavable();
}

QString PlotPanel::tableAlong() const {
  using app::csvNumber;
  const session::ValuesAlong& lines = *m_alongRead;
  QString table = "line,distance,x,y,z";
  for (const std::string& function : m_alongFunctions)
    table += ',' + app::csvText(QString::fromStdString(function));
  table += '\n';
  std::size_t point = 0;
  for (std::size_t line = 0; line < lines.lengths.size(); ++line)
    for (std::uint32_t n = 0; n < lines.lengths[line]; ++n, ++point) {
      const Vec3& at = lines.points[point];
      table += QString::number(line) + ',' + csvNumber(lines.distances[point]) + ',' + csvNumber(at.x) + ',' +
               csvNumber(at.y) + ',' + csvNumber(at.z);
      for (const std::vector<double>& values : lines.values) table += ',' + csvNumber(values[point]);
      table += '\n';
    }
  return table;
}

}  // namespace farfield::ui
