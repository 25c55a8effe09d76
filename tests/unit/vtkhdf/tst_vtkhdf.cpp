// VTKHDF files: images and unstructured grids as they were written, with steps and pieces; files of another type or with lists that
// do not fit are refused; a real file holds what the same grid in VTK's XML holds.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/fields/functions/reading_choices.h"
#include "core/paging/pages/box_reader.h"
#include "plugins/vtkfile/vtk_data.h"
#include "plugins/vtkhdf/vtkhdf_data.h"
#include "tests/support/array_checks.h"
#include "tests/support/error_words.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"
#include "tests/unit/hdf5/hdf5_maker.h"

using namespace farfield;
using namespace farfield::test;

class TestVtkHdf : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_path = (m_folder.path() / "a.vtkhdf").string(); }
  void imagesAreWhatWasWritten();
  void imagesWithSteps();
  void unstructuredGridsInPieces();
  void polyhedraInPieces();
  void draftsWithoutAType();
  void filesThatAreSteps();
  void realSeriesOfDrafts();
  void meshesWhosePointsMove();
  void meshesWhoseCellsChange();
  void polygonsInPiecesAndSteps();
  void realSurfaceMoves();
  void wrongListsAreRefused();
  void stepsAreClaimedBeforeTheyAreMade_data();
  void stepsAreClaimedBeforeTheyAreMade();
  void otherTypesAreNamed();
  void realGridIsThatOfTheXmlFile();
  void realBodiesAreMoved();

 private:
  std::unique_ptr<fields::OpenData> open(std::map<std::string, std::string> options = {}) {
    return openAll({m_path}, std::move(options));
  }
  std::unique_ptr<fields::OpenData> openAll(const std::vector<std::string>& paths,
                                            std::map<std::string, std::string> options = {}) {
    const vtkhdf::VtkHdfDataReader reader(std::make_shared<paging::ByteStores>());
    for (const std::string& path : paths)
      if (!reader.recognizes(path)) throw Invalid("not recognized");
    return reader.open({.sources = paths, .options = std::move(options)}, m_account);
  }
  /// A tetrahedron that has moved by `shift`, with the value `p` at its points.
  static void tetrahedron(const std::string& path, bool isDraft, double shift, double p,
                          std::optional<double> time) {
    Hdf5Maker file(path);
    file.group("VTKHDF");
    if (!isDraft) file.text("VTKHDF", "Type", "UnstructuredGrid");
    file.numbers("VTKHDF", "Version", {1, 0}, H5T_STD_I64LE);
    list(file, "Points", {shift, 0, 0, shift + 1, 0, 0, shift, 1, 0, shift, 0, 1}, H5T_IEEE_F64LE, 3);
    list(file, "Types", {10}, H5T_STD_U8LE);
    list(file, "Connectivity", {0, 1, 2, 3});
    list(file, "Offsets", {0, 4});
    list(file, "NumberOfPoints", {4});
    list(file, "NumberOfCells", {1});
    list(file, "NumberOfConnectivityIds", {4});
    file.group("VTKHDF/PointData");
    list(file, "PointData/p", {p, p, p, p}, H5T_IEEE_F32LE);
    file.group("VTKHDF/FieldData");
    if (time) list(file, "FieldData/TimeValue", {*time}, H5T_IEEE_F64LE);
  }
  static void head(Hdf5Maker& file, const std::string& type) {
    file.group("VTKHDF");
    file.text("VTKHDF", "Type", type);
    file.numbers("VTKHDF", "Version", {1, 0}, H5T_STD_I64LE);
  }
  static void list(Hdf5Maker& file, const std::string& name, const std::vector<double>& values,
                   hid_t type = H5T_STD_I64LE, hsize_t components = 1) {
    const hsize_t count = values.size() / components;
    DatasetOptions options{.dims = {count}, .chunks = {std::min<hsize_t>(count, 3)}, .type = type};
    if (components > 1) {
      options.dims.push_back(components);
      options.chunks.push_back(components);
    }
    file.make("VTKHDF/" + name, options);
    file.write("VTKHDF/" + name, values);
  }

  TemporaryFolder m_folder;
  std::string m_path;
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestVtkHdf::imagesAreWhatWasWritten() {
  {
    Hdf5Maker file(m_path);
    head(file, "ImageData");
    file.numbers("VTKHDF", "WholeExtent", {2, 8, 0, 4, 0, 5}, H5T_STD_I64LE);
    file.numbers("VTKHDF", "Origin", {1, 2, 3});
    file.numbers("VTKHDF", "Spacing", {0.5, 1, 2});
    file.group("VTKHDF/PointData");
    file.group("VTKHDF/CellData");
    file.makeNumbered("VTKHDF/PointData/p", {.dims = {6, 5, 7}, .chunks = {4, 4, 4}, .gzip = 1});
    file.makeNumbered("VTKHDF/PointData/v", {.dims = {6, 5, 7, 3}, .chunks = {4, 4, 4, 3}});
    file.makeNumbered("VTKHDF/CellData/c", {.dims = {5, 4, 6}, .chunks = {4, 4, 4}});
  }
  const auto data = open();
  const paging::BlockDescription& block = data->description().blocks[0];
  QCOMPARE(block.dims, (Index3{7, 5, 6}));
  QVERIFY(block.kind == paging::GridKind::Regular);
  QCOMPARE(block.origin.x, 2.0);
  QCOMPARE(block.spacing.z, 2.0);
  QCOMPARE(allValues(*data->boxReader(), "p")[100], 100.0);
  QCOMPARE(allValues(*data->boxReader(), "v")[301], 301.0);
  QCOMPARE(fields::readingChoicesOf(*data).size(), std::size_t{1});
  const auto cells = open({{"on", "cells"}});
  QCOMPARE(cells->description().blocks[0].dims, (Index3{8, 6, 7}));
  QCOMPARE(cells->description().blocks[0].bounds.min, block.bounds.min);
  QCOMPARE(cells->description().blocks[0].bounds.max, block.bounds.max);
  // number 50 is cell 2, 0, 2, node 3, 1, 3
  const std::vector<double> ofCells = allValues(*cells->boxReader(), "c");
  QCOMPARE(ofCells[static_cast<std::size_t>(linear({3, 1, 3}, {8, 6, 7}))], 50.0);
  QCOMPARE(ofCells[static_cast<std::size_t>(linear({3, 0, 3}, {8, 6, 7}))], 50.0);
  QCOMPARE(ofCells.back(), 119.0);
}

