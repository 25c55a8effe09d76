// Functions by name and by number against the formulas written out, and what is said of wrong ones.

#include <QTest>

#include <cmath>

#include "core/base/error.h"
#include "core/fields/functions.h"

using namespace farfield;
using namespace farfield::fields;

namespace {
paging::DatasetDescription flow(bool split = false) {
  paging::DatasetDescription description;
  description.blocks.resize(1);
  const paging::PageLayout layout = paging::PageLayout::even({4, 4, 4}, 4);
  description.arrays.push_back({"xyz", 0, layout, 1, 3, ScalarType::F32, {}});
  const std::vector<std::string> names{"density", "momentum-x", "momentum-y", "momentum-z", "energy"};
  if (split)
    for (const std::string& name : names)
      description.arrays.push_back({name, 0, layout, 1, 1, ScalarType::F32, {}});
  else
    description.arrays.push_back({"q", 0, layout, 1, 5, ScalarType::F32, names});
  return description;
}
const std::vector<double> kState{1.2, 0.6, -0.3, 0.9, 3.5};
}  // namespace

class TestFunctions : public QObject {
  Q_OBJECT
 private slots:
  void formulas_data();
  void formulas();
  void splitAndTogetherAgree();
  void referenceStateCounts();
  void unknownNamesAreListed();
  void whatHasNoValueIsNan();
};

void TestFunctions::formulas_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("number");
  QTest::addColumn<double>("expected");
  const double rho = 1.2, u = 0.6 / rho, v = -0.3 / rho, w = 0.9 / rho, v2 = u * u + v * v + w * w;
  const double p = 0.4 * (3.5 - 0.5 * rho * v2), c = std::sqrt(1.4 * p / rho);
  const auto row = [](const char* name, const char* number, double expected) {
    QTest::newRow(name) << QString(name) << QString(number) << expected;
  };
  row("density", "100", rho);
  row("pressure", "110", p);
  row("temperature", "120", p / rho);
  row("velocity-x", "150", u);
  row("velocity-y", "151", v);
  row("velocity-z", "152", w);
  row("velocity-magnitude", "153", std::sqrt(v2));
  row("mach", "154", std::sqrt(v2) / c);
  row("sound-speed", "155", c);
  row("momentum-x", "160", 0.6);
  row("energy", "163", 3.5);
}

void TestFunctions::formulas() {
  QFETCH(QString, name);
  QFETCH(QString, number);
  QFETCH(double, expected);
  for (const QString& asked : {name, number}) {
    const FunctionPlan plan(flow(), {asked.toStdString()});
    QCOMPARE(QString::fromStdString(plan.functions().front().name), name);
    double value = 0;
    plan.computeNode(kState, {&value, 1});
    QVERIFY(std::abs(value - expected) <= 1e-15 * std::abs(expected) + 1e-15);
  }
}

void TestFunctions::splitAndTogetherAgree() {
  const std::vector<std::string> names{"velocity", "pressure", "momentum"};
  const FunctionPlan together(flow(), names), split(flow(true), names);
  QCOMPARE(together.arrays().size(), std::size_t{1});
  QCOMPARE(split.arrays().size(), std::size_t{5});
  std::vector<double> a(7), b(7), inputs(5);
  together.computeNode(kState, a);
  for (std::size_t n = 0; n < 5; ++n) {
    const std::vector<std::string> order{"density", "momentum-x", "momentum-y", "momentum-z", "energy"};
    for (std::size_t m = 0; m < 5; ++m)
      if (split.arrays()[n] == order[m]) inputs[n] = kState[m];
  }
  split.computeNode(inputs, b);
  QCOMPARE(a, b);
}

void TestFunctions::referenceStateCounts() {
  paging::DatasetDescription description = flow();
  description.attributes["gamma"] = "1.3";
  const FunctionPlan plan(description, {"pressure"});
  double value = 0;
  plan.computeNode(kState, {&value, 1});
  const double kinetic = 0.5 * (0.36 + 0.09 + 0.81) / 1.2;
  QVERIFY(std::abs(value - 0.3 * (3.5 - kinetic)) < 1e-14);
  description.attributes["gamma"] = "air";
  QVERIFY_EXCEPTION_THROWN(FunctionPlan(description, {"pressure"}), Invalid);
}

void TestFunctions::unknownNamesAreListed() {
  try {
    FunctionPlan plan(flow(), {"presure"});
    QFAIL("must not resolve");
  } catch (const NotFound& error) {
    QVERIFY(error.action().find("pressure") != std::string::npos);
  }
  QVERIFY_EXCEPTION_THROWN(FunctionPlan(flow(), {"999"}), Invalid);
  paging::DatasetDescription onlyVelocity;
  onlyVelocity.blocks.resize(1);
  onlyVelocity.arrays.push_back(
      {"velocity", 0, paging::PageLayout::even({4, 4, 4}, 4), 1, 3, ScalarType::F32, {}});
  QCOMPARE(FunctionPlan(onlyVelocity, {"velocity"}).outputCount(), 3);
  QVERIFY_EXCEPTION_THROWN(FunctionPlan(onlyVelocity, {"pressure"}), NotFound);
}

void TestFunctions::whatHasNoValueIsNan() {
  const FunctionPlan plan(flow(), {"mach", "pressure"});
  const std::vector<double> noEnergy{1.2, 0.6, -0.3, 0.9, 0};
  double values[2];
  plan.computeNode(noEnergy, values);
  QVERIFY(std::isnan(values[0]));
  QVERIFY(values[1] < 0);
}

QTEST_APPLESS_MAIN(TestFunctions)
#include "tst_functions.moc"
