// Files of very many variables: they are described in time that grows as they do.

#include <QTest>

#include "tests/support/made_cf_file.h"
#include "tests/support/work_ratio.h"

using namespace farfield;

class TestCfMany : public QObject {
  Q_OBJECT
 private slots:
  void namesAreFound();
  void timeGrowsAsTheyDo();
};

namespace {

/// On a grid of nodes without coordinates, as plain datasets of HDF5 are, whose dimensions have no names.
cf::File fileOf(int variables) {
  test::MadeCfFile made({{"", 2, false}, {"", 2, false}, {"", 2, false}});
  for (int n = 0; n < variables; ++n)
    made.add("value" + std::to_string(n), {0, 1, 2}, std::vector<double>(8));
  return std::move(made.file);
}

}  // namespace

void TestCfMany::namesAreFound() {
  cf::File file = fileOf(30);
  file.variables[7].name = file.variables[20].name = "twice";
  const auto check = [&] {
    for (const cf::Variable& its : file.variables)
      if (its.name != "twice") QCOMPARE(file.variable(its.name), &its);
    QCOMPARE(file.variable("twice"), &file.variables[7]);
    for (const char* const none : {"", "value", "value30", "zzz"}) QVERIFY(!file.variable(none));
  };
  check();
  file.sortNames();
  check();
  const cf::File copy = file;
  QCOMPARE(copy.variable("value3"), &copy.variables[3]);
  // one more than were sorted
  file.variables.push_back(file.variables[3]);
  file.variables.back().name = "late";
  QCOMPARE(file.variable("late"), &file.variables.back());
}

void TestCfMany::timeGrowsAsTheyDo() {
  const double ratio = test::workRatio(1500, 6000, [](int variables) {
    static std::map<int, cf::File> s_files;
    if (!s_files.contains(variables)) s_files.emplace(variables, fileOf(variables));
    MemoryAccount account(std::uint64_t{1} << 30);
    const cf::CfData data = cf::describe({{"made.nc", s_files.at(variables), 1}}, "netcdf", {}, account);
    QCOMPARE(static_cast<int>(data.places.size()), variables);
  });
  // four times as many; by the square it is sixteen
  QVERIFY2(ratio < 9, qPrintable(QString::number(ratio)));
}

QTEST_GUILESS_MAIN(TestCfMany)
#include "tst_cf_many.moc"