void TestVtkHdf::imagesWithSteps() {
  {
    Hdf5Maker file(m_path);
    head(file, "ImageData");
    file.numbers("VTKHDF", "WholeExtent", {0, 3, 0, 3, 0, 3}, H5T_STD_I64LE);
    file.group("VTKHDF/PointData");
    file.group("VTKHDF/Steps");
    list(file, "Steps/Values", {0.5, 1, 4}, H5T_IEEE_F64LE);
    file.makeNumbered("VTKHDF/PointData/p", {.dims = {3, 4, 4, 4}, .chunks = {1, 4, 4, 4}});
    // one node is hidden at the second step
    std::vector<double> hidden(192, 0);
    hidden[64 + 5] = 2;
    file.make("VTKHDF/PointData/vtkGhostType",
              {.dims = {3, 4, 4, 4}, .chunks = {1, 4, 4, 4}, .type = H5T_STD_U8LE});
    file.write("VTKHDF/PointData/vtkGhostType", hidden);
  }
  const auto data = open();
  QCOMPARE(data->description().times, (std::vector<double>{0.5, 1, 4}));
  QCOMPARE(allValues(*data->boxReader(), "p", 2)[1], 129.0);
  QVERIFY(data->description().blocks[0].hasIblank && data->description().find(0, "vtkGhostType") < 0);
  for (const std::int64_t step : {0, 1, 2}) {
    const auto valid = allValues(*data->boxReader(), "iblank", step);
    QCOMPARE(std::count(valid.begin(), valid.end(), 0.0), std::ptrdiff_t{step == 1});
    QCOMPARE(valid[5], step == 1 ? 0.0 : 1.0);
  }
}

