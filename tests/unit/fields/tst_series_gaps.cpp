// Steps that a pattern of files lacks.

#include <QTest>

#include "core/fields/words/series_gaps.h"

using namespace farfield;
using fields::gapsIn;

namespace {

std::vector<std::string> named(const std::vector<std::string>& numbers) {
  std::vector<std::string> files;
  for (const std::string& number : numbers) files.push_back("run7/flow_" + number + ".q2");
  return files;
}

/// "step file step file"
QString textOf(const std::vector<fields::SeriesGap>& gaps) {
  QStringList words;
  for (const fields::SeriesGap& gap : gaps)
    words << QString::number(gap.step) << QString::fromStdString(gap.file);
  return words.join(' ');
}

}  // namespace

class TestSeriesGaps : public QObject {
  Q_OBJECT
 private slots:
  void gaps_data();
  void gaps();
};

void TestSeriesGaps::gaps_data() {
  QTest::addColumn<std::vector<std::string>>("files");
  QTest::addColumn<QString>("found");
  const auto row = [](const char* what, const std::vector<std::string>& files, const char* found) {
    QTest::newRow(what) << files << found;
  };
  row("none", named({"0", "1", "2", "3", "4"}), "");
  row("one", named({"0000", "0001", "0002", "0004", "0005"}), "3 run7/flow_0003.q2");
  row("every tenth", named({"0090", "0100", "0110", "0130", "0140"}), "3 run7/flow_0120.q2");
  row("not padded", named({"7", "8", "9", "11", "12"}), "3 run7/flow_10.q2");
  row("two together", named({"0", "1", "2", "3", "6", "7", "8", "9"}), "4 run7/flow_4.q2 5 run7/flow_5.q2");
  row("two apart", named({"0", "2", "3", "4", "5", "7", "8", "9"}), "1 run7/flow_1.q2 6 run7/flow_6.q2");
  // numbers that mean something else
  row("too many", named({"0", "1", "2", "9", "10"}), "");
  row("no rule", named({"0", "10", "20", "35", "40", "50", "60", "70"}), "");
  row("few", named({"0", "1", "3"}), "");
  row("two numbers", {"a1_b0.q", "a1_b1.q", "a2_b3.q", "a2_b4.q", "a2_b5.q"}, "");
  row("other names", {"a.q", "b.q", "d.q", "e.q", "f.q"}, "");
  row("more digits than a number has",
      named({"99999999999999999999990", "99999999999999999999991", "99999999999999999999993",
             "99999999999999999999994"}),
      "");
  row("one file", named({"4"}), "");
  row("nothing", {}, "");
}

void TestSeriesGaps::gaps() {
  QFETCH(std::vector<std::string>, files);
  QFETCH(QString, found);
  QCOMPARE(textOf(gapsIn(files)), found);
}

QTEST_APPLESS_MAIN(TestSeriesGaps)
#include "tst_series_gaps.moc"
