// Surfaces with names: FieldView's boundary files, NASA's neutral map files, and walls that iblank marks.

#include <QTest>

#include <fstream>
#include <set>

#include "core/base/error.h"
#include "plugins/plot3d/boundary_files.h"
#include "plugins/plot3d/plot3d_reader.h"
#include "plugins/plot3d/wall_points.h"
#include "tests/support/error_words.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/plot3d/plot3d_samples.h"

using namespace farfield;
using namespace farfield::plot3d;
using namespace farfield::plot3d::test;
using farfield::test::contains;
using farfield::test::errorOf;
using paging::NamedSurface;

namespace {

const std::vector<Index3> kBlocks = {{5, 9, 7}, {3, 4, 2}};

/// "wall 0: i 0+1, j 0+9, k 0+7".
std::string textOf(const NamedSurface& surface) {
  std::string text = surface.name + " " + std::to_string(surface.block) + ":";
  for (std::size_t a = 0; a < 3; ++a)
    text += std::string(" ") + "ijk"[a] + std::to_string(surface.nodes.first[a]) + "+" +
            std::to_string(surface.nodes.size[a]);
  return text;
}
std::vector<std::string> textsOf(const std::vector<NamedSurface>& surfaces) {
  std::vector<std::string> texts;
  for (const NamedSurface& surface : surfaces) texts.push_back(textOf(surface));
  return texts;
}

const std::string kFvbnd =
    " FVBND 1 4\n  solid wall\ninflow\n# a remark\nBOUNDARIES\n"
    "1 1  1 1  1 $  1 $  F 0\n2 1  5 5  2 9  7 3 T -1\n1\t2\t1 3 1 4 $ $ F 1\r\n";
/// As the manual of FUN3D and GEOLAB's page have it.
const std::string kNmf =
    "# ===== Neutral Map File =====\n# Block#   IDIM   JDIM   KDIM\n2\n\n1 5 9 7\n2 3 4 2\n# Type B1 ...\n"
    "'viscous_solid ' 1 3  1 9  1 7\n'farfield' 1 5  1 7  5 2\n"
    "'one_to_one' 1 2  1 3  1 4  2 1  1 3  1 4 FALSE\n\"symmetry\" 2 2 1 3 1 4\n";

/// A grid whose iblank is what `iblank(node)` says.
template <class Iblank>
std::filesystem::path gridWith(const std::filesystem::path& path, const Index3& dims, Iblank iblank) {
  Plot3dWriter writer = Plot3dWriter::grid(path, {.multiGrid = true, .iblank = true}, {dims});
  std::vector<double> xyz;
  std::vector<std::int32_t> values;
  for (std::int64_t n = 0; n < product(dims); ++n) {
    const Index3 node = unlinear(n, dims);
    for (const std::int64_t c : node) xyz.push_back(double(c));
    values.push_back(iblank(node));
  }
  writer.write(0, whole(dims), xyz);
  writer.writeIblank(0, whole(dims), values);
  writer.commit();
  return path;
}

std::vector<NamedSurface> wallsOf(const std::filesystem::path& path) {
  MemoryAccount account(std::uint64_t{16} << 20);
  return wallSurfaces(Plot3dReader({{path}, {}}), account);
}

}  // namespace

class TestPlot3dSurfaces : public QObject {
  Q_OBJECT
 private slots:
  void fvbndNamesSurfaces();
  void nmfNamesSurfaces();
  void brokenFilesNameTheirLine();
  void longLinesAreCheap();
  void everyCutIsSafe();
  void filesBesideTheGrid();
  void wallsAreRectangles();
  void wallsCoverWhatIsMarked();
  void wallsGoOnToSeams();
  void planesHaveNoWalls();
};

void TestPlot3dSurfaces::fvbndNamesSurfaces() {
  QCOMPARE(textsOf(surfacesFromFvbnd(kFvbnd, kBlocks)),
           (std::vector<std::string>{"solid wall 0: i0+1 j0+9 k0+7", "inflow 0: i4+1 j1+8 k2+5",
                                     "solid wall 1: i0+3 j0+4 k1+1"}));
}

void TestPlot3dSurfaces::nmfNamesSurfaces() {
  const std::vector<NamedSurface> surfaces = surfacesFromNmf(kNmf, kBlocks);
  QCOMPARE(textsOf(surfaces),
           (std::vector<std::string>{"viscous_solid 0: i0+1 j0+9 k0+7", "farfield 0: i1+4 j0+1 k0+7",
                                     "symmetry 1: i0+3 j0+4 k1+1"}));
  QCOMPARE(surfaces.front().kind, std::string("viscous-solid"));
}

