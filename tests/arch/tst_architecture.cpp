// Who may include whom (docs/ARCHITECTURE.md, section 2). The build links what a target names; this test
// reads the includes themselves, so that a header reached by accident is found too. It also keeps foreign
// headers to the folders that own them, and headers to their form.

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QTest>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

/// Folder -> folders whose headers it may include, beside its own. The longest matching folder counts.
const std::map<std::string, std::set<std::string>> kAllowed = {
    {"core/base", {}},
    {"core/hdf5", {}},
    {"core/scene", {"core/base"}},
    {"core/trace", {"core/base"}},
    {"core/tasks", {"core/base", "core/trace"}},
    {"core/paging/pages", {"core/base", "core/tasks"}},
    {"core/paging/bytes", {"core/base", "core/trace", "core/tasks"}},
    {"core/paging/store", {"core/base", "core/paging/pages", "core/paging/bytes"}},
    {"core/paging/writing",
     {"core/base", "core/hdf5", "core/tasks", "core/paging/pages", "core/paging/bytes", "core/paging/store"}},
    {"core/paging/sources",
     {"core/base", "core/trace", "core/tasks", "core/paging/pages", "core/paging/bytes",
      "core/paging/store"}},
    {"core/paging/cache",
     {"core/base", "core/trace", "core/tasks", "core/paging/pages", "core/paging/bytes"}},
    {"core/paging/location",
     {"core/base", "core/tasks", "core/paging/pages", "core/paging/store", "core/paging/sources"}},
    {"core/paging/arranging", {"core/base", "core/trace", "core/paging/pages", "core/paging/location"}},
    {"core/paging/ingest",
     {"core/base", "core/trace", "core/tasks", "core/paging/pages", "core/paging/location",
      "core/paging/store", "core/paging/writing"}},
    {"core/fields/cells", {"core/base", "core/paging/pages"}},
    {"core/fields/words", {"core/base", "core/paging/pages"}},
    {"core/fields/functions",
     {"core/base", "core/paging/pages", "core/paging/bytes", "core/paging/store", "core/paging/location",
      "core/paging/cache", "core/fields/cells", "core/fields/words"}},
    {"core/fields/data",
     {"core/base", "core/paging/pages", "core/paging/bytes", "core/paging/store", "core/paging/location",
      "core/paging/arranging", "core/paging/sources", "core/fields/cells", "core/fields/functions"}},
    {"core/fields/paged",
     {"core/base", "core/tasks", "core/paging/pages", "core/paging/location", "core/paging/cache",
      "core/paging/sources", "core/fields/cells", "core/fields/functions"}},
    {"core/fields/places",
     {"core/base", "core/paging/pages", "core/paging/arranging", "core/fields/cells", "core/fields/functions",
      "core/fields/paged"}},
    {"core/fields/groups",
     {"core/base", "core/paging/pages", "core/paging/location", "core/paging/arranging", "core/fields/cells",
      "core/fields/functions", "core/fields/paged"}},
    {"core/fields/ranges",
     {"core/base", "core/paging/pages", "core/paging/cache", "core/fields/functions", "core/fields/data",
      "core/fields/paged", "core/fields/groups"}},
    {"core/fields/resampled",
     {"core/base", "core/tasks", "core/paging/pages", "core/paging/cache", "core/fields"}},
    {"core/fields/samples",
     {"core/base", "core/trace", "core/tasks", "core/paging/pages", "core/paging/sources", "core/fields"}},
    {"core/flow", {"core/base", "core/trace", "core/tasks", "core/paging/pages", "core/fields"}},
    {"core/extract",
     {"core/base", "core/trace", "core/tasks", "core/paging/pages", "core/paging/cache", "core/fields"}},
    {"core/session",
     {"core/base", "core/scene", "core/trace", "core/tasks", "core/paging/pages", "core/fields", "core/flow",
      "core/extract"}},
    {"core/session/run",
     {"core/base", "core/scene", "core/trace", "core/tasks", "core/paging/pages", "core/paging/bytes",
      "core/paging/store", "core/paging/cache", "core/fields", "core/flow", "core/extract", "core/session"}},
    {"plugins/arrays",
     {"core/base", "core/trace", "core/tasks", "core/paging/pages", "core/paging/bytes", "core/fields"}},
    {"plugins/formats",
     {"core/base",      "core/paging/bytes", "core/paging/location", "core/fields",        "plugins/amrex",
      "plugins/carpet", "plugins/cgns",      "plugins/chombo",       "plugins/enzo",       "plugins/exodus",
      "plugins/hdf5",   "plugins/netcdf3",   "plugins/nrrd",         "plugins/plot3d",     "plugins/raw",
      "plugins/vtkamr", "plugins/vtkfile",   "plugins/vtkhdf",       "plugins/vtkreaders", "plugins/zarr"}},
    {"plugins/amr", {"core/base", "core/paging/pages", "core/paging/bytes", "core/fields", "plugins/arrays"}},
    {"plugins/amrex",
     {"core/base", "core/paging/pages", "core/paging/bytes", "core/fields", "plugins/arrays", "plugins/amr"}},
    {"plugins/vtkamr",
     {"core/base", "core/paging/pages", "core/paging/bytes", "core/fields", "plugins/arrays", "plugins/amr",
      "plugins/vtkfile"}},
    {"plugins/carpet",
     {"core/base", "core/paging/pages", "core/paging/bytes", "core/fields", "plugins/arrays", "plugins/cf",
      "plugins/chunks", "plugins/hdf5", "plugins/amr"}},
    {"plugins/chombo",
     {"core/base", "core/paging/pages", "core/paging/bytes", "core/fields", "plugins/arrays", "plugins/cf",
      "plugins/chunks", "plugins/hdf5", "plugins/amr"}},
    {"plugins/enzo",
     {"core/base", "core/paging/pages", "core/paging/bytes", "core/fields", "plugins/arrays", "plugins/cf",
      "plugins/chunks", "plugins/hdf5", "plugins/amr"}},
    {"plugins/vtkreaders", {"core/base", "core/fields"}},
    {"plugins/cf", {"core/base", "core/paging/pages", "core/fields", "plugins/arrays"}},
    {"plugins/chunks",
     {"core/base", "core/paging/pages", "core/paging/bytes", "core/paging/sources", "core/fields",
      "plugins/arrays"}},
    {"plugins/hdf5",
     {"core/base", "core/hdf5", "core/paging/pages", "core/paging/bytes", "core/fields", "plugins/arrays",
      "plugins/cf", "plugins/chunks"}},
    {"plugins/cgns",
     {"core/base", "core/paging/pages", "core/paging/bytes", "core/paging/arranging", "core/fields",
      "plugins/arrays", "plugins/chunks", "plugins/hdf5", "plugins/vtkfile"}},
    {"plugins/exodus",
     {"core/base", "core/paging/pages", "core/paging/bytes", "core/paging/arranging", "core/fields",
      "plugins/arrays", "plugins/cf", "plugins/netcdf3", "plugins/chunks", "plugins/hdf5"}},
    {"plugins/netcdf3",
     {"core/base", "core/trace", "core/tasks", "core/paging/pages", "core/paging/bytes",
      "core/paging/location", "core/fields", "plugins/arrays", "plugins/cf"}},
    {"plugins/nrrd",
     {"core/base", "core/trace", "core/tasks", "core/paging/pages", "core/paging/bytes",
      "core/paging/location", "core/fields", "plugins/arrays"}},
    {"plugins/raw",
     {"core/base", "core/trace", "core/tasks", "core/paging/pages", "core/paging/bytes",
      "core/paging/location", "core/fields", "plugins/arrays"}},
    {"plugins/vtkfile",
     {"core/base", "core/trace", "core/tasks", "core/paging/pages", "core/paging/bytes",
      "core/paging/location", "core/paging/arranging", "core/fields", "plugins/arrays"}},
    {"plugins/zarr",
     {"core/base", "core/paging/pages", "core/paging/bytes", "core/fields", "plugins/arrays", "plugins/cf",
      "plugins/chunks"}},
    {"plugins/vtkhdf",
     {"core/base", "core/paging/pages", "core/paging/bytes", "core/fields", "plugins/arrays", "plugins/cf",
      "plugins/chunks", "plugins/hdf5", "plugins/vtkfile", "plugins/amr"}},
    {"plugins/plot3d",
     {"core/base", "core/trace", "core/tasks", "core/paging/pages", "core/paging/bytes",
      "core/paging/location", "core/fields"}},
    {"remote/protocol", {"core/base"}},
    {"remote/wire", {"core/base"}},
    {"remote/http", {"core/base", "core/trace", "core/tasks", "core/paging/bytes"}},
    {"remote/client",
     {"core/base", "core/trace", "core/tasks", "core/paging/pages", "core/paging/bytes", "core/paging/store",
      "core/paging/sources", "core/fields", "remote/protocol", "remote/wire"}},
    {"remote/server",
     {"core/base", "core/trace", "core/tasks", "core/paging/pages", "core/paging/bytes", "core/paging/store",
      "core/paging/sources", "core/fields", "remote/protocol", "remote/wire"}},
    {"remote/pagerd",
     {"core/base", "core/fields", "plugins/formats", "remote/client", "remote/http", "remote/server",
      "remote/wire"}},
    {"remote/slabs",
     {"core/base", "core/trace", "core/scene", "core/paging/pages", "core/session/run", "remote/protocol",
      "remote/wire", "remote/client"}},
    {"remote/slabd",
     {"core/base", "core/trace", "core/tasks", "core/scene", "core/fields", "core/fields/samples",
      "core/paging/store", "core/session", "core/session/run", "plugins/formats", "remote/protocol",
      "remote/wire", "remote/client", "remote/http", "remote/server", "remote/slabs", "render/volume",
      "render/opencl"}},
    {"render/color", {"core/base", "core/trace", "core/scene"}},
    {"render/view", {"core/base", "core/scene", "render/color"}},
    {"render/egl", {"core/base", "core/trace", "core/scene", "render/color", "render/view"}},
    {"render/qt3d", {"core/base", "core/trace", "core/scene", "render/color", "render/view"}},
    {"render/volume",
     {"core/base", "core/trace", "core/tasks", "core/paging/pages", "core/paging/store", "core/paging/cache",
      "core/fields", "core/scene", "render/color"}},
    {"render/opencl", {"core/base", "core/tasks", "core/paging/store", "core/scene", "render/volume"}},
    {"render/opencl/lines",
     {"core/base", "core/tasks", "core/paging/pages", "core/paging/cache", "core/fields", "core/flow",
      "render/volume", "render/opencl"}},
    {"bench", {"core/base",           "core/trace",          "core/tasks",          "core/paging/pages",
               "core/paging/bytes",   "core/paging/store",   "core/paging/writing", "core/paging/location",
               "core/paging/cache",   "core/paging/sources", "core/paging/ingest",  "core/fields",
               "core/fields/samples", "core/flow",           "core/extract",        "core/session",
               "core/session/run",    "core/scene",          "plugins/plot3d",      "plugins/formats",
               "render/volume",       "render/opencl",       "render/opencl/lines", "remote/client",
               "remote/server",       "remote/slabs",        "remote/slabd"}},
};

