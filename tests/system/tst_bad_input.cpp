// Whatever is wrong with what a user gives: exit status 1 and one line that names the file or the key and
// says what to do, within moments, with nothing left behind.

#include <grp.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <QtTest>

#include <cmath>
#include <limits>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vtp_file.h"
#include "tests/system/plot3d_file.h"
#include "tests/system/session_text.h"
#include "tests/system/smallest_budget.h"
#include "tests/system/store_bytes.h"

using namespace farfield;
using namespace farfield::test;
using Words = std::vector<std::string>;

namespace {

constexpr int kMoments = 30'000;
const std::string kSeeds = R"("seeds":{"type":"line","from":[-3,0.5,1],"to":[-3,-0.5,1],"count":4})";
const std::string kLines = R"({"name":"lines","type":"streamlines",)" + kSeeds + "}";
const std::string kEverything =
    kLines + R"(,{"name":"wall","type":"grid-surface","range":{"k":0},"color":{"by":"pressure"}},
    {"name":"edges","type":"outline"})";

/// One block of unit cells with a flow along x.
Plot3dBlock box(Index3 dims) {
  Plot3dBlock block;
  block.dims = dims;
  const std::int64_t nodes = product(dims);
  for (int a = 0; a < 3; ++a)
    for (std::int64_t n = 0; n < nodes; ++n)
      block.xyz.push_back(static_cast<double>(unlinear(n, dims)[static_cast<std::size_t>(a)]));
  for (const double value : {1.0, 1.0, 0.0, 0.0, 20.0})
    block.q.insert(block.q.end(), static_cast<std::size_t>(nodes), value);
  return block;
}

bool becomeNobody() {
  constexpr unsigned kNobody = 65534;
  return ::setgroups(0, nullptr) == 0 && ::setgid(kNobody) == 0 && ::setuid(kNobody) == 0;
}

template <class T>
std::string bytesOf(std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

}  // namespace

class TestBadInput : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void truncated_data();
  void truncated();
  void solutionOfAnotherGrid();
  void hostileHeads_data();
  void hostileHeads();
  void hostileStores_data();
  void hostileStores();
  void notNumbers_data();
  void notNumbers();
  void oddGrids_data();
  void oddGrids();
  void wrongPlaces_data();
  void wrongPlaces();
  void noPermission_data();
  void noPermission();
  void fullDisk_data();
  void fullDisk();
  void sessions_data();
  void sessions();
  void seedsThatTraceNothing_data();
  void seedsThatTraceNothing();
  void budgetTooSmall_data();
  void budgetTooSmall();
  void wrongUsage_data();
  void wrongUsage();

 private:
  RunSettings here() const { return {.folder = m_folder.path(), .timeoutMs = kMoments}; }
  std::string session(const std::string& data, const std::string& objects = kEverything) {
    writeFile(m_folder / "session.json", sessionText(data, objects));
    return "session.json";
  }
  /// Status 1, one line with all of `parts` and advice, and the folder as it was, "out" missing or empty.
  void refused(const Words& arguments, const Words& parts, RunSettings settings);
  void refused(const Words& arguments, const Words& parts) { refused(arguments, parts, here()); }
  TemporaryFolder m_folder;
};

void TestBadInput::refused(const Words& arguments, const Words& parts, RunSettings settings) {
  std::filesystem::remove_all(m_folder / "out");
  std::vector<std::string> before = namesIn(m_folder.path());
  Words quiet = arguments;
  quiet.push_back("--quiet");  // progress has lines of its own
  const RunResult result = runProgram(quiet, std::move(settings));
  const std::string said = std::to_string(result.status) + ": " + result.errors;
  QVERIFY2(result.status == 1, said.c_str());
  QVERIFY2(result.errorLines().size() == 1 && result.errors.back() == '\n', said.c_str());
  QVERIFY2(result.errors.starts_with("farfield: "), said.c_str());
  for (const std::string& part : parts)
    QVERIFY2(result.errors.find(part) != std::string::npos, (part + " is not in " + said).c_str());
  // What to do follows a semicolon, or lies in what must be.
  const bool advises =
      result.errors.find("; ") != std::string::npos || result.errors.find(" must ") != std::string::npos;
  QVERIFY2(advises, ("no advice in " + said).c_str());
  QVERIFY2(result.out.empty(), result.out.c_str());
  const std::vector<std::string> left = namesIn(m_folder / "out");
  QVERIFY2(left.empty(), left.empty() ? "" : left.front().c_str());
  std::filesystem::remove_all(m_folder / "out");
  std::vector<std::string> after = namesIn(m_folder.path());
  QVERIFY2(after == before, "something was left behind or removed");
}

