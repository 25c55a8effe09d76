// The same answer everywhere: whatever the data come from, however they are paged and whoever computes, the
// geometry is equal byte for byte.

#include <QTest>

#include <map>

#include "tests/support/refused_calls.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"
#include "tests/system/plot3d_file.h"
#include "tests/system/session_text.h"
#include "tests/system/smallest_budget.h"

using namespace farfield::test;
using Words = std::vector<std::string>;

namespace {

const char* const kFiles[] = {"lines.vtp",    "wall.vtp",   "cut.vtp",  "levels.vtp",
                              "contours.vtp", "arrows.vtp", "edges.vtp"};

/// Lines that cross blocks and end in all the usual ways, a surface, a slice aslant, surfaces of two values, lines and arrows on surfaces, an outline.
std::string objects(const std::string& seeds, const std::string& wall, const std::string& onCut) {
  return R"({"name":"lines","type":"streamlines","seeds":)" + seeds +
         R"(,"integrator":{"maxLength":25},"color":{"by":"pressure"}},
    {"name":"wall","type":"grid-surface","range":)" +
         wall + R"(,"color":{"by":"density"}},
    {"name":"cut","type":"slice","normal":[0.3,0.2,1],"color":{"by":")" +
         onCut + R"("}},
    {"name":"levels","type":"isosurface","by":"velocity-magnitude","value":[0.7,1.1],"color":{"by":"pressure"}},
    {"name":"contours","type":"isolines","on":"cut","by":"pressure","count":7,"color":{"by":"value"}},
    {"name":"arrows","type":"arrows","on":"wall","spacing":0.3},
    {"name":"edges","type":"outline"})";
}
const std::string kCylinderObjects =
    objects(R"({"type":"plane","origin":[-5,-2.5,0.3],"axis1":[0,5,0],"axis2":[7,0,3],"counts":[6,4]})",
            R"({"j":[0,0]})", "mach");
const std::string kFinObjects =
    objects(R"({"type":"plane","origin":[-6,0.5,0.3],"axis1":[0,5,0],"axis2":[5,0,3],"counts":[5,4]})",
            R"({"k":0})", "vorticity-magnitude");

Words words(std::initializer_list<const char*> list) {
  return {list.begin(), list.end()};
}

}  // namespace

class TestIdentity : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void sources_data();
  void sources();
  void resources_data();
  void resources();
  void readEngines_data();
  void readEngines();
  void realData();
  void thousandsOfTasksInTheSmallestBudget_data();
  void thousandsOfTasksInTheSmallestBudget();
  void manySeedsInAnyOrder_data();
  void manySeedsInAnyOrder();

 private:
  RunSettings here() const { return {.folder = m_folder.path()}; }
  void writeSession(const std::string& name, const std::string& data, const std::string& what) {
    writeFile(m_folder / (name + ".json"), sessionText(data, what));
  }
  void convert(const std::string& store, const Words& input, const Words& how);
  /// Runs `session` into a fresh folder and compares with `reference`, which is filled in when empty.
  void compare(const std::string& session, const Words& arguments,
               std::map<std::string, std::string>& reference, RunSettings settings);

  TemporaryFolder m_folder;
  std::map<std::string, std::string> m_cylinder;  ///< reference bytes by file
  int m_run = 0;
};

void TestIdentity::convert(const std::string& store, const Words& input, const Words& how) {
  Words arguments{"convert", "-o", store, "--quiet"};
  arguments.insert(arguments.end(), how.begin(), how.end());
  arguments.insert(arguments.end(), input.begin(), input.end());
  const RunResult result = runProgram(arguments, here());
  QVERIFY2(result.status == 0, result.errors.c_str());
}

