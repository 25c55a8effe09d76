// Lines on a device are those of the processors, whatever memory its bricks have.

#include <QTest>

#include <cstring>

#include "core/base/error.h"
#include "core/fields/data/box_data.h"
#include "plugins/plot3d/plot3d_data.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/test_data.h"
#include "tests/unit/opencl/line_theatre.h"

using namespace farfield;
using flow::Termination;
using test::KeptLine;
using test::LineTheatre;

namespace {

/// Of the diagonal, after two diagonals of length: what user/session.md states.
constexpr double kDoubles = 1e-9, kFloats = 2e-5;
/// Of a brick with six or seven values a node in double precision, with what else there is of it.
constexpr std::uint64_t kBrickBytes = 17 * 17 * 17 * 7 * 8 + 18 * 18 * 18 + 256;

void compare(const std::vector<KeptLine>& wanted, const std::vector<KeptLine>& got, double diagonal,
             double tolerance) {
  QCOMPARE(got.size(), wanted.size());
  for (std::size_t n = 0; n < wanted.size(); ++n) {
    QVERIFY(got[n].finished);
    const double d = test::distance(wanted[n], got[n]) / diagonal;
    QVERIFY2(d <= tolerance, qPrintable(QString("line %1: %2 of the diagonal").arg(n).arg(d)));
    QCOMPARE(got[n].result.block, wanted[n].result.block);
    if (tolerance > kDoubles) continue;
    QCOMPARE(flow::nameOf(got[n].result.termination), flow::nameOf(wanted[n].result.termination));
    QCOMPARE(got[n].vertices.size(), wanted[n].vertices.size());
    QCOMPARE(got[n].result.steps, wanted[n].result.steps);
    QVERIFY(std::abs(got[n].result.length - wanted[n].result.length) <= tolerance * diagonal);
    QVERIFY(std::abs(got[n].result.time - wanted[n].result.time) <=
            1e-6 * (1 + std::abs(wanted[n].result.time)));
    for (std::size_t v = 0; v < wanted[n].vertices.size(); ++v) {
      const auto &a = wanted[n].vertices[v], &b = got[n].vertices[v];
      QVERIFY(length(a.point - b.point) <= tolerance * diagonal);
      QCOMPARE(b.values.size(), a.values.size());
      for (std::size_t c = 0; c < a.values.size(); ++c)
        QVERIFY(std::abs(a.values[c] - b.values[c]) <= 1e-7 * (1 + std::abs(a.values[c])));
    }
  }
}

bool same(const std::vector<KeptLine>& a, const std::vector<KeptLine>& b) {
  for (std::size_t n = 0; n < a.size(); ++n)
    if (a[n].vertices != b[n].vertices || a[n].result.termination != b[n].result.termination) return false;
  return a.size() == b.size();
}

std::size_t verticesOf(const std::vector<KeptLine>& lines) {
  std::size_t count = 0;
  for (const KeptLine& line : lines) count += line.vertices.size();
  return count;
}

/// A quarter of a pipe around the z axis, whose cells on the axis have collapsed edges; a flow across it.
std::unique_ptr<fields::OpenData> pipe(MemoryAccount& account) {
  const Index3 dims{21, 17, 19};
  paging::DatasetDescription description;
  description.format = "test";
  description.times = {0};
  paging::BlockDescription block;
  block.dims = dims;
  block.bounds.add(Vec3{0, 0, 0});
  block.bounds.add(Vec3{1, 1, 1});
  description.blocks.push_back(block);
  const paging::PageLayout whole = paging::PageLayout::ofExtent(dims, {8, 8, 8});
  description.arrays.push_back({"xyz", 0, whole, 1, 3, ScalarType::F64, {}, paging::ArrayRole::Coordinates});
  description.arrays.push_back({"velocity", 0, whole, 1, 3, ScalarType::F64, {}});
  description.arrays.push_back({"density", 0, whole, 1, 1, ScalarType::F64, {}});
  const auto reader = test::nodewiseReader(description, [](std::uint32_t array, std::int64_t,
                                                           const Index3& node, test::NodeValues& values) {
    const double r = static_cast<double>(node[0]) / 20, turn = M_PI / 2 * static_cast<double>(node[1]) / 16;
    const Vec3 at{r * std::cos(turn), r * std::sin(turn), static_cast<double>(node[2]) / 18};
    if (array == 0) values.put(at);
    if (array == 1) values.put(Vec3{at.y - 0.3, 0.3 - at.x, 0.02 + 0.1 * at.z});
    if (array == 2) values.put(at.x * at.y);
  });
  return fields::openBoxes(reader, {.pageEdge = 8, .threads = false, .name = "pipe"}, {}, account);
}

}  // namespace

