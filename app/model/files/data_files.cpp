#include "app/model/files/data_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <charconv>
#include <filesystem>

#include "app/model/files/name_problem.h"
#include "app/model/files/named_parts.h"
#include "app/model/files/numbered_names.h"
#include "app/model/files/pair_names.h"
#include "app/model/files/plain_numbers.h"
#include "app/model/files/series_names.h"
#include "core/base/followed_path.h"
#include "core/base/foreign_file.h"
#include "core/session/json/names.h"
#include "plugins/plot3d/grid_of_solution.h"

namespace farfield::app {
namespace {

/// Of a JSON document, to tell whether it is a session.
constexpr qint64 kLookedAt = 65'536;
/// A folder with more files than this was not meant to be opened as a whole.
constexpr std::size_t kMostFromFolder = 12;

bool isUrl(const QString& path) {
  return path.contains("://");
}

QString absolute(const QString& path) {
  if (isUrl(path)) return path;
  // By itself Qt takes ".." for text, also behind a link.
  return QString::fromStdString(followedPath(std::filesystem::absolute(path.toStdString())).string());
}

/// The solution beside the grid `path`; empty where there is none.
QString solutionBeside(const QString& path) {
  const QFileInfo file(path);
  for (const QString& name : namesByCustom(file.fileName(), true)) {
    const QString other = file.dir().filePath(name);
    if (QFileInfo(other).isFile()) return QDir::cleanPath(other);
  }
  return {};
}

/// The steps beside the grid `path`: "wing_001.q", "wing_002.q" beside "wing.xyz". In their order; empty where there are none.
QStringList seriesOf(const QString& path) {
  const QFileInfo file(path);
  QStringList steps = stepsAmong(file.fileName(), file.dir().entryList(QDir::Files));
  for (QString& step : steps) step = QDir::cleanPath(file.dir().filePath(step));
  return steps;
}

/// Asked for folders that one goes into: names are read one by one, and no more than that takes a moment, as folders of runs have
/// hundreds of thousands.
bool holdsCarpetFiles(const QString& folder) {
  constexpr int kMostNames = 50'000;
  std::error_code error;
  int names = 0;
  for (std::filesystem::directory_iterator entry(std::filesystem::path(folder.toStdString()), error), end;
       !error && entry != end && names < kMostNames; entry.increment(error), ++names) {
    const std::string name = entry->path().filename().string();
    if (name.ends_with(".xyz.h5") || name.ends_with(".file_0.h5"))
      if (std::error_code gone; entry->is_regular_file(gone)) return true;
  }
  return false;
}

/// Formats that are folders, told by what is in them: Zarr and N5, AMReX's plotfiles, Carpet's output of one variable a file.
bool isDataFolder(const QString& path) {
  const QDir folder(path);
  for (const char* const name : {"zarr.json", ".zgroup", ".zarray", ".zmetadata", "attributes.json"})
    if (folder.exists(name)) return true;
  if (QFileInfo(folder.filePath("Header")).isFile() && QFileInfo(folder.filePath("Level_0")).isDir())
    return true;
  return holdsCarpetFiles(path);
}

/// The folder that is one data set where `path` is a file in it by which such a folder is known; else empty.
QString setAround(const QString& path) {
  static const QStringList kMarks{"zarr.json",  ".zgroup",         ".zarray", ".zattrs",
                                  ".zmetadata", "attributes.json", "Header"};
  const QFileInfo info(path);
  if (!kMarks.contains(info.fileName()) || info.isDir()) return {};
  const QString folder = info.absolutePath();
  return isDataFolder(folder) ? folder : QString();
}

}  // namespace

QStringList stepsAmong(const QString& grid, const QStringList& names) {
  for (const QString& name : namesByCustom(grid, true) + shorterNames(grid)) {
    const qsizetype dot = name.lastIndexOf('.');
    const QString stem = dot < 0 ? name : name.left(dot), ending = dot < 0 ? QString() : name.mid(dot);
    const QRegularExpression numbered('^' + QRegularExpression::escape(stem) + "[-_.]?[0-9]+" +
                                      QRegularExpression::escape(ending) + '$');
    QStringList steps;
    for (const QString& other : names)
      if (other.startsWith(stem) && other.endsWith(ending) && numbered.match(other).hasMatch())
        steps.append(other);
    if (!steps.isEmpty()) return sortedByNumbers(steps);
  }
  return {};
}

bool isNamedAsSolution(const QString& path) {
  return plot3d::isNamedAsSolution(QFileInfo(path).fileName().toStdString());
}

QStringList gridNames(const QString& solution) {
  QStringList names;
  for (const std::string& name : plot3d::gridNames(solution.toStdString()))
    names.append(QString::fromStdString(name));
  return names;
}

QString gridAmong(const QString& solution, const QStringList& names) {
  return GridFinder(names).gridOf(solution);
}

FileKind kindOf(const QString& path) {
  if (isUrl(path)) return FileKind::Data;
  const QFileInfo info(path);
  if (info.isDir()) return isDataFolder(path) ? FileKind::Data : FileKind::Folder;
  const QString ending = info.suffix().toLower();
  if (ending != "json" && ending != "farfield") return FileKind::Data;
  QFile file(path);
  // Its error says more as a session's. What is no file, as a pipe, might let one wait for ever.
  if ((info.exists() && !info.isFile()) || !file.open(QIODevice::ReadOnly)) return FileKind::Session;
  const QByteArray start = file.read(kLookedAt).trimmed();
  if (!start.startsWith('{') && !start.startsWith('[')) return FileKind::Data;
  if (start.contains("\"farfield\"")) return FileKind::Session;
  if (!setAround(path).isEmpty()) return FileKind::Data;
  // Further on a writer may have put it as well; reading all of it will tell.
  return file.size() > kLookedAt ? FileKind::Session : FileKind::Foreign;
}

QString foreignKind(const QString& path) {
  if (isUrl(path) || path.endsWith(".raw") || !QFileInfo(path).isFile()) return {};
  if (const std::string kind = foreignKindByMark(path.toStdString()); !kind.empty())
    return QString::fromStdString(kind);
  QFile file(path);
  // Bytes of a volume may all be letters, and grids are written as text as well.
  if (saysItsFormat(path) || plot3dEndings().contains(QFileInfo(path).suffix().toLower()) ||
      !file.open(QIODevice::ReadOnly))
    return {};
  const QByteArray start = file.read(4096);
  const bool isText = !start.isEmpty() && std::all_of(start.begin(), start.end(), [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return byte >= 0x20 || byte == '\n' || byte == '\r' || byte == '\t' || byte == '\f';
  });
  return isText ? QObject::tr("a text file") : QString();
}

QString foreignAdvice() {
  return QObject::tr(
      "Farfield opens PLOT3D, VTK, HDF5, NetCDF, CGNS, Exodus II, Zarr, NRRD, adaptive grids, plain numbers, paged "
      "stores and sessions: the guide lists all formats");
}

QStringList plot3dEndings() {
  return {"xyz", "x", "g", "grd", "q", "bin", "p3d"};
}

QStringList storeEndings() {
  return {"h5", "hdf5", "stripes"};
}

const QList<FileFormat>& markedFormats() {
  static const QList<FileFormat> formats = {
      {"VTK",
       {"vti", "vtr", "vts", "vtu", "vtp", "vtk", "pvti", "pvtr", "pvts", "pvtu", "pvtp", "vtm", "vtpd",
        "vtpc", "pvd", "vth", "vthb"}},
      {"NetCDF", {"nc", "nc4", "cdf"}},
      {"NRRD", {"nrrd", "nhdr"}},
      {"VTKHDF", {"vtkhdf", "hdf"}},
      {"CGNS", {"cgns"}},
      {"Exodus II", {"e", "exo", "ex2"}},
      {"Enzo", {"hierarchy"}}};
  return formats;
}

bool saysItsFormat(const QString& path) {
  const QString ending = path.section('/', -1).section('.', -1).toLower();
  const QList<FileFormat>& formats = markedFormats();
  return ending == "zarr" || storeEndings().contains(ending) ||
         std::any_of(formats.begin(), formats.end(),
                     [&](const FileFormat& format) { return format.endings.contains(ending); });
}

namespace {
QStringList allEndings() {
  QStringList endings = plot3dEndings() + storeEndings();
  for (const FileFormat& format : markedFormats()) endings += format.endings;
  return endings;
}

/// Of formats whose files may each be a step of one series. None of them has its solutions in other files.
bool mayBeAStep(const QString& path) {
  static const QStringList endings{"vti", "vtr", "vts",  "vtu",  "vtk",    "vtp", "nc",
                                   "nc4", "cdf", "nrrd", "nhdr", "vtkhdf", "hdf"};
  return !isUrl(path) && endings.contains(QFileInfo(path).suffix().toLower());
}

/// Whether it begins as HDF5's files do, if need be behind something of its writer's own. HDF4's are called alike.
bool isHdf5(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return false;
  static const QByteArray kMark("\x89HDF\r\n\x1a\n");
  for (qint64 at = 0; at <= 4096 && file.seek(at); at = at == 0 ? 512 : 2 * at)
    if (file.read(kMark.size()) == kMark) return true;
  return false;
}

/// By the ending, and by what is inside where others have that ending, too.
bool isDataFile(const QFileInfo& file) {
  const QString ending = file.suffix().toLower();
  return allEndings().contains(ending) && (ending != "hdf" || isHdf5(file.filePath()));
}

/// What in a folder is data.
QStringList dataIn(const QDir& folder) {
  QStringList inside;
  for (const QFileInfo& file : folder.entryInfoList(QDir::Files, QDir::Name))
    if (isDataFile(file)) inside.append(file.filePath());
  for (const QFileInfo& below : folder.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
    if (isDataFolder(below.filePath())) inside.append(below.filePath());
  return inside;
}

/// The files that are its steps.
QStringList stepsOf(const DataFiles& files) {
  return files.solutions.isEmpty() ? QStringList{files.source} + files.later : files.solutions;
}
}  // namespace

Picked PathSorter::sort(const QStringList& given) {
  Picked picked;
  QStringList paths, data, sessions;
  for (const QString& path : given) paths += filesOf(path);
  for (const QString& path : paths) {
    const QString name = QFileInfo(path).fileName();
    switch (kindOf(path)) {
      case FileKind::Data: {
        const QString around = isUrl(path) ? QString() : setAround(path);
        if (around.isEmpty() || !data.contains(around)) data.append(around.isEmpty() ? path : around);
        break;
      }
      case FileKind::Session:
        sessions.append(path);
        break;
      case FileKind::Foreign:
        picked.remarks.append(
            tr("%1 is a JSON file, but no Farfield session: it has no key \"farfield\".").arg(name));
        break;
      case FileKind::Folder: {
        const QDir folder(path);
        const QStringList dataInside = withoutNamedParts(dataIn(folder), BrokenList::MayNameAll);
        QStringList sessionsInside;
        for (const QFileInfo& file : folder.entryInfoList({"*.json"}, QDir::Files, QDir::Name))
          if (kindOf(file.filePath()) == FileKind::Session) sessionsInside.append(file.filePath());
        if (const auto sets = pairFiles(dataInside).size(); sets > kMostFromFolder)
          picked.remarks.append(
              tr("There are %1 data sets in the folder %2: open those that you want.").arg(sets).arg(path));
        else if (!dataInside.isEmpty())
          data += dataInside;
        else if (sessionsInside.size() == 1)
          sessions += sessionsInside;
        else if (sessionsInside.isEmpty())
          picked.remarks.append(tr("There is nothing in the folder %1 that Farfield opens: no grid, no paged "
                                   "store, no session.")
                                    .arg(path));
        else
          picked.remarks.append(
              tr("There are %1 sessions in the folder %2: open one.").arg(sessionsInside.size()).arg(path));
        break;
      }
    }
  }
  if (sessions.isEmpty()) {
    picked.data = pairFiles(withoutNamedParts(data, BrokenList::NamesNothing));
    for (DataFiles& files : picked.data) files.series = patternThatFinds(stepsOf(files));
    return picked;
  }
  picked.session = sessions.front();
  if (sessions.size() + data.size() > 1)
    picked.remarks.append(tr("Of these only the session %1 is opened, in the place of what was open.")
                              .arg(QFileInfo(picked.session).fileName()));
  return picked;
}

std::vector<DataFiles> pairFiles(const QStringList& given) {
  QStringList grids, solutions;
  for (const QString& path : given)
    (!path.startsWith("sample://") && isNamedAsSolution(path) ? solutions : grids).append(absolute(path));
  std::vector<DataFiles> all;
  QStringList left = solutions;
  QHash<QString, std::size_t> series;  // where in `all`
  const QHash<QString, QString> stacks = stacksAmong(grids);
  for (const QString& grid : grids) {
    if (const QString key = mayBeAStep(grid) ? seriesKey(grid) : stacks.value(grid); !key.isEmpty()) {
      const auto found = series.constFind(key);
      if (found != series.constEnd()) {
        all[*found].later.append(grid);
      } else {
        series[key] = all.size();
        all.push_back({grid, {}});
      }
      continue;
    }
    DataFiles files{grid, {}};
    // What lies beside a URL cannot be seen from here.
    if (!isUrl(grid)) {
      const QString partner = solutionBeside(grid);
      if (left.removeAll(partner) > 0 || (solutions.isEmpty() && !partner.isEmpty()))
        files.solutions = {partner};
      else
        for (const QString& step : seriesOf(grid))
          // Of several grids in a folder each takes its own.
          if (solutions.isEmpty() || left.removeAll(step) > 0) files.solutions.append(step);
    }
    all.push_back(files);
  }
  for (DataFiles& files : all)
    if (!files.later.isEmpty()) {
      files.later = sortedByNumbers(QStringList{files.source} + files.later);
      files.source = files.later.takeFirst();
    }
  // What was picked together belongs together where there is one grid.
  if (all.size() == 1 && !left.isEmpty()) {
    all.front().solutions = sortedByNumbers(all.front().solutions + left);
    left.clear();
  }
  while (!left.isEmpty()) {
    const QString first = left.takeFirst();
    QStringList steps{first};
    for (const QString& other : QStringList(left))
      if (withoutNumbers(other) == withoutNumbers(first)) steps.append(other), left.removeAll(other);
    steps = sortedByNumbers(steps);
    const auto found = isUrl(first) ? plot3d::GridOfSolution{} : plot3d::gridOfSolution(first.toStdString());
    if (found.grid.empty())
      all.push_back(
          {steps.takeFirst(), {}, {}, steps});  // opening them says what they are, and what is missing
    else
      all.push_back({.source = QDir::cleanPath(QString::fromStdString(found.grid.string())),
                     .solutions = steps,
                     .gridBySize = found.bySize});
  }
  return all;
}

QString nameForData(const QString& source) {
  QString name = source;
  if (isUrl(source)) {
    name.remove(0, source.indexOf("://") + 3);
    name.truncate(name.indexOf('?') < 0 ? name.size() : name.indexOf('?'));
  }
  while (name.size() > 1 && name.endsWith('/')) name.chop(1);
  const bool isHost = isUrl(source) && !name.contains('/');
  name = name.mid(name.lastIndexOf('/') + 1);
  // What follows the last dot says what kind of file it is, unless it is a number, as of a version or a step.
  static const QRegularExpression kEnding("\\.(?![0-9]+$)[^.]*$");
  if (!isHost) name.remove(kEnding);
  static const QRegularExpression kGridWord("[-_ ]?(xyz|grid)$", QRegularExpression::CaseInsensitiveOption);
  const QString shorter = QString(name).remove(kGridWord);
  if (!shorter.isEmpty()) name = shorter;
  QString good;
  for (const QChar letter : name) good += nameProblem(QString(letter)).isEmpty() ? letter : QChar('_');
  const std::string fitting = session::fittedName(good.left(60).toStdString());
  return fitting.empty() ? QStringLiteral("data") : QString::fromStdString(fitting);
}

session::OptionValue optionOf(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  // A number that would be written otherwise is a name: 0001, or one of more digits than numbers have.
  const bool isNumber = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (double number = 0; isNumber)
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc() &&
        session::textOf(number) == text)
      return number;
  return text;
}

session::DataSource dataSource(const DataFiles& files, const std::string& name) {
  session::DataSource source;
  source.name = name;
  source.source = {files.source.toStdString()};
  for (const QString& step : files.later) source.source.push_back(step.toStdString());
  for (const QString& solution : files.solutions) source.solution.push_back(solution.toStdString());
  if (!files.series.isEmpty())
    (files.solutions.isEmpty() ? source.source : source.solution) = {files.series.toStdString()};
  for (const auto& [key, value] : files.options) source.options[key] = optionOf(value);
  return source;
}

}  // namespace farfield::app