void TestIdentity::compare(const std::string& session, const Words& arguments,
                           std::map<std::string, std::string>& reference, RunSettings settings) {
  const std::string out = "out" + std::to_string(m_run++);
  Words all{"batchvis", session + ".json", "-o", out, "--quiet"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const RunResult result = runProgram(all, std::move(settings));
  QVERIFY2(result.status == 0, (std::to_string(result.status) + ": " + result.errors).c_str());
  QCOMPARE(namesIn(m_folder / out).size(), std::size(kFiles));
  const bool first = reference.empty();
  for (const char* const name : kFiles) {
    std::string bytes = fileContents(m_folder / out / name);
    if (first) {
      reference[name] = std::move(bytes);
      continue;
    }
    const std::string& wanted = reference[name];
    const auto differs = std::mismatch(bytes.begin(), bytes.end(), wanted.begin(), wanted.end()).first;
    QVERIFY2(bytes == wanted, (std::string(name) + " of " + std::to_string(bytes.size()) +
                               " bytes differs from byte " + std::to_string(differs - bytes.begin()))
                                  .c_str());
  }
  std::filesystem::remove_all(m_folder / out);
}

void TestIdentity::initTestCase() {
  const RunResult made = runProgram(words({"sample", "cylinder", "-o", "c", "--format", "plot3d", "--size",
                                           "40,33,25", "--blocks", "5", "--quiet"}),
                                    here());
  QVERIFY2(made.status == 0, made.errors.c_str());
  writeSession("plot3d", R"("source":"c.xyz","solution":"c.q")", kCylinderObjects);
  compare("plot3d", {}, m_cylinder, here());
  QVERIFY(m_cylinder["lines.vtp"].size() > 100'000 && m_cylinder["wall.vtp"].size() > 100'000 &&
          m_cylinder["cut.vtp"].size() > 100'000 && m_cylinder["edges.vtp"].size() > 10'000);
  for (const char* const edge : {"8", "32"}) {
    const std::string store = std::string("edge") + edge;
    convert(store + ".h5", words({"c.xyz", "--solution", "c.q"}), words({"--page-edge", edge}));
    writeSession(store, R"("source":")" + store + R"(.h5")", kCylinderObjects);
  }
}

void TestIdentity::sources_data() {
  QTest::addColumn<Words>("input");
  QTest::addColumn<Words>("how");
  const Words files = words({"c.xyz", "--solution", "c.q"});
  for (const char* const edge : {"8", "16", "32"}) {
    for (const char* const codec : {"zstd", "lz4", "gzip", "none"})
      QTest::addRow("edge %s, %s", edge, codec) << files << words({"--page-edge", edge, "--codec", codec});
    QTest::addRow("edge %s, split", edge) << files << words({"--page-edge", edge, "--split"});
  }
  QTest::newRow("small conversion budget") << files << words({"--page-edge", "8", "--memory", "3M"});
  QTest::newRow("computed, in place") << words({"sample://cylinder?size=40,33,25&blocks=5"}) << Words{};
  QTest::newRow("computed, converted")
      << words({"sample://cylinder?size=40,33,25&blocks=5"}) << words({"--page-edge", "16"});
  for (const char* const form :
       {"f64", "f64 big-endian", "markers", "big-endian with markers", "planes with markers"}) {
    QTest::addRow("PLOT3D %s, in place", form) << Words{form} << Words{};
    QTest::addRow("PLOT3D %s, converted", form) << Words{form} << words({"--page-edge", "16"});
  }
}

void TestIdentity::sources() {
  QFETCH(Words, input);
  QFETCH(Words, how);
  if (input[0].find("sample://") != 0 && input[0] != "c.xyz") {
    // The same numbers in another form.
    const auto has = [&](const char* word) { return input[0].find(word) != std::string::npos; };
    writePlot3d(m_folder / "other.xyz", m_folder / "other.q",
                readPlot3dSample(m_folder / "c.xyz", m_folder / "c.q", true),
                {.f64 = has("f64"),
                 .bigEndian = has("big-endian"),
                 .markers = has("markers"),
                 .planes = has("planes")});
    input = words({"other.xyz", "--solution", "other.q"});
  }
  if (how.empty()) {
    writeSession("other",
                 R"("source":")" + input[0] + (input.size() > 1 ? R"(","solution":")" + input[2] : "") + "\"",
                 kCylinderObjects);
  } else {
    convert("other.h5", input, how);
    writeSession("other", R"("source":"other.h5")", kCylinderObjects);
  }
  compare("other", {}, m_cylinder, here());
  compare("other", words({"--memory", "2M", "--processors", "2"}), m_cylinder, here());
  std::filesystem::remove(m_folder / "other.h5");
}

