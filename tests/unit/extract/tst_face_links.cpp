// Which faces of a surface meet at which side: of triangles and quadrilaterals, whichever way they are turned, with little memory.

#include <QTest>

#include <map>

#include "core/base/error.h"
#include "core/base/temporary_file.h"
#include "core/extract/face_links.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::extract;
using namespace farfield::test;

namespace {

std::shared_ptr<File> fileIn(const TemporaryFolder& folder) {
  return std::make_shared<File>(makeTemporaryFile(folder.path()));
}

std::shared_ptr<const FaceLinks> linksOf(const std::vector<FaceCorners>& faces,
                                         std::shared_ptr<File> file = nullptr) {
  const TemporaryFolder folder;
  MemoryAccount account(std::uint64_t{1} << 20);
  FaceLinker linker(static_cast<std::int64_t>(faces.size()), 0, account, folder.path());
  // in no order
  for (std::size_t n = 0; n < faces.size(); ++n) {
    const std::size_t at = n * 7919 % faces.size();
    linker.add(static_cast<std::int64_t>(at), faces[at]);
  }
  auto links = linker.finish({}, file ? file : fileIn(folder));
  if (account.peakBytes() > 200'000) qFatal("%lld bytes", static_cast<long long>(account.peakBytes()));
  return links;
}

}  // namespace

class TestFaceLinks : public QObject {
  Q_OBJECT
 private slots:
  void facesMeetWhereTheyShareASide();
  void turnedFacesMeetToo();
  void nothingMeetsWhereASurfaceBranches();
  void facesWithNodesOfTheirOwnMeetByPlace();
  void surfacesShareAFile();
  void manyFaces();
  void stops();
  void endsInTime();
};

void TestFaceLinks::facesMeetWhereTheyShareASide() {
  // a quadrilateral and a triangle beside it
  const auto links = linksOf({{10, 11, 12, 13}, {12, 11, 14, 14}});
  const auto there = links->beyond(0)[1];
  QVERIFY(there && there->face == 1 && there->side == 0 && !there->isTurned);
  const auto back = links->beyond(1)[0];
  QVERIFY(back && back->face == 0 && back->side == 1 && !back->isTurned);
  for (const std::size_t side : {0, 2, 3}) QVERIFY(!links->beyond(0)[side]);
  for (const std::size_t side : {1, 2}) QVERIFY(!links->beyond(1)[side]);
}

void TestFaceLinks::turnedFacesMeetToo() {
  const auto links = linksOf({{10, 11, 12, 13}, {14, 11, 12, 12}});
  const auto there = links->beyond(0)[1];
  QVERIFY(there && there->face == 1 && there->side == 1 && there->isTurned);
}

void TestFaceLinks::nothingMeetsWhereASurfaceBranches() {
  const auto links = linksOf({{0, 1, 2, 2}, {1, 0, 3, 3}, {0, 1, 4, 4}, {4, 1, 5, 5}});
  for (const int face : {0, 1, 2}) QVERIFY(!links->beyond(face)[0]);
  QVERIFY(links->beyond(2)[1].has_value() && links->beyond(2)[1]->face == 3);
}

/// Two triangles that share no node, one of which is turned over; a pair that shares two, and a third at the same places; and three
/// of which none meets another.
void TestFaceLinks::facesWithNodesOfTheirOwnMeetByPlace() {
  const TemporaryFolder folder;
  MemoryAccount account(std::uint64_t{1} << 20);
  const std::vector<FaceCorners> faces{{0, 1, 2, 2},     {3, 4, 5, 5},     {6, 7, 8, 8},
                                       {7, 6, 9, 9},     {10, 11, 12, 12}, {13, 14, 15, 15},
                                       {16, 17, 18, 18}, {19, 20, 21, 21}};
  // of each node
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, -0.0},
                                 {0, 1, 0}, {1, 1, 0},  // side 1 of the first is side 0 of the second
                                 {5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {5, -1, 0},
                                 {5, 0, 0}, {6, 0, 0}, {5, 0, 1}, {8, 0, 0},
                                 {9, 0, 0}, {8, 1, 0}, {8, 0, 0}, {9, 0, 0},
                                 {8, 0, 1}, {9, 0, 0}, {8, 0, 0}, {8, -1, 0}};
  FaceLinker linker(static_cast<std::int64_t>(faces.size()), 0, account, folder.path());
  for (std::size_t n = 0; n < faces.size(); ++n) linker.add(static_cast<std::int64_t>(n), faces[n]);
  QVERIFY(linker.linkByNodes({}));
  QCOMPARE(linker.looseSides(), std::int64_t{3 * 8 - 2});
  for (const std::int64_t first : {0, 10, 20})
    for (const FaceLinker::Side& side : linker.loose(first, 10))
      linker.place(side, points[static_cast<std::size_t>(side.low)],
                   points[static_cast<std::size_t>(side.high)]);
  const auto links = linker.finish({}, fileIn(folder));
  const auto there = links->beyond(0)[1], back = links->beyond(1)[0];
  QVERIFY(there && there->face == 1 && there->side == 0 && there->isTurned);
  QVERIFY(back && back->face == 0 && back->side == 1 && back->isTurned);
  QVERIFY(links->beyond(2)[0] && links->beyond(2)[0]->face == 3);
  for (const std::int64_t alone : {4, 5, 6, 7})
    for (const auto& its : links->beyond(alone)) QVERIFY(!its);
}