void TestVtkHdf::unstructuredGridsInPieces() {
  const auto write = [&](double lastOffset, std::vector<double> ghosts = {}) {
    Hdf5Maker file(m_path);
    head(file, "UnstructuredGrid");
    // a hexahedron, and a tetrahedron on the other side in a piece of its own
    list(file, "Points", {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1,
                          1, 1, 1, 0, 1, 1, 5, 0, 0, 6, 0, 0, 5, 1, 0, 5, 0, 1},
         H5T_IEEE_F64LE, 3);
    list(file, "Types", {12, 10}, H5T_STD_U8LE);
    list(file, "Connectivity", {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3});
    list(file, "Offsets", {0, 8, 0, lastOffset});
    list(file, "NumberOfPoints", {8, 4});
    list(file, "NumberOfCells", {1, 1});
    list(file, "NumberOfConnectivityIds", {8, 4});
    file.group("VTKHDF/PointData");
    file.group("VTKHDF/CellData");
    list(file, "PointData/p", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, H5T_IEEE_F32LE);
    list(file, "CellData/c", {7, 9}, H5T_IEEE_F32LE);
    if (!ghosts.empty()) list(file, "CellData/vtkGhostType", ghosts, H5T_STD_U8LE);
  };
  write(4);
  const auto data = open();
  QCOMPARE(data->description().blocks[0].dims[0], std::int64_t{12});
  QCOMPARE(data->description().blocks[0].cells, std::int64_t{2});
  auto p = allValues(*data->boxReader(), "p"), xyz = allValues(*data->boxReader(), "xyz");
  for (std::size_t n = 0; n < p.size(); ++n)
    if (p[n] == 9) QCOMPARE(xyz[3 * n], 6.0);
  std::sort(p.begin(), p.end());
  QCOMPARE(p[11], 11.0);
  auto means = allValues(*open({{"on", "cells-at-nodes"}})->boxReader(), "c");
  std::sort(means.begin(), means.end());
  QCOMPARE(means, (std::vector<double>{7, 7, 7, 7, 7, 7, 7, 7, 9, 9, 9, 9}));
  write(40);
  QVERIFY(!errorOf<Corrupt>([&] { open(); }).empty());
  // a cell of another piece
  write(4, {1, 0});
  const auto own = open();
  QCOMPARE(own->description().blocks[0].cells, std::int64_t{1});
  QCOMPARE(allValues(*own->boxReader(), "c"), (std::vector<double>{9}));
  for (const auto& array : own->description().arrays) QVERIFY(array.name != "vtkGhostType");
}

void TestVtkHdf::polyhedraInPieces() {
  const auto write = [&](double lastName) {
    Hdf5Maker file(m_path);
    head(file, "UnstructuredGrid");
    // a tetrahedron and a polyhedron; and a polyhedron elsewhere in a piece of its own
    list(file, "Points", {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 5, 0, 0, 6, 0, 0, 5, 1, 0, 5, 0, 1},
         H5T_IEEE_F64LE, 3);
    list(file, "Types", {10, 42, 42}, H5T_STD_U8LE);
    list(file, "Connectivity", {0, 1, 2, 3, 1, 2, 3, 4, 0, 1, 2, 3});
    list(file, "Offsets", {0, 4, 8, 0, 4});
    list(file, "NumberOfPoints", {5, 4});
    list(file, "NumberOfCells", {2, 1});
    list(file, "NumberOfConnectivityIds", {8, 4});
    list(file, "NumberOfFaces", {4, 4});
    list(file, "NumberOfFaceConnectivityIds", {12, 12});
    list(file, "NumberOfPolyhedronToFaceIds", {4, 4});
    list(file, "FaceConnectivity", {1, 2, 3, 1, 2, 4, 2, 3, 4, 1, 3, 4, 0, 1, 2, 0, 1, 3, 1, 2, 3, 0, 2, 3});
    list(file, "FaceOffsets", {0, 3, 6, 9, 12, 0, 3, 6, 9, 12});
    list(file, "PolyhedronToFaces", {0, 1, 2, 3, 3, 2, 1, lastName});
    list(file, "PolyhedronOffsets", {0, 0, 4, 0, 4});
    file.group("VTKHDF/CellData");
    list(file, "CellData/c", {7, 8, 9}, H5T_IEEE_F32LE);
  };
  write(0);
  const auto data = open();
  QCOMPARE(data->description().blocks[0].cells, std::int64_t{3});
  auto c = allValues(*data->boxReader(), "c");
  std::sort(c.begin(), c.end());
  QCOMPARE(c, (std::vector<double>{7, 8, 9}));
  for (const double wrong : {4.0, -1.0}) {
    write(wrong);
    QVERIFY(!errorOf<Corrupt>([&] { open(); }).empty());
  }
}

