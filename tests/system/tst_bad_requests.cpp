// Sessions, seeds, budgets and command lines that make no sense: refused as refusal_suite.h says.

#include "tests/support/vtp_file.h"
#include "tests/system/refusal_suite.h"
#include "tests/system/smallest_budget.h"

using namespace farfield;
using namespace farfield::test;

class TestBadRequests : public RefusalSuite {
  Q_OBJECT
 private slots:
  void initTestCase() { makeFiles(); }
  void sessions_data();
  void sessions();
  void seedsThatTraceNothing_data();
  void seedsThatTraceNothing();
  void budgetTooSmall_data();
  void budgetTooSmall();
  void wrongUsage_data();
  void wrongUsage();
};

void TestBadRequests::sessions_data() {
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
  whole("no JSON", "farfield", "is no session");
  whole("no longer JSON", "{\"farfield\": 1 1", "line 1");
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
  data("unknown reader", R"("source":"c.h5","reader":"tecplot")", "tecplot");
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

void TestBadRequests::sessions() {
  QFETCH(std::string, text);
  QFETCH(std::string, part);
  writeFile(m_folder / "session.json", text);
  refused({"batchvis", "session.json", "-o", "out"}, {part});
}

void TestBadRequests::seedsThatTraceNothing_data() {
  QTest::addColumn<std::string>("seeds");
  QTest::addColumn<int>("lines");
  QTest::newRow("all outside") << std::string(
                                      R"({"type":"line","from":[50,50,50],"to":[60,60,60],"count":7})")
                               << 14;
  QTest::newRow("inside the cylinder")
      << std::string(R"({"type":"points","points":[[0,0,1],[0.1,0,1]]})") << 4;
  QTest::newRow("none") << std::string(R"({"type":"points","points":[]})") << 0;
}

void TestBadRequests::seedsThatTraceNothing() {
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

void TestBadRequests::budgetTooSmall_data() {
  QTest::addColumn<std::string>("data");
  QTest::addColumn<Words>("more");
  for (const char* const scheduler : {"serial", "threads", "fibers"}) {
    QTest::addRow("in place, %s", scheduler)
        << std::string(R"("source":"c.xyz","solution":"c.q")") << Words{"--scheduler", scheduler};
    QTest::addRow("store, %s", scheduler)
        << std::string(R"("source":"c.h5")") << Words{"--scheduler", scheduler};
  }
}

void TestBadRequests::budgetTooSmall() {
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
#ifndef FARFIELD_SANITIZED  // where threads have larger stacks
  QVERIFY2(std::stoi(least) <= 512, least.c_str());
#endif
  // One KiB less is too little, and the error names the same again.
  refused(with(std::to_string(std::stoi(least) - 1) + "K"), {"--memory " + least});
  std::filesystem::remove_all(m_folder / "out");
}

void TestBadRequests::wrongUsage_data() {
  QTest::addColumn<Words>("arguments");
  QTest::newRow("unknown subcommand") << Words{"batchviz", "session.json"};
  QTest::newRow("unknown option") << Words{"batchvis", "session.json", "--outputt", "x"};
  QTest::newRow("unknown option of convert") << Words{"convert", "c.xyz", "-o", "x", "--page", "8"};
  QTest::newRow("no output") << Words{"convert", "c.xyz"};
  QTest::newRow("page edge of nothing") << Words{"convert", "c.xyz", "-o", "x", "--page-edge", "0"};
  QTest::newRow("memory that is none") << Words{"batchvis", "session.json", "--memory", "-5"};
}

void TestBadRequests::wrongUsage() {
  QFETCH(Words, arguments);
  const RunResult result = runProgram(arguments, here());
  QCOMPARE(result.status, 2);
  QVERIFY2(result.errorLines().size() == 1 && result.errors.starts_with("farfield: "), result.errors.c_str());
}

QTEST_GUILESS_MAIN(TestBadRequests)
#include "tst_bad_requests.moc"