/// What core/fields consists of. For all others it is one, `core/fields` in the table; no file lies in that folder itself.
const std::set<std::string> kPartsOfFields = {
    "core/fields/cells", "core/fields/words",  "core/fields/functions", "core/fields/data",
    "core/fields/paged", "core/fields/places", "core/fields/groups",    "core/fields/ranges"};

/// Within `app`, folders of the window and of the commands -> folders of `app` whose headers they may include, beside their own. What is
/// outside of `app` they include as they need it.
const std::map<std::string, std::set<std::string>> kAllowedWithinApp = {
    {"app/cli/options", {"app/doctor"}},
    {"app/cli/files", {"app/lifelines"}},
    {"app/cli/manual", {"app/cli/options"}},
    {"app/cli/running", {"app/cli/options", "app/cli/files", "app/cli/manual"}},
    {"app/cli/commands",
     {"app/doctor", "app/first", "app/lifelines", "app/looks", "app/video", "app/cli/options",
      "app/cli/files", "app/cli/running"}},
    {"app/model/words", {"app/first"}},
    {"app/model/settings", {}},
    {"app/model/files", {"app/looks", "app/transfer"}},
    {"app/model/renderers", {"app/model/settings"}},
    {"app/model/document", {"app/first", "app/model/files", "app/model/settings"}},
    {"app/model/workshop", {"app/first", "app/levels", "app/model/files", "app/model/document"}},
    {"app/model/fields", {"app/first", "app/model/words", "app/model/document", "app/model/workshop"}},
    {"app/model/stage",
     {"app/first", "app/model/files", "app/model/renderers", "app/model/document", "app/model/workshop",
      "app/model/fields"}},
    {"app/model",
     {"app/first", "app/model/words", "app/model/settings", "app/model/files", "app/model/renderers",
      "app/model/document", "app/model/workshop", "app/model/fields", "app/model/stage"}},
    {"app/ui/widgets", {"app/model"}},
    {"app/ui/editors", {"app/model", "app/ui/widgets"}},
    {"app/ui/dialogs", {"app/model", "app/ui/widgets", "app/ui/editors"}},
    {"app/ui/plots", {"app/model", "app/first", "app/ui/widgets", "app/ui/dialogs"}},
    {"app/ui/view", {"app/model", "app/first", "app/ui/widgets"}},
    {"app/ui/panels",
     {"app/model", "app/first", "app/lifelines", "app/ui/widgets", "app/ui/editors", "app/ui/dialogs"}},
    {"app/ui/window",
     {"app/model", "app/first", "app/doctor", "app/video", "app/ui/widgets", "app/ui/editors",
      "app/ui/dialogs", "app/ui/plots", "app/ui/view", "app/ui/panels"}},
};