void TestVtkHdf::draftsWithoutAType() {
  tetrahedron(m_path, true, 2, 5, {});
  const auto data = open();
  QCOMPARE(data->description().blocks[0].cells, std::int64_t{1});
  QCOMPARE(allValues(*data->boxReader(), "p")[3], 5.0);
  {
    Hdf5Maker file(m_path);
    file.group("VTKHDF");
    file.numbers("VTKHDF", "Version", {1, 0}, H5T_STD_I64LE);
    file.makeNumbered("VTKHDF/Points", {.dims = {4, 3}, .type = H5T_IEEE_F64LE});
  }
  const std::string error = errorOf<Unsupported>([&] { open(); });
  QVERIFY2(error.find("without a type") != std::string::npos, error.c_str());
}

void TestVtkHdf::filesThatAreSteps() {
  std::vector<std::string> paths;
  for (int n = 0; n < 3; ++n) {
    paths.push_back((m_folder.path() / ("step" + std::to_string(n) + ".vtkhdf")).string());
    tetrahedron(paths.back(), n == 1, n, 10.0 * n, 0.5 * n);
  }
  const auto data = openAll(paths);
  QCOMPARE(data->description().times, (std::vector<double>{0, 0.5, 1}));
  QCOMPARE(data->files().size(), std::size_t{3});
  for (std::int64_t step = 0; step < 3; ++step) {
    const auto number = static_cast<double>(step);
    QCOMPARE(allValues(*data->boxReader(), "p", step)[0], 10 * number);
    const auto xyz = allValues(*data->boxReader(), "xyz", step);
    double least = 100;
    for (std::size_t n = 0; n < xyz.size(); n += 3) least = std::min(least, xyz[n]);
    QCOMPARE(least, number);
  }
  // files that do not say their time are counted
  tetrahedron(paths[1], false, 1, 10, {});
  QCOMPARE(openAll(paths)->description().times, (std::vector<double>{0, 1, 2}));
  QCOMPARE(allValues(*openAll(paths, {{"step", "2"}})->boxReader(), "p")[0], 20.0);
  // images of a value per file
  for (int n = 0; n < 2; ++n) {
    Hdf5Maker file(paths[static_cast<std::size_t>(n)]);
    head(file, "ImageData");
    file.numbers("VTKHDF", "WholeExtent", {0, 3, 0, 3, 0, 3}, H5T_STD_I64LE);
    file.group("VTKHDF/PointData");
    file.make("VTKHDF/PointData/p", {.dims = {4, 4, 4}, .chunks = {4, 4, 4}});
    file.write("VTKHDF/PointData/p", std::vector<double>(64, n + 1));
  }
  const auto images = openAll({paths[0], paths[1]});
  QCOMPARE(images->description().steps(), std::int64_t{2});
  QCOMPARE(allValues(*images->boxReader(), "p", 1)[7], 2.0);
  const std::string error = errorOf<Invalid>([&] { openAll(paths); });
  QVERIFY2(error.find("step2.vtkhdf") != std::string::npos && error.find("another kind") != std::string::npos,
           error.c_str());
}

