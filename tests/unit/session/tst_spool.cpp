// Spools: what many tasks write at once comes back whole and in order, within the memory that was claimed.

#include <QTest>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <thread>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/session/particles/path_log.h"
#include "core/session/particles/roomy_spool.h"
#include "core/session/results/line_spool.h"
#include "core/session/results/surface_spool.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::scene;
using namespace farfield::session;

namespace {

/// Vertex v of line n has these coordinates and values.
std::array<double, 4> valuesOf(std::uint64_t line, std::uint64_t v) {
  const double base = 1000.0 * static_cast<double>(line) + static_cast<double>(v);
  return {base, -base, 0.5 * base, 1 / (1 + base)};
}

void writeLine(LineSpool& spool, std::uint64_t line, std::uint64_t vertices) {
  auto writer = spool.open(line);
  for (std::uint64_t v = 0; v < vertices; ++v)
    writer.vertex({double(line), double(v), 7}, 0.25 * double(v), valuesOf(line, v));
  writer.finish({.termination = flow::Termination::MaxSteps, .block = static_cast<std::int32_t>(line % 5)},
                {double(line), -1, -2});
}

}  // namespace

class TestSpool : public QObject {
  Q_OBJECT
 private slots:
  void leavesNoName();
  void chainsOfEveryLength_data();
  void chainsOfEveryLength();
  void linesFromManyThreads();
  void emptyAndUnfinishedLines();
  void seedsFarAwayCountForNoExtent();
  void linesNotBegunAreTheirSeeds_data();
  void linesNotBegunAreTheirSeeds();
  void writersClaimTheirBlock();
  void chunksOfTheScene();
  void surfaces();
  void linesAreReadWhileOthersAreMade();
  void patchesAreReadWhileOthersAreMade();
  void pathsOfNeighboursAreReadTogether_data();
  void pathsOfNeighboursAreReadTogether();
  void beginningIsInMemory_data();
  void beginningIsInMemory();
  void folderThatIsNotThere();
  void visitsEndWhereTheirThreadIsStopped();
};

void TestSpool::leavesNoName() {
  const test::TemporaryFolder folder;
  MemoryAccount account(1 << 20);
  ChainSpool spool(folder.path(), 10, 4096, account);
  QVERIFY(std::filesystem::is_empty(folder.path()));
}

void TestSpool::chainsOfEveryLength_data() {
  QTest::addColumn<int>("blockBytes");
  for (const int bytes : {1, 512, 520, 4096, 65536}) QTest::addRow("%d", bytes) << bytes;
}

void TestSpool::chainsOfEveryLength() {
  QFETCH(int, blockBytes);
  const test::TemporaryFolder folder;
  MemoryAccount account(1 << 20);
  const std::vector<std::size_t> lengths{0, 1, 7, 503, 504, 505, 1520, 1521, 4096, 10'000, 100'000};
  ChainSpool spool(folder.path(), lengths.size(), static_cast<std::size_t>(blockBytes), account);
  const auto byteAt = [](std::size_t chain, std::size_t n) {
    return static_cast<std::byte>((n * 31 + chain * 7) & 255);
  };
  std::vector<ChainSpool::Writer> writers;
  for (std::size_t c = 0; c < lengths.size(); ++c) writers.push_back(spool.open(c));
  // All chains grow at the same time, in pieces of different sizes.
  std::vector<std::size_t> written(lengths.size(), 0);
  for (std::size_t round = 1; round < 200; ++round) {
    for (std::size_t c = 0; c < lengths.size(); ++c) {
      std::vector<std::byte> piece(std::min(lengths[c] - written[c], round * 7));
      for (std::size_t i = 0; i < piece.size(); ++i) piece[i] = byteAt(c, written[c] + i);
      writers[c].append(piece);
      written[c] += piece.size();
    }
  }
  QCOMPARE(written, lengths);
  for (std::size_t c = 0; c < lengths.size(); ++c) writers[c].finish({int(c), -1, 5});
  writers.clear();
  QCOMPARE(account.usedBytes(), 0u);

  ChainSpool::Reader reader(spool);
  std::size_t seen = 0;
  spool.forEachEntry([&](std::uint64_t number, const ChainEntry& entry) {
    QCOMPARE(number, seen++);
    QCOMPARE(entry.bytes, lengths[number]);
    QCOMPARE(entry.tags[0], int(number));
    reader.start(entry);
    std::size_t n = 0;
    for (auto run = reader.next(); !run.empty(); run = reader.next())
      for (const std::byte b : run)
        if (b != byteAt(number, n++)) QFAIL("wrong byte");
    QCOMPARE(n, lengths[number]);
  });
  QCOMPARE(seen, lengths.size());
}

