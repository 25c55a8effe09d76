// What the panel of plots is to show, and over what: as commands and hands choose it, and as the session keeps it.

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <algorithm>
#include <utility>

#include "app/first/first_objects.h"
#include "app/first/first_places.h"
#include "app/model/document/line_shapes.h"
#include "app/model/document/plot_line.h"
#include "app/model/fields/window_kinds.h"
#include "app/model/plot_choice.h"
#include "app/model/probes.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/widgets/esc_key.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/number_edit.h"
#include "app/ui/widgets/typed_line.h"
#include "core/session/json/look_names.h"

namespace farfield::ui {
namespace {

const session::LineSeeds* rakeOf(const session::Object& object) {
  const session::Seeds* const seeds = app::seedsIn(object);
  return seeds ? std::get_if<session::LineSeeds>(seeds) : nullptr;
}

/// From end to end of the data, through `middle`, along the longest way.
std::array<Vec3, 2> lineThrough(Vec3 middle, const Bounds& bounds) {
  std::array<Vec3, 2> line{middle, middle};
  const Vec3 size = bounds.max - bounds.min;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  line[0][axis] = bounds.min[axis];
  line[1][axis] = bounds.max[axis];
  return line;
}

}  // namespace

void PlotPanel::showLineThrough(const session::Object* object) {
  const auto summary = m_model.stage().summary(data());
  const session::LineSeeds* const rake = object ? rakeOf(*object) : nullptr;
  m_filledIn.reset();
  m_endsOf = kind() == Kind::Time ? Kind::Time : Kind::Line;
  std::array<Vec3, 2> line{Vec3{0, 0, 0}, Vec3{1, 0, 0}};
  if (rake) {
    line = {rake->from, rake->to};
  } else if (summary && !summary->bounds.empty()) {
    const Vec3 middle = app::placeInside(*summary);
    line = lineThrough(middle, summary->bounds);
    if (kind() == Kind::Time) line[0] = middle;
    m_filledIn = line;
  }
  for (const std::size_t n : {std::size_t(0), std::size_t(1)}) setEnd(n, line[n]);
}

void PlotPanel::moveInside() {
  const std::optional<std::array<Vec3, 2>> filled = std::exchange(m_filledIn, std::nullopt);
  const auto stands = [this, filled, its = kind(), name = data()] {
    return filled && kind() == its && data() == name && end(0) == (*filled)[0] &&
           (its == Kind::Time ? m_place == 0 : end(1) == (*filled)[1]);
  };
  if (!stands() || isOfObjects()) return;
  const Vec3 middle = kind() == Kind::Time ? end(0) : 0.5 * (end(0) + end(1));
  m_model.seekInside(data(), middle, this, [this, middle, stands](Vec3 found) {
    const auto summary = m_model.stage().summary(data());
    // Who has put it elsewhere meanwhile knows better.
    if (found == middle || !stands() || !summary) return;
    const std::array<Vec3, 2> line = lineThrough(found, summary->bounds);
    if (kind() == Kind::Time) {
      setEnd(0, found);
    } else if (const session::Object* const object = m_model.document().object(m_place);
               object && app::isPlotLine(*object)) {
      app::movePlotLine(m_model.document(), m_place, line[0], line[1]);
    } else {
      for (const std::size_t n : {std::size_t(0), std::size_t(1)}) setEnd(n, line[n]);
    }
    askSoon();
  });
}

void PlotPanel::setPlace(app::ObjectId id, std::size_t number) {
  m_placeNumber = number;
  if (std::exchange(m_place, id) != id) emit placeChanged();
}

void PlotPanel::readPlace() {
  const session::Object* const object = m_model.document().object(m_place);
  if (!object || isOfObjects()) return;
  m_endsOf = kind();
  if (const session::LineSeeds* const rake = rakeOf(*object)) {
    setEnd(0, rake->from);
    setEnd(1, rake->to);
  } else if (const auto* const probe = std::get_if<session::Probe>(&object->shape)) {
    if (kind() == Kind::Line && probe->points.size() == 2) {
      setEnd(0, probe->points[0]);
      setEnd(1, probe->points[1]);
    } else if (kind() == Kind::Time && m_placeNumber < probe->points.size()) {
      setEnd(0, probe->points[m_placeNumber]);
    }
  }
  askSoon();
}

void PlotPanel::takeKnownLine() {
  setPlace(kind() == Kind::Line ? app::plotLineOf(m_model.document(), data()) : 0);
  if (m_place)
    readPlace();
  else if (!isOfObjects() && kind() != m_endsOf)
    showLineThrough(nullptr);
}

PlotPanel::Put PlotPanel::putPlace() {
  const auto summary = m_model.stage().summary(data());
  if (m_place || !summary || summary->bounds.empty() || !whyNone().isEmpty()) return Put::Nothing;
  app::Document& document = m_model.document();
  if (kind() == Kind::Line) {
    document.endMerge();
    setPlace(app::putPlotLine(document, data(), end(0), end(1)));
    return Put::Now;
  }
  if (kind() != Kind::Time) return Put::Nothing;
  if (const app::ObjectId probes = app::lastProbesOf(document, data())) {
    setPlace(probes, std::get<session::Probe>(document.object(probes)->shape).points.size() - 1);
    readPlace();
    return Put::Nothing;
  }
  m_model.seekInside(data(), end(0), this, [this, its = data()](Vec3 where) {
    if (m_place || kind() != Kind::Time || data() != its || !m_model.document().session().find(its)) return;
    const std::string by = choice().by;
    const app::ObjectId probe = app::pinProbe(m_model.document(), its, where,
                                              by.empty() ? std::vector<std::string>{} : std::vector{by},
                                              app::shownStep(m_model, its));
    showOverTime(its, where, by, probe, 0);
  });
  return Put::Later;
}

void PlotPanel::movePlace(bool finished) {
  app::Document& document = m_model.document();
  const session::Object* const object = document.object(m_place);
  if (kind() == Kind::Line) {
    // Seeds stay where they are: a line of its own from here on.
    if (m_model.stage().summary(data()) && whyNone().isEmpty())
      setPlace(app::putPlotLine(document, data(), end(0), end(1)));
    keep(app::kPlotLineKey);
  } else if (kind() == Kind::Time && object) {
    session::Object moved = *object;
    auto* const probe = std::get_if<session::Probe>(&moved.shape);
    if (!probe || m_placeNumber >= probe->points.size()) return;
    probe->points[m_placeNumber] = end(0);
    document.setObject(m_place, moved, tr("Move the probe"), "plot.place");
  }
  if (finished) document.endMerge();
}

void PlotPanel::showFor(app::ObjectId selected) {
  m_place = 0;  // told again, also where it is known already: it may not be selected
  const session::Object* const object = m_model.document().object(selected);
  if (object) chooseData(object->data);
  m_allData->setChecked(false);
  fillFunctions(object && !object->color.by.empty() ? object->color.by : keptFunction());
  setKind(Kind::Line);
  showLineThrough(object);
  app::Document& document = m_model.document();
  document.endMerge();
  QString step;
  if (object && rakeOf(*object)) {
    setPlace(selected);
  } else if (m_model.stage().summary(data()) && whyNone().isEmpty()) {
    app::ObjectId line = object && app::isPlotLine(*object) ? selected : app::plotLineOf(document, data());
    if (!line) {
      step = app::kPlotLineKey;
      line = app::putPlotLine(document, data(), end(0), end(1));
    }
    setPlace(line);
  }
  keep(step);
  document.endMerge();
  readPlace();
  fillObjects();
  showControls();
  askSoon();
}

void PlotPanel::showOverTime(const std::string& data, Vec3 point, const std::string& function,
                             app::ObjectId probe, std::size_t number) {
  chooseData(data);
  m_allData->setChecked(false);
  fillFunctions(function);
  setKind(Kind::Time);
  m_all->setChecked(false);
  setEnd(0, point);
  setPlace(probe, number);
  keep(app::kPinKey);
  fillObjects();
  showControls();
  askSoon();
}

void PlotPanel::showValuesOn(app::ObjectId object) {
  if (const session::Object* const its = m_model.document().object(object)) chooseData(its->data);
  setKind(Kind::Values);  // which objects there are to choose from follows from it
  fillFunctions(keptFunction());
  fillObjects();
  m_over->setCurrentIndex(std::max(0, m_over->findData(qulonglong(object))));
  keep();
  showControls();
  askSoon();
}

void PlotPanel::showAlong(app::ObjectId id) {
  const session::Object* const object = m_model.document().object(id);
  if (object) chooseData(object->data);
  setKind(Kind::Along);
  fillFunctions(functionAlong(id));
  fillObjects();
  m_over->setCurrentIndex(std::max(0, m_over->findData(qulonglong(id))));
  keep();
  showControls();
  askSoon();
}

std::string PlotPanel::functionAlong(app::ObjectId id) const {
  const session::Object* const object = m_model.document().object(id);
  // What was plotted of something else before may be 0 all over a wall.
  const bool isPlotted = m_kept && m_kept->kind == Kind::Along && object && m_kept->on == object->name;
  const auto summary = m_model.stage().summary(data());
  const std::string seen =
      object && summary && !isPlotted ? app::seenAlong(m_model.document(), *summary, *object) : std::string();
  return seen.empty() ? keptFunction() : seen;
}

std::string PlotPanel::keptFunction() const {
  return m_kept && (m_kept->data == data() || m_kept->data == session::kAllData) ? m_kept->by : std::string();
}

session::PlotChoice PlotPanel::choice() const {
  session::PlotChoice choice;
  choice.kind = kind();
  choice.data = plotsAllData() ? session::kAllData : data();
  const app::ObjectId on = isOfObjects() ? object() : m_place;
  if (const session::Object* const its = m_model.document().object(on)) {
    choice.on = its->name;
    if (kind() == Kind::Time) choice.place = static_cast<std::int64_t>(m_placeNumber);
  }
  if (plotsAllProbes()) choice.place = session::kAllPlaces;
  if (kind() == Kind::Along) choice.over = static_cast<session::PlotChoice::Over>(m_across->currentIndex());
  const QString by = m_by->currentText();
  choice.by = makesSense(by) ? by.toStdString() : keptFunction();
  return choice;
}

void PlotPanel::keep(const QString& key) {
  if (m_data->currentIndex() < 0) return;
  m_kept = choice();
  app::keepPlot(m_model.document(), *m_kept, key);
}

void PlotPanel::keepMet(const QComboBox& list) {
  keep(keyOf(list, m_visit));
}

QString PlotPanel::keyOf(const QComboBox& list, std::uint64_t visit) {
  return QStringLiteral("%1/%2").arg(list.objectName()).arg(visit);
}

QString PlotPanel::whyNone() const {
  const auto summary = m_model.stage().summary(data());
  return summary ? app::whyNoPlot(kind(), *summary) : QString();
}

bool PlotPanel::makesSense(const QString& function) const {
  return problemOf(function).isEmpty();
}

QString PlotPanel::problemOf(const QString& function) const {
  if (m_by->findText(function) >= 0) return {};
  return app::checkOfPlotted(m_model.stage().summary(data()), kind())(function);
}

void PlotPanel::showTyped() {
  const QString wrong = m_typing ? problemOf(m_by->currentText()) : QString();
  showWarning(m_by->lineEdit(), QPalette::Text, !wrong.isEmpty());
  m_byProblem.show(m_by, wrong, QStringLiteral("plot.by.error"));
  m_by->setAccessibleDescription(wrong);
  if (m_saysWrong && !wrong.isEmpty()) showWrong(wrong);
}

void PlotPanel::showWrong(const QString& problem) {
  stopCurve();
  stopAlong();
  showNothing(problem);
  m_saysWrong = true;
}

void PlotPanel::seeTyped() {
  if (!std::exchange(m_typing, true)) m_taken = m_before;
  if (!std::exchange(m_typed, true)) m_typedVisit = m_visit;
  showTyped();
  m_typingPause.start();
}

void PlotPanel::takeTyped() {
  if (!m_typed || !makesSense(m_by->currentText())) return;
  m_typed = false;
  m_taken = m_by->currentText();
  leaveToDocument(m_by->lineEdit());
  keep(keyOf(*m_by, m_typedVisit));
  askSoon();
}

void PlotPanel::endTyping() {
  m_typingPause.stop();
  askSoon();
  const bool isWrong = !makesSense(m_by->currentText());
  if (m_typing && isWrong && !m_by->hasFocus() && !m_taken.isEmpty()) m_by->setEditText(m_taken);
  if (std::exchange(m_typed, false)) {
    if (!isWrong) leaveToDocument(m_by->lineEdit());
    keep(keyOf(*m_by, m_typedVisit));
  }
  // Return takes nothing that is wrong: that stays what is being typed.
  m_typing = m_typing && isWrong && m_by->hasFocus();
  showTyped();
}

bool PlotPanel::takesKey(QEvent& event) {
  const bool isKey = event.type() == QEvent::ShortcutOverride || event.type() == QEvent::KeyPress;
  if (!m_typing && (isKey || event.type() == QEvent::FocusIn || event.type() == QEvent::InputMethod))
    m_before = m_by->currentText();
  const Esc esc = m_typing ? escIn(event) : Esc::None;
  if (esc != Esc::Pressed) return esc == Esc::Claimed;
  m_typingPause.stop();
  m_typing = m_typed = false;
  m_by->setEditText(m_before);
  keep(keyOf(*m_by, m_typedVisit));
  showTyped();
  askSoon();
  return true;
}

void PlotPanel::takeChoice() {
  const std::optional<session::PlotChoice>& said = m_model.document().state().frame->plot;
  if (said == m_kept) return;
  const session::PlotChoice its = said.value_or(session::PlotChoice{});
  const app::ObjectId on = m_model.document().idNamed(its.on);
  const session::Object* const place = m_model.document().object(on);
  const bool ofAll = its.data == session::kAllData;
  // Those of the line or the point.
  const std::string name = !ofAll ? its.data : place ? place->data : data();
  if (!name.empty() && m_data->findText(QString::fromStdString(name)) < 0) return;  // they are not open yet
  m_kept = said;
  // Nobody chose it now: its place is not selected.
  const QSignalBlocker quiet(this), quietData(m_data), quietKind(m_kind), quietOver(m_over);
  const bool isAlong = its.kind == Kind::Along;
  m_kind->setCurrentIndex(static_cast<int>(its.kind));
  chooseData(name);
  m_allData->setChecked(ofAll);
  m_all->setChecked(its.place == session::kAllPlaces);
  fillFunctions(its.by);
  fillObjects();
  if (isAlong) m_across->setCurrentIndex(static_cast<int>(its.over));
  if (isOfObjects()) {
    m_over->setCurrentIndex(std::max(0, m_over->findData(qulonglong(on))));
    setPlace(0);
  } else if (on) {
    setPlace(on, static_cast<std::size_t>(std::max<std::int64_t>(0, its.place)));
    readPlace();
  } else {
    takeKnownLine();
  }
  showControls();
  askSoon();
}

}  // namespace farfield::ui