void TestVtkHdf::realSeriesOfDrafts() {
  NEEDS_DATA("data/hdf/can_0.hdf");
  std::vector<std::string> paths;
  for (int n = 0; n < 3; ++n)
    paths.push_back(dataPath("data/hdf/can_" + std::to_string(n) + ".hdf").string());
  const auto data = openAll(paths);
  QCOMPARE(data->description().steps(), std::int64_t{3});
  QVERIFY(std::abs(data->description().times[2] - 0.00419997) < 1e-8);
  const auto first = allValues(*data->boxReader(), "DISPL", 0),
             last = allValues(*data->boxReader(), "DISPL", 2);
  QCOMPARE(*std::min_element(first.begin(), first.end()), 0.0);
  QVERIFY(std::abs(*std::min_element(last.begin(), last.end()) + 17.413021087646484) < 1e-12);
}

void TestVtkHdf::meshesWhosePointsMove() {
  {
    Hdf5Maker file(m_path);
    head(file, "UnstructuredGrid");
    list(file, "Points", {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 3, 0, 0, 2, 1, 0, 2, 0, 1},
         H5T_IEEE_F64LE, 3);
    list(file, "Types", {10}, H5T_STD_U8LE);
    list(file, "Connectivity", {0, 1, 2, 3});
    list(file, "Offsets", {0, 4});
    list(file, "NumberOfPoints", {4, 4});
    list(file, "NumberOfCells", {1, 1});
    list(file, "NumberOfConnectivityIds", {4, 4});
    file.group("VTKHDF/PointData");
    list(file, "PointData/p", {1, 2, 3, 4, 11, 12, 13, 14}, H5T_IEEE_F32LE);
    file.group("VTKHDF/Steps");
    list(file, "Steps/Values", {0, 1}, H5T_IEEE_F64LE);
    list(file, "Steps/PartOffsets", {0, 1});
    list(file, "Steps/NumberOfParts", {1, 1});
    list(file, "Steps/PointOffsets", {0, 4});
    list(file, "Steps/CellOffsets", {0, 0});
    list(file, "Steps/ConnectivityIdOffsets", {0, 0});
  }
  const auto data = open();
  const paging::DatasetDescription& its = data->description();
  QCOMPARE(its.steps(), std::int64_t{2});
  QCOMPARE(its.blocks[0].dims[0], std::int64_t{4});
  QCOMPARE(its.blocks[0].bounds.min.x, 0.0);
  QCOMPARE(its.blocks[0].bounds.max.x, 3.0);
  for (const int step : {0, 1}) {
    const auto xyz = allValues(*data->boxReader(), "xyz", step), p = allValues(*data->boxReader(), "p", step);
    for (std::size_t n = 0; n < 4; ++n)
      if (p[n] == 10 * step + 2) QCOMPARE(xyz[3 * n], 1.0 + 2 * step);
  }
}