void TestBadInput::initTestCase() {
  for (const Words& arguments :
       {Words{"sample", "cylinder", "-o", "c", "--format", "plot3d", "--size", "12,9,5", "--blocks", "4"},
        Words{"sample", "cylinder", "-o", "other", "--format", "plot3d", "--size", "13,9,5", "--blocks", "4"},
        Words{"convert", "c.xyz", "--solution", "c.q", "-o", "c.h5", "--page-edge", "8"}}) {
    const RunResult result = runProgram(arguments, here());
    QVERIFY2(result.status == 0, result.errors.c_str());
  }
}

void TestBadInput::truncated_data() {
  QTest::addColumn<std::string>("name");
  QTest::addColumn<qulonglong>("bytes");
  for (const char* const name : {"c.xyz", "c.q", "c.h5"}) {
    const qulonglong all = fileContents(m_folder / name).size();
    for (const qulonglong bytes : {0ull, 1ull, 4ull, 8ull, 9ull, 52ull, 64ull, 100ull, 4096ull, all / 4,
                                   all / 2, all / 2 + 1, all - 65, all - 64, all - 63, all - 4, all - 1})
      if (bytes < all) QTest::addRow("%s, %llu bytes", name, bytes) << std::string(name) << bytes;
  }
}

void TestBadInput::truncated() {
  QFETCH(std::string, name);
  QFETCH(qulonglong, bytes);
  const std::string cut = "cut" + name.substr(1);
  writeFile(m_folder / cut, fileContents(m_folder / name).substr(0, bytes));
  if (name == "c.h5") {
    refused({"batchvis", session(R"("source":"cut.h5")"), "-o", "out"}, {"cut.h5"});
  } else {
    const std::string grid = name == "c.xyz" ? cut : "c.xyz", solution = name == "c.q" ? cut : "c.q";
    refused({"convert", grid, "--solution", solution, "-o", "new.h5"}, {cut});
    refused(
        {"batchvis", session(R"("source":")" + grid + R"(","solution":")" + solution + "\""), "-o", "out"},
        {cut, "data flow"});
  }
  std::filesystem::remove(m_folder / cut);
}

void TestBadInput::solutionOfAnotherGrid() {
  refused({"convert", "c.xyz", "--solution", "other.q", "-o", "new.h5"}, {"other.q", "12x9x5", "13x9x5"});
  refused({"batchvis", session(R"("source":"c.xyz","solution":"other.q")"), "-o", "out"}, {"other.q"});
  refused({"convert", "c.q", "--solution", "c.xyz", "-o", "new.h5"}, {"c.q", "solution, not a grid"});
  refused({"convert", "c.xyz", "--solution", "c.xyz", "-o", "new.h5"}, {"c.xyz", "grid, not a solution"});
}

void TestBadInput::hostileHeads_data() {
  QTest::addColumn<QByteArray>("head");
  const auto row = [](const char* name, std::initializer_list<std::int32_t> numbers) {
    QTest::newRow(name) << QByteArray::fromStdString(bytesOf(numbers));
  };
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  row("zero nodes along an axis", {1, 4, 0, 4});
  row("a block of nothing", {2, 4, 4, 4, 0, 0, 0});
  row("negative nodes", {1, -4, 4, 4});
  row("two negative axes", {1, -4, -4, 4});
  row("no blocks", {0});
  row("negative blocks", {-5, 4, 4, 4});
  row("two thousand million blocks", {kMost, 4, 4, 4});
  row("10 TB", {1, 30000, 30000, 1000});
  row("10 TB, single grid", {30000, 30000, 1000});
  row("all there can be", {1, kMost, kMost, kMost});
  row("all there can be, many times", {3, kMost, kMost, kMost, kMost, kMost, kMost, kMost, kMost, kMost});
  row("record markers", {4, 1, 4, 12, 30000, 30000, 1000, 12, kMost});
}

void TestBadInput::hostileHeads() {
  QFETCH(QByteArray, head);
  for (const std::size_t size : {std::size_t(0), std::size_t(1024)}) {
    std::string bytes = head.toStdString();
    bytes.resize(std::max(size, bytes.size()), 'x');
    writeFile(m_folder / "hostile.xyz", bytes);
    refused({"convert", "hostile.xyz", "--solution", "c.q", "-o", "new.h5"}, {"hostile.xyz"});
    refused({"convert", "c.xyz", "--solution", "hostile.xyz", "-o", "new.h5"}, {"hostile.xyz"});
  }
}

