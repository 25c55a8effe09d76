// Small files that VTK 9.7 wrote in all of its ways: whatever the way, the same values, and nothing where they are
// cut short.

#include <QTest>

#include <filesystem>

#include "core/base/error.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/vtkfile/vtk_readers.h"

using namespace farfield;
using namespace farfield::vtkfile;
using namespace farfield::vtkfile::test;
using farfield::test::allValues;
using farfield::test::errorOf;

class TestVtk : public QObject {
  Q_OBJECT
 private slots:
  void valuesAreThoseWritten_data();
  void valuesAreThoseWritten();
  void gridsAreThoseWritten_data() { valuesAreThoseWritten_data(); }
  void gridsAreThoseWritten();
  void cellsAreSamplesAtTheirCentres_data() { valuesAreThoseWritten_data(); }
  void cellsAreSamplesAtTheirCentres();
  void everyLengthIsRefusedOrWhole_data() { valuesAreThoseWritten_data(); }
  void everyLengthIsRefusedOrWhole();
  void otherCompressorsAreNamed();
  void filesAreSteps();

 private:
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestVtk::valuesAreThoseWritten_data() {
  QTest::addColumn<QString>("file");
  for (const auto& entry : std::filesystem::directory_iterator(FARFIELD_VTK_FILES)) {
    const std::string name = entry.path().filename().string();
    // One is refused, and some are surfaces; what else lies there was changed for the fuzzer.
    if (name.starts_with("lzma") || name.starts_with("polydata") || entry.path().extension().empty())
      continue;
    QTest::newRow(name.c_str()) << QString::fromStdString(entry.path().string());
  }
}

void TestVtk::valuesAreThoseWritten() {
  QFETCH(QString, file);
  const auto reader = readerOf({file.toStdString()}, {}, m_account);
  const auto& data = reader.description();
  QCOMPARE(data.blocks[0].dims, (Index3{4, 3, 2}));
  const std::pair<const char*, ScalarType> kArrays[] = {
      {"a_u8", ScalarType::U8},   {"b_i8", ScalarType::I8},   {"c_i16", ScalarType::I16},
      {"d_u16", ScalarType::U16}, {"e_i32", ScalarType::I32}, {"f_u32", ScalarType::F64},
      {"g_i64", ScalarType::F64}, {"h_u64", ScalarType::F64}, {"i_f32", ScalarType::F32},
      {"j_f64", ScalarType::F64}};
  for (const auto& [name, type] : kArrays) {
    const int number = data.find(0, name);
    QVERIFY2(number >= 0, name);
    QVERIFY2(data.arrays[static_cast<std::size_t>(number)].type == type, name);
    const auto values = allValues(reader, name);
    for (int n = 0; n < 24; ++n) QCOMPARE(values[static_cast<std::size_t>(n)], 2.0 * n);
  }
  const auto wind = allValues(reader, "wind");
  QCOMPARE(wind.size(), std::size_t{72});
  for (int n = 0; n < 24; ++n) {
    QCOMPARE(wind[static_cast<std::size_t>(3 * n)], 1.0 * n);
    QCOMPARE(wind[static_cast<std::size_t>(3 * n + 1)], -1.0 * n);
    QCOMPARE(wind[static_cast<std::size_t>(3 * n + 2)], 0.5 * n);
  }
}

void TestVtk::gridsAreThoseWritten() {
  QFETCH(QString, file);
  const auto reader = readerOf({file.toStdString()}, {}, m_account);
  const auto& block = reader.description().blocks[0];
  const std::string name = file.toStdString();
  if (name.ends_with(".vtr") || name.find("rect-") != std::string::npos) {
    QVERIFY(block.kind == paging::GridKind::Rectilinear);
    QCOMPARE(*block.axes, (paging::GridAxes{{{0, 1, 3, 7}, {0, 1, 4}, {-1, 1}}}));
    QCOMPARE(block.bounds.max.x, 7.0);
  } else if (name.ends_with(".vts") || name.find("grid-") != std::string::npos) {
    QVERIFY(block.kind == paging::GridKind::Curvilinear);
    const auto xyz = allValues(reader, "xyz");
    for (std::int64_t n = 0; n < 24; ++n) {
      const Index3 at = unlinear(n, block.dims);
      const double wanted[] = {static_cast<double>(at[0]) + 0.1 * static_cast<double>(at[1]),
                               static_cast<double>(at[1]) + 0.1 * static_cast<double>(at[2]),
                               static_cast<double>(at[2]) + 0.1 * static_cast<double>(at[0])};
      for (std::int64_t c = 0; c < 3; ++c)
        QVERIFY(std::abs(xyz[static_cast<std::size_t>(3 * n + c)] - wanted[c]) < 1e-6);
    }
  } else {
    QVERIFY(block.kind == paging::GridKind::Regular);
    QCOMPARE(block.origin, (Vec3{12, 20, 27}));
    QCOMPARE(block.spacing, (Vec3{1, 2, 3}));
  }
}

void TestVtk::cellsAreSamplesAtTheirCentres() {
  QFETCH(QString, file);
  const auto reader = readerOf({file.toStdString()}, {{"on", "cells"}}, m_account);
  const auto& block = reader.description().blocks[0];
  // along each axis the ends as well, which have the values of the cells beside them
  QCOMPARE(block.dims, (Index3{5, 4, 3}));
  std::vector<double> values;
  for (int k = 0; k < 3; ++k)
    for (const double j : {0, 0, 1, 1})
      for (const double i : {0, 0, 1, 2, 2}) values.push_back(100 + i + 3 * j);
  QCOMPARE(allValues(reader, "cell value"), values);
  QVERIFY(reader.description().find(0, "wind") < 0);
  if (block.kind == paging::GridKind::Rectilinear) {
    const auto nodes = readerOf({file.toStdString()}, {}, m_account);
    const paging::GridAxes axes =
        nodes.description().blocks[0].kind == paging::GridKind::Regular
            ? paging::GridAxes{{{12, 12.5, 13.5, 14.5, 15}, {20, 21, 23, 24}, {27, 28.5, 30}}}
            : paging::GridAxes{{{0, 0.5, 2, 5, 7}, {0, 0.5, 2.5, 4}, {-1, 0, 1}}};
    QCOMPARE(*block.axes, axes);
    return;
  }
  const auto xyz = allValues(reader, "xyz");
  const auto isAt = [&](const Index3& node, const std::array<double, 3>& place) {
    const auto first = static_cast<std::size_t>(3 * linear(node, block.dims));
    for (std::size_t a = 0; a < 3; ++a) QVERIFY(std::abs(xyz[first + a] - place[a]) < 1e-6);
  };
  isAt({2, 1, 1}, {1.55, 0.55, 0.65});
  isAt({0, 0, 0}, {0, 0, 0});
  isAt({4, 3, 2}, {3.2, 2.1, 1.3});
  isAt({0, 1, 1}, {0.05, 0.55, 0.5});  // the middle of a face
  isAt({2, 0, 2}, {1.5, 0.1, 1.15});   // of an edge
}

void TestVtk::everyLengthIsRefusedOrWhole() {
  QFETCH(QString, file);
  farfield::test::TemporaryFolder folder;
  const std::string bytes = contentsOf(file.toStdString()), cut = folder / "cut";
  const std::size_t step = bytes.size() > 3000 ? 3 : 1;
  std::ofstream(cut, std::ios::binary) << bytes;
  // shorter and shorter: a file that is written anew each time waits for the disk
  for (std::size_t length = bytes.size() - 1; length > step; length -= step) {
    std::filesystem::resize_file(cut, length);
    try {
      const auto reader = readerOf({cut}, {}, m_account);
      // Only what was there to the last number may be there.
      for (const auto& array : reader.description().arrays) {
        const auto values = allValues(reader, array.name);
        if (array.name == "j_f64") QCOMPARE(values[23], 46.0);
        if (array.name == "a_u8") QCOMPARE(values[23], 46.0);
      }
    } catch (const Error& error) {
      QVERIFY(!error.message().empty());
    }
  }
}

void TestVtk::otherCompressorsAreNamed() {
  const std::string error =
      errorOf<Unsupported>([&] { readerOf({std::string(FARFIELD_VTK_FILES) + "/lzma.vti"}, {}, m_account); });
  QVERIFY2(error.find("vtkLZMADataCompressor") != std::string::npos, error.c_str());
}

void TestVtk::filesAreSteps() {
  const std::string folder = FARFIELD_VTK_FILES;
  const auto reader =
      readerOf({folder + "/raw.vti", folder + "/raw-lz4.vti", folder + "/ascii.vti"}, {}, m_account);
  QCOMPARE(reader.description().steps(), std::int64_t{3});
  for (std::int64_t step = 0; step < 3; ++step) QCOMPARE(allValues(reader, "j_f64", step)[5], 10.0);
  QVERIFY(!errorOf<Invalid>([&] {
             readerOf({folder + "/raw.vti", folder + "/raw.vtr"}, {}, m_account);
           }).empty());
}

QTEST_GUILESS_MAIN(TestVtk)
#include "tst_vtk.moc"