void TestVtkHdf::meshesWhoseCellsChange() {
  {
    Hdf5Maker file(m_path);
    head(file, "UnstructuredGrid");
    list(file, "Points", {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}, H5T_IEEE_F64LE, 3);
    list(file, "Types", {10, 10}, H5T_STD_U8LE);
    list(file, "Connectivity", {0, 1, 2, 3, 1, 2, 3, 4});
    list(file, "Offsets", {0, 4, 0, 4});
    list(file, "NumberOfPoints", {5, 5});
    list(file, "NumberOfCells", {1, 1});
    list(file, "NumberOfConnectivityIds", {4, 4});
    file.group("VTKHDF/Steps");
    list(file, "Steps/Values", {0, 1}, H5T_IEEE_F64LE);
    list(file, "Steps/PartOffsets", {0, 1});
    list(file, "Steps/NumberOfParts", {1, 1});
    list(file, "Steps/PointOffsets", {0, 0});
    list(file, "Steps/CellOffsets", {0, 1});
    list(file, "Steps/ConnectivityIdOffsets", {0, 4});
  }
  const auto all = open();
  QCOMPARE(all->description().blocks.size(), std::size_t{2});
  QCOMPARE(all->description().times, (std::vector<double>{0, 1}));
  QCOMPARE(all->description().blocks[0].bounds.min.x, 0.0);
  QCOMPARE(all->description().blocks[1].bounds.max.z, 1.0);
  for (const char* const step : {"1", "-1"}) {
    const auto one = open({{"step", step}});
    QCOMPARE(one->description().times, (std::vector<double>{1}));
    // the tetrahedron of points 1 to 4, of which point 4 lies at 1, 1, 1
    QCOMPARE(one->description().blocks[0].cells, std::int64_t{1});
    QCOMPARE(one->description().blocks[0].bounds.max.z, 1.0);
  }
  for (const char* const step : {"2", "-3", "x", ""})
    QVERIFY(errorOf<Invalid>([&] { open({{"step", step}}); }).find("option step") != std::string::npos);
}