void TestIdentity::resources_data() {
  QTest::addColumn<std::string>("session");
  QTest::addColumn<Words>("arguments");
  for (const char* const session : {"plot3d", "edge8", "edge32"})
    for (const char* const memory : {"smallest", "512K", "1M", "3M", "16M", "1G"})
      QTest::addRow("%s, %s", session, memory) << std::string(session) << words({"--memory", memory});
  // Every pair of values of two settings, not every combination of all.
  const char* const rows[][5] = {
      {"serial", "1", "1", "1", "smallest"},  {"serial", "1", "1", "16", "4M"},
      {"threads", "1", "1", "1", "4M"},       {"threads", "1", "4", "16", "smallest"},
      {"threads", "1", "64", "16", "4M"},     {"threads", "2", "1", "16", "smallest"},
      {"threads", "2", "4", "1", "4M"},       {"threads", "2", "64", "1", "smallest"},
      {"fibers", "1", "1", "16", "smallest"}, {"fibers", "1", "4", "1", "4M"},
      {"fibers", "1", "64", "1", "smallest"}, {"fibers", "2", "1", "1", "4M"},
      {"fibers", "2", "4", "16", "smallest"}, {"fibers", "2", "64", "16", "4M"},
      {"fibers", "2", "64", "1", "smallest"}};
  for (const auto& [scheduler, processors, workers, readers, memory] : rows)
    QTest::addRow("%s, %s processors, %s workers, %s readers, %s", scheduler, processors, workers, readers,
                  memory)
        << std::string("edge8")
        << words({"--memory", memory, "--scheduler", scheduler, "--processors", processors, "--workers",
                  workers, "--readers", readers});
}

void TestIdentity::resources() {
  QFETCH(std::string, session);
  QFETCH(Words, arguments);
  Words ask{"batchvis", session + ".json", "-o", "refused"};
  ask.insert(ask.end(), arguments.begin() + 2, arguments.end());
  if (arguments[1] == "smallest") {
    arguments[1] = smallestBudget(ask, here());
    QVERIFY(!arguments[1].empty());  // else nothing was advised
#ifndef FARFIELD_SANITIZED           // where threads have larger stacks
    if (session == "edge8") QVERIFY2(std::stoi(arguments[1]) <= 512, arguments[1].c_str());
#endif
  } else if (session != "edge8" && (arguments[1] == "512K" || arguments[1] == "1M")) {
    // Larger pages need more than the smallest of these budgets; then the advice is what works.
    const std::string least = smallestBudget(ask, here());
    QVERIFY(!least.empty());
    if (std::stoi(least) > (arguments[1] == "512K" ? 512 : 1024)) QSKIP("too little for pages of this size");
  }
  compare(session, arguments, m_cylinder, here());
}

void TestIdentity::readEngines_data() {
  QTest::addColumn<std::string>("session");
  QTest::addColumn<Words>("arguments");
  for (const char* const session : {"plot3d", "edge8", "edge32"})
    for (const char* const scheduler : {"serial", "threads", "fibers"})
      QTest::addRow("%s, %s", session, scheduler)
          << std::string(session) << words({"--memory", "4M", "--scheduler", scheduler, "--readers", "3"});
}

void TestIdentity::readEngines() {
  QFETCH(std::string, session);
  QFETCH(Words, arguments);
  RunSettings settings = here();
  settings.prepare = refuseIoUring;
  if (runProgram({"--version"}, settings).status == 126) QSKIP("io_uring cannot be refused here");
  compare(session, arguments, m_cylinder, settings);
}

void TestIdentity::realData() {
  NEEDS_DATA("data/plot3d/bluntfinq.bin");
  const std::string folder = dataPath("data/plot3d").string();
  const std::string grid = folder + "/bluntfinxyz.bin", solution = folder + "/bluntfinq.bin";
  writeSession("fin", R"("source":")" + grid + R"(","solution":")" + solution + "\"", kFinObjects);
  std::map<std::string, std::string> reference;
  compare("fin", {}, reference, here());
  QVERIFY(reference["lines.vtp"].size() > 50'000);
  writeSession("finstore", R"("source":"fin.h5")", kFinObjects);
  for (const auto& [edge, codec] : {std::pair{"16", "lz4"}, {"16", "gzip"}, {"8", "zstd"}, {"32", "none"}}) {
    convert("fin.h5", {grid, "--solution", solution},
            words({"--page-edge", edge, "--codec", codec, "--overwrite"}));
    compare("finstore", {}, reference, here());
    if (std::string(edge) == "16") continue;
    for (const char* const scheduler : {"serial", "threads", "fibers"}) {
      const std::string least = smallestBudget(
          words({"batchvis", "finstore.json", "-o", "refused", "--scheduler", scheduler}), here());
      QVERIFY(!least.empty());
      compare("finstore", words({"--memory", least.c_str(), "--scheduler", scheduler}), reference, here());
    }
  }
}

