// Lists of very many blocks: they are joined in time that grows as they do.

#include <QTest>

#include "plugins/vtkfile/vtk_joined.h"
#include "tests/support/work_ratio.h"

using namespace farfield;

class TestVtkMany : public QObject {
  Q_OBJECT
 private slots:
  void whatNotAllHaveIsLeftOut();
  void timeGrowsAsTheyDo();
};

namespace {

void addVariable(vtkfile::VtkData& block, const std::string& name, int components = 1) {
  block.description.arrays.push_back(arrays::describeArray(name, {2, 2, 2}, components, ScalarType::F32, 1));
  block.places.emplace_back(arrays::PlacedArray{});
}

std::vector<vtkfile::VtkData> blocksOf(int count) {
  std::vector<vtkfile::VtkData> blocks(static_cast<std::size_t>(count));
  for (vtkfile::VtkData& block : blocks) {
    block.description = arrays::describeBlock("vtk", {2, 2, 2});
    for (const char* const name : {"pressure", "density", "temperature"}) addVariable(block, name);
  }
  return blocks;
}

}  // namespace

void TestVtkMany::whatNotAllHaveIsLeftOut() {
  auto blocks = blocksOf(3);
  addVariable(blocks[0], "some");
  addVariable(blocks[2], "some");
  // twice in one block is not once in each
  addVariable(blocks[1], "doubled");
  addVariable(blocks[1], "doubled");
  addVariable(blocks[1], "doubled");
  for (int n = 0; n < 3; ++n) addVariable(blocks[static_cast<std::size_t>(n)], "other", n == 1 ? 3 : 1);
  const vtkfile::VtkData all = vtkfile::joined(std::move(blocks), {});
  QCOMPARE(all.description.arrays.size(), std::size_t{9});
  QCOMPARE(all.places.size(), std::size_t{9});
  for (std::size_t n = 0; n < 9; ++n) QCOMPARE(all.description.arrays[n].block, static_cast<int>(n / 3));
  QCOMPARE(all.explain.size(), std::size_t{3});
}

void TestVtkMany::timeGrowsAsTheyDo() {
  const double ratio = test::workRatio(1000, 4000, [](int count) {
    const vtkfile::VtkData all = vtkfile::joined(blocksOf(count), {});
    QCOMPARE(static_cast<int>(all.description.blocks.size()), count);
  });
  // four times as many; by the square it is sixteen
  QVERIFY2(ratio < 9, qPrintable(QString::number(ratio)));
}

QTEST_GUILESS_MAIN(TestVtkMany)
#include "tst_vtk_many.moc"