/// A quadrilateral and, in a piece of its own, two triangles and a strip of two; the points of the second step are higher.
void TestVtkHdf::polygonsInPiecesAndSteps() {
  {
    Hdf5Maker file(m_path);
    head(file, "PolyData");
    std::vector<double> points;
    for (const double z : {0.0, 5.0})
      for (const double x : {0.0, 10.0})
        for (const auto& [u, v] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
          points.insert(points.end(), {x + u, 1.0 * v, z + x / 10 + u});
    list(file, "Points", points, H5T_IEEE_F64LE, 3);
    list(file, "NumberOfPoints", {4, 4, 4, 4});
    for (const char* const kind : {"Vertices", "Lines", "Polygons", "Strips"})
      file.group(std::string("VTKHDF/") + kind);
    list(file, "Vertices/NumberOfCells", {1, 0, 1, 0});
    list(file, "Vertices/NumberOfConnectivityIds", {1, 0, 1, 0});
    list(file, "Vertices/Connectivity", {2});
    list(file, "Vertices/Offsets", {0, 1, 0});
    list(file, "Lines/NumberOfCells", {0, 0, 0, 0});
    list(file, "Lines/NumberOfConnectivityIds", {0, 0, 0, 0});
    list(file, "Lines/Connectivity", {0});
    list(file, "Lines/Offsets", {0, 0});
    list(file, "Polygons/NumberOfCells", {1, 2, 1, 2});
    list(file, "Polygons/NumberOfConnectivityIds", {4, 6, 4, 6});
    list(file, "Polygons/Connectivity", {0, 1, 2, 3, 0, 1, 2, 0, 2, 3});
    list(file, "Polygons/Offsets", {0, 4, 0, 3, 6});
    list(file, "Strips/NumberOfCells", {0, 1, 0, 1});
    list(file, "Strips/NumberOfConnectivityIds", {0, 4, 0, 4});
    list(file, "Strips/Connectivity", {0, 1, 3, 2});
    list(file, "Strips/Offsets", {0, 0, 4});
    file.group("VTKHDF/CellData");
    list(file, "CellData/c", {1, 2, 3, 4, 5, 11, 12, 13, 14, 15}, H5T_IEEE_F32LE);
    file.group("VTKHDF/Steps");
    list(file, "Steps/Values", {0, 1}, H5T_IEEE_F64LE);
    list(file, "Steps/PartOffsets", {0, 2});
    list(file, "Steps/NumberOfParts", {2, 2});
    list(file, "Steps/PointOffsets", {0, 8});
    list(file, "Steps/CellOffsets", {0, 0, 0, 0, 0, 0, 0, 0}, H5T_STD_I64LE, 4);
    list(file, "Steps/ConnectivityIdOffsets", {0, 0, 0, 0, 0, 0, 0, 0}, H5T_STD_I64LE, 4);
    file.group("VTKHDF/Steps/CellDataOffsets");
    list(file, "Steps/CellDataOffsets/c", {0, 5});
  }
  const auto data = open();
  const paging::DatasetDescription& its = data->description();
  QCOMPARE(its.blocks[0].dims[0], std::int64_t{8});
  // the strip is two triangles
  QCOMPARE(its.blocks[0].cells, std::int64_t{5});
  QCOMPARE(its.blocks[0].bounds.max.z, 7.0);
  for (const int step : {0, 1}) {
    auto c = allValues(*data->boxReader(), "c", step);
    std::sort(c.begin(), c.end());
    const double more = 10 * step;
    // the vertex is cell 1, without an area
    QCOMPARE(c, (std::vector<double>{more + 2, more + 3, more + 4, more + 5, more + 5}));
  }
  const auto first = allValues(*data->boxReader(), "xyz", 0),
             second = allValues(*data->boxReader(), "xyz", 1);
  for (std::size_t n = 2; n < first.size(); n += 3) QCOMPARE(second[n], first[n] + 5);
}

/// Two spheres of which each point goes in and out along its ray, by the value that the file has there.
void TestVtkHdf::realSurfaceMoves() {
  NEEDS_DATA("data/hdf/warping_spheres.vtkhdf");
  m_path = dataPath("data/hdf/warping_spheres.vtkhdf").string();
  const auto data = open();
  const paging::DatasetDescription& its = data->description();
  QCOMPARE(its.steps(), std::int64_t{100});
  QCOMPARE(its.blocks[0].dims[0], std::int64_t{1684});
  QCOMPARE(its.blocks[0].cells, std::int64_t{3360});
  const auto first = allValues(*data->boxReader(), "xyz", 0),
             later = allValues(*data->boxReader(), "xyz", 30);
  QCOMPARE(first.size(), std::size_t{3 * 1684});
  QVERIFY(first != later);
  const auto value = allValues(*data->boxReader(), "SpatioTemporalHarmonics", 30);
  QCOMPARE(value.size(), std::size_t{1684});
  std::size_t ofFirst = 0;
  for (std::size_t n = 0; n < value.size(); ++n) {
    const Vec3 point{later[3 * n], later[3 * n + 1], later[3 * n + 2]};
    const double off = length(point) - 10 - value[n],
                 offOther = length(point - Vec3{15, 15, 15}) - 10 - value[n];
    QVERIFY(std::min(std::abs(off), std::abs(offOther)) < 1e-4);
    ofFirst += std::abs(off) < 1e-4;
  }
  QVERIFY(ofFirst >= 842 && ofFirst < 900);
}

void TestVtkHdf::stepsAreClaimedBeforeTheyAreMade_data() {
  QTest::addColumn<bool>("isMesh");
  QTest::newRow("images") << false;
  QTest::newRow("meshes") << true;
}

/// Numbers that were never written take no room in a file: it says with a few bytes that it has a million steps.
void TestVtkHdf::stepsAreClaimedBeforeTheyAreMade() {
  QFETCH(bool, isMesh);
  const auto write = [&](hsize_t steps) {
    Hdf5Maker file(m_path);
    head(file, isMesh ? "UnstructuredGrid" : "ImageData");
    file.group("VTKHDF/PointData");
    file.group("VTKHDF/Steps");
    file.make("VTKHDF/Steps/Values", {.dims = {steps}, .type = H5T_IEEE_F64LE});
    if (isMesh) {
      list(file, "Points", {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, H5T_IEEE_F64LE, 3);
      list(file, "Types", {10}, H5T_STD_U8LE);
      list(file, "Connectivity", {0, 1, 2, 3});
      list(file, "Offsets", {0, 4});
      list(file, "NumberOfPoints", {4});
      list(file, "NumberOfCells", {1});
      list(file, "NumberOfConnectivityIds", {4});
      for (int n = 0; n < 3; ++n) file.makeNumbered("VTKHDF/PointData/p" + std::to_string(n), {.dims = {4}});
    } else {
      file.numbers("VTKHDF", "WholeExtent", {0, 1, 0, 1, 0, 1}, H5T_STD_I64LE);
      for (int n = 0; n < 3; ++n)
        file.make("VTKHDF/PointData/p" + std::to_string(n), {.dims = {steps, 2, 2, 2}});
    }
  };
  write(2);
  QCOMPARE(open()->description().arrays.empty(), false);
  write(hsize_t{1} << 20);
  const std::string error = errorOf<OverBudget>([&] { open(); });
  QVERIFY2(error.find("the steps of the file") != std::string::npos, error.c_str());
  QVERIFY(m_account.peakBytes() <= m_account.budgetBytes());
  write(2);
  std::stop_source stop;
  stop.request_stop();
  const StoppableWaits waits(stop.get_token());
  QVERIFY_EXCEPTION_THROWN(open(), Cancelled);
}

void TestVtkHdf::wrongListsAreRefused() {
  {
    Hdf5Maker file(m_path);
    head(file, "UnstructuredGrid");
    list(file, "Points", {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, H5T_IEEE_F64LE, 3);
    list(file, "Types", {10}, H5T_STD_U8LE);
    list(file, "Connectivity", {0, 1, 2, 3});
    list(file, "Offsets", {0, 4});
    list(file, "NumberOfPoints", {400});
    list(file, "NumberOfCells", {1});
    list(file, "NumberOfConnectivityIds", {4});
  }
  const std::string error = errorOf<Corrupt>([&] { open(); });
  QVERIFY2(error.find("/VTKHDF/Points") != std::string::npos, error.c_str());
}

void TestVtkHdf::otherTypesAreNamed() {
  {
    Hdf5Maker file(m_path);
    head(file, "HyperTreeGrid");
  }
  const std::string error = errorOf<Unsupported>([&] { open(); });
  QVERIFY2(error.find("HyperTreeGrid") != std::string::npos, error.c_str());
}

/// As those of the XML file, whose bounds are those that vtkWarpVector gives.
void TestVtkHdf::realBodiesAreMoved() {
  const auto path = dataPath("data/hdf/can-vtu.hdf");
  if (!std::filesystem::exists(path)) QSKIP("no real data");
  const auto rest = openAll({path.string()}),
             moved = openAll({path.string()},
                             {{"shape", "displaced"}, {"displacement", "DISPL"}, {"factor", "2"}});
  const Bounds& bounds = moved->description().blocks.front().bounds;
  const Bounds known{{-26.508819580078125, -12.008012771606445, -53.43069076538086},
                     {7.678714275360107, 6.561307430267334, -13.853227615356445}};
  for (int axis = 0; axis < 3; ++axis) {
    QVERIFY(std::abs(bounds.min[axis] - known.min[axis]) < 1e-5);
    QVERIFY(std::abs(bounds.max[axis] - known.max[axis]) < 1e-5);
  }
  QVERIFY(fields::readingChoicesOf(*rest).size() == 2 && fields::readingChoicesOf(*moved).size() == 4);
  QVERIFY(!errorOf<Invalid>([&] {
             openAll({path.string()}, {{"shape", "displaced"}, {"displacement", "EQPS"}});
           }).empty());
}

void TestVtkHdf::realGridIsThatOfTheXmlFile() {
  NEEDS_DATA("data/hdf/can-vtu.hdf");
  m_path = dataPath("data/hdf/can-vtu.hdf").string();
  const auto data = open();
  MemoryAccount account(std::uint64_t{64} << 20);
  const auto xml = vtkfile::VtkDataReader(nullptr).open(
      {.sources = {dataPath("data/unstructured/can.vtu").string()}}, account);
  for (const char* const name : {"xyz", "DISPL", "EQPS"}) {
    const auto values = allValues(*data->boxReader(), name);
    QVERIFY(!values.empty());
    QVERIFY(values == allValues(*xml->boxReader(), name));
  }
}

QTEST_GUILESS_MAIN(TestVtkHdf)
#include "tst_vtkhdf.moc"
