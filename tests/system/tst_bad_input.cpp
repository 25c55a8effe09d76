// Files that are damaged, hostile, of the wrong kind or in the wrong place, and full disks: refused as
// refusal_suite.h says.

#include <grp.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/support/vtp_file.h"
#include "tests/system/plot3d_file.h"
#include "tests/system/refusal_suite.h"
#include "tests/system/store_bytes.h"

using namespace farfield;
using namespace farfield::test;

namespace {

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

class TestBadInput : public RefusalSuite {
  Q_OBJECT
 private slots:
  void initTestCase() { makeFiles(); }
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
  void badCells_data();
  void badCells();
  void wrongPlaces_data();
  void wrongPlaces();
  void noPermission_data();
  void noPermission();
  void fullDisk_data();
  void fullDisk();
};

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
  for (const QString where :
       {"one coordinate", "one density", "one momentum", "all coordinates", "all values"})
    for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL, 3e38, 0.0})
      QTest::addRow("%s %g", qPrintable(where), value) << where << value;
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

void TestBadInput::badCells_data() {
  QTest::addColumn<double>("noise");  // of the nodes, in cells
  QTest::addColumn<std::string>("shape");
  QTest::newRow("bent") << 0.3 << std::string();
  QTest::newRow("folded over one another") << 1.5 << std::string();
  QTest::newRow("without thickness") << 0.0 << std::string("flat");
  QTest::newRow("around an axis") << 0.0 << std::string("axis");
  QTest::newRow("half of them inside out") << 0.0 << std::string("fold");
}

void TestBadInput::badCells() {
  // Through whatever cells: every line ends, with a reason, of vertices that are in the grid.
  QFETCH(double, noise);
  QFETCH(std::string, shape);
  const Index3 dims{11, 10, 9};
  Plot3dBlock block = box(dims);
  const auto nodes = static_cast<std::size_t>(product(dims));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> off(-noise, noise), speed(-1, 1);
  for (double& coordinate : block.xyz) coordinate += off(random);
  double* const x = block.xyz.data();
  double* const y = x + nodes;
  for (std::size_t n = 0; n < nodes; ++n) {
    if (shape == "flat" && x[n] > 3 && x[n] < 7) x[n] = 3;
    if (shape == "fold" && x[n] > 5) x[n] = 10 - x[n];
    if (shape == "axis") {
      const double angle = 0.7 * y[n], radius = x[n];
      x[n] = radius * std::cos(angle);
      y[n] = radius * std::sin(angle);
    }
    for (std::size_t v = 1; v < 4; ++v) block.q[v * nodes + n] = speed(random);
  }
  Vec3 least{HUGE_VAL, HUGE_VAL, HUGE_VAL}, most = -least;
  for (std::size_t n = 0; n < 3 * nodes; ++n) {
    const int axis = static_cast<int>(n / nodes);
    least[axis] = std::min(least[axis], block.xyz[n]);
    most[axis] = std::max(most[axis], block.xyz[n]);
  }
  writePlot3d(m_folder / "bad.xyz", m_folder / "bad.q", {block}, {.f64 = true});
  const std::string seeds =
      R"({"name":"lines","type":"streamlines","seeds":{"type":"grid-points","block":0,"stride":[3,3,3]},)"
      R"("integrator":{"maxLength":100,"maxSteps":5000}})";
  const RunResult run = runProgram(
      {"batchvis", session(R"("source":"bad.xyz","solution":"bad.q")", seeds), "-o", "bad"}, here());
  QVERIFY2(run.status == 0, run.errors.c_str());
  const auto lines = VtpFile(m_folder / "bad" / "lines.vtp").lines();
  QCOMPARE(lines.size(), std::size_t(2 * 4 * 4 * 3));
  std::size_t vertices = 0;
  for (const VtpLine& line : lines) {
    QVERIFY(!line.termination.empty() && line.termination != "none");
    if (line.termination == "seed-outside") continue;
    vertices += line.points.size();
    for (const Vec3& point : line.points)
      for (int a = 0; a < 3; ++a) QVERIFY(point[a] >= least[a] - 1e-6 && point[a] <= most[a] + 1e-6);
  }
  QVERIFY2(vertices > 10 * lines.size(), qPrintable(QString::number(vertices)));
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
  row("no such reader", {"convert", "c.xyz", "--reader", "tecplot", "-o", "new.h5"}, "tecplot");
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
  QTest::newRow("sample store") << Words{"sample", "turbulence", "-o", "disk/s"} << false;
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

QTEST_GUILESS_MAIN(TestBadInput)
#include "tst_bad_input.moc"