void TestFaceLinks::surfacesShareAFile() {
  const TemporaryFolder folder;
  const std::shared_ptr<File> file = fileIn(folder);
  const auto first = linksOf({{10, 11, 12, 13}, {12, 11, 14, 14}}, file),
             second = linksOf({{1, 2, 3, 3}, {5, 6, 7, 7}, {2, 1, 4, 4}}, file);
  QCOMPARE(file->size(), (2 + 3) * 4 * sizeof(std::int64_t));
  QVERIFY(first->beyond(0)[1] && first->beyond(0)[1]->face == 1 && !first->beyond(0)[0]);
  QVERIFY(second->beyond(0)[0] && second->beyond(0)[0]->face == 2 && !second->beyond(0)[1]);
  for (const auto& beyond : second->beyond(1)) QVERIFY(!beyond);
}

/// A net of 60 x 70 quadrilaterals, every third as two triangles: more sides than memory holds.
void TestFaceLinks::manyFaces() {
  constexpr std::int64_t kWide = 60, kHigh = 70;
  std::vector<FaceCorners> faces;
  const auto node = [](std::int64_t i, std::int64_t j) { return i + (kWide + 1) * j; };
  for (std::int64_t j = 0; j < kHigh; ++j)
    for (std::int64_t i = 0; i < kWide; ++i) {
      const std::int64_t a = node(i, j), b = node(i + 1, j), c = node(i + 1, j + 1), d = node(i, j + 1);
      if ((i + j) % 3 != 0) {
        faces.push_back({a, b, c, d});
        continue;
      }
      faces.push_back({a, b, c, c});
      faces.push_back({a, c, d, d});
    }
  const auto links = linksOf(faces);
  std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::size_t, int>> sides;
  const auto ends = [&](std::size_t face, int side) {
    const FaceCorners& its = faces[face];
    const int count = its[3] == its[2] ? 3 : 4;
    return std::pair{its[static_cast<std::size_t>(side)], its[static_cast<std::size_t>((side + 1) % count)]};
  };
  for (std::size_t face = 0; face < faces.size(); ++face)
    for (int side = 0; side < (faces[face][3] == faces[face][2] ? 3 : 4); ++side)
      sides[ends(face, side)] = {face, side};
  std::size_t met = 0;
  for (const auto& [own, place] : sides) {
    const auto beyond =
        links->beyond(static_cast<std::int64_t>(place.first))[static_cast<std::size_t>(place.second)];
    const auto expected = sides.find({own.second, own.first});
    QCOMPARE(beyond.has_value(), expected != sides.end());
    if (!beyond) continue;
    ++met;
    QCOMPARE(beyond->face, static_cast<std::int64_t>(expected->second.first));
    QCOMPARE(beyond->side, expected->second.second);
    QVERIFY(!beyond->isTurned);
  }
  QVERIFY(met > 10'000);
}

void TestFaceLinks::stops() {
  const TemporaryFolder folder;
  MemoryAccount account(std::uint64_t{1} << 20);
  FaceLinker linker(100'000, 0, account, folder.path());
  for (std::int64_t n = 0; n < 20'000; ++n) linker.add(n, {n, n + 1, n + 2, n + 2});
  std::stop_source stop;
  stop.request_stop();
  QVERIFY_THROWS_EXCEPTION(Cancelled, linker.finish(stop.get_token(), fileIn(folder)));
}

/// While sides are put in order, and while what meets what is written.
void TestFaceLinks::endsInTime() {
  const TemporaryFolder folder;
  MemoryAccount account(std::uint64_t{1} << 20);
  const auto linksUntil = [&](std::int64_t faces, std::int64_t added, int asked,
                              const std::shared_ptr<File>& file) {
    FaceLinker linker(faces, 0, account, folder.path());
    for (std::int64_t n = 0; n < added; ++n) linker.add(n, {n, n + 1, n + 2, n + 2});
    return linker.finish({}, file, [&] { return --asked < 0; });
  };
  const auto file = fileIn(folder);
  QVERIFY(!linksUntil(20'000, 20'000, 0, file));
  QCOMPARE(file->size(), std::uint64_t{0});   // nothing was written yet
  QVERIFY(!linksUntil(20'000, 20, 1, file));  // once a part of it stands there
  QVERIFY(file->size() > 0);
  file->resize(0);
  const auto links = linksUntil(20'000, 20'000, 1'000'000, file);
  QVERIFY(links);
  QVERIFY(links->beyond(0)[1]);
}

QTEST_APPLESS_MAIN(TestFaceLinks)
#include "tst_face_links.moc"