void TestBadInput::hostileStores_data() {
  QTest::addColumn<std::string>("from");
  QTest::addColumn<std::string>("to");
  QTest::addColumn<std::string>("part");
  const auto row = [](const char* name, const char* from, const char* to, const char* part) {
    QTest::newRow(name) << std::string(from) << std::string(to) << std::string(part);
  };
  row("dims of 10 TB", "\"dims\":[12,9,5]", "\"dims\":[30000,30000,1000]", "hostile.h5");
  row("dims beyond counting", "\"dims\":[12,9,5]", "\"dims\":[4000000000000,4000000000000,4000000000000]",
      "hostile.h5");
  row("negative dims", "\"dims\":[12,9,5]", "\"dims\":[-12,9,5]", "dims");
  row("dims of nothing", "\"dims\":[12,9,5]", "\"dims\":[0,9,5]", "dims");
  row("fractional dims", "\"dims\":[12,9,5]", "\"dims\":[12.5,9,5]", "dims");
  row("pages of nothing", "\"page\":[6", "\"page\":[0", "page");
  row("components beyond counting", "\"components\":5", "\"components\":4000000000", "components");
  row("unknown type", "\"type\":\"f32\"", "\"type\":\"f31\"", "type");
  row("no such block", "\"block\":3", "\"block\":300", "block");
  row("no JSON", "{", "[", "catalog");
  row("unknown codec", "\"codec\":\"zstd\"", "\"codec\":\"zzzz\"", "codec");
}

void TestBadInput::hostileStores() {
  QFETCH(std::string, from);
  QFETCH(std::string, to);
  QFETCH(std::string, part);
  StoreBytes store(fileContents(m_folder / "c.h5"));
  QVERIFY2(store.catalog().find(from) != std::string::npos, store.catalog().c_str());
  std::string catalog = store.catalog();
  for (std::size_t at = 0; (at = catalog.find(from, at)) != std::string::npos; at += to.size()) {
    catalog.replace(at, from.size(), to);
    if (from == "{") break;
  }
  writeFile(m_folder / "hostile.h5", store.withCatalog(catalog));
  refused({"batchvis", session(R"("source":"hostile.h5")"), "-o", "out", "--memory", "64M"},
          {"hostile.h5", part});
  // The catalog alone, in a file of a few KB.
  writeFile(m_folder / "hostile.h5", store.catalogOnly(catalog));
  refused({"batchvis", session(R"("source":"hostile.h5")"), "-o", "out", "--memory", "64M"}, {"hostile.h5"});
}

void TestBadInput::notNumbers_data() {
  QTest::addColumn<QString>("where");
  QTest::addColumn<double>("value");
  for (const char* const where :
       {"one coordinate", "one density", "one momentum", "all coordinates", "all values"})
    for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL, 3e38, 0.0})
      QTest::addRow("%s %g", where, value) << QString(where) << value;
}

void TestBadInput::notNumbers() {
  // Lines end, surfaces have holes, but nothing hangs and nothing crashes; and a store says the same as the
  // files.
  QFETCH(QString, where);
  QFETCH(double, value);
  Plot3dBlock block = box({12, 9, 6});
  if (where == "one coordinate") block.xyz[300] = value;
  if (where == "one density") block.q[300] = value;
  if (where == "one momentum") block.q[12 * 9 * 6 + 300] = value;
  if (where == "all coordinates") std::fill(block.xyz.begin(), block.xyz.end(), value);
  if (where == "all values") std::fill(block.q.begin(), block.q.end(), value);
  writePlot3d(m_folder / "n.xyz", m_folder / "n.q", {block});
  const RunResult made = runProgram(
      {"convert", "n.xyz", "--solution", "n.q", "-o", "n.h5", "--overwrite", "--page-edge", "8"}, here());
  QVERIFY2(made.status == 0, made.errors.c_str());
  std::vector<std::string> lines;
  for (const char* const data : {R"("source":"n.xyz","solution":"n.q")", R"("source":"n.h5")"}) {
    const std::string objects =
        R"({"name":"lines","type":"streamlines","seeds":{"type":"box","min":[0.2,0.2,0.2],"max":[10.8,7.8,4.8],"counts":[4,4,3]},
        "integrator":{"maxLength":30,"maxSteps":2000}},{"name":"wall","type":"grid-surface","color":{"by":"pressure"}},{"name":"edges","type":"outline"})";
    const RunResult run = runProgram({"batchvis", session(data, objects), "-o", "numbers"}, here());
    QVERIFY2(run.status == 0 || (run.status == 1 && run.errorLines().size() == 1), run.errors.c_str());
    if (run.status == 0)
      QCOMPARE(VtpFile(m_folder / "numbers" / "lines.vtp").lines().size(), std::size_t(96));
    lines.push_back(fileContents(m_folder / "numbers" / "lines.vtp") +
                    fileContents(m_folder / "numbers" / "wall.vtp"));
  }
  QVERIFY(lines[0] == lines[1]);
}