class TestOpenClLines : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void linesAreTheProcessors_data();
  void linesAreTheProcessors();
  void realDataToo_data();
  void realDataToo();
  void collapsedCellsAreTheProcessors();
  void memoryOfItsOwn();
  void memoryDoesNotMatter_data();
  void memoryDoesNotMatter();
  void bricksAreAsShortAsTheDataAllow();
  void littleMemoryReadsLittleMore();
  void linesEndAsTheyShould();
  void expressionsAndDerivatives();
  void manyLinesInLittleMemory();
  void stops();
  void timeRunsOut();

 private:
  std::shared_ptr<const opencl::Device> m_device;
};

void TestOpenClLines::initTestCase() {
  try {
    m_device = std::make_shared<opencl::Device>(opencl::ClCalls{}, opencl::findDevices({}).front());
  } catch (const volume::DeviceFailed&) {
    QSKIP("no OpenCL driver has a device");
  }
  if (!m_device->facts().doubles) QSKIP("the device has no double precision");
}

void TestOpenClLines::linesAreTheProcessors_data() {
  QTest::addColumn<QString>("url");
  QTest::addColumn<bool>("doubles");
  for (const char* url : {"sample://taylor-green?size=40,36,33", "sample://abc?size=35,35,35",
                          "sample://abc?size=35,34,33&curvilinear=true", "sample://tornado?size=40,40,40",
                          "sample://cylinder?size=25,33,17&blocks=4"})
    for (const bool doubles : {true, false})
      QTest::addRow("%s %s", url, doubles ? "double" : "float") << url << doubles;
}

void TestOpenClLines::linesAreTheProcessors() {
  QFETCH(QString, url);
  QFETCH(bool, doubles);
  LineTheatre theatre(url.toStdString());
  theatre.options.maxLength = 2 * theatre.diagonal();
  const std::vector<KeptLine> wanted = theatre.byProcessors();
  const std::vector<KeptLine> got =
      doubles ? theatre.byDevice<double>(m_device) : theatre.byDevice<float>(m_device);
  compare(wanted, got, theatre.diagonal(), doubles ? kDoubles : kFloats);
  QVERIFY(theatre.counts.bricks > 1);
  // Most of the work is the device's.
  QVERIFY(10 * theatre.counts.handedBack < verticesOf(got));
  QCOMPARE(theatre.account.usedBytes(Purpose::Device), 0U);
}

void TestOpenClLines::realDataToo_data() {
  QTest::addColumn<QString>("grid");
  QTest::addColumn<QString>("solution");
  QTest::newRow("blunt fin") << "bluntfinxyz.bin"
                             << "bluntfinq.bin";
  QTest::newRow("8 blocks, iblank") << "bluntfin_8blk_le_f8_mk_ib.xyz"
                                    << "bluntfin_8blk_le_f8_mk_ib.q";
  QTest::newRow("8 blocks that overlap") << "bluntfin_8blk_overlap_be_f4_mk.xyz"
                                         << "bluntfin_8blk_overlap_be_f4_mk.q";
  QTest::newRow("combustor") << "combxyz.bin"
                             << "combq.bin";
}