void TestSpool::linesFromManyThreads() {
  const test::TemporaryFolder folder;
  MemoryAccount account(1 << 20);
  constexpr std::uint64_t kLines = 500;
  LineSpool spool({.folder = folder.path(), .lineCount = kLines, .valuesPerVertex = 4}, account);
  const auto lengthOf = [](std::uint64_t line) { return 1 + line * line % 997; };
  std::atomic<std::uint64_t> next{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        // Each takes lines from the end, so they finish out of order.
        for (std::uint64_t n = next++; n < kLines; n = next++)
          writeLine(spool, kLines - 1 - n, lengthOf(kLines - 1 - n));
      });
    }
  }
  std::uint64_t line = 0, vertex = 0, total = 0;
  bool good = true;
  spool.visitVertices([&](const LineSummary& summary, std::span<const double> run) {
    if (summary.number != line) {
      good &= vertex == lengthOf(line) && summary.number == line + 1;
      line = summary.number;
      vertex = 0;
    }
    good &= summary.vertices == lengthOf(line) && summary.block == static_cast<std::int32_t>(line % 5);
    for (; !run.empty(); run = run.subspan(8), ++vertex, ++total) {
      const auto values = valuesOf(line, vertex);
      good &= run[0] == double(line) && run[1] == double(vertex) && run[3] == 0.25 * double(vertex);
      good &= std::equal(values.begin(), values.end(), run.begin() + 4);
    }
  });
  QVERIFY(good);
  QCOMPARE(line, kLines - 1);
  QCOMPARE(total, spool.vertexCount());
  QCOMPARE(spool.countOf(flow::Termination::MaxSteps), kLines);
  const auto range = spool.range(0);
  QCOMPARE((*range)[0], 0.0);
  QCOMPARE(spool.bounds().max.x, double(kLines - 1));
  QVERIFY(account.peakBytes() <= 8u * 4096);
}

void TestSpool::emptyAndUnfinishedLines() {
  const test::TemporaryFolder folder;
  MemoryAccount account(1 << 20);
  LineSpool spool({.folder = folder.path(), .lineCount = 3, .valuesPerVertex = 3}, account);
  spool.open(0).finish({.termination = flow::Termination::SeedOutside}, {1, 2, 3});
  auto dropped = spool.open(1);
  dropped.vertex({0, 0, 0}, 0, std::array<double, 3>{});
  std::vector<LineSummary> lines;
  spool.visitLines([&](const LineSummary& line) { lines.push_back(line); });
  QCOMPARE(lines.size(), 3u);
  QCOMPARE(lines[0].vertices, 1u);
  QVERIFY(lines[0].termination == flow::Termination::SeedOutside);
  QCOMPARE(lines[1].vertices, 0u);
  QCOMPARE(lines[2].vertices, 0u);
  QCOMPARE(lines[2].block, -1);
  spool.visitVertices([&](const LineSummary& line, std::span<const double> run) {
    QCOMPARE(line.number, 0u);
    QCOMPARE(run.size(), 7u);
    QVERIFY(run[0] == 1 && run[2] == 3 && run[3] == 0 && std::isnan(run[4]) && std::isnan(run[6]));
  });
  QVERIFY(!spool.range(0));
}