void TestIdentity::thousandsOfTasksInTheSmallestBudget_data() {
  QTest::addColumn<std::string>("session");
  QTest::addColumn<Words>("arguments");
  for (const char* const session : {"many8", "many32"}) {
    QTest::addRow("%s, serial", session) << std::string(session) << words({"--scheduler", "serial"});
    for (const char* const scheduler : {"threads", "fibers"})
      QTest::addRow("%s, %s", session, scheduler)
          << std::string(session)
          << words({"--scheduler", scheduler, "--processors", "2", "--workers", "1000", "--readers", "4"});
  }
}

void TestIdentity::thousandsOfTasksInTheSmallestBudget() {
  QFETCH(std::string, session);
  QFETCH(Words, arguments);
  const std::string store = session == "many8" ? "edge8.h5" : "edge32.h5";
  writeSession(session, R"("source":")" + store + "\"",
               R"({"name":"lines","type":"streamlines","direction":"forward","vector":"velocity",
      "seeds":{"type":"box","min":[-3,-3,0.2],"max":[3,3,3.8],"counts":[20,15,10]},
      "integrator":{"maxLength":0.1,"tolerance":1e-4}})");
  const auto linesWith = [&](const Words& how) {
    Words all{"batchvis", session + ".json", "-o", "many", "--quiet"};
    all.insert(all.end(), how.begin(), how.end());
    RunSettings settings = here();
    settings.timeoutMs = 240'000;
    const RunResult result = runProgram(all, settings);
    if (result.status != 0) qWarning("%d: %s", result.status, result.errors.c_str());
    return result.status == 0 ? fileContents(m_folder / "many" / "lines.vtp") : std::string();
  };
  Words ask{"batchvis", session + ".json", "-o", "many"};
  ask.insert(ask.end(), arguments.begin(), arguments.end());
  const std::string least = smallestBudget(ask, here());
  QVERIFY(!least.empty());
  arguments.insert(arguments.end(), {"--memory", least});
  const std::string inLittle = linesWith(arguments);
  QVERIFY(inLittle.size() > 300'000);
  QVERIFY(inLittle == linesWith(words({"--memory", "1G"})));
}

void TestIdentity::manySeedsInAnyOrder_data() {
  QTest::addColumn<std::string>("seeds");
  std::string points;
  for (int n = 0; n < 400; ++n)
    points += (n > 0 ? ",[" : "[") + std::to_string(n * 37 % 100 * 0.06 - 3) + "," +
              std::to_string(n % 7 - 3.1) + "," + std::to_string(n * 53 % 380 * 0.01 + 0.1) + "]";
  QTest::newRow("points") << R"({"type":"points","points":[)" + points + "]}";
  QTest::newRow("line") << std::string(R"({"type":"line","from":[-5,-5,0.5],"to":[5,5,3.5],"count":400})");
  QTest::newRow("plane") << std::string(
      R"({"type":"plane","origin":[-4,-4,0.5],"axis1":[0,8,0],"axis2":[0,0,3],"counts":[20,20]})");
  QTest::newRow("box") << std::string(R"({"type":"box","min":[-4,-4,0.5],"max":[4,4,3.5],"counts":[8,8,6]})");
  QTest::newRow("grid points") << std::string(R"({"type":"grid-points","block":1,"stride":[5,4,3]})");
  QTest::newRow("spread") << std::string(R"({"type":"spread","count":400})");
  QTest::newRow("spread over space") << std::string(R"({"type":"spread","count":400,"over":"space"})");
}

void TestIdentity::manySeedsInAnyOrder() {
  QFETCH(std::string, seeds);
  writeSession("seeds", R"("source":"edge8.h5")",
               R"({"name":"lines","type":"streamlines","vector":"velocity","seeds":)" + seeds +
                   R"(,"integrator":{"maxLength":0.5,"tolerance":1e-4}})");
  std::string bytes[2];
  for (const Words& how :
       {words({"--scheduler", "serial", "--memory", "4M"}), words({"--processors", "2", "--memory", "1G"})}) {
    Words all = words({"batchvis", "seeds.json", "-o", "seeds", "--quiet"});
    all.insert(all.end(), how.begin(), how.end());
    const RunResult result = runProgram(all, here());
    QVERIFY2(result.status == 0, result.errors.c_str());
    std::string& its = bytes[0].empty() ? bytes[0] : bytes[1];
    its = fileContents(m_folder / "seeds" / "lines.vtp");
    std::filesystem::remove_all(m_folder / "seeds");
  }
  QVERIFY(bytes[0].size() > 100'000);
  QVERIFY(bytes[0] == bytes[1]);
}

QTEST_GUILESS_MAIN(TestIdentity)
#include "tst_identity.moc"