void TestOpenClLines::realDataToo() {
  QFETCH(QString, grid);
  QFETCH(QString, solution);
  const std::string folder = "data/plot3d/";
  NEEDS_DATA(folder + grid.toStdString());
  MemoryAccount account(std::uint64_t{64} << 20);
  fields::OpenRequest open;
  open.sources = {test::dataPath(folder + grid.toStdString())};
  open.solutions = {test::dataPath(folder + solution.toStdString())};
  LineTheatre theatre(plot3d::Plot3dDataReader().open(open, account), std::uint64_t{256} << 20);
  theatre.options.maxLength = 2 * theatre.diagonal();
  const std::vector<KeptLine> wanted = theatre.byProcessors();
  compare(wanted, theatre.byDevice<double>(m_device), theatre.diagonal(), kDoubles);
  compare(wanted, theatre.byDevice<float>(m_device), theatre.diagonal(), kFloats);
}

void TestOpenClLines::collapsedCellsAreTheProcessors() {
  MemoryAccount account(std::uint64_t{64} << 20);
  LineTheatre theatre(pipe(account), std::uint64_t{256} << 20);
  std::vector<Vec3> points;
  for (int n = 0; n < 40; ++n) points.push_back({0.05 + 0.007 * n, 0.08 + 0.006 * n, 0.1 + 0.02 * n});
  points.push_back({0, 0, 0.5});
  theatre.seeds = flow::pointSeeds(points);
  theatre.options.maxLength = 5;
  const std::vector<KeptLine> wanted = theatre.byProcessors();
  compare(wanted, theatre.byDevice<double>(m_device), theatre.diagonal(), kDoubles);
  QVERIFY(theatre.counts.handedBack > 0);
}

// As on a graphics card, where the vertices of lines are packed before they come to the host.
void TestOpenClLines::memoryOfItsOwn() {
  opencl::DeviceFacts facts = m_device->facts();
  facts.shared = false;
  const auto card = std::make_shared<opencl::Device>(opencl::ClCalls{}, facts);
  LineTheatre theatre("sample://cylinder?size=25,33,17&blocks=4");
  theatre.options.maxLength = 2 * theatre.diagonal();
  const std::vector<KeptLine> wanted = theatre.byDevice<double>(m_device);
  QVERIFY(verticesOf(wanted) > 0);
  QVERIFY(same(theatre.byDevice<double>(card), wanted));
  QCOMPARE(theatre.account.usedBytes(Purpose::Device), 0U);
}

void TestOpenClLines::memoryDoesNotMatter_data() {
  QTest::addColumn<QString>("url");
  QTest::newRow("regular") << "sample://abc?size=49,49,49";
  QTest::newRow("blocks") << "sample://cylinder?size=33,49,17&blocks=4";
}

void TestOpenClLines::memoryDoesNotMatter() {
  QFETCH(QString, url);
  LineTheatre theatre(url.toStdString());
  theatre.options.maxLength = theatre.diagonal();
  const std::vector<KeptLine> all = theatre.byDevice<double>(m_device);
  const std::uint64_t rounds = theatre.counts.rounds, bricks = theatre.counts.bricks;
  const std::vector<KeptLine> few = theatre.byDevice<double>(m_device, 2 * kBrickBytes);
  QVERIFY(same(all, few));
  QVERIFY(theatre.counts.rounds > rounds && theatre.counts.bricks > bricks);
  const std::vector<KeptLine> floats = theatre.byDevice<float>(m_device);
  QVERIFY(same(floats, theatre.byDevice<float>(m_device, 2 * kBrickBytes)));
  QVERIFY(!same(all, floats));
}