void TestBadInput::oddGrids_data() {
  QTest::addColumn<std::vector<double>>("scale");
  QTest::newRow("tiny") << std::vector<double>{1e-30, 1e-30, 1e-30};
  QTest::newRow("huge") << std::vector<double>{1e30, 1e30, 1e30};
  QTest::newRow("flat") << std::vector<double>{1, 1, 0};
  QTest::newRow("a point") << std::vector<double>{0, 0, 0};
  QTest::newRow("mirrored") << std::vector<double>{-1, 1, 1};
  QTest::newRow("needles") << std::vector<double>{1e6, 1e-6, 1};
}

void TestBadInput::oddGrids() {
  QFETCH(std::vector<double>, scale);
  Plot3dBlock block = box({9, 8, 7});
  for (std::size_t n = 0; n < block.xyz.size(); ++n) block.xyz[n] *= scale[n / (9 * 8 * 7)];
  writePlot3d(m_folder / "odd.xyz", m_folder / "odd.q", {block}, {.f64 = true});
  char seeds[200];
  std::snprintf(seeds, sizeof seeds,
                R"({"name":"lines","type":"streamlines","seeds":{"type":"points","points":[[%g,%g,%g]]}})",
                3.3 * scale[0], 3.4 * scale[1], 3.5 * scale[2]);
  const RunResult run = runProgram(
      {"batchvis", session(R"("source":"odd.xyz","solution":"odd.q")", seeds), "-o", "odd"}, here());
  QVERIFY2(run.status == 0, run.errors.c_str());
  const auto lines = VtpFile(m_folder / "odd" / "lines.vtp").lines();
  QCOMPARE(lines.size(), std::size_t(2));
  if (scale[0] * scale[1] * scale[2] == 0) return;
  // A line through all of the box, whatever its shape.
  for (const VtpLine& line : lines) QCOMPARE(line.termination, std::string("out-of-domain"));
  const double along = std::abs(lines[0].points.back().x - lines[1].points.back().x) / std::abs(scale[0]);
  QVERIFY2(std::abs(along - 8) < 1e-3, qPrintable(QString::number(along)));
}

void TestBadInput::wrongPlaces_data() {
  QTest::addColumn<Words>("arguments");
  QTest::addColumn<std::string>("part");
  const auto row = [](const char* name, const Words& arguments, const char* part) {
    QTest::newRow(name) << arguments << std::string(part);
  };
  const Words input{"c.xyz", "--solution", "c.q"};
  const auto convert = [&](const std::string& to) {
    Words words{"convert", "-o", to};
    words.insert(words.end(), input.begin(), input.end());
    return words;
  };
  row("input is a folder", {"convert", ".", "-o", "new.h5"}, "is a directory");
  row("input does not exist", {"convert", "none.xyz", "-o", "new.h5"}, "none.xyz");
  row("solution does not exist", {"convert", "c.xyz", "--solution", "none.q", "-o", "new.h5"}, "none.q");
  row("solution is a folder", {"convert", "c.xyz", "--solution", ".", "-o", "new.h5"}, "is a directory");
  row("pattern without a match", {"convert", "c.xyz", "--solution", "none*.q", "-o", "new.h5"}, "none*.q");
  row("input is a device", {"convert", "/dev/zero", "-o", "new.h5"}, "/dev/zero");
  row("input is a pipe", {"convert", "pipe", "-o", "new.h5"}, "pipe");
  row("input is a store", {"convert", "c.h5", "-o", "new.h5"}, "c.h5");
  row("no such sample", {"convert", "sample://typhoon", "-o", "new.h5"}, "typhoon");
  row("no such sample option", {"convert", "sample://abc?sise=3", "-o", "new.h5"}, "sise");
  row("a sample larger than files", {"convert", "sample://abc?size=16777216", "-o", "new.h5"}, "size");
  row("no such scheme", {"convert", "gopher://host/file", "-o", "new.h5"}, "gopher://host/file");
  row("no such reader", {"convert", "c.xyz", "--reader", "cgns", "-o", "new.h5"}, "cgns");
  row("no such reader option", {"convert", "c.xyz", "--option", "gama=1", "-o", "new.h5"}, "gama");
  row("reader option without sense", {"convert", "c.xyz", "--option", "markers=3", "-o", "new.h5"},
      "markers");
  row("output is a folder", convert("folder"), "folder");
  row("output in a folder that is not there", convert("none/new.h5"), "none/new.h5");
  row("output below a file", convert("c.q/new.h5"), "c.q/new.h5");
  row("output where nothing can be", convert("/proc/new.h5"), "/proc/new.h5");
  row("output is the input", convert("c.q"), "c.q");
  row("sample into a folder that is not there", {"sample", "abc", "-o", "none/x", "--size", "5"}, "none/x");
  row("sample in PLOT3D into a folder that is not there",
      {"sample", "abc", "-o", "none/x", "--size", "5", "--format", "plot3d"}, "none/x");
  row("raw sample into a folder that is not there",
      {"sample", "abc", "-o", "none/x", "--size", "5", "--format", "raw"}, "none/x");
  row("session does not exist", {"batchvis", "none.json", "-o", "out"}, "none.json");
  row("session is a folder", {"batchvis", ".", "-o", "out"}, "is a directory");
  row("session is data", {"batchvis", "c.q", "-o", "out"}, "c.q");
  row("results to a file", {"batchvis", "good.json", "-o", "c.q"}, "c.q");
  row("results below a file", {"batchvis", "good.json", "-o", "c.q/out"}, "c.q/out");
  row("results where nothing can be", {"batchvis", "good.json", "-o", "/proc/out"}, "/proc/out");
}