/// Foreign headers and the folders that may include them.
const std::vector<std::pair<std::string, std::set<std::string>>> kForeign = {
    {"^<Q[A-Z]|^<Qt", {"render/qt3d", "app", "tests"}},
    {"^<CL/", {"render/opencl", "tests"}},
    {"^<mpi", {"remote/slabd", "tests"}},
    {"^<hdf5|^<H5",
     {"core/hdf5", "core/paging/writing", "plugins/hdf5", "plugins/vtkhdf", "app/cli", "tests"}},
    {"^<GL/|^<EGL/|^<GLES", {"render/egl", "render/qt3d", "tests"}},
    {"^<liburing", {"core/paging/bytes", "bench", "tests"}},
    {"^<boost/context", {"core/tasks", "tests"}},
    {"^<(oneapi/)?tbb", {"render/volume", "tests"}},
    {"^<hwy/", {"core/flow", "render/volume", "tests"}},
    {"^<asio|^<openssl/", {"remote", "bench/devices", "tests"}},
    {"^<curl/", {"remote/http", "app/doctor", "tests"}},
};

struct Include {
  std::string file;  ///< relative to the source folder
  std::string folder;
  std::string what;  ///< with its quotes or brackets
};

bool below(const std::string& folder, const std::string& parent) {
  return folder == parent || folder.starts_with(parent + "/");
}