/// Where views are fitted to what there is, one seed would take all of it out of sight.
void TestSpool::seedsFarAwayCountForNoExtent() {
  const test::TemporaryFolder folder;
  MemoryAccount account(1 << 20);
  const auto make = [&] {
    return std::make_unique<LineSpool>(LineSpoolOptions{.folder = folder.path(),
                                                        .lineCount = 5,
                                                        .valuesPerVertex = 4,
                                                        .near = {{-10, -10, -10}, {10, 10, 10}}},
                                       account);
  };
  const auto isAt = [](const Bounds& its, Vec3 min, Vec3 max) { return its.min == min && its.max == max; };
  const auto outside = flow::LineResult{.termination = flow::Termination::SeedOutside};
  for (const bool written : {true, false}) {
    const auto spool = make();
    spool->open(0).finish(outside, {1e30, 0, 0});
    QVERIFY(spool->bounds().empty());
    spool->open(1).finish(outside, {-9, 2, 3});
    QVERIFY(isAt(spool->bounds(), {-9, 2, 3}, {-9, 2, 3}));
    // Lines that are lines count wherever they go.
    auto line = spool->open(2);
    const std::array<double, 4> values{1, 2, 3, 4};
    line.vertex({4, 5, 6}, 0, values);
    line.vertex({40, 5, 6}, 1, values);
    line.finish({.termination = flow::Termination::MaxSteps}, {4, 5, 6});
    QVERIFY(isAt(spool->bounds(), {-9, 2, 3}, {40, 5, 6}));
    // So it is of those that are not begun.
    const auto seedOf = [](std::uint64_t number) { return number == 3 ? Vec3{0, 0, -1e9} : Vec3{0, 0, -7}; };
    if (written)
      spool->finishRest(0, 5, seedOf);
    else
      spool->readRestAs(seedOf);
    QVERIFY(isAt(spool->bounds(), {-9, 0, -7}, {40, 5, 6}));
    QCOMPARE(spool->vertexCount(), 6u);
  }
}

void TestSpool::linesNotBegunAreTheirSeeds_data() {
  QTest::addColumn<qulonglong>("memory");
  QTest::addColumn<bool>("written");
  QTest::newRow("much memory") << 1'000'000ull << true;
  QTest::newRow("room for a few at a time") << 9'000ull << true;
  QTest::newRow("not even written") << 9'000ull << false;
}

/// Lines of every length between them stay as they are.
void TestSpool::linesNotBegunAreTheirSeeds() {
  QFETCH(qulonglong, memory);
  QFETCH(bool, written);
  const test::TemporaryFolder folder;
  MemoryAccount account(memory);
  constexpr std::uint64_t kLines = 300;
  LineSpool spool({.folder = folder.path(), .lineCount = kLines, .valuesPerVertex = 4}, account);
  const auto isBegun = [](std::uint64_t line) { return line % 7 == 3; };
  const auto lengthOf = [](std::uint64_t line) { return 1 + 5 * line; };
  std::uint64_t begun = 0, vertices = 0;
  for (std::uint64_t line = 0; line < kLines; ++line) {
    if (!isBegun(line)) continue;
    writeLine(spool, line, lengthOf(line));
    ++begun;
    vertices += lengthOf(line);
  }
  std::uint64_t asked = 0;
  const auto seedOf = [&](std::uint64_t line) {
    ++asked;
    return Vec3{double(line), 2000, -3};
  };
  if (written) {
    for (std::uint64_t first = 0; first < kLines; first += 128)
      spool.finishRest(first, std::min<std::uint64_t>(128, kLines - first), seedOf);
    QCOMPARE(asked, kLines - begun);
  } else {
    spool.readRestAs(seedOf);
    QCOMPARE(asked, 0u);
  }
  QCOMPARE(spool.bounds().min.z, -3.0);
  QCOMPARE(spool.bounds().max.x, double(kLines - 1));
  QCOMPARE(account.usedBytes(), 0u);
  QCOMPARE(spool.countOf(flow::Termination::OutOfTime), kLines - begun);
  QCOMPARE(spool.vertexCount(), vertices + kLines - begun);
  spool.visitLines([&](const LineSummary& line) {
    QCOMPARE(line.vertices, isBegun(line.number) ? lengthOf(line.number) : 1u);
  });

  // A long line comes in several runs.
  std::vector<std::vector<double>> lines(kLines);
  spool.visitVertices([&](const LineSummary& line, std::span<const double> run) {
    QCOMPARE(line.termination,
             isBegun(line.number) ? flow::Termination::MaxSteps : flow::Termination::OutOfTime);
    auto& all = lines[line.number];
    all.insert(all.end(), run.begin(), run.end());
  });
  for (std::uint64_t line = 0; line < kLines; ++line) {
    const auto& all = lines[line];
    if (isBegun(line)) {
      QCOMPARE(all.size(), 8 * lengthOf(line));
      for (std::uint64_t v = 0; v < lengthOf(line); ++v)
        if (all[8 * v + 1] != double(v) || all[8 * v + 4] != valuesOf(line, v)[0]) QFAIL("another vertex");
      continue;
    }
    QCOMPARE(all.size(), 8u);
    QVERIFY(all[0] == double(line) && all[1] == 2000 && all[2] == -3 && all[3] == 0 && std::isnan(all[4]) &&
            std::isnan(all[7]));
  }
}