void TestPlot3dSurfaces::brokenFilesNameTheirLine() {
  const std::string head = "FVBND 1 4\nwall\nBOUNDARIES\n", longName(1000, 'w');
  for (const auto& [text, part] :
       std::map<std::string, const char*>{{"", "FVBND"},
                                          {"FVBND 1 4\nwall\n", "ends before BOUNDARIES"},
                                          {"FVBND 1 4\n" + longName, "line 2: has a name of 1000 bytes"},
                                          {head + "2 1 1 1 1 9 1 7 F 0", "line 4: there is no name 2"},
                                          {head + "1 3 1 1 1 9 1 7 F 0", "there is no block 3"},
                                          {head + "1 0 1 1 1 9 1 7 F 0", "there is no block 0"},
                                          {head + "1 1 1 1 1 10 1 7 F 0", "nodes 1 to 10 of j"},
                                          {head + "1 1 0 1 1 9 1 7 F 0", "nodes 0 to 1 of i"},
                                          {head + "1 1 1 5 1 9 1 7 F 0", "not a sheet"},
                                          {head + "1 1 1 1 1 9", "six nodes"},
                                          {head + "1 1 1 1 1 x 1 7 F 0", "no whole number"},
                                          {head + "1 1 1 1 1 99999999999999999999 1 7", "no whole number"}}) {
    const std::string words = errorOf<Corrupt>([&, &text = text] { surfacesFromFvbnd(text, kBlocks); });
    QVERIFY2(contains(words, part), words.c_str());
  }
  const std::string start = "2\n1 5 9 7\n2 3 4 2\n";
  for (const auto& [text, part] :
       std::map<std::string, const char*>{{"", "count of blocks"},
                                          {"3\n", "not of 2 blocks"},
                                          {"2\n1 5 9 7\n", "ends in the dims"},
                                          {"2\n1 5 9 8\n2 3 4 2\n", "line 2: has other dims"},
                                          {start + "'wall 1 1 1 5 1 9", "without its end"},
                                          {start + "'' 1 1 1 5 1 9", "no type"},
                                          {start + longName + " 1 1 1 5 1 9", "a name of 1000 bytes"},
                                          {start + "wall 1 7 1 5 1 9", "no face 7"},
                                          {start + "wall 1 1 1 5 1", "four nodes"},
                                          {start + "wall 1 1 1 6 1 9", "nodes 1 to 6 of i"}}) {
    const std::string words = errorOf<Corrupt>([&, &text = text] { surfacesFromNmf(text, kBlocks); });
    QVERIFY2(contains(words, part), words.c_str());
  }
}