void TestBadInput::wrongPlaces() {
  QFETCH(Words, arguments);
  QFETCH(std::string, part);
  std::filesystem::create_directory(m_folder / "folder");
  ::mkfifo((m_folder / "pipe").c_str(), 0600);
  writeFile(m_folder / "good.json", sessionText(R"("source":"c.h5")", kLines));
  const std::string q = fileContents(m_folder / "c.q");
  refused(arguments, {part});
  QVERIFY(fileContents(m_folder / "c.q") == q);
}

void TestBadInput::noPermission_data() {
  QTest::addColumn<Words>("arguments");
  QTest::addColumn<std::string>("part");
  QTest::newRow("input") << Words{"convert", "secret.xyz", "-o", "open/new.h5"} << std::string("secret.xyz");
  QTest::newRow("solution") << Words{"convert", "c.xyz", "--solution", "secret.xyz", "-o", "open/new.h5"}
                            << std::string("secret.xyz");
  QTest::newRow("data of a session") << Words{"batchvis", "secret.json", "-o", "open/out"}
                                     << std::string("secret.xyz");
  QTest::newRow("store to make") << Words{"convert", "c.xyz", "--solution", "c.q", "-o", "closed/new.h5"}
                                 << std::string("closed/new.h5");
  QTest::newRow("store in a folder that cannot be entered")
      << Words{"convert", "c.xyz", "--solution", "c.q", "-o", "shut/new.h5"} << std::string("shut/new.h5");
  QTest::newRow("input in a folder that cannot be entered")
      << Words{"convert", "shut/c.xyz", "-o", "open/new.h5"} << std::string("shut/c.xyz");
  QTest::newRow("folder of results") << Words{"batchvis", "good.json", "-o", "closed/out"}
                                     << std::string("closed/out");
  QTest::newRow("results") << Words{"batchvis", "good.json", "-o", "closed"} << std::string("closed");
  QTest::newRow("sample") << Words{"sample", "abc", "-o", "closed/s", "--size", "5", "--format", "plot3d"}
                          << std::string("closed/s");
}

void TestBadInput::noPermission() {
  QFETCH(Words, arguments);
  QFETCH(std::string, part);
  if (::geteuid() != 0) QSKIP("another user can only be become by root");
  RunSettings settings = here();
  settings.prepare = becomeNobody;
  ::chmod(m_folder.path().c_str(), 0755);
  for (const auto& [name, mode] :
       {std::pair("open", 0777), std::pair("closed", 0555), std::pair("shut", 0000)}) {
    std::filesystem::create_directory(m_folder / name);
    ::chmod((m_folder / name).c_str(), static_cast<mode_t>(mode));
  }
  if (runProgram({"--version"}, settings).status != 0) QSKIP("the program cannot be run by another user");
  std::filesystem::copy_file(m_folder / "c.xyz", m_folder / "secret.xyz",
                             std::filesystem::copy_options::overwrite_existing);
  ::chmod((m_folder / "secret.xyz").c_str(), 0);
  writeFile(m_folder / "secret.json", sessionText(R"("source":"secret.xyz","solution":"c.q")", kLines));
  writeFile(m_folder / "good.json", sessionText(R"("source":"c.h5")", kLines));
  refused(arguments, {part}, settings);
  QVERIFY(namesIn(m_folder / "open").empty() || namesIn(m_folder / "open") == Words{"out"});
  QVERIFY(namesIn(m_folder / "open" / "out").empty());
  QVERIFY(namesIn(m_folder / "closed").empty());
}

