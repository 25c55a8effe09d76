// Stores that other programs are to open, seen as VTKHDF: unstructured grids of all shapes, with steps, values of nodes and of cells,
// points that move; surfaces. What the reader of VTKHDF finds is what the store has, and the store is the same to its own reader.

#include <hdf5.h>

#include <QTest>

#include "core/base/temporary_file.h"
#include "core/fields/data/store_data.h"
#include "core/paging/arranging/arranged_reader.h"
#include "core/paging/arranging/mesh_arranger.h"
#include "core/paging/ingest/converter.h"
#include "plugins/vtkhdf/vtkhdf_data.h"
#include "tests/support/array_checks.h"
#include "tests/support/file_contents.h"
#include "tests/support/formula_data.h"
#include "tests/support/memory_mesh.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/hdf5/hdf5_maker.h"

using namespace farfield;
using namespace farfield::test;

class TestVtkHdfStores : public QObject {
  Q_OBJECT
 private slots:
  void unstructuredGrids_data();
  void unstructuredGrids();
  void listsAreThoseOfVtk();
  void sheetsLackTheirFlatAxes_data();
  void sheetsLackTheirFlatAxes();
  void flatImagesAreRead_data() { sheetsLackTheirFlatAxes_data(); }
  void flatImagesAreRead();
  void anyNumberOfBlocks();
  void onlyWhereItWasAskedFor();
  void equalBytesWhateverTheBudget();

 private:
  std::unique_ptr<paging::ArrangedReader> reader(std::shared_ptr<MemoryMesh> mesh, std::int64_t steps) {
    mesh->named = {{.name = "p", .steps = steps},
                   {.name = "v", .components = 3, .steps = steps},
                   {.name = "fixed", .steps = 1},
                   {.name = "c", .onCells = true, .steps = steps}};
    mesh->value = [](std::size_t variable, std::int64_t step, std::int64_t number, int component) {
      return static_cast<double>(variable) * 1e6 + static_cast<double>(step) * 1e5 +
             static_cast<double>(3 * number + component);
    };
    std::vector<double> times;
    for (std::int64_t n = 0; n < steps; ++n) times.push_back(0.25 * static_cast<double>(n));
    auto arranged =
        paging::arrangeMesh(*mesh, makeTemporaryFile(m_folder.path()), m_account, m_folder.path(), {});
    return std::make_unique<paging::ArrangedReader>(mesh, std::move(arranged), "test", std::move(times));
  }
  void convert(const paging::BoxReader& reader, const std::filesystem::path& path, paging::Codec codec,
               bool forVtk = true, std::uint64_t budget = std::uint64_t{64} << 20) {
    MemoryAccount account(budget);
    paging::convert(reader, path, {.pageEdge = 4, .codec = codec, .overwrite = true, .forVtk = forVtk},
                    account);
  }
  std::unique_ptr<fields::OpenData> openVtk(const std::filesystem::path& path) {
    return vtkhdf::VtkHdfDataReader(std::make_shared<paging::ByteStores>())
        .open({.sources = {path.string()}}, m_account);
  }

  TemporaryFolder m_folder;
  MemoryAccount m_account{std::uint64_t{256} << 20};
};

void TestVtkHdfStores::unstructuredGrids_data() {
  QTest::addColumn<int>("kind");
  QTest::addColumn<int>("steps");
  QTest::addColumn<bool>("moves");
  QTest::addColumn<bool>("gzip");
  QTest::newRow("hexahedra") << int(MeshOf::Hexahedra) << 1 << false << true;
  QTest::newRow("hexahedra, 3 steps, no filter") << int(MeshOf::Hexahedra) << 3 << false << false;
  QTest::newRow("wedges, 2 steps") << int(MeshOf::Wedges) << 2 << false << true;
  QTest::newRow("tetrahedra that move") << int(MeshOf::Tetrahedra) << 3 << true << true;
  QTest::newRow("hexahedra and pyramids") << int(MeshOf::HexahedraAndPyramids) << 2 << false << true;
}

