// Lines on surfaces of structured blocks through the built program, where these are cut into blocks that have the nodes of the cut twice:
// they go over the seams, however the blocks are turned, follow those that the flow comes to from both sides, and end where nothing meets.

#include <QTest>

#include <cmath>
#include <functional>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"
#include "tests/support/vtp_file.h"
#include "tests/system/plot3d_file.h"
#include "tests/system/session_text.h"

using namespace farfield;
using namespace farfield::test;

namespace {

constexpr double kPi = 3.14159265358979323846;

/// `place` of the shares, 0 … 1, of the way along i and j; the second sheet of nodes lies `thickness` along `up` beside the first.
Plot3dBlock sheetBlock(std::int64_t ni, std::int64_t nj, const std::function<Vec3(double, double)>& place,
                       const std::function<Vec3(Vec3)>& up, const std::function<Vec3(Vec3)>& velocity) {
  Plot3dBlock block{{ni, nj, 2}, {}, {}, {}};
  std::vector<Vec3> points;
  for (int k = 0; k < 2; ++k)
    for (std::int64_t j = 0; j < nj; ++j)
      for (std::int64_t i = 0; i < ni; ++i) {
        const Vec3 p = place(static_cast<double>(i) / static_cast<double>(ni - 1),
                             static_cast<double>(j) / static_cast<double>(nj - 1));
        points.push_back(k == 0 ? p : p + up(p));
      }
  const std::size_t nodes = points.size();
  block.xyz.resize(3 * nodes);
  block.q.assign(5 * nodes, 1);
  for (std::size_t n = 0; n < nodes; ++n) {
    const Vec3 flow = velocity(points[n]);
    for (std::size_t a = 0; a < 3; ++a) {
      block.xyz[a * nodes + n] = points[n][static_cast<int>(a)];
      block.q[(1 + a) * nodes + n] = flow[static_cast<int>(a)];
    }
    block.q[4 * nodes + n] = 10;
  }
  return block;
}

Vec3 around(Vec3 p) {
  return {-p.y, p.x, 0};
}
Vec3 upwards(Vec3) {
  return {0, 0, 0.1};
}

}  // namespace

class TestSurfaceSeams : public QObject {
  Q_OBJECT
 private slots:
  void regularBlocks();
  void turnedBlocks();
  void theSeamOfAnOGrid();
  void goAlongASeamThatTheyComeToFromBothSides();
  void endWhereNothingMeets();
  void areTheSameHoweverTheyAreComputed();
  void separationOfRealData();

 private:
  RunSettings here() const { return {.folder = m_folder.path()}; }
  std::vector<VtpLine> lines(const std::string& data, const std::string& keys,
                             const std::string& vector = "velocity") {
    writeFile(m_folder / "oil.json",
              sessionText(data, R"({"name":"oil","type":"surface-lines",)" + keys + "}"));
    std::filesystem::remove_all(m_folder / "out");
    const RunResult result = runProgram({"batchvis", "oil.json", "-o", "out", "--quiet"}, here());
    if (result.status != 0) qFatal("%s", result.errors.c_str());
    return VtpFile(m_folder / "out" / "oil.vtp").lines(vector, "length");
  }
  std::string written(const std::vector<Plot3dBlock>& blocks) {
    writePlot3d(m_folder / "grid.xyz", m_folder / "flow.q", blocks, {.f64 = true});
    return R"("source":"grid.xyz","solution":"flow.q")";
  }
  TemporaryFolder m_folder;
};

/// Whose common nodes are computed from the origin of each.
void TestSurfaceSeams::regularBlocks() {
  const auto all =
      lines(R"("source":"sample://taylor-green?size=17,65,9&blocks=4")",
            R"("on":{"type":"grid-surface","range":{"k":3}},"count":60,"maxLength":5,"direction":"forward")");
  QCOMPARE(all.size(), std::size_t{60});
  const auto stream = [](Vec3 p) { return std::sin(p.x) * std::sin(p.y); };
  int crossed = 0, long_ = 0;
  for (const VtpLine& line : all) {
    Bounds bounds;
    for (std::size_t n = 0; n < line.points.size(); ++n) {
      bounds.add(line.points[n]);
      QVERIFY2(std::abs(stream(line.points[n]) - stream(line.points.front())) < 0.02,
               std::to_string(stream(line.points[n]) - stream(line.points.front())).c_str());
      // no vertex twice, and none left out
      if (n > 0) {
        const double way = length(line.points[n] - line.points[n - 1]);
        QVERIFY2(way > 0 && way < 0.03, std::to_string(way).c_str());
        QVERIFY(std::abs(line.times[n] - line.times[n - 1] - way) < 0.02 * way + 1e-9);
      }
    }
    const double seam = kPi / 2 * std::round(bounds.center().x / (kPi / 2));
    crossed += bounds.min.x < seam - 0.1 && bounds.max.x > seam + 0.1 ? 1 : 0;
    long_ += std::abs(line.times.back() - 5) < 1e-9 ? 1 : 0;
  }
  QVERIFY2(crossed > 20, std::to_string(crossed).c_str());
  QVERIFY2(long_ > 50, std::to_string(long_).c_str());
}

