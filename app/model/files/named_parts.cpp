#include "app/model/files/named_parts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QRegularExpression>
#include <QSet>

namespace farfield::app {
namespace {

/// A list of many thousand steps is shorter; what is longer has data in it.
constexpr qint64 kMostOfList = 16 << 20;
/// Of a file that may have numbers behind its header.
constexpr qint64 kMostOfHeader = 65'536;

/// Lists of a higher rank name what is of a lower one: steps, blocks, pieces. So no two name each other.
int rankOf(const QString& path) {
  static const QHash<QString, int> ranks{{"pvd", 3},  {"vtm", 2},  {"vth", 2},  {"vthb", 2}, {"vtpd", 2},
                                         {"vtpc", 2}, {"pvtp", 1}, {"pvti", 1}, {"pvtr", 1}, {"pvts", 1},
                                         {"pvtu", 1}, {"nhdr", 1}, {"p3d", 1}};
  return ranks.value(QFileInfo(path).suffix().toLower(), 0);
}

/// "quarter.%d 1 93 1": what its numbers, from the first to the last by steps, make of the name. None of any other text.
QStringList numberedNames(const QString& series) {
  static const QRegularExpression kSeries(
      "^(\\S*)%(0?)([0-9]{0,2})[di](\\S*)\\s+(-?[0-9]+)\\s+(-?[0-9]+)\\s+(-?[0-9]+)");
  constexpr qint64 kMostNames = 1'000'000, kMost = qint64{1} << 40;  // sums of such numbers do not overflow
  const auto found = kSeries.match(series);
  const qint64 first = found.captured(5).toLongLong(), last = found.captured(6).toLongLong(),
               step = found.captured(7).toLongLong();
  const auto isHuge = [](qint64 number) { return number > kMost || number < -kMost; };
  QStringList names;
  if (!found.hasMatch() || step == 0 || isHuge(first) || isHuge(last) || isHuge(step)) return names;
  const QChar fill = found.captured(2).isEmpty() ? ' ' : '0';
  for (qint64 n = first; (step > 0 ? n <= last : n >= last) && names.size() < kMostNames; n += step)
    names.append(found.captured(1) + QString::number(n).rightJustified(found.captured(3).toInt(), fill) +
                 found.captured(4));
  return names;
}

/// What XML and JSON put into quotes, and what the header of an NRRD names.
QStringList namesIn(const QString& path) {
  QFile file(path);
  if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) return {};
  const bool isHeader = path.endsWith(".nhdr", Qt::CaseInsensitive);
  if (!isHeader && file.size() > kMostOfList) return {};
  const QString text = QString::fromUtf8(file.read(isHeader ? kMostOfHeader : kMostOfList));
  static const QRegularExpression kQuoted("\"([^\"\\n]*)\"|'([^'\\n]*)'");
  static const QRegularExpression kDataFile("^data ?file: *(.+?)\\s*$", QRegularExpression::MultilineOption);
  QStringList names;
  if (isHeader) {
    const auto found = kDataFile.match(text);
    if (found.hasMatch()) names = QStringList{found.captured(1)} + numberedNames(found.captured(1));
    // One a line.
    if (found.captured(1).startsWith("LIST")) names += text.mid(found.capturedEnd()).split('\n');
    for (QString& name : names) name = name.trimmed();
    return names;
  }
  // PLOT3D lists are JSON; the other files of that ending are grids.
  if (path.endsWith(".p3d", Qt::CaseInsensitive) && !text.trimmed().startsWith('{')) return {};
  for (auto found = kQuoted.globalMatch(text); found.hasNext();) {
    const QRegularExpressionMatch each = found.next();
    if (const QString name = each.captured(1) + each.captured(2); !name.isEmpty()) names.append(name);
  }
  return names;
}

bool isListOfVtk(const QString& path) {
  return rankOf(path) > 0 && !path.endsWith(".nhdr", Qt::CaseInsensitive) &&
         !path.endsWith(".p3d", Qt::CaseInsensitive);
}

/// Pieces of VTK's.
bool isPiece(const QString& path) {
  static const QStringList endings{"vti", "vtr", "vts", "vtu", "vtp"};
  return endings.contains(QFileInfo(path).suffix().toLower());
}

}  // namespace

QStringList withoutNamedParts(const QStringList& paths, BrokenList broken) {
  QHash<QString, QString> byPlace;  // absolute paths
  for (const QString& path : paths)
    if (!path.contains("://")) byPlace.insert(QDir::cleanPath(QFileInfo(path).absoluteFilePath()), path);
  QSet<QString> parts;
  for (const QString& list : std::as_const(byPlace)) {
    const int rank = rankOf(list);
    if (rank == 0) continue;
    const QFileInfo info(list);
    const QDir folder = info.absoluteDir();
    bool isBroken = broken == BrokenList::MayNameAll && isListOfVtk(list);
    for (const QString& name : namesIn(list)) {
      isBroken = isBroken && !isPiece(name) && rankOf(name) == 0;
      QString place = QDir::cleanPath(folder.absoluteFilePath(name));
      // A list that came from another machine names what lies beside it by where it lay there.
      if (name.contains('/') && !byPlace.contains(place) && !QFileInfo::exists(place))
        place = QDir::cleanPath(folder.absolutePath() + "/" + name.section('/', -1));
      const auto found = byPlace.constFind(place);
      if (found == byPlace.constEnd() || rankOf(*found) >= rank) continue;
      parts.insert(*found);
    }
    if (!isBroken) continue;
    for (const QString& other : std::as_const(byPlace))
      if (isPiece(other) && QFileInfo(other).absoluteDir() == folder) parts.insert(other);
  }
  QStringList left;
  for (const QString& path : paths)
    if (!parts.contains(path)) left.append(path);
  return left;
}

}  // namespace farfield::app