void TestVtkHdfStores::unstructuredGrids() {
  QFETCH(const int, kind);
  QFETCH(const int, steps);
  QFETCH(const bool, moves);
  QFETCH(const bool, gzip);
  auto mesh = cubeOf(MeshOf(kind), 7, 5);
  if (moves)
    for (int step = 1; step < steps; ++step) {
      mesh->moved.push_back(mesh->points);
      for (Vec3& point : mesh->moved.back()) point.x += 0.1 * step * point.y;
    }
  const auto wanted = reader(mesh, steps);
  const auto path = m_folder / "a.vtkhdf";
  convert(*wanted, path, gzip ? paging::Codec::Gzip : paging::Codec::None);
  const auto data = openVtk(path);
  const paging::BoxReader& found = *data->boxReader();
  QCOMPARE(found.description().times, wanted->description().times);
  QCOMPARE(found.description().blocks[0].cells, wanted->description().blocks[0].cells);
  // Cells are along the curve already, so a reader that arranges them again finds the same numbers.
  for (const char* const name : {"cells", "neighbours", "faces"})
    QVERIFY2(allValues(found, name) == allValues(*wanted, name), name);
  for (int step = 0; step < steps; ++step)
    for (const char* const name : {"xyz", "p", "v", "fixed", "c"}) {
      const auto values = allValues(found, name, name == std::string("fixed") ? 0 : step);
      QVERIFY2(!values.empty() && values == allValues(*wanted, name, name == std::string("fixed") ? 0 : step),
               name);
    }
  const auto store = fields::StoreDataReader().open({.sources = {path.string()}}, m_account);
  QCOMPARE(store->description().blocks[0].cells, wanted->description().blocks[0].cells);
}

/// What VTK's reader asks for by name: lists of whole numbers of one type, steps that begin with a chunk.
void TestVtkHdfStores::listsAreThoseOfVtk() {
  const auto wanted = reader(cubeOf(MeshOf::HexahedraAndPyramids, 6, 3), 3);
  const auto path = m_folder / "lists.h5";
  convert(*wanted, path, paging::Codec::Gzip);
  const Hid file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const auto list = [&](const std::string& name) {
    const Hid dataset(H5Dopen2(file, ("/VTKHDF/" + name).c_str(), H5P_DEFAULT), H5Dclose);
    const Hid space(H5Dget_space(dataset), H5Sclose);
    std::vector<std::int64_t> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    return values;
  };
  const std::int64_t cells = wanted->description().blocks[0].cells,
                     nodes = wanted->description().blocks[0].dims[0];
  QCOMPARE(list("NumberOfPoints"), std::vector<std::int64_t>{nodes});
  QCOMPARE(list("NumberOfCells"), std::vector<std::int64_t>{cells});
  const auto types = list("Types"), corners = list("Connectivity"), offsets = list("Offsets");
  QCOMPARE(static_cast<std::int64_t>(types.size()), cells);
  QCOMPARE(offsets.size(), types.size() + 1);
  QCOMPARE(offsets.front(), std::int64_t{0});
  QCOMPARE(offsets.back(), static_cast<std::int64_t>(corners.size()));
  QCOMPARE(list("NumberOfConnectivityIds"), std::vector<std::int64_t>{offsets.back()});
  for (std::size_t n = 0; n < types.size(); ++n) {
    QVERIFY(types[n] == 12 || types[n] == 14);
    QCOMPARE(offsets[n + 1] - offsets[n], std::int64_t{types[n] == 12 ? 8 : 5});
  }
  for (const std::int64_t corner : corners) QVERIFY(corner >= 0 && corner < nodes);
  QCOMPARE(list("Steps/PartOffsets"), (std::vector<std::int64_t>{0, 0, 0}));
  QCOMPARE(list("Steps/PointDataOffsets/fixed"), (std::vector<std::int64_t>{0, 0, 0}));
  const auto begins = list("Steps/PointDataOffsets/p");
  QVERIFY(begins[1] >= nodes && begins[2] == 2 * begins[1]);
  const auto values = list("PointData/p");
  QCOMPARE(static_cast<std::int64_t>(values.size()), begins[2] + nodes);
}

void TestVtkHdfStores::sheetsLackTheirFlatAxes_data() {
  QTest::addColumn<int>("flat");
  QTest::addColumn<int>("steps");
  for (int flat = 0; flat < 3; ++flat)
    for (int steps = 1; steps < 3; ++steps)
      QTest::addRow("flat along %c, %d steps", "ijk"[flat], steps) << flat << steps;
}