/// A cube blown up to a sphere, whose sides are blocks with i and j exchanged, or backwards.
void TestSurfaceSeams::turnedBlocks() {
  std::vector<Plot3dBlock> blocks;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2, turn = side % 4;
    const auto place = [=](double i, double j) {
      if (turn & 1) std::swap(i, j);
      if (turn & 2) i = 1 - i;
      Vec3 p;
      p[axis] = side % 2 ? 1 : -1;
      // even angles; the ends are the same numbers on both sides
      const auto even = [](double share) {
        return share == 0 ? -1.0 : share == 1 ? 1.0 : std::tan(kPi / 4 * (2 * share - 1));
      };
      p[(axis + 1) % 3] = even(i);
      p[(axis + 2) % 3] = even(j);
      return 1 / length(p) * p;
    };
    blocks.push_back(sheetBlock(
        33, 33, place, [](Vec3 p) { return 0.1 * p; }, around));
  }
  const auto all = lines(
      written(blocks),
      R"("on":{"type":"grid-surface","range":{"k":0}},"count":60,"maxLength":6.5,"direction":"forward")");
  // the first start of a side is its middle, where two of them turn
  QCOMPARE(all.size(), std::size_t{58});
  int closed = 0;
  for (const VtpLine& line : all) {
    const Vec3 start = line.points.front();
    const double way = 2 * kPi * std::hypot(start.x, start.y);
    QVERIFY2(line.times.back() > 6.49, (line.termination + std::to_string(line.times.back())).c_str());
    double nearest = 1e9;
    for (std::size_t n = 0; n < line.points.size(); ++n) {
      const Vec3 p = line.points[n];
      QVERIFY2(std::abs(length(p) - 1) < 0.004, std::to_string(length(p) - 1).c_str());
      QVERIFY2(std::abs(p.z - start.z) < 0.004, std::to_string(p.z - start.z).c_str());
      if (std::abs(line.times[n] - way) < 0.1) nearest = std::min(nearest, length(p - start));
    }
    if (way > 1 && way < 6.4) {
      QVERIFY2(nearest < 0.01, std::to_string(nearest).c_str());
      ++closed;
    }
  }
  QVERIFY2(closed > 30, std::to_string(closed).c_str());
}

void TestSurfaceSeams::theSeamOfAnOGrid() {
  const auto ring = sheetBlock(
      129, 9,
      [](double i, double j) {
        const double angle = i == 1 ? 0 : 2 * kPi * i;
        return (1 + j) * Vec3{std::cos(angle), std::sin(angle), 0};
      },
      upwards, around);
  const auto all =
      lines(written({ring}), R"("on":{"type":"grid-surface","range":{"k":0}},"count":20,"maxLength":30)");
  QCOMPARE(all.size(), std::size_t{40});
  for (const VtpLine& line : all) {
    QVERIFY2(line.termination == "max-length", line.termination.c_str());
    for (const Vec3& p : line.points) {
      const double radius = std::hypot(p.x, p.y) / std::hypot(line.points.front().x, line.points.front().y);
      QVERIFY2(std::abs(radius - 1) < 0.01, std::to_string(radius).c_str());
    }
  }
}