void TestBadInput::fullDisk_data() {
  QTest::addColumn<Words>("arguments");
  QTest::addColumn<bool>("resumable");
  QTest::newRow("convert") << Words{"convert", "sample://turbulence?size=64", "-o", "disk/new.h5"} << true;
  QTest::newRow("convert nothing at all")
      << Words{"convert", "sample://abc?size=9", "-o", "brim/new.h5"} << true;
  QTest::newRow("sample plot3d") << Words{"sample", "abc", "-o", "disk/s", "--format", "plot3d"} << false;
  QTest::newRow("sample raw") << Words{"sample", "abc", "-o", "disk/s", "--format", "raw"} << false;
  QTest::newRow("sample store") << Words{"sample", "turbulence", "-o", "disk/s"} << true;
  QTest::newRow("batchvis") << Words{"batchvis", "many.json", "-o", "disk"} << false;
  QTest::newRow("batchvis, spool elsewhere")
      << Words{"batchvis", "many.json", "-o", "disk", "TMPDIR"} << false;
  QTest::newRow("batchvis, spool there")
      << Words{"batchvis", "many.json", "-o", "out", "TMPDIR=disk"} << false;
}

void TestBadInput::fullDisk() {
  QFETCH(Words, arguments);
  QFETCH(bool, resumable);
  if (::geteuid() != 0) QSKIP("a small disk can only be mounted by root");
  struct Mount {
    std::string path;
    bool mounted;
    Mount(const std::filesystem::path& at, const char* size) : path(at.string()) {
      std::filesystem::create_directory(at);
      mounted = ::mount("tmpfs", path.c_str(), "tmpfs", 0, size) == 0;
    }
    ~Mount() {
      if (mounted) ::umount2(path.c_str(), MNT_DETACH);
      std::filesystem::remove(path);
    }
  };
  const Mount disk(m_folder / "disk", "size=700k"), brim(m_folder / "brim", "size=4k");
  if (!disk.mounted || !brim.mounted) QSKIP("nothing can be mounted here");
  writeFile(m_folder / "many.json", sessionText(R"("source":"c.h5")", R"({"name":"lines","type":"streamlines",
    "seeds":{"type":"box","min":[-3,-3,1],"max":[3,3,3],"counts":[20,20,4]}})"));
  RunSettings settings = here();
  if (arguments.back().starts_with("TMPDIR")) {
    settings.environment = {{"TMPDIR", (m_folder / (arguments.back() == "TMPDIR" ? "." : "disk")).string()}};
    arguments.pop_back();
  }
  refused(arguments, {"No space left on device"}, settings);
  for (const char* const folder : {"disk", "brim"})
    for (const std::string& name : namesIn(m_folder / folder))
      QVERIFY2(resumable && name.find(".part") != std::string::npos, name.c_str());
}