void TestSpool::writersClaimTheirBlock() {
  const test::TemporaryFolder folder;
  MemoryAccount account(10'000);
  LineSpool spool({.folder = folder.path(), .lineCount = 3}, account);
  auto first = spool.open(0);
  auto second = spool.open(1);
  QCOMPARE(account.usedBytes(Purpose::Results), 2u * 4096);
  QVERIFY_THROWS_EXCEPTION(OverBudget, spool.open(2));
  second.finish({}, {});
  QCOMPARE(account.usedBytes(), 4096u);
}

void TestSpool::chunksOfTheScene() {
  const test::TemporaryFolder folder;
  MemoryAccount account(1 << 20);
  auto spool = std::make_shared<LineSpool>(
      LineSpoolOptions{.folder = folder.path(), .lineCount = 4, .valuesPerVertex = 4}, account);
  const std::vector<std::uint64_t> lengths{65'536, 1, 150'000, 2};
  for (std::uint64_t n = 0; n < lengths.size(); ++n) writeLine(*spool, n, lengths[n]);
  // the points as normals, too
  const auto geometry = lineGeometry(polylinesOf(spool), 5, {}, 0);
  // Join the pieces again: a piece that continues a line repeats its last vertex.
  std::vector<std::uint64_t> joined;
  std::array<double, 3> last{};
  std::size_t chunks = 0;
  geometry->visit([&](const LineChunk& chunk) {
    ++chunks;
    QVERIFY(chunk.points.size() / 3 <= 65'536);
    QCOMPARE(chunk.scalars.size(), chunk.points.size() / 3);
    QVERIFY(std::equal(chunk.points.begin(), chunk.points.end(), chunk.normals.begin(), chunk.normals.end()));
    QCOMPARE(std::accumulate(chunk.lengths.begin(), chunk.lengths.end(), std::size_t{0}),
             chunk.points.size() / 3);
    const double* point = chunk.points.data();
    for (const std::uint32_t length : chunk.lengths) {
      QVERIFY(length > 0);
      const bool goesOn = std::equal(last.begin(), last.end(), point);
      if (goesOn && !joined.empty())
        joined.back() += length - 1;
      else
        joined.push_back(length);
      point += std::size_t{3} * length;
      std::copy(point - 3, point, last.begin());
    }
  });
  QCOMPARE(joined, (std::vector<std::uint64_t>{65'536, 150'000, 2}));
  QVERIFY(chunks >= 4);
}

void TestSpool::surfaces() {
  const test::TemporaryFolder folder;
  MemoryAccount account(1 << 20);
  auto spool = std::make_shared<SurfaceSpool>(folder.path(), 40, 2, account);
  const auto nodesOf = [](std::size_t patch) { return 3 + patch % 7; };
  for (std::size_t n = 40; n-- > 0;) {
    const std::size_t nodes = nodesOf(n);
    std::vector<double> points(3 * nodes, double(n)), normals(3 * nodes, 1), values(2 * nodes, -double(n));
    std::vector<std::uint32_t> triangles{0, 1, static_cast<std::uint32_t>(nodes - 1)};
    if (n % 4 == 1) triangles.clear();  // all of it blanked
    spool->patch(n, {points, normals, values, triangles});
  }
  QCOMPARE(spool->triangleCount(), 30u);
  std::size_t n = 0;
  spool->visit({.normals = false}, [&](const extract::SurfacePatch& patch) {
    if (n % 4 == 1) ++n;
    QCOMPARE(patch.points.size(), 3 * nodesOf(n));
    QCOMPARE(patch.points.back(), double(n));
    QVERIFY(patch.normals.empty());
    QCOMPARE(patch.values[0], -double(n));
    QCOMPARE(patch.triangles[2], nodesOf(n) - 1);
    ++n;
  });
  QCOMPARE(n, 40u);
  QCOMPARE((*spool->range(1))[0], -39.0);
  QCOMPARE(spool->bounds().max.z, 39.0);
  std::size_t triangles = 0;
  triangleGeometry(spool, 0)->visit([&](const TriangleChunk& chunk) {
    QCOMPARE(chunk.normals.size(), chunk.points.size());
    QCOMPARE(chunk.scalars.size(), chunk.points.size() / 3);
    for (std::size_t t = 0; t < chunk.triangles.size(); t += 3) {
      QVERIFY(chunk.triangles[t + 2] < chunk.scalars.size());
      QCOMPARE(chunk.scalars[chunk.triangles[t]], -chunk.points[3 * chunk.triangles[t + 2]]);
      ++triangles;
    }
  });
  QCOMPARE(triangles, 30u);
}

void TestSpool::linesAreReadWhileOthersAreMade() {
  const test::TemporaryFolder folder;
  MemoryAccount account(1 << 20);
  constexpr std::uint64_t kLines = 2000;
  LineSpool spool({.folder = folder.path(), .lineCount = kLines, .valuesPerVertex = 4}, account);
  const auto lengthOf = [](std::uint64_t line) { return 2 + line % 301; };
  std::atomic<bool> done{false};
  std::jthread maker([&] {
    for (std::uint64_t n = 0; n < kLines; ++n) {
      // Not in order: a reader meets gaps.
      const std::uint64_t line = n * 7 % kLines;
      writeLine(spool, line, lengthOf(line));
    }
    done = true;
  });
  std::size_t partial = 0, before = 0;
  for (bool last = false; !last;) {
    last = done;
    const Bounds bounds = spool.bounds();
    std::uint64_t vertices = 0;
    std::size_t lines = 0;
    std::optional<std::uint64_t> current;
    bool good = true;
    spool.visitVertices([&](const LineSummary& line, std::span<const double> run) {
      if (current != line.number) ++lines, vertices = 0;
      current = line.number;
      good &= line.vertices == lengthOf(line.number);
      for (; !run.empty(); run = run.subspan(8), ++vertices) {
        good &= run[0] == double(line.number) && run[1] == double(vertices);
        good &= run[4] == valuesOf(line.number, vertices)[0];
      }
    });
    QVERIFY(good);
    QVERIFY2(lines >= before, "a line that was there is gone");
    before = lines;
    if (lines > 0 && lines < kLines) ++partial;
    if (!bounds.empty()) QVERIFY(spool.bounds().contains(bounds.min) && spool.bounds().contains(bounds.max));
  }
  QCOMPARE(before, kLines);
  QVERIFY2(partial > 0, "every look came before the first line or after the last");
  QCOMPARE((*spool.range(0))[1], valuesOf(kLines - 1, lengthOf(kLines - 1) - 1)[0]);
}

void TestSpool::patchesAreReadWhileOthersAreMade() {
  const test::TemporaryFolder folder;
  MemoryAccount account(8 << 20);
  constexpr std::size_t kPatches = 600;
  SurfaceSpool spool(folder.path(), kPatches, 1, account);
  QVERIFY(spool.bounds().empty());
  QVERIFY(!spool.range(0));
  std::jthread maker([&] {
    for (std::size_t n = 0; n < kPatches; ++n) {
      // Ever larger, so that a reader has to claim more on the way.
      const std::size_t patch = n * 7 % kPatches, nodes = 3 + n;
      const std::vector<double> points(3 * nodes, double(patch)), values(nodes, double(n));
      spool.patch(patch, {points, points, values, std::array<std::uint32_t, 3>{0, 1, 2}});
    }
  });
  std::size_t patches = 0, partial = 0;
  while (patches < kPatches) {
    patches = 0;
    bool good = true;
    spool.visit({}, [&](const extract::SurfacePatch& patch) {
      ++patches;
      good &= patch.points.size() == 3 * patch.values.size() && patch.points.front() == patch.points.back();
      good &= patch.points.size() == 3 * (3 + static_cast<std::size_t>(patch.values.front()));
    });
    QVERIFY(good);
    if (patches > 0 && patches < kPatches) ++partial;
  }
  QVERIFY2(partial > 0, "every look came before the first patch or after the last");
  QCOMPARE(spool.bounds().max.x, double(kPatches - 1));
  QCOMPARE((*spool.range(0))[1], double(kPatches - 1));
}

void TestSpool::pathsOfNeighboursAreReadTogether_data() {
  QTest::addColumn<int>("intervals");
  QTest::newRow("fewer pieces of the file than a reader keeps") << 20;
  QTest::newRow("more") << 700;
}

void TestSpool::pathsOfNeighboursAreReadTogether() {
  // Groups of neighbours are written by turns, as tasks do; one particle's runs are longer than what a writer collects.
  QFETCH(int, intervals);
  constexpr int kGroups = 3, kGroup = 32, kWidth = 7;
  const test::TemporaryFolder folder;
  PathLog log(folder.path(), kWidth);
  std::vector<std::uint64_t> last(kGroups * kGroup);
  const auto verticesIn = [](int interval, std::size_t particle) {
    return particle == 40 && interval % 16 == 3 ? 200
                                                : static_cast<int>(particle + std::size_t(interval)) % 3;
  };
  const auto value = [](std::size_t particle, int interval, int vertex) {
    return 1e6 * static_cast<double>(particle) + 1e3 * interval + vertex;
  };
  for (int interval = 0; interval < intervals; ++interval)
    for (int group = 0; group < kGroups; ++group) {
      PathLog::Writer writer(&log);
      for (std::size_t p = std::size_t(group) * kGroup; p < std::size_t(group + 1) * kGroup; ++p) {
        writer.begin(last[p]);
        for (int v = 0; v < verticesIn(interval, p); ++v)
          writer.vertex({value(p, interval, v), 2, 3}, double(interval), std::array<double, 3>{4, 5, 6});
        writer.end();
      }
      writer.flush();
    }
  PathLog::Reader reader(log);
  for (std::size_t p = 0; p < last.size(); ++p) {
    int interval = 0, vertex = 0;
    bool good = true;
    const auto skip = [&] {
      while (interval < intervals && vertex == verticesIn(interval, p)) ++interval, vertex = 0;
    };
    skip();
    reader.visit(last[p], [&](std::span<const double> run) {
      good &= run.size() % kWidth == 0;
      for (std::size_t at = 0; at < run.size(); at += kWidth, ++vertex, skip())
        good &= interval < intervals && run[at] == value(p, interval, vertex) && run[at + 3] == interval &&
                run[at + 6] == 6;
    });
    QVERIFY(good);
    QCOMPARE(interval, intervals);
  }
}

void TestSpool::beginningIsInMemory_data() {
  QTest::addColumn<qulonglong>("budget");
  QTest::addColumn<qulonglong>("most");
  QTest::addColumn<qulonglong>("inMemory");
  const qulonglong piece = SpoolRoom::kPieceBytes;
  QTest::newRow("no room") << piece << 4 * piece << qulonglong{0};
  QTest::newRow("room for two pieces") << 64 * piece << 2 * piece << 2 * piece;
  QTest::newRow("half of the budget") << 6 * piece << 64 * piece << 3 * piece;
  QTest::newRow("room for all") << 64 * piece << 16 * piece << 5 * piece;
}

void TestSpool::beginningIsInMemory() {
  // Threads append ranges of odd lengths to what was reserved; some of them lie across the end of memory.
  QFETCH(qulonglong, budget);
  QFETCH(qulonglong, most);
  QFETCH(qulonglong, inMemory);
  constexpr std::uint64_t kReserved = 100'000, kLength = 7919, kRanges = 1200, kThreads = 3;
  const test::TemporaryFolder folder;
  MemoryAccount account(budget);
  {
    const auto room = std::make_shared<SpoolRoom>(account, most);
    RoomySpool spool(folder.path(), kReserved, room);
    const auto contents = [](std::uint64_t range) {
      std::vector<std::byte> bytes(kLength);
      for (std::size_t n = 0; n < bytes.size(); ++n)
        bytes[n] = static_cast<std::byte>(range * 31 + n * 7 + n / 256);
      return bytes;
    };
    std::vector<std::uint64_t> places(kRanges);
    std::vector<std::thread> threads;
    for (std::uint64_t thread = 0; thread < kThreads; ++thread)
      threads.emplace_back([&, thread] {
        for (std::uint64_t n = thread; n < kRanges; n += kThreads) {
          places[n] = spool.allocate(kLength);
          spool.write(places[n], contents(n));
        }
      });
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(spool.length(), kReserved + kRanges * kLength);
    QCOMPARE(spool.bytesInMemory(), inMemory);
    QVERIFY(account.peakBytes() <= account.budgetBytes() / 2);
    std::vector<std::byte> found(kLength);
    for (std::uint64_t n = 0; n < kRanges; ++n) {
      spool.read(places[n], found);
      QVERIFY(found == contents(n));
    }
    std::vector<std::byte> reserved(kReserved, std::byte{1});
    spool.read(0, reserved);
    QVERIFY(reserved == std::vector<std::byte>(kReserved));
    QCOMPARE(spool.readSome(spool.length() - 5, found), std::size_t{5});
    // what one spool gives back the next one has
    const std::uint64_t used = account.usedBytes();
    { const RoomySpool other(folder.path(), 1, room); }
    { const RoomySpool other(folder.path(), 1, room); }
    QVERIFY(account.usedBytes() <= used + SpoolRoom::kPieceBytes);
  }
  QCOMPARE(account.usedBytes(), std::uint64_t{0});
}

void TestSpool::folderThatIsNotThere() {
  MemoryAccount account(1 << 20);
  QVERIFY_THROWS_EXCEPTION(Io, ChainSpool("/nonexistent/folder", 1, 4096, account));
  QCOMPARE(spoolFolder("out"),
           std::filesystem::path(qEnvironmentVariableIsSet("TMPDIR") ? std::getenv("TMPDIR") : "out"));
}

/// Whoever draws or writes much of them can be interrupted on the way.
void TestSpool::visitsEndWhereTheirThreadIsStopped() {
  const test::TemporaryFolder folder;
  MemoryAccount account(std::uint64_t{16} << 20);
  LineSpool lines({.folder = folder.path(), .lineCount = 10, .valuesPerVertex = 4, .blockBytes = 4096},
                  account);
  for (std::uint64_t line = 0; line < 10; ++line) writeLine(lines, line, 1000);
  SurfaceSpool surface(folder.path(), 10, 0, account);
  const std::vector<double> points(9, 0.5);
  const std::vector<std::uint32_t> triangle{0, 1, 2};
  for (std::size_t n = 0; n < 10; ++n)
    surface.patch(n, {.points = points, .normals = points, .triangles = triangle});
  const auto isCut = [](const auto& visit) {
    std::stop_source source;
    const StoppableWaits waits(source.get_token());
    int seen = 0;
    try {
      visit([&] {
        ++seen;
        source.request_stop();
      });
    } catch (const Cancelled&) {
      return seen == 1;
    }
    return false;
  };
  QVERIFY(isCut([&](const auto& see) { lines.visitVertices([&](const auto&, const auto&) { see(); }); }));
  QVERIFY(isCut([&](const auto& see) { surface.visit({}, [&](const auto&) { see(); }); }));
}

QTEST_APPLESS_MAIN(TestSpool)
#include "tst_spool.moc"
