#include "app/model/pair_names.h"

#include <QRegularExpression>
#include <vector>

#include "app/model/data_files.h"

namespace farfield::app {
namespace {

/// What the two files of a PLOT3D pair are called: a grid's name becomes a solution's by putting the second
/// in the place of the first.
struct Custom {
  const char *grid, *solution;
};
constexpr Custom kCustoms[] = {{"xyz", "q"},     {"XYZ", "Q"},   {"grid", "q"}, {"grid", "sol"},
                               {"grid", "flow"}, {"xyz", "sol"}, {"x", "q"},    {"g", "q"},
                               {"grd", "q"},     {"grd", "sol"}, {"p3d", "q"},  {"xyz", "flow"},
                               {"mesh", "sol"},  {"mesh", "q"}};

/// Places in `name` where `word` stands as a word of its own, or at the end of the stem ("bluntfinxyz.bin").
std::vector<qsizetype> placesOf(const QString& word, const QString& name) {
  std::vector<qsizetype> places;
  for (qsizetype at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1)) {
    const qsizetype end = at + word.size();
    const bool ends = end == name.size() || !name[end].isLetter();
    const bool begins = at == 0 || !name[at - 1].isLetter();
    // A single letter has to stand alone; a longer word may close another.
    if (ends && (begins || word.size() > 1)) places.push_back(at);
  }
  return places;
}

}  // namespace

QStringList namesByCustom(const QString& name, bool toSolution) {
  QStringList names;
  for (const Custom& custom : kCustoms) {
    const QString from = QString::fromLatin1(toSolution ? custom.grid : custom.solution);
    const QString to = QString::fromLatin1(toSolution ? custom.solution : custom.grid);
    // "bluntfinq.bin": one letter that closes a stem, towards the grid.
    std::vector<qsizetype> places = placesOf(from, name);
    if (!toSolution && from.size() == 1) {
      const qsizetype dot = name.indexOf('.');
      if (dot > 0 && name[dot - 1] == from[0]) places.push_back(dot - 1);
    }
    for (const qsizetype at : places) {
      QString other = name;
      other.replace(at, from.size(), to);
      if (other != name && !names.contains(other)) names.append(other);
    }
  }
  // Both at once: "grid2d.xyz" and "q2d.q".
  const QString itsEnding = toSolution ? ".xyz" : ".q", otherEnding = toSolution ? ".q" : ".xyz";
  for (const QString& each : QStringList(names))
    if (each.endsWith(itsEnding)) {
      const QString other = each.chopped(itsEnding.size()) + otherEnding;
      if (other != name && !names.contains(other)) names.append(other);
    }
  return names;
}

QStringList shorterNames(const QString& name) {
  const qsizetype dot = name.lastIndexOf('.');
  if (dot < 0) return {};
  QStringList names;
  for (const Custom& custom : kCustoms) {
    const QString from = QString::fromLatin1(custom.grid), to = QString::fromLatin1(custom.solution);
    const QString stem = name.left(dot);
    for (const qsizetype at : placesOf(from, stem)) {
      const QString other = QString(stem).replace(at, from.size(), to);
      static const QRegularExpression kParting("[-_.]");
      for (qsizetype end = other.lastIndexOf(kParting); end >= at + to.size();
           end = other.lastIndexOf(kParting, end - 1))
        for (const QString& ending : {QStringLiteral(".q"), name.mid(dot)})
          if (!names.contains(other.left(end) + ending)) names.append(other.left(end) + ending);
    }
  }
  return names;
}

QString seriesNameOf(const QString& solution) {
  static const QRegularExpression kNumber("^(.+?)[-_.]?[0-9]+(\\.[^.]*)?$");
  const auto found = kNumber.match(solution);
  return found.hasMatch() ? found.captured(1) + found.captured(2) : QString();
}

GridFinder::GridFinder(const QStringList& names) : m_names(names.begin(), names.end()) {
  for (const QString& name : names)
    if (!isNamedAsSolution(name))
      for (const QString& series : shorterNames(name)) m_bySeries[series].append(name);
}

QString GridFinder::gridOf(const QString& solution) const {
  const QStringList likely = gridNames(solution);
  for (const QString& name : likely)
    if (m_names.contains(name)) return name;
  // Of several that say how they are written, or how fine they are, none is the likeliest.
  const QStringList others = likely.isEmpty() ? QStringList() : m_bySeries.value(seriesNameOf(solution));
  return others.size() == 1 ? others.front() : QString();
}

}  // namespace farfield::app