void TestSurfaceSeams::goAlongASeamThatTheyComeToFromBothSides() {
  const auto half = [](double from, double to, double across) {
    return sheetBlock(
        9, 17,
        [=](double i, double j) {
          return Vec3{from + i * (to - from), 2 * j, 0};
        },
        upwards,
        [=](Vec3) {
          return Vec3{across, 1, 0};
        });
  };
  const auto all = lines(written({half(-1, 0, 1), half(0, 1, -1)}),
                         R"("on":{"type":"grid-surface","range":{"k":0}},"count":40,"direction":"forward")");
  QCOMPARE(all.size(), std::size_t{40});
  int along = 0;
  for (const VtpLine& line : all) {
    const Vec3 end = line.points.back();
    QVERIFY2(end.y > 2 - 0.02, std::to_string(end.y).c_str());
    if (line.points.front().y + std::abs(line.points.front().x) > 1.9) continue;
    QVERIFY2(std::abs(end.x) < 1e-9, std::to_string(end.x).c_str());
    ++along;
  }
  QVERIFY2(along > 20, std::to_string(along).c_str());
}

/// Blocks beside each other whose nodes differ, and a third one at the seam.
void TestSurfaceSeams::endWhereNothingMeets() {
  const auto plate = [](double from, double to, std::int64_t nj) {
    return sheetBlock(
        9, nj,
        [=](double i, double j) {
          return Vec3{from + i * (to - from), 2 * j, 0};
        },
        upwards,
        [](Vec3) {
          return Vec3{1, 0, 0};
        });
  };
  const std::string keys = R"("on":{"type":"grid-surface","range":{"k":0}},"count":40,"direction":"forward")";
  const auto endsAtOnes = [](const std::vector<VtpLine>& all) {
    return std::count_if(all.begin(), all.end(), [](const VtpLine& line) {
      return std::abs(line.points.back().x - std::round(line.points.back().x)) < 0.02;
    });
  };
  const auto past = [](const std::vector<VtpLine>& all) {
    return std::count_if(all.begin(), all.end(), [](const VtpLine& line) {
      return line.points.front().x < -0.02 && line.points.back().x > 0.02;
    });
  };
  const auto matched = lines(written({plate(-1, 0, 17), plate(0, 1, 17)}), keys);
  QVERIFY(past(matched) > 15 && endsAtOnes(matched) == 40);
  const auto others = lines(written({plate(-1, 0, 17), plate(0, 1, 16)}), keys);
  QVERIFY(past(others) == 0 && endsAtOnes(others) == 40);
  const auto three = lines(written({plate(-1, 0, 17), plate(0, 1, 17), plate(0, 1, 17)}), keys);
  QVERIFY(past(three) == 0 && endsAtOnes(three) == 40);
}

void TestSurfaceSeams::areTheSameHoweverTheyAreComputed() {
  writeFile(
      m_folder / "oil.json",
      sessionText(R"("source":"sample://taylor-green?size=17,65,9&blocks=4")",
                  R"({"name":"oil","type":"surface-lines","on":{"type":"grid-surface","range":{"k":3}}})"));
  const RunResult result = runProgram({"verify", "oil.json"}, here());
  QVERIFY2(result.status == 0, (result.out + result.errors).c_str());
}

/// Lines on a wall in eight blocks are as those on the same wall in one.
void TestSurfaceSeams::separationOfRealData() {
  NEEDS_DATA("data/plot3d/bluntfinq.bin");
  const auto source = [](const char* grid, const char* flow) {
    return R"("source":")" + dataPath(std::string("data/plot3d/") + grid).string() + R"(","solution":")" +
           dataPath(std::string("data/plot3d/") + flow).string() + '"';
  };
  const auto keys = [](const char* blocks) {
    return std::string(R"("on":{"type":"grid-surface","range":{"k":0})") + blocks +
           R"(},"vector":"skin-friction-vector","count":200,"maxLength":3)";
  };
  const auto meanLength = [](const std::vector<VtpLine>& all) {
    double sum = 0;
    for (const VtpLine& line : all) sum += std::abs(line.times.back());
    return sum / static_cast<double>(all.size());
  };
  const char* const kVector = "skin-friction-vector";
  const auto one = meanLength(lines(source("bluntfinxyz.bin", "bluntfinq.bin"), keys(""), kVector));
  const auto four = meanLength(lines(source("bluntfin_8blk_le_f8_mk_ib.xyz", "bluntfin_8blk_le_f8_mk_ib.q"),
                                     keys(R"(,"blocks":[0,1,2,3])"), kVector));
  QVERIFY2(std::abs(four / one - 1) < 0.1, (std::to_string(four) + " " + std::to_string(one)).c_str());
}

QTEST_GUILESS_MAIN(TestSurfaceSeams)
#include "tst_surface_seams.moc"