/// The folder that a file counts to, as far as includes go: its own, but of a kind of objects, what the document says of it
/// belongs to the document and the rest to the runs.
std::string roomOf(const std::string& file) {
  const std::string kinds = "core/session/kinds";
  const std::string folder = file.substr(0, file.rfind('/'));
  if (!below(folder, kinds)) return folder;
  const std::string stem = file.substr(0, file.rfind('.'));
  return folder == kinds || stem.ends_with("_shape") ? "core/session" : "core/session/run";
}

std::string longestKnown(const std::string& path,
                         const std::map<std::string, std::set<std::string>>& known = kAllowed) {
  std::string best;
  for (const auto& [folder, allowed] : known)
    if (below(path, folder) && folder.size() > best.size()) best = folder;
  return best;
}

std::vector<std::string> sourceFiles() {
  std::vector<std::string> files;
  const QDir root(FARFIELD_SOURCE_DIR);
  for (const char* top : {"core", "plugins", "remote", "render", "app", "bench"}) {
    QDirIterator at(root.filePath(top), {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (at.hasNext()) files.push_back(root.relativeFilePath(at.next()).toStdString());
  }
  return files;
}

std::string contentsOf(const std::string& file) {
  QFile in(QString::fromStdString(std::string(FARFIELD_SOURCE_DIR) + "/" + file));
  return in.open(QIODevice::ReadOnly) ? in.readAll().toStdString() : std::string();
}

std::vector<Include> includes() {
  static const std::regex kLine("(^|\n)[ \t]*#include[ \t]*(\"[^\"]+\"|<[^>]+>)");
  std::vector<Include> found;
  for (const std::string& file : sourceFiles()) {
    const std::string text = contentsOf(file);
    for (std::sregex_iterator at(text.begin(), text.end(), kLine), end; at != end; ++at)
      found.push_back({file, roomOf(file), (*at)[2]});
  }
  return found;
}

}  // namespace

class TestArchitecture : public QObject {
  Q_OBJECT
 private slots:
  void foldersIncludeOnlyWhatTheyMay();
  void foldersWithinAppIncludeOnlyWhatTheyMay();
  void foreignHeadersStayWhereTheyBelong();
  void headersBeginAsTheyShould();
  void filesAreSmall();
  void linksOfDocumentsLeadToFiles();
};

void TestArchitecture::foldersIncludeOnlyWhatTheyMay() {
  const std::vector<Include> all = includes();
  QVERIFY(all.size() > 100);
  std::string wrong;
  for (const Include& include : all) {
    if (include.what.front() != '"') continue;
    const std::string path = include.what.substr(1, include.what.size() - 2);
    if (path.find('/') == std::string::npos) continue;  // generated, or beside the file
    if (below(include.folder, "app")) continue;         // the composition root includes what it needs
    const std::string from = longestKnown(include.folder);
    std::string target = longestKnown(roomOf(path));
    if (kPartsOfFields.contains(target) && !kPartsOfFields.contains(from)) target = "core/fields";
    if (from.empty() || (target != from && !kAllowed.at(from).contains(target)))
      wrong += include.file + " includes " + path + "\n";
  }
  QVERIFY2(wrong.empty(), wrong.c_str());
}

void TestArchitecture::foldersWithinAppIncludeOnlyWhatTheyMay() {
  std::string wrong;
  std::set<std::string> seen;
  for (const Include& include : includes()) {
    if (!below(include.folder, "app/model") && !below(include.folder, "app/ui") &&
        !below(include.folder, "app/cli"))
      continue;
    const std::string from = longestKnown(include.folder, kAllowedWithinApp);
    if (from.empty()) wrong += include.file + " is in no folder that is known\n";
    if (from.empty() || !include.what.starts_with("\"app/")) continue;
    const std::string path = include.what.substr(1, include.what.size() - 2);
    std::string to = path.substr(0, path.rfind('/'));
    // For the window all of the model is one.
    if (below(from, "app/ui") && below(to, "app/model")) to = "app/model";
    if (to != from && !kAllowedWithinApp.at(from).contains(to))
      wrong += include.file + " includes " + path + "\n";
    seen.insert(from);
  }
  QVERIFY2(wrong.empty(), wrong.c_str());
  QCOMPARE(seen.size(), kAllowedWithinApp.size());
}

void TestArchitecture::foreignHeadersStayWhereTheyBelong() {
  std::string wrong;
  for (const Include& include : includes())
    for (const auto& [pattern, owners] : kForeign) {
      if (!std::regex_search(include.what, std::regex(pattern))) continue;
      bool owned = false;
      for (const std::string& owner : owners) owned = owned || below(include.folder, owner);
      if (!owned) wrong += include.file + " includes " + include.what + "\n";
    }
  QVERIFY2(wrong.empty(), wrong.c_str());
}

void TestArchitecture::headersBeginAsTheyShould() {
  std::string wrong;
  for (const std::string& file : sourceFiles()) {
    if (!file.ends_with(".h")) continue;
    if (!contentsOf(file).starts_with("#pragma once\n//")) wrong += file + "\n";
  }
  QVERIFY2(wrong.empty(),
           ("no pragma once followed by a paragraph that says what lives here:\n" + wrong).c_str());
}

void TestArchitecture::filesAreSmall() {
  std::string wrong;
  for (const std::string& file : sourceFiles()) {
    const std::string text = contentsOf(file);
    if (std::count(text.begin(), text.end(), '\n') > 600) wrong += file + "\n";
  }
  QVERIFY2(wrong.empty(), ("more than 600 lines:\n" + wrong).c_str());
}

void TestArchitecture::linksOfDocumentsLeadToFiles() {
  static const std::regex kLink(R"(\]\(([^)\s#]+)(#[^)]*)?\))");
  const QDir root(FARFIELD_SOURCE_DIR);
  QStringList documents = root.entryList({"*.md"}, QDir::Files);
  for (const char* top : {"core", "docs", "packaging", "plugins", "remote", "render", "resources", "tests"}) {
    QDirIterator at(root.filePath(top), {"*.md"}, QDir::Files, QDirIterator::Subdirectories);
    while (at.hasNext()) documents.push_back(root.relativeFilePath(at.next()));
  }
  std::string wrong;
  int links = 0;
  for (const QString& document : documents) {
    const std::string text = contentsOf(document.toStdString());
    for (std::sregex_iterator at(text.begin(), text.end(), kLink), end; at != end; ++at) {
      const QString target = QString::fromStdString((*at)[1]);
      if (target.contains("://")) continue;
      ++links;
      if (!QFileInfo::exists(QFileInfo(root.filePath(document)).dir().filePath(target)))
        wrong += document.toStdString() + " leads to " + target.toStdString() + "\n";
    }
  }
  QVERIFY(links > 100);
  QVERIFY2(wrong.empty(), wrong.c_str());
}

QTEST_APPLESS_MAIN(TestArchitecture)
#include "tst_architecture.moc"
