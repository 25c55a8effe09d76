// What the panel of plots writes: tables and drawings of the curve that is shown.

#include <utility>

#include "app/model/files/file_saver.h"
#include "app/model/words/csv_text.h"
#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/plots/plot_panel.h"

namespace farfield::ui {
namespace {

constexpr int kLongestName = 60;

}  // namespace

void PlotPanel::save(const QString& filter, const char* suffix) {
  const Curve& curve = m_curve->curve();
  // without units
  QStringList names;
  for (std::size_t n = 0; n < curve.count(); ++n) names.append(curve.nameOf(n).section(" [", 0, 0));
  QString shown = curve.bars ? curve.across.section(" [", 0, 0) : names.join(", ");
  if (names.size() > 1 && shown.size() > kLongestName) shown = tr("curves");
  const QString name = QString(shown).replace('/', '_') + '.' + suffix;
  const bool table = suffix == std::string("csv");
  askForNewFile(
      this, m_model.settings(), {tr("Save the curve"), filter, suffix, name, {}},
      [this, table](const QString& path) {
        m_toWrite = Awaited{path, table, choice()};
        // Something else may be plotted by now, or the same is to be asked for again.
        if (m_soon.isActive()) {
          m_soon.stop();
          ask();
        }
        if (isWhole()) return writeAwaited();
        if (!m_comes) return giveUpWriting(tr("there is no curve"));
        // As while steps are played.
        emit message(tr("%1 is written once the curve of the step that is shown is there.").arg(path));
      });
}

void PlotPanel::writeAwaited() {
  if (!m_toWrite) return;
  if (choice() != m_toWrite->choice) return giveUpWriting(tr("something else is plotted now"));
  const Awaited its = *std::exchange(m_toWrite, std::nullopt);
  const QString problem = app::saveFile(its.path, its.isTable ? table().toUtf8() : m_curve->svg());
  if (problem.isEmpty()) noteWritten(m_model.settings(), its.path);
  emit message(problem.isEmpty() ? tr("Wrote %1").arg(its.path)
                                 : tr("%1 could not be written: %2").arg(its.path, problem));
}

void PlotPanel::giveUpWriting(const QString& why) {
  if (!m_toWrite) return;
  const QString path = std::exchange(m_toWrite, std::nullopt)->path;
  emit message(tr("%1 is not written: %2.").arg(path, why));
}

QString PlotPanel::table() const {
  using app::csvNumber;
  const Curve& curve = m_curve->curve();
  QString table;
  if (curve.bars) {
    table = app::csvText("from " + curve.across) + ',' + app::csvText("to " + curve.across) + ',' +
            app::csvText(curve.up) + '\n';
    const double width = (curve.ends[1] - curve.ends[0]) / static_cast<double>(curve.values.size());
    for (std::size_t n = 0; n < curve.values.size(); ++n)
      table += csvNumber(curve.ends[0] + static_cast<double>(n) * width) + ',' +
               csvNumber(curve.ends[0] + static_cast<double>(n + 1) * width) + ',' +
               csvNumber(curve.values[n]) + '\n';
    return table;
  }
  if (m_alongRead) return tableAlong();
  QString names;
  for (const QString& column : m_columns) names += ',' + app::csvText(column);
  names += '\n';
  const auto values = [&](std::size_t n) {
    QString row;
    for (std::size_t each = 0; each < curve.count(); ++each) row += ',' + csvNumber(curve.valuesOf(each)[n]);
    return row + '\n';
  };
  const bool isOverTime = m_answers.front().request.kind == app::CurveRequest::Kind::Time;
  // Each of several data has steps of its own, and a line between two of its places.
  if (!m_samePlaces) {
    table = (isOverTime ? "time" : "distance") + names;
    for (std::size_t n = 0; n < curve.values.size(); ++n) table += csvNumber(curve.placeOf(n)) + values(n);
    return table;
  }
  if (isOverTime) {
    table = "step,time" + names;
    for (std::size_t n = 0; n < curve.values.size(); ++n)
      table += QString::number(n) + ',' + csvNumber(curve.placeOf(n)) + values(n);
    return table;
  }
  table = "distance,x,y,z" + names;
  const app::CurveRequest& line = m_answers.front().request;
  const Vec3 way = line.to - line.from;
  for (std::size_t n = 0; n < curve.values.size(); ++n) {
    const double count = static_cast<double>(curve.values.size());
    const double part = count > 1 ? static_cast<double>(n) / (count - 1) : 0;
    const Vec3 at = line.from + part * way;
    table += csvNumber(part * length(way)) + ',' + csvNumber(at.x) + ',' + csvNumber(at.y) + ',' +
             csvNumber(at.z) + values(n);
  }
  return table;
}

bool PlotPanel::writeCsv(const QString& path) const {
  return isWhole() && app::saveFile(path, table().toUtf8()).isEmpty();
}

}  // namespace farfield::ui