/// Bricks hold floats only where those lose nothing, and are small only where not all have room.
void TestOpenClLines::bricksAreAsShortAsTheDataAllow() {
  const std::uint64_t much = std::uint64_t{1} << 30, little = std::uint64_t{1} << 20;
  const auto layoutOf = [](const LineTheatre& theatre, std::uint64_t mostBytes) {
    return opencl::LineLayout::choose(theatre.data->description(), *theatre.plan, sizeof(double), mostBytes);
  };
  const LineTheatre regular("sample://abc?size=65,65,65", {"velocity"});
  const opencl::LineLayout whole = layoutOf(regular, much), part = layoutOf(regular, little);
  QVERIFY(whole.all && whole.axes && !part.all);
  QCOMPARE(whole.positionBytes, sizeof(double));
  QCOMPARE(whole.valueBytes, sizeof(float));
  QVERIFY(part.edge < whole.edge && part.bytes() < whole.bytes());
  const LineTheatre computed("sample://abc?size=65,65,65", {"velocity", "pressure * 2"});
  QCOMPARE(layoutOf(computed, much).valueBytes, sizeof(double));
  const LineTheatre doubles("sample://abc?size=65,65,65&type=f64", {"velocity"});
  QCOMPARE(layoutOf(doubles, much).valueBytes, sizeof(double));
  const LineTheatre curved("sample://abc?size=65,65,65&curvilinear=true", {"velocity"});
  QVERIFY(!layoutOf(curved, much).axes);
  const ScalarType type = curved.data->description()
                              .arrays[static_cast<std::size_t>(
                                  curved.data->description().find(0, paging::ArrayRole::Coordinates))]
                              .type;
  QCOMPARE(layoutOf(curved, much).positionBytes, type == ScalarType::F32 ? sizeof(float) : sizeof(double));
}

/// With memory for a part of what the lines go through, little more is read than the processors read.
void TestOpenClLines::littleMemoryReadsLittleMore() {
  const auto linesOf = [&](bool device) {
    LineTheatre theatre("sample://abc?size=129,129,129", {"velocity"}, std::uint64_t{20} << 20);
    const Bounds& bounds = theatre.paged->bounds();
    const Vec3 extent = bounds.max - bounds.min;
    theatre.seeds = flow::boxSeeds(bounds.min + 0.4 * extent, bounds.min + 0.6 * extent, {16, 16, 8});
    theatre.options.maxLength = 0.5 * theatre.diagonal();
    if (device)
      theatre.byDevice<double>(m_device, 2 * theatre.account.obtainableBytes() / 5);
    else
      theatre.byProcessors();
    return theatre.paged->cache().counters().pagesRead;
  };
  const std::uint64_t byProcessors = linesOf(false), byDevice = linesOf(true);
  QVERIFY2(byDevice < 3 * byProcessors,
           qPrintable(QString("%1 pages, the processors %2").arg(byDevice).arg(byProcessors)));
}

void TestOpenClLines::linesEndAsTheyShould() {
  LineTheatre theatre("sample://taylor-green?size=33,33,33");
  theatre.options.maxTime = 0.75;
  std::vector<KeptLine> wanted = theatre.byProcessors();
  std::vector<KeptLine> lines = theatre.byDevice<double>(m_device);
  compare(wanted, lines, theatre.diagonal(), kDoubles);
  const auto ends = [&](Termination reason) {
    return std::count_if(lines.begin(), lines.end(),
                         [&](const KeptLine& line) { return line.result.termination == reason; });
  };
  QVERIFY(ends(Termination::MaxTime) > 200);
  for (const KeptLine& line : lines)
    if (line.result.termination == Termination::MaxTime)
      QCOMPARE(line.vertices.back().time, line.vertices[1].time > 0 ? 0.75 : -0.75);
  theatre.options.maxTime = flow::LineOptions::kUnlimited;
  theatre.options.maxSteps = 37;
  wanted = theatre.byProcessors();
  lines = theatre.byDevice<double>(m_device);
  compare(wanted, lines, theatre.diagonal(), kDoubles);
  QVERIFY(ends(Termination::MaxSteps) > 200);
  // In the middle of a vortex, and far outside.
  theatre.seeds = flow::pointSeeds({{M_PI / 2, M_PI / 2, 1}, {1, 1, 1}, {100, 0, 0}});
  wanted = theatre.byProcessors();
  lines = theatre.byDevice<double>(m_device);
  QCOMPARE(lines[4].vertices.size(), std::size_t{0});
  QVERIFY(ends(Termination::SeedOutside) == 2);
  compare(wanted, lines, theatre.diagonal(), kDoubles);
}

