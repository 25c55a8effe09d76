// Plotfiles whose boxes change from step to step as one data set: at every step each point has the value of that step's own
// file, boxes of other steps are blank, and steps with equal boxes share their blocks.

#include <QTest>

#include <cmath>
#include <random>

#include "core/base/error.h"
#include "core/fields/paged/paged_data.h"
#include "core/paging/pages/amr_boxes.h"
#include "plugins/amrex/amrex_data.h"
#include "tests/support/amr_checks.h"
#include "tests/support/error_words.h"
#include "tests/support/one_task.h"
#include "tests/support/plotfile.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::test;

class TestAmrSeries : public QObject {
  Q_OBJECT
 private slots:
  void everyStepIsItsOwnFile();
  void equalBoxesShareBlocks();
  void whatNotAllHaveIsLeftOut();
  void errorsNameTheStepsFile();

 private:
  std::string path(int step) const { return (m_folder.path() / ("plt" + std::to_string(step))).string(); }
  /// A file whose values are linear in space, and differ from step to step.
  void write(int step, const AmrSample& sample, std::vector<std::string> names = {"density"}) const {
    writePlotfile(
        path(step), sample,
        [step](Vec3 at, int component) { return AmrSample::linear(at) + 100 * step + 1000 * component; },
        {.names = std::move(names)});
  }
  std::unique_ptr<fields::OpenData> open(const std::vector<int>& steps) {
    fields::OpenRequest request;
    for (const int step : steps) request.sources.push_back(path(step));
    return amrex::AmrexDataReader(std::make_shared<paging::ByteStores>()).open(request, m_account);
  }
  /// Values at places spread over the data; NaN where no cell holds them.
  std::vector<double> valuesAt(const fields::OpenData& data, std::int64_t step) {
    fields::PagedDataOptions options;
    options.arrays = {"density"};
    fields::PagedData paged(data, m_account, options);
    std::vector<double> values;
    runOneTask(paged, [&](tasks::TaskContext& context) {
      const auto sampler = paged.makeSampler(
          context,
          std::make_shared<fields::FunctionPlan>(paged.description(), std::vector<std::string>{"density"}));
      std::mt19937 random(5);
      const AmrSample sample;
      for (int n = 0; n < 500; ++n) {
        Vec3 at;
        for (int a = 0; a < 3; ++a)
          at[a] = std::uniform_real_distribution<>(sample.origin[a], sample.end()[a])(random);
        fields::Location place;
        values.push_back(std::nan(""));
        if (sampler->locate(at, {step}, place)) sampler->evaluate(place, {step}, {&values.back(), 1});
      }
    });
    return values;
  }
  /// Another arrangement: the finest box is gone, one of the second level has moved.
  static AmrSample moved() {
    AmrSample sample;
    sample.levels.pop_back();
    sample.levels[1] = {{{4, 4, 4}, {8, 4, 8}}, {{16, 8, 2}, {4, 6, 8}}};
    return sample;
  }

  TemporaryFolder m_folder;
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestAmrSeries::everyStepIsItsOwnFile() {
  write(0, {});
  write(1, moved());
  write(2, {});
  const auto all = open({0, 1, 2});
  const paging::DatasetDescription& description = all->description();
  QCOMPARE(description.steps(), std::int64_t{3});
  QCOMPARE(description.times, (std::vector<double>{0, 1, 2}));  // each file is at 2.5
  QVERIFY(paging::boxesChange(description));
  // the finest are the last
  QCOMPARE(paging::amrOf(description)->boxes, (std::vector<std::int64_t>{6, 10, 2}));
  for (int step = 0; step < 3; ++step) {
    const std::vector<double> own = valuesAt(*open({step}), 0);
    QCOMPARE(valuesAt(*all, step), own);
    QVERIFY(std::none_of(own.begin(), own.end(), [](double value) { return std::isnan(value); }));
    const std::vector<bool> known = paging::blocksAt(description, step);
    // each box that is not there is blank
    int there = 0;
    for (std::size_t b = 0; b < description.blocks.size(); ++b) {
      const int array = description.find(static_cast<int>(b), "iblank");
      QVERIFY(array >= 0);
      const Index3& dims = description.blocks[b].dims;
      std::vector<std::byte> bytes(static_cast<std::size_t>(2 * product(dims)));
      all->boxReader()->read(static_cast<std::uint32_t>(array), step, {{0, 0, 0}, dims}, bytes);
      const bool isThere =
          std::any_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte != std::byte{0}; });
      QCOMPARE(known.at(b), isThere);
      there += isThere ? 1 : 0;
    }
    QCOMPARE(there, step == 1 ? 4 : 7);
  }
}

void TestAmrSeries::equalBoxesShareBlocks() {
  for (int step = 0; step < 3; ++step) write(step, step < 2 ? AmrSample{} : moved());
  const auto same = open({0, 1});
  QCOMPARE(same->description().blocks.size(), std::size_t{7});
  QVERIFY(!paging::boxesChange(same->description()));
  QCOMPARE(valuesAt(*same, 1), valuesAt(*open({1}), 0));
  const auto all = open({0, 1, 2});
  QCOMPARE(all->description().blocks.size(), std::size_t{11});
  for (int step = 0; step < 3; ++step) QCOMPARE(valuesAt(*all, step), valuesAt(*open({step}), 0));
}

void TestAmrSeries::whatNotAllHaveIsLeftOut() {
  write(0, {}, {"density", "x_velocity"});
  write(1, moved(), {"density"});
  const auto all = open({0, 1});
  std::string said;
  for (const std::string& line : all->explanation()) said += line + "\n";
  QVERIFY2(contains(said, "left out: x_velocity, which not all steps have"), said.c_str());
  QVERIFY2(contains(said, "2 arrangements"), said.c_str());
  QCOMPARE(all->description().find(0, "x_velocity"), -1);
}

void TestAmrSeries::errorsNameTheStepsFile() {
  write(0, {});
  write(1, {});
  std::filesystem::remove(m_folder.path() / "plt1" / "Header");
  const std::string error = errorOf<Error>([&] { open({0, 1}); });
  QVERIFY2(contains(error, "plt1"), error.c_str());
}

QTEST_GUILESS_MAIN(TestAmrSeries)
#include "tst_amr_series.moc"