void TestBadInput::sessions_data() {
  QTest::addColumn<std::string>("text");
  QTest::addColumn<std::string>("part");
  const auto whole = [](const char* name, const std::string& text, const char* part) {
    QTest::newRow(name) << text << std::string(part);
  };
  const auto object = [](const char* name, const std::string& text, const char* part) {
    QTest::newRow(name) << sessionText(R"("source":"c.h5")", text) << std::string(part);
  };
  const auto data = [](const char* name, const std::string& text, const char* part) {
    QTest::newRow(name) << sessionText(text, kLines) << std::string(part);
  };
  const auto line = [](const std::string& more) {
    return R"({"name":"lines","type":"streamlines",)" + kSeeds + "," + more + "}";
  };
  const auto seeds = [](const std::string& text) {
    return R"({"name":"lines","type":"streamlines","seeds":)" + text + "}";
  };
  whole("empty file", "", "session.json");
  whole("no JSON", "farfield", "line 1");
  whole("cut short", R"({"farfield":1,"data":{)", "line 1");
  whole("a list", "[]", "session.json");
  whole("nothing in it", "{}", "farfield");
  whole("later version", R"({"farfield":2,"data":{},"objects":[]})", "farfield");
  whole("no data", R"({"farfield":1,"objects":[]})", "data");
  whole("no objects", R"({"farfield":1,"data":{"flow":{"source":"c.h5"}}})", "objects");
  whole("deep nesting", std::string(100'000, '['), "session.json");
  whole("zero bytes", std::string(1000, '\0'), "session.json");
  whole("a key twice", R"({"farfield":1,"farfield":1,"data":{"flow":{"source":"c.h5"}},"objects":[]})",
        "farfield");
  data("data without source", R"("solution":"c.q")", "data.flow.source");
  data("data of the wrong type", R"("source":7)", "data.flow.source");
  data("unknown key of data", R"("source":"c.h5","gamma":1.4)", "data.flow.gamma");
  data("unknown reader", R"("source":"c.h5","reader":"cgns")", "cgns");
  data("unknown option", R"("source":"c.xyz","solution":"c.q","options":{"gama":1.4})", "gama");
  data("option without sense", R"("source":"c.xyz","solution":"c.q","options":{"gamma":"x"})", "gamma");
  data("solution for a store", R"("source":"c.h5","solution":"c.q")", "c.h5");
  data("missing file", R"("source":"none.h5")", "none.h5");
  data("missing solution", R"("source":"c.xyz","solution":"none.q")", "none.q");
  data("grid without solution", R"("source":"c.xyz")", "velocity");
  data("pattern without a match", R"("source":"c.xyz","solution":"none*.q")", "none*.q");
  data("more solutions than fit", R"("source":["c.xyz","c.xyz"],"solution":["c.q","c.q","c.q"])",
       "data flow");
  object("unknown type", R"({"name":"lines","type":"streamlime"})", "objects.lines.type");
  object("no type", R"({"name":"lines"})", "objects.lines.type");
  object("misspelt key", line(R"("diretion":"both")"), "objects.lines.diretion");
  object("wrong choice", line(R"("direction":"up")"), "objects.lines.direction");
  object("wrong type", line(R"("width":"thick")"), "objects.lines.width");
  object("name that is a path", R"({"name":"../lines","type":"outline"})", "name");
  object("empty name", R"({"name":"","type":"outline"})", "name");
  object("same name twice", kLines + "," + kLines, "lines");
  object("unknown data", line(R"("data":"flaw")"), "objects.lines.data");
  object("unknown function", line(R"("color":{"by":"smoke"})"), "smoke");
  object("function that is no number", line(R"("color":{"by":"velocity"})"), "velocity");
  object("unknown vector", line(R"("vector":"smoke")"), "smoke");
  object("vector that is none", line(R"("vector":"pressure")"), "vector");
  object("two components", line(R"("vector":["pressure","density"])"), "vector");
  // Where no picture is drawn, maps are of no interest.
  whole("unknown map",
        R"({"farfield":1,"data":{"flow":{"source":"c.h5"}},"objects":[)" +
            line(R"("color":{"by":"pressure","map":"plaid"})") + "]}",
        "lines");
  object("range upside down", line(R"("color":{"by":"pressure","range":[2,1]})"), "range");
  object("colour that is none", line(R"("color":"red")"), "objects.lines.color");
  object("negative tolerance", line(R"("integrator":{"tolerance":-1})"), "integrator.tolerance");
  object("zero step", line(R"("integrator":{"method":"rk4","step":0})"), "integrator.step");
  object("no such method", line(R"("integrator":{"method":"euler"})"), "integrator.method");
  object("tolerance of rk4", line(R"("integrator":{"method":"rk4","tolerance":1})"), "integrator.tolerance");
  object("no seeds", R"({"name":"lines","type":"streamlines"})", "objects.lines.seeds");
  object("seeds of no type", seeds("{}"), "seeds.type");
  object("seeds of another type", seeds(R"({"type":"cloud"})"), "seeds.type");
  object("flat seeds", seeds(R"({"type":"points","points":[[1,2]]})"), "points");
  object("seeds that are no numbers", seeds(R"({"type":"points","points":[["a","b","c"]]})"), "points");
  object("more seeds than numbers",
         seeds(R"({"type":"box","min":[0,0,0],"max":[1,1,1],"counts":[100000,100000,100000]})"), "counts");
  object("negative count", seeds(R"({"type":"line","from":[0,0,0],"to":[1,1,1],"count":-3})"), "count");
  object("seeds in no block", seeds(R"({"type":"grid-points","block":99})"), "block");
  object("seeds at no nodes", seeds(R"({"type":"grid-points","range":{"i":[400,500]}})"), "range");
  object("surface of no block", R"({"name":"wall","type":"grid-surface","block":9})", "block");
  object("surface of no nodes", R"({"name":"wall","type":"grid-surface","range":{"k":77}})", "range");
  object("surface of one node", R"({"name":"wall","type":"grid-surface","range":{"i":0,"j":0,"k":0}})",
         "object wall");
  object("outline of no block", R"({"name":"edges","type":"outline","blocks":[0,17]})", "block");
  whole("no such step",
        R"({"farfield":1,"data":{"flow":{"source":"c.h5"}},"objects":[)" + kLines +
            R"(],"time":{"steps":5},"output":{"images":false}})",
        "step");
  whole("picture without size",
        R"({"farfield":1,"data":{"flow":{"source":"c.h5"}},"objects":[)" + kLines +
            R"(],"image":{"size":[0,0]}})",
        "image.size");
  whole("picture beyond memory",
        R"({"farfield":1,"data":{"flow":{"source":"c.h5"}},"objects":[)" + kLines +
            R"(],"image":{"size":[1000000,1000000]}})",
        "image.size");
}

void TestBadInput::sessions() {
  QFETCH(std::string, text);
  QFETCH(std::string, part);
  writeFile(m_folder / "session.json", text);
  refused({"batchvis", "session.json", "-o", "out"}, {part});
}

void TestBadInput::seedsThatTraceNothing_data() {
  QTest::addColumn<std::string>("seeds");
  QTest::addColumn<int>("lines");
  QTest::newRow("all outside") << std::string(
                                      R"({"type":"line","from":[50,50,50],"to":[60,60,60],"count":7})")
                               << 14;
  QTest::newRow("inside the cylinder")
      << std::string(R"({"type":"points","points":[[0,0,1],[0.1,0,1]]})") << 4;
  QTest::newRow("none") << std::string(R"({"type":"points","points":[]})") << 0;
}

void TestBadInput::seedsThatTraceNothing() {
  QFETCH(std::string, seeds);
  QFETCH(int, lines);
  for (const char* const data : {R"("source":"c.xyz","solution":"c.q")", R"("source":"c.h5")"}) {
    const RunResult run = runProgram(
        {"batchvis",
         session(data,
                 R"({"name":"lines","type":"streamlines","color":{"by":"pressure"},"seeds":)" + seeds + "}"),
         "-o", "nothing", "--stats", "stats.json"},
        here());
    QVERIFY2(run.status == 0, run.errors.c_str());
    const auto traced = VtpFile(m_folder / "nothing" / "lines.vtp").lines();
    QCOMPARE(traced.size(), static_cast<std::size_t>(lines));
    for (const VtpLine& line : traced) {
      QCOMPARE(line.termination, std::string("seed-outside"));
      // The seed itself, where nothing is known.
      QCOMPARE(line.points.size(), std::size_t(1));
      QVERIFY(std::isnan(line.vectors[0].x) && line.times[0] == 0);
    }
    const QByteArray stats = QByteArray::fromStdString(fileContents(m_folder / "stats.json"));
    QVERIFY2(lines == 0 || stats.contains("\"seed-outside\": " + QByteArray::number(lines)), stats);
    std::filesystem::remove_all(m_folder / "nothing");
  }
}

void TestBadInput::budgetTooSmall_data() {
  QTest::addColumn<std::string>("data");
  QTest::addColumn<Words>("more");
  for (const char* const scheduler : {"serial", "threads", "fibers"}) {
    QTest::addRow("in place, %s", scheduler)
        << std::string(R"("source":"c.xyz","solution":"c.q")") << Words{"--scheduler", scheduler};
    QTest::addRow("store, %s", scheduler)
        << std::string(R"("source":"c.h5")") << Words{"--scheduler", scheduler};
  }
}

void TestBadInput::budgetTooSmall() {
  QFETCH(std::string, data);
  QFETCH(Words, more);
  Words arguments{"batchvis", session(data), "-o", "out"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto with = [&](const std::string& memory) {
    Words words = arguments;
    words.insert(words.end(), {"--memory", memory});
    return words;
  };
  refused(with("1K"), {"--memory", "1.0 KiB"});
  const std::string least = smallestBudget(arguments, here());
  QVERIFY(!least.empty());
  const RunResult enough = runProgram(with(least), here());
  QVERIFY2(enough.status == 0, enough.errors.c_str());
  // Whatever is too little, the advice is the same.
  for (const char* const little : {"1K", "20K", "40K"}) refused(with(little), {"--memory " + least});
  QVERIFY2(std::stoi(least) <= 512, least.c_str());
  // One KiB less is too little, and the error names the same again.
  refused(with(std::to_string(std::stoi(least) - 1) + "K"), {"--memory " + least});
  std::filesystem::remove_all(m_folder / "out");
}

void TestBadInput::wrongUsage_data() {
  QTest::addColumn<Words>("arguments");
  QTest::newRow("unknown subcommand") << Words{"batchviz", "session.json"};
  QTest::newRow("unknown option") << Words{"batchvis", "session.json", "--outputt", "x"};
  QTest::newRow("unknown option of convert") << Words{"convert", "c.xyz", "-o", "x", "--page", "8"};
  QTest::newRow("no output") << Words{"convert", "c.xyz"};
  QTest::newRow("page edge of nothing") << Words{"convert", "c.xyz", "-o", "x", "--page-edge", "0"};
  QTest::newRow("memory that is none") << Words{"batchvis", "session.json", "--memory", "-5"};
}

void TestBadInput::wrongUsage() {
  QFETCH(Words, arguments);
  const RunResult result = runProgram(arguments, here());
  QCOMPARE(result.status, 2);
  QVERIFY2(result.errorLines().size() == 1 && result.errors.starts_with("farfield: "), result.errors.c_str());
}

QTEST_GUILESS_MAIN(TestBadInput)
#include "tst_bad_input.moc"