/// VTK's reader wants values of one sheet of nodes without the axis that has one node, and points with it.
void TestVtkHdfStores::sheetsLackTheirFlatAxes() {
  QFETCH(const int, flat);
  QFETCH(const int, steps);
  Index3 dims{7, 5, 6};
  dims[static_cast<std::size_t>(flat)] = 1;
  const auto description = formulaDescription(dims, steps);
  const auto wanted = formulaReader(description);
  const auto path = m_folder / "sheet.h5";
  convert(*wanted, path, paging::Codec::Gzip);
  const Hid file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const auto read = [&](const std::string& name, std::vector<hsize_t>& shape) {
    const Hid dataset(H5Dopen2(file, ("/VTKHDF/" + name).c_str(), H5P_DEFAULT), H5Dclose);
    const Hid space(H5Dget_space(dataset), H5Sclose);
    shape.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    return values;
  };
  std::vector<hsize_t> sheet, all, shape;
  for (std::size_t a = 3; a-- > 0;) {
    all.push_back(static_cast<hsize_t>(dims[a]));
    if (dims[a] > 1) sheet.push_back(all.back());
  }
  const auto shapeOf = [&](std::vector<hsize_t> axes, std::int64_t its, hsize_t components) {
    if (steps > 1) axes.insert(axes.begin(), static_cast<hsize_t>(its));
    if (components > 1) axes.push_back(components);
    return axes;
  };
  const auto q = read("PointData/q", shape);
  QCOMPARE(shape, shapeOf(sheet, steps, 5));
  std::vector<double> values;
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto one = allValues(*wanted, "q", step);
    values.insert(values.end(), one.begin(), one.end());
  }
  QVERIFY(q == values);
  const auto blanks = read("PointData/iblank", shape);
  QCOMPARE(shape, shapeOf(sheet, 1, 1));
  QVERIFY(blanks == allValues(*wanted, "iblank"));
  const auto points = read("Points", shape);
  QCOMPARE(shape, shapeOf(all, 1, 3));
  QVERIFY(points == allValues(*wanted, "xyz"));
}

/// As VTK writes them, too.
void TestVtkHdfStores::flatImagesAreRead() {
  QFETCH(const int, flat);
  QFETCH(const int, steps);
  Index3 dims{7, 5, 6};
  dims[static_cast<std::size_t>(flat)] = 1;
  auto description = formulaDescription(dims, steps);
  description.blocks.front().kind = paging::GridKind::Regular;
  description.blocks.front().hasIblank = false;
  description.arrays.erase(description.arrays.begin());
  description.arrays.pop_back();
  description.arrays.push_back(description.arrays.front());
  description.arrays.back().name = "one";
  description.arrays.back().components = 1;
  const auto wanted = formulaReader(description);
  convert(*wanted, m_folder / "image.h5", paging::Codec::Gzip);
  const auto data = openVtk(m_folder / "image.h5");
  const auto& found = *data->boxReader();
  for (int step = 0; step < steps; ++step)
    for (const char* const name : {"q", "one"}) {
      const auto values = allValues(found, name, step);
      QVERIFY2(!values.empty() && values == allValues(*wanted, name, step), name);
    }
}

/// However the last thing that HDF5 writes ends.
void TestVtkHdfStores::anyNumberOfBlocks() {
  for (int blocks = 2; blocks <= 40; ++blocks) {
    paging::DatasetDescription description = formulaDescription({3, 3, 2});
    const paging::DatasetDescription one = description;
    for (int n = 1; n < blocks; ++n) {
      description.blocks.push_back(one.blocks.front());
      for (paging::ArrayDescription array : one.arrays) {
        array.block = n;
        description.arrays.push_back(std::move(array));
      }
    }
    const auto path = m_folder / "blocks.h5";
    convert(*formulaReader(description), path, paging::Codec::Gzip);
    const auto store = fields::StoreDataReader().open({.sources = {path.string()}}, m_account);
    QCOMPARE(store->description().blocks.size(), static_cast<std::size_t>(blocks));
    const Hid file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    const std::string last = "/VTKHDF/Assembly/block_" + std::to_string(blocks - 1) + "/PointData/q";
    const Hid dataset(H5Dopen2(file, last.c_str(), H5P_DEFAULT), H5Dclose);
    QVERIFY(dataset >= 0);
  }
}

void TestVtkHdfStores::onlyWhereItWasAskedFor() {
  const auto wanted = reader(cubeOf(MeshOf::Hexahedra, 3, 1), 1);
  convert(*wanted, m_folder / "plain.h5", paging::Codec::Gzip, false);
  const Hid file(H5Fopen((m_folder / "plain.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  QCOMPARE(H5Lexists(file, "VTKHDF", H5P_DEFAULT), htri_t{0});
}

void TestVtkHdfStores::equalBytesWhateverTheBudget() {
  const auto wanted = reader(cubeOf(MeshOf::Wedges, 12, 9), 2);
  convert(*wanted, m_folder / "much.h5", paging::Codec::Gzip);
  convert(*wanted, m_folder / "little.h5", paging::Codec::Gzip, true, std::uint64_t{4} << 20);
  QVERIFY(fileContents(m_folder / "much.h5") == fileContents(m_folder / "little.h5"));
}

QTEST_GUILESS_MAIN(TestVtkHdfStores)
#include "tst_vtkhdf_stores.moc"