void TestPlot3dSurfaces::longLinesAreCheap() {
  // Words behind those that count say nothing, however many there are.
  std::string line = "1 1 1 1 1 9 1 7";
  for (int n = 0; n < 100'000; ++n) line += " 1";
  QCOMPARE(surfacesFromFvbnd("FVBND 1 4\nwall\nBOUNDARIES\n" + line, kBlocks).size(), std::size_t{1});
}

void TestPlot3dSurfaces::everyCutIsSafe() {
  for (std::size_t length = 0; length < std::max(kFvbnd.size(), kNmf.size()); ++length) {
    try {
      QVERIFY(surfacesFromFvbnd(kFvbnd.substr(0, length), kBlocks).size() <= 3);
    } catch (const Corrupt&) {
    }
    try {
      QVERIFY(surfacesFromNmf(kNmf.substr(0, length), kBlocks).size() <= 3);
    } catch (const Corrupt&) {
    }
  }
}

void TestPlot3dSurfaces::filesBesideTheGrid() {
  farfield::test::TemporaryFolder folder;
  const auto grid = writeGrid(folder / "wing.xyz", {.multiGrid = true}, kBlocks);
  QVERIFY(Plot3dReader({{grid}, {}}).description().surfaces.empty());
  std::ofstream(folder / "wing.fvbnd") << kFvbnd;
  std::ofstream(folder / "wing.xyz.nmf") << kNmf;
  const auto surfaces = Plot3dReader({{grid}, {}}).description().surfaces;
  QCOMPARE(surfaces.size(), std::size_t{6});
  QCOMPARE(surfaces.front().from, std::string("wing.fvbnd"));
  QCOMPARE(surfaces.back().from, std::string("wing.xyz.nmf"));
  // One that is wrong is left out, and the grid opens.
  std::ofstream(folder / "wing.fvbnd") << "nonsense";
  const Plot3dReader reader({{grid}, {}});
  QCOMPARE(reader.description().surfaces.size(), std::size_t{3});
  bool said = false;
  for (const std::string& line : reader.explain()) said |= contains(line, "wing.fvbnd is not used");
  QVERIFY(said);
}

void TestPlot3dSurfaces::wallsAreRectangles() {
  farfield::test::TemporaryFolder folder;
  const Index3 dims{6, 5, 4};
  // All of j = 0, and a corner of k = 3; a single node and a line have no surface.
  const auto grid = gridWith(folder / "grid", dims, [](const Index3& n) {
    const bool wall = n[1] == 0 || (n[2] == 3 && n[0] >= 4 && n[1] >= 2) || (n[0] == 0 && n[2] == 1);
    return wall ? 2 : 1;
  });
  QCOMPARE(textsOf(wallsOf(grid)),
           (std::vector<std::string>{"wall 0: i4+2 j2+3 k3+1", "wall 0: i0+6 j0+1 k0+4"}));
  // A face with a hole is cut into what is around it.
  const auto holed = gridWith(folder / "holed", {7, 6, 3},
                              [](const Index3& n) { return n[2] == 0 && !(n[0] == 3 && n[1] == 2) ? 2 : 1; });
  QCOMPARE(textsOf(wallsOf(holed)),
           (std::vector<std::string>{"wall 0: i0+7 j0+2 k0+1", "wall 0: i0+3 j1+5 k0+1",
                                     "wall 0: i4+3 j1+5 k0+1", "wall 0: i2+3 j3+3 k0+1"}));
}

void TestPlot3dSurfaces::wallsCoverWhatIsMarked() {
  farfield::test::TemporaryFolder folder;
  const Index3 dims{8, 9, 7};
  std::uint32_t state = 5;
  std::vector<std::int32_t> values;
  for (std::int64_t n = 0; n < product(dims); ++n) {
    state = state * 1664525u + 1013904223u;
    values.push_back((state >> 16) % 5 < 4 ? 2 : 1);
  }
  const auto grid = gridWith(folder / "grid", dims, [&](const Index3& n) {
    return values[static_cast<std::size_t>(linear(n, dims))];
  });
  // Cells of faces by fixed axis, place and lowest node: each that is marked is covered once.
  std::set<std::array<std::int64_t, 4>> marked, covered;
  for (std::int64_t axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis), u = (a + 1) % 3, v = (a + 2) % 3;
    for (const std::int64_t at : {std::int64_t{0}, dims[a] - 1}) {
      Index3 node;
      node[a] = at;
      for (node[u] = 0; node[u] + 1 < dims[u]; ++node[u])
        for (node[v] = 0; node[v] + 1 < dims[v]; ++node[v]) {
          bool all = true;
          for (int corner = 0; corner < 4; ++corner) {
            Index3 other = node;
            other[u] += corner & 1;
            other[v] += corner >> 1;
            all = all && values[static_cast<std::size_t>(linear(other, dims))] == 2;
          }
          if (all) marked.insert({axis, node[0], node[1], node[2]});
        }
    }
  }
  for (const NamedSurface& wall : wallsOf(grid)) {
    std::size_t a = 0;
    while (wall.nodes.size[a] != 1) ++a;
    IndexBox cells = wall.nodes;
    for (std::size_t b = 0; b < 3; ++b)
      if (b != a) --cells.size[b];
    for (std::int64_t n = 0; n < product(cells.size); ++n) {
      const Index3 in = unlinear(n, cells.size);
      QVERIFY(covered
                  .insert({static_cast<std::int64_t>(a), cells.first[0] + in[0], cells.first[1] + in[1],
                           cells.first[2] + in[2]})
                  .second);
    }
  }
  QVERIFY(marked.size() > 20);
  QCOMPARE(covered, marked);
}

/// An O-grid around a wall at j = 0: on its seam, i = 0 and 8, nodes are those of an interface.
void TestPlot3dSurfaces::wallsGoOnToSeams() {
  farfield::test::TemporaryFolder folder;
  const Index3 dims{9, 4, 5};
  const auto grid = gridWith(folder / "grid", dims, [](const Index3& n) {
    return n[0] == 0 || n[0] == 8 ? -1 : n[1] == 0 ? 2 : 1;
  });
  QCOMPARE(textsOf(wallsOf(grid)), (std::vector<std::string>{"wall 0: i0+9 j0+1 k0+5"}));
  // Beside a wall that ends at an interface this is no wall: the faces at k = 0 have wall points along one edge.
  const auto beside = gridWith(folder / "beside", dims, [](const Index3& n) {
    return n[1] == 0 ? 2 : n[2] == 0 ? -2 : 1;
  });
  QCOMPARE(textsOf(wallsOf(beside)), (std::vector<std::string>{"wall 0: i0+9 j0+1 k0+5"}));
  // Nor is what another grid covers, within the face.
  const auto covered = gridWith(folder / "covered", dims, [](const Index3& n) {
    return n[1] > 0 ? 1 : n[0] > 3 && n[0] < 6 && n[2] > 0 && n[2] < 4 ? -2 : 2;
  });
  std::int64_t faces = 0;
  for (const NamedSurface& wall : wallsOf(covered))
    faces +=
        std::max<std::int64_t>(1, wall.nodes.size[0] - 1) * std::max<std::int64_t>(1, wall.nodes.size[2] - 1);
  QCOMPARE(faces, 8 * 4 - 3 * 4);
}

void TestPlot3dSurfaces::planesHaveNoWalls() {
  farfield::test::TemporaryFolder folder;
  QVERIFY(wallsOf(gridWith(folder / "grid", {6, 5, 1}, [](const Index3&) { return 2; })).empty());
}

QTEST_APPLESS_MAIN(TestPlot3dSurfaces)
#include "tst_plot3d_surfaces.moc"
