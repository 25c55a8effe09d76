// Results of objects on their way from ranks to a viewer: what is packed is unpacked to the same numbers, shares come in any order,
// and what cannot be is refused.

#include <QTest>
#include <cstring>
#include <limits>

#include "core/base/error.h"
#include "core/session/run/surfaces/taken_parts.h"
#include "remote/slabs/geometry_show.h"
#include "tests/support/temporary_folder.h"

namespace farfield::test {
namespace {

using namespace remote;

struct KeptLine {
  session::LinePart part;
  std::vector<double> vertices;
};
struct KeptPatch {
  std::uint64_t number;
  std::vector<double> points, normals, values;
  std::vector<std::uint32_t> triangles;
  std::vector<std::uint8_t> sides;
  bool seenFromBehind;
};
struct KeepingSink final : session::ResultSink {
  std::vector<KeptLine> lines;
  std::vector<KeptPatch> patches;
  void line(const session::LinePart& part) override {
    lines.push_back({part, {part.vertices.begin(), part.vertices.end()}});
  }
  void patch(std::uint64_t number, const extract::SurfacePatch& its) override {
    const auto copy = [](auto span) { return std::vector(span.begin(), span.end()); };
    patches.push_back({number, copy(its.points), copy(its.normals), copy(its.values), copy(its.triangles),
                       copy(its.sides), its.seenFromBehind});
  }
};

/// Not numbers, infinities and zeros of both signs are kept as they are.
std::vector<double> numbers(std::size_t count, double from) {
  std::vector<double> made;
  for (std::size_t n = 0; n < count; ++n) made.push_back(from + 0.1 * static_cast<double>(n));
  if (count > 3) {
    made[1] = std::numeric_limits<double>::quiet_NaN();
    made[2] = -0.0;
    made[3] = std::numeric_limits<double>::infinity();
  }
  return made;
}

bool sameBits(const std::vector<double>& one, const std::vector<double>& other) {
  return one.size() == other.size() &&
         std::memcmp(one.data(), other.data(), one.size() * sizeof(double)) == 0;
}

constexpr std::uint32_t kWidth = 2;

}  // namespace

class TestSlabGeometry : public QObject {
  Q_OBJECT
 private slots:
  void comesAsItWent();
  void bundlesAreTakenAsTheyWere();
  void bundlesThatCannotBeAreRefused();
  void largeResultsComeInBlocks();
  void sharesAreAwaited();
  void whatCannotBeIsRefused();
  void errorsEndTheResultAlone();
};

void TestSlabGeometry::comesAsItWent() {
  MemoryAccount account(std::uint64_t{8} << 20);
  KeepingSink sink;
  const std::vector<double> points = numbers(9, 1), normals = numbers(9, -1), values = numbers(6, 5);
  const std::vector<std::uint32_t> triangles{0, 1, 2, 2, 1, 0};
  const std::vector<std::uint8_t> sides{5, 2};
  const std::vector<double> vertices = numbers(2 * (4 + kWidth), 3);
  std::size_t blocks = 0;
  GeometryPacker packer(3, account, [&](const GeometryBlock& block) {
    ++blocks;
    QVERIFY(block.last);
    const GeometryBlock came = parseGeometryBlock(bytesOf(block));
    QCOMPARE(came.part, 3u);
    unpackGeometry(came, kWidth, account, sink);
  });
  packer.line({7, false, 0, -1, vertices});
  packer.line({7, true, 2, 1, std::span(vertices).first(4 + kWidth)});
  packer.patch(11, {points, normals, values, triangles, true, sides});
  packer.patch(12, {points, normals, values, triangles});
  packer.finish();
  QCOMPARE(blocks, std::size_t{1});
  QCOMPARE(sink.lines.size(), std::size_t{2});
  QVERIFY(sameBits(sink.lines[0].vertices, vertices));
  QVERIFY(!sink.lines[0].part.ends && sink.lines[1].part.ends);
  QCOMPARE(sink.lines[1].part.number, std::uint64_t{7});
  QCOMPARE(sink.lines[1].part.termination, 2);
  QCOMPARE(sink.lines[1].part.block, 1);
  QCOMPARE(sink.patches.size(), std::size_t{2});
  const KeptPatch& patch = sink.patches[0];
  QVERIFY(patch.number == 11 && patch.seenFromBehind && sameBits(patch.points, points));
  QVERIFY(sameBits(patch.normals, normals) && sameBits(patch.values, values));
  QVERIFY(patch.triangles == triangles && patch.sides == sides);
  QVERIFY(sink.patches[1].sides.empty() && !sink.patches[1].seenFromBehind);
}

/// Lines of tasks, shared by two and put together again, are those that there were, in their order.
void TestSlabGeometry::bundlesAreTakenAsTheyWere() {
  MemoryAccount account(std::uint64_t{8} << 20);
  const TemporaryFolder folder;
  constexpr std::uint64_t kTasks = 7;
  const session::BundleSpoolOptions options{
      .folder = folder.path(), .bundleCount = kTasks, .width = 4, .cells = 1, .blockBytes = 128};
  session::BundleSpool made(options, account);
  for (std::uint64_t task = 0; task < kTasks; ++task) {
    if (task == 3) continue;  // it had nothing
    auto bundle = made.open(task);
    for (std::uint64_t line = 0; line < task % 3; ++line) {
      const auto value = static_cast<double>(10 * task + line);
      // longer than what is read at a time
      const std::uint64_t vertices = line == 1 ? 700 : 2 + task;
      bundle.line(vertices, {&value, 1});
      for (std::uint64_t n = 0; n < vertices; ++n)
        bundle.vertex(std::array{value, static_cast<double>(n), 0.25, -value});
    }
    bundle.finish();
  }
  const auto taken = std::make_shared<session::BundleSpool>(options, account);
  session::TakenBundles sink(taken, kTasks, 1);
  for (const std::uint64_t part : {1u, 0u}) {
    GeometryPacker packer(static_cast<std::uint32_t>(part), account,
                          [&](const GeometryBlock& block) { unpackGeometry(block, 1, account, sink); });
    session::handOverBundles(made, account, {part, 2}, packer);
    packer.finish();
  }
  const auto all = [](const session::BundleSpool& spool) {
    std::vector<double> numbers;
    spool.visitBundles(
        [&](std::uint64_t bundle, const session::PolylineSummary& line, std::span<const double> run) {
          numbers.insert(numbers.end(), {static_cast<double>(bundle), static_cast<double>(line.number),
                                         static_cast<double>(line.vertices), line.cells.front()});
          numbers.insert(numbers.end(), run.begin(), run.end());
        });
    return numbers;
  };
  QVERIFY(all(made).size() > 4000 && all(made) == all(*taken));
  QCOMPARE(taken->lineCount(), made.lineCount());
  QVERIFY(taken->range(3) == made.range(3));
}

void TestSlabGeometry::bundlesThatCannotBeAreRefused() {
  MemoryAccount account(std::uint64_t{8} << 20);
  const TemporaryFolder folder;
  const auto spool = std::make_shared<session::BundleSpool>(
      session::BundleSpoolOptions{.folder = folder.path(), .bundleCount = 4, .width = 4, .cells = 1},
      account);
  session::TakenBundles sink(spool, 4, 1);
  // a line's value, and two vertices
  const std::vector<double> line = numbers(1 + 8, 1);
  const auto refused = [&](const session::LinePart& part) {
    try {
      sink.line(part);
      return false;
    } catch (const Invalid&) {
      return true;
    }
  };
  QVERIFY(refused({.number = 4, .vertices = line}));
  QVERIFY(refused({.number = 1, .vertices = {}}));
  QVERIFY(refused({.number = 1, .vertices = std::span(line).first(1)}));
  QVERIFY(refused({.number = 1, .vertices = std::span(line).first(8)}));
  QVERIFY_EXCEPTION_THROWN(sink.patch(1, {}), Invalid);
  QVERIFY(!refused({.number = 1, .ends = false, .vertices = line}));
  QVERIFY(!refused({.number = 1, .vertices = line}));
  QVERIFY(refused({.number = 1, .vertices = line}));
  QCOMPARE(spool->lineCount(), std::uint64_t{2});
}

void TestSlabGeometry::largeResultsComeInBlocks() {
  MemoryAccount account(std::uint64_t{8} << 20);
  KeepingSink sink;
  std::size_t blocks = 0, most = 0;
  {
    GeometryPacker packer(0, account, [&](const GeometryBlock& block) {
      ++blocks;
      most = std::max<std::size_t>(most, block.bytes);
      unpackGeometry(block, kWidth, account, sink);
    });
    const std::vector<double> vertices = numbers(100 * (4 + kWidth), 0);
    for (std::uint64_t n = 0; n < 1000; ++n) packer.line({n, true, 0, 0, vertices});
    packer.finish();
  }
  QCOMPARE(sink.lines.size(), std::size_t{1000});
  QVERIFY(blocks > 5 && most < (std::size_t{1} << 20));
  QCOMPARE(account.usedBytes(), std::uint64_t{0});
  QVERIFY(account.peakBytes() < (std::uint64_t{4} << 20));
}

void TestSlabGeometry::sharesAreAwaited() {
  MemoryAccount account(std::uint64_t{8} << 20);
  const auto sink = std::make_shared<KeepingSink>();
  std::vector<bool> agains;
  session::ResultRequest request{.source = "", .document = "", .account = account, .begin = {}};
  request.begin = [&](const session::ResultFacts& facts, std::int64_t step, bool again) {
    agains.push_back(again);
    return facts.width == kWidth && step == 4 ? sink : nullptr;
  };
  GeometryShow show(request, true);
  const std::vector<double> vertices = numbers(4 + kWidth, 1);
  const auto give = [&](std::uint32_t part, std::uint32_t rank, bool ends) {
    GeometryPacker packer(part, account, [&](const GeometryBlock& block) { show.takeBlock(rank, block); });
    packer.line({part, true, 0, 0, vertices});
    if (ends) packer.finish();
  };
  const session::ResultFacts facts{2, kWidth, 0, 2};
  show.takeHead(9, {1, 2, 4, facts});  // before it is known who shares it
  give(1, 9, true);
  QVERIFY(!show.isDone());
  show.takePlan({{5, 9}});
  QVERIFY(!show.isDone());
  show.lose(9);  // whose share is there
  QVERIFY(!show.isDone());
  show.takeHead(5, {0, 2, 4, facts});
  give(0, 5, true);
  QVERIFY(show.isDone() && !show.error());
  QCOMPARE(show.missing(), std::size_t{0});
  QCOMPARE(sink->lines.size(), std::size_t{2});
  QCOMPARE(agains, (std::vector<bool>{true, false}));

  GeometryShow half(request, false);
  half.takePlan({{5, 9}});
  half.takeHead(5, {0, 2, 4, facts});
  half.lose(5);
  QVERIFY(half.isDone());
  QCOMPARE(half.missing(), std::size_t{1});
}

void TestSlabGeometry::whatCannotBeIsRefused() {
  MemoryAccount account(std::uint64_t{8} << 20);
  session::ResultRequest request{.source = "", .document = "", .account = account, .begin = {}};
  request.begin = [](const session::ResultFacts&, std::int64_t, bool) {
    return std::make_shared<KeepingSink>();
  };
  GeometryShow show(request, false);
  show.takePlan({{5, 9}});
  const session::ResultFacts facts{2, kWidth, 0, 2};
  GeometryBlock block;
  QVERIFY_EXCEPTION_THROWN(show.takeBlock(5, block), Protocol);            // not announced
  QVERIFY_EXCEPTION_THROWN(show.takeHead(9, {0, 2, 0, facts}), Protocol);  // another rank's
  QVERIFY_EXCEPTION_THROWN(show.takeHead(5, {0, 3, 0, facts}), Protocol);  // of another number of shares
  show.takeHead(5, {0, 2, 0, facts});
  QVERIFY_EXCEPTION_THROWN(show.takeHead(5, {0, 2, 0, facts}), Protocol);  // twice
  QVERIFY_EXCEPTION_THROWN(show.takeBlock(9, block), Protocol);            // by another rank
  block.bytes = 100;
  QVERIFY_EXCEPTION_THROWN(show.takeBlock(5, block), Protocol);  // fewer bytes than it says
  const Bytes noise(64, std::byte{0x5a});
  block.packed = packBytes({reinterpret_cast<const std::uint8_t*>(noise.data()), noise.size()}, 8);
  block.bytes = 64;
  QVERIFY_EXCEPTION_THROWN(show.takeBlock(5, block), Protocol);  // no records
  block.bytes = 0, block.last = true;
  show.takeBlock(5, block);
  QVERIFY_EXCEPTION_THROWN(show.takeBlock(5, block), Protocol);  // after the last
  GeometryHead head{0, 2, 0, facts};
  head.facts.width = kMostWidth + 1;
  QVERIFY_EXCEPTION_THROWN(parseGeometryHead(bytesOf(head)), Protocol);
  QVERIFY_EXCEPTION_THROWN(parseComputing(bytesOf(Computing{})), Protocol);
  QVERIFY_EXCEPTION_THROWN(parseComputeWork(bytesOf(ComputeWork{1, 2, 2, {}})), Protocol);
}

/// What the sink throws, and memory that there is not, is told who asked; the other side has done nothing wrong.
void TestSlabGeometry::errorsEndTheResultAlone() {
  MemoryAccount account(std::uint64_t{1} << 20);
  session::ResultRequest request{.source = "", .document = "", .account = account, .begin = {}};
  request.begin = [](const session::ResultFacts&, std::int64_t,
                     bool) -> std::shared_ptr<session::ResultSink> { throw Invalid("another object"); };
  GeometryShow refused(request, false);
  refused.takeHead(5, {0, 1, 0, {}});
  QVERIFY(refused.isDone());
  QVERIFY_EXCEPTION_THROWN(std::rethrow_exception(refused.error()), Invalid);
  GeometryBlock block;
  block.last = true;
  refused.takeBlock(5, block);  // is passed over

  request.begin = [](const session::ResultFacts&, std::int64_t, bool) {
    return std::make_shared<KeepingSink>();
  };
  GeometryShow tooLarge(request, false);
  tooLarge.takeHead(5, {0, 1, 0, {1, 2, 0, 1}});
  block.bytes = kMostBlockBytes;
  tooLarge.takeBlock(5, block);
  QVERIFY_EXCEPTION_THROWN(std::rethrow_exception(tooLarge.error()), OverBudget);
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestSlabGeometry)
#include "tst_slab_geometry.moc"