void TestOpenClLines::expressionsAndDerivatives() {
  LineTheatre theatre("sample://abc?size=35,35,35",
                      {"velocity", "pressure ^ 1.4 / 3", "vorticity-magnitude"});
  theatre.options.maxLength = theatre.diagonal();
  const std::vector<KeptLine> wanted = theatre.byProcessors();
  compare(wanted, theatre.byDevice<double>(m_device), theatre.diagonal(), kDoubles);
  // Lines of a vector that has derivatives itself.
  LineTheatre whirls("sample://abc?size=35,35,35", {"vorticity"});
  whirls.options.maxLength = theatre.diagonal();
  const std::vector<KeptLine> cores = whirls.byProcessors();
  compare(cores, whirls.byDevice<double>(m_device), whirls.diagonal(), kDoubles);
}

void TestOpenClLines::manyLinesInLittleMemory() {
  LineTheatre theatre("sample://tornado?size=65,65,65", {"velocity"}, std::uint64_t{24} << 20);
  const Bounds& bounds = theatre.paged->bounds();
  const Vec3 extent = bounds.max - bounds.min;
  theatre.seeds = flow::boxSeeds(bounds.min + 0.1 * extent, bounds.max - 0.1 * extent, {20, 15, 10});
  theatre.options.maxLength = 0.5 * theatre.diagonal();
  const std::vector<KeptLine> wanted = theatre.byProcessors();
  compare(wanted, theatre.byDevice<double>(m_device, std::uint64_t{6} << 20), theatre.diagonal(), kDoubles);
  QVERIFY(theatre.counts.group.mostInFlight < theatre.count());
  QVERIFY(theatre.account.peakBytes() <= theatre.account.budgetBytes());
}

void TestOpenClLines::stops() {
  LineTheatre theatre("sample://abc?size=65,65,65");
  theatre.options.maxSteps = 1'000'000'000;
  theatre.options.maxLength = 1e9;
  std::stop_source source;
  flow::LineJob job = theatre.job();
  job.stop = source.get_token();
  std::size_t calls = 0;
  job.progress = [&](std::size_t, std::size_t) {
    if (++calls == 3) source.request_stop();
  };
  QVERIFY_THROWS_EXCEPTION(
      Cancelled,
      opencl::LineRounds<double>({m_device, true, theatre.account, std::uint64_t{64} << 20}, job).run());
  QCOMPARE(calls, std::size_t{3});
  QCOMPARE(theatre.account.usedBytes(Purpose::Device), 0U);
}

void TestOpenClLines::timeRunsOut() {
  LineTheatre theatre("sample://taylor-green?size=65,65,65");
  theatre.options.maxSteps = 1'000'000'000;
  flow::LineJob job = theatre.job();
  job.timeBudget = std::chrono::milliseconds(300);
  const flow::LineCounts counts =
      opencl::LineRounds<double>({m_device, true, theatre.account, std::uint64_t{64} << 20}, job).run();
  QVERIFY(counts.group.outOfTime);
  std::size_t cut = 0;
  for (const KeptLine& line : theatre.lines) cut += line.result.termination == Termination::OutOfTime ? 1 : 0;
  QVERIFY(cut > 0);
}

QTEST_GUILESS_MAIN(TestOpenClLines)
#include "tst_opencl_lines.moc"
