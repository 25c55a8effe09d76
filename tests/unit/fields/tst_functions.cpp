// Functions by name and by number against the formulas written out, and what is said of wrong ones.

#include <QTest>

#include <cmath>

#include "core/base/error.h"
#include "core/fields/functions/functions.h"
#include "core/fields/functions/vector_parts.h"

using namespace farfield;
using namespace farfield::fields;

namespace {
paging::DatasetDescription flow(bool split = false) {
  paging::DatasetDescription description;
  description.blocks.resize(1);
  description.attributes["mach.0"] = "0.8";
  const paging::PageLayout layout = paging::PageLayout::even({4, 4, 4}, 4);
  description.arrays.push_back({"xyz", 0, layout, 1, 3, ScalarType::F32, {}, paging::ArrayRole::Coordinates});
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
  void velocityOfThreeArrays();
  void partsOfAnyVector();
  void partsInExpressions();
  void partsAreListed();
  void unitsOfPartsAreThoseOfTheVector();
  void referenceStateCounts();
  void unknownNamesAreListed();
  void whatHasNoValueIsNan();
  void noFreeStreamNoCoefficient();
  void formulasOfGradients_data();
  void formulasOfGradients();
  void rangesHoldWhatIsComputed();
  void blankingIsAFunction();
};

void TestFunctions::blankingIsAFunction() {
  const auto has = [](const paging::DatasetDescription& description) {
    const auto all = availableFunctions(description);
    return std::any_of(all.begin(), all.end(), [](const FunctionInfo& f) { return f.name == "iblank"; });
  };
  paging::DatasetDescription description = flow();
  QVERIFY(!has(description));
  description.arrays.push_back(
      {"iblank", 0, description.arrays[0].layout, 1, 1, ScalarType::I16, {}, paging::ArrayRole::Blanking});
  QVERIFY(has(description));
  const FunctionPlan plan(description, {"velocity", "iblank", "-min(iblank,0)"});
  QCOMPARE(plan.arrays(), (std::vector<std::string>{"q", "iblank"}));
  std::vector<double> state = kState, out(5);
  state.push_back(-3);
  plan.computeNode(state, out);
  QCOMPARE(out[3], -3.0);
  QCOMPARE(out[4], 3.0);
  // 0 is a number, not that of a function without one: a vector with nothing along z.
  const FunctionPlan flat(description, {"velocity-x", "velocity-y", "0"});
  out.resize(3);
  flat.computeNode(std::span(state).first(5), out);
  QCOMPARE(out[2], 0.0);
  QCOMPARE(flat.arrays(), std::vector<std::string>{"q"});
  QVERIFY_THROWS_EXCEPTION(Invalid, FunctionPlan(description, {"7"}));
  // only where every block has one
  description.blocks.resize(2);
  QVERIFY(!has(description));
  QVERIFY_THROWS_EXCEPTION(NotFound, FunctionPlan(description, {"iblank"}));
}

void TestFunctions::rangesHoldWhatIsComputed() {
  std::vector<std::string> names;
  for (const bool split : {false, true}) {
    const paging::DatasetDescription description = flow(split);
    names.clear();
    for (const FunctionInfo& function : availableFunctions(description))
      if (!function.derivative) names.push_back(function.name);
    names.insert(names.end(), {"max(mach,density)-energy/density", "0.5*density*velocity-magnitude^2",
                               "atan2(velocity-y,velocity-x)+log(pressure)"});
    const FunctionPlan plan(description, names);
    std::uint32_t state = 12345;
    const auto draw = [&state] {
      state = state * 1664525U + 1013904223U;
      return static_cast<double>(state >> 8) / 16777216.0;
    };
    for (int round = 0; round < 300; ++round) {
      std::vector<Interval> ranges;
      for (const double middle : kState) {
        const double width = (round % 3 == 0 ? 2.0 : 0.1) * draw();
        ranges.emplace_back(middle - width * draw(), middle + width * draw());
      }
      std::vector<Interval> bounds(static_cast<std::size_t>(plan.outputCount()));
      plan.bound(ranges, bounds);
      for (int n = 0; n < 20; ++n) {
        std::vector<double> inputs, outputs(bounds.size());
        for (const Interval& range : ranges) inputs.push_back(range.low + draw() * (range.high - range.low));
        plan.computeNode(inputs, outputs);
        for (std::size_t v = 0; v < outputs.size(); ++v)
          QVERIFY(std::isnan(outputs[v]) ? bounds[v].mayBeNaN : bounds[v].holds(outputs[v]));
      }
    }
  }
  // Of derivatives nothing is known.
  const FunctionPlan plan(flow(), {"q-criterion"});
  std::vector<Interval> bound(1);
  plan.bound(std::vector<Interval>(static_cast<std::size_t>(plan.inputCount()), Interval(1)), bound);
  QVERIFY(bound[0] == Interval::any());
}

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
  const double m2 = v2 / (c * c), ratio = 1 + 0.2 * m2;
  row("stagnation-density", "102", rho * std::pow(ratio, 2.5));
  row("stagnation-pressure", "112", p * std::pow(ratio, 3.5));
  row("pressure-coefficient", "114", (p - 1 / 1.4) / (0.5 * 0.8 * 0.8));
  row("dynamic-pressure", "118", 0.5 * rho * v2);
  row("stagnation-temperature", "122", p / rho * ratio);
  row("enthalpy", "130", 3.5 * p / rho);
  row("stagnation-enthalpy", "132", 3.5 * p / rho + 0.5 * v2);
  row("internal-energy", "140", 2.5 * p / rho);
  row("kinetic-energy", "144", 0.5 * v2);
  row("entropy", "170", 2.5 * std::log(1.4 * p / std::pow(rho, 1.4)));
  row("momentum-x", "160", 0.6);
  row("energy", "163", 3.5);
}

void TestFunctions::formulas() {
  QFETCH(QString, name);
  QFETCH(QString, number);
  QFETCH(double, expected);
  for (const QString& asked : {name, number}) {
    if (asked.isEmpty()) continue;  // not all have a number
    const FunctionPlan plan(flow(), {asked.toStdString()});
    QCOMPARE(QString::fromStdString(plan.functions().front().name), name);
    double value = 0;
    plan.computeNode(kState, {&value, 1});
    QVERIFY(std::abs(value - expected) <= 4e-15 * std::abs(expected) + 1e-15);
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

void TestFunctions::velocityOfThreeArrays() {
  paging::DatasetDescription description;
  description.blocks.resize(1);
  const paging::PageLayout layout = paging::PageLayout::even({4, 4, 4}, 4);
  for (const char* name : {"velocity-z", "velocity-x", "velocity-y"})
    description.arrays.push_back({name, 0, layout, 1, 1, ScalarType::F32, {}});
  const FunctionPlan plan(description, {"velocity", "velocity-magnitude"});
  QCOMPARE(plan.functions().front().components, 3);
  QCOMPARE(plan.arrays().size(), std::size_t{3});
  std::vector<double> inputs;
  for (const std::string& array : plan.arrays())
    inputs.push_back(array == "velocity-x" ? 1 : array == "velocity-y" ? 2 : -2);
  std::vector<double> out(4);
  plan.computeNode(inputs, out);
  QCOMPARE(out, (std::vector<double>{1, 2, -2, 3}));
  QVERIFY_EXCEPTION_THROWN(FunctionPlan(description, {"pressure"}), Error);
  // A speed that is called so is no vector.
  description.arrays.insert(description.arrays.begin(), {"velocity", 0, layout, 1, 1, ScalarType::F32, {}});
  const FunctionPlan beside(description, {"velocity", "velocity-magnitude"});
  QCOMPARE(beside.functions().front().components, 1);
  inputs.clear();
  for (const std::string& array : beside.arrays())
    inputs.push_back(array == "velocity-x" ? 1 : array == "velocity-y" ? 2 : array == "velocity-z" ? -2 : 50);
  out.resize(2);
  beside.computeNode(inputs, out);
  QCOMPARE(out, (std::vector<double>{50, 3}));
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

void TestFunctions::partsOfAnyVector() {
  paging::DatasetDescription description;
  description.blocks.resize(1);
  const paging::PageLayout layout = paging::PageLayout::even({4, 4, 4}, 4);
  description.arrays.push_back({"DISPL", 0, layout, 1, 3, ScalarType::F32, {}});
  description.arrays.push_back({"heat-x", 0, layout, 1, 1, ScalarType::F32, {}});
  description.arrays.push_back({"heat", 0, layout, 1, 3, ScalarType::F32, {}});
  const FunctionPlan plan(description, {"DISPL-magnitude", "DISPL-y", "heat-x", "heat-z"});
  QCOMPARE(plan.functions()[0].name, std::string("DISPL-magnitude"));
  QCOMPARE(plan.functions()[1].components, 1);
  std::vector<double> inputs;
  for (const std::string& array : plan.arrays()) {
    if (array == "DISPL") inputs.insert(inputs.end(), {1, 2, -2});
    if (array == "heat-x") inputs.push_back(7);
    if (array == "heat") inputs.insert(inputs.end(), {4, 5, 6});
  }
  std::vector<double> out(4);
  plan.computeNode(inputs, out);
  // what the data have is what they have
  QCOMPARE(out, (std::vector<double>{3, 2, 7, 6}));
  QVERIFY_EXCEPTION_THROWN(FunctionPlan(description, {"DISPL-w"}), NotFound);
  QVERIFY_EXCEPTION_THROWN(FunctionPlan(description, {"heat-x-magnitude"}), NotFound);
}

void TestFunctions::partsInExpressions() {
  paging::DatasetDescription description;
  description.blocks.resize(1);
  const paging::PageLayout layout = paging::PageLayout::even({4, 4, 4}, 4);
  description.arrays.push_back({"DISPL", 0, layout, 1, 3, ScalarType::F32, {}});
  description.arrays.push_back({"heat-x", 0, layout, 1, 1, ScalarType::F32, {}});
  description.arrays.push_back({"heat", 0, layout, 1, 3, ScalarType::F32, {}});
  description.arrays.push_back({"Flow (m/s)", 0, layout, 1, 3, ScalarType::F32, {}});
  description.arrays.push_back({"2m temperature", 0, layout, 1, 1, ScalarType::F32, {}});
  description.attributes["function.DISPL-z"] = "10*{DISPL-x}";
  description.attributes["function.doubled"] = "2*DISPL-magnitude";
  const std::vector<std::string> expressions{
      "DISPL-x-DISPL-y+0",                // the longest names
      "DISPL-magnitude^2",                // 9
      "DISPL-z",                          // what somebody defines goes before
      "heat-magnitude",                   // of the vector, though the data have another heat-x
      "heat-x+heat-y",                    // which is taken by its name
      "{Flow (m/s)-magnitude}",           // any name in braces
      "{2m temperature}-{Flow (m/s)-z}",  //
      "doubled/{doubled}"};
  const FunctionPlan plan(description, expressions);
  std::vector<double> inputs;
  for (const std::string& array : plan.arrays()) {
    if (array == "DISPL") inputs.insert(inputs.end(), {1, 2, -2});
    if (array == "heat-x") inputs.push_back(7);
    if (array == "heat") inputs.insert(inputs.end(), {6, 2, 3});
    if (array == "Flow (m/s)") inputs.insert(inputs.end(), {4, 4, 7});
    if (array == "2m temperature") inputs.push_back(300);
  }
  std::vector<double> out(expressions.size());
  plan.computeNode(inputs, out);
  QCOMPARE(out, (std::vector<double>{-1, 9, 10, 7, 9, 9, 293, 1}));
  std::vector<Interval> ranges(inputs.begin(), inputs.end()), bounds(out.size());
  plan.bound(ranges, bounds);
  for (std::size_t n = 0; n < out.size(); ++n) QVERIFY(bounds[n].holds(out[n]));
  for (const char* const wrong : {"DISPL+1", "{DISPL", "{no such}", "{}", "heat-w*1", "{heat-x"})
    QVERIFY_EXCEPTION_THROWN(FunctionPlan(description, {wrong}), Invalid);
}

void TestFunctions::partsAreListed() {
  paging::DatasetDescription description;
  description.blocks.resize(2);
  const paging::PageLayout layout = paging::PageLayout::even({4, 4, 4}, 4);
  for (const int block : {0, 1}) {
    description.arrays.push_back({"DISPL", block, layout, 1, 3, ScalarType::F32, {}});
    description.arrays.push_back({"DISPL-y", block, layout, 1, 1, ScalarType::F32, {}});
    description.arrays.push_back({"wind", block, layout, 1, 3, ScalarType::F32, {"u", "v", "w"}});
    description.arrays.push_back({"velocity", block, layout, 1, 3, ScalarType::F32, {}});
    description.arrays.push_back({"tensor", block, layout, 1, 6, ScalarType::F32, {}});
  }
  std::vector<std::string> names;
  for (const FunctionInfo& part : vectorParts(description)) {
    names.push_back(part.name);
    QVERIFY(!part.formula.empty());
    QCOMPARE(part.components, 1);
  }
  // those of the velocity are formulas, and u, v, w have names
  QCOMPARE(names, (std::vector<std::string>{"DISPL-magnitude", "DISPL-x", "DISPL-z", "wind-magnitude"}));
}

void TestFunctions::unitsOfPartsAreThoseOfTheVector() {
  paging::DatasetDescription description;
  description.blocks.resize(1);
  const paging::PageLayout layout = paging::PageLayout::even({4, 4, 4}, 4);
  description.arrays.push_back({"velocity", 0, layout, 1, 3, ScalarType::F32, {}});
  description.arrays.push_back({"wind", 0, layout, 1, 3, ScalarType::F32, {"u", "v", "w"}});
  description.arrays.push_back({"odd", 0, layout, 1, 2, ScalarType::F32, {"s", "t"}});
  description.arrays.push_back({"vorticity", 0, layout, 1, 3, ScalarType::F32, {}});
  description.arrays.push_back({"part", 0, layout, 1, 1, ScalarType::F32, {}});
  description.attributes = {{"units.velocity", "m s-1"}, {"units.u", "knot"},       {"units.v", "knot"},
                            {"units.w", "knot"},         {"units.s", "K"},          {"units.t", "Pa"},
                            {"units.part", "1"},         {"units.vorticity", "s-1"}};
  const auto units = [&](const char* name) { return unitsOf(description, name); };
  QCOMPARE(units("velocity"), std::string("m s-1"));
  QCOMPARE(units("velocity-x"), std::string("m s-1"));
  QCOMPARE(units("velocity-magnitude"), std::string("m s-1"));
  QCOMPARE(units("wind"), std::string("knot"));
  QCOMPARE(units("wind-magnitude"), std::string("knot"));
  QCOMPARE(units("v"), std::string("knot"));
  QCOMPARE(units("odd"), std::string());
  description.attributes["units.odd"] = "mixed";
  QCOMPARE(units("s"), std::string("K"));
  description.attributes.erase("units.s");
  QCOMPARE(units("s"), std::string("mixed"));
  QCOMPARE(units("t"), std::string("Pa"));
  QCOMPARE(units("part"), std::string());
  QCOMPARE(units("vorticity"), std::string("s-1"));
  // computed from the velocity, whose units are not followed through formulas
  for (const char* const name : {"vorticity-x", "vorticity-magnitude", "2*velocity-x", "divergence", "no"})
    QCOMPARE(units(name), std::string());
  QCOMPARE(withUnits(description, "velocity-z"), std::string("velocity-z [m s-1]"));
  QCOMPARE(withUnits(description, "divergence"), std::string("divergence"));
  description.attributes["function.wind-x"] = "u*u";
  QCOMPARE(units("wind-x"), std::string());
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

void TestFunctions::noFreeStreamNoCoefficient() {
  paging::DatasetDescription description = flow();
  description.attributes["mach.0"] = "0";
  QVERIFY_EXCEPTION_THROWN(FunctionPlan(description, {"pressure-coefficient"}), NotFound);
  // What was given by hand counts more than the header.
  description.attributes["mach"] = "0.8";
  FunctionPlan(description, {"pressure-coefficient"});
}

void TestFunctions::formulasOfGradients_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("number");
  QTest::addColumn<QList<double>>("expected");
  const auto row = [](const char* name, const char* number, const QList<double>& expected) {
    QTest::newRow(name) << QString(name) << QString(number) << expected;
  };
  // V = (0.5, -0.25, 0.75), grad u = (1, 2, 3), grad v = (-1, 0.5, 2), grad w = (4, -2, -1.5).
  const double ox = -2 - 2, oy = 3 - 4, oz = -1 - 2, o2 = ox * ox + oy * oy + oz * oz;
  const double rho = 1.2, v2 = 0.25 + 0.0625 + 0.5625, h = 0.5 * ox - 0.25 * oy + 0.75 * oz;
  const double p = 0.4 * (3.5 - 0.5 * rho * v2), c = std::sqrt(1.4 * p / rho);
  const double ss = 1 + 0.25 + 2.25 + 2 * (0.25 + 0 + 0.25 * 49);
  row("vorticity", "201", {ox, oy, oz});
  row("vorticity-x", "180", {ox});
  row("vorticity-y", "181", {oy});
  row("vorticity-z", "182", {oz});
  row("vorticity-magnitude", "183", {std::sqrt(o2)});
  row("swirl", "184", {h / (rho * v2)});
  row("vorticity-cross-velocity", "185", {std::sqrt(o2 * v2 - h * h)});
  row("helicity", "186", {h});
  row("relative-helicity", "187", {h / std::sqrt(o2 * v2)});
  row("divergence", "", {1 + 0.5 - 1.5});
  row("strain-rate-magnitude", "", {std::sqrt(2 * ss)});
  row("q-criterion", "", {0.5 * (0.5 * o2 - ss)});
  // grad rho = (0.1, 0.2, -0.2), grad p = (2, -1, 2).
  row("density-gradient", "211", {0.1, 0.2, -0.2});
  row("density-gradient-magnitude", "193", {0.3});
  row("pressure-gradient", "210", {2, -1, 2});
  row("pressure-gradient-magnitude", "192", {3});
  row("shock", "190", {(1 + 0.25 + 1.5) / (3 * c)});
}

void TestFunctions::formulasOfGradients() {
  QFETCH(QString, name);
  QFETCH(QString, number);
  QFETCH(QList<double>, expected);
  // Beside the one that is asked for, so that all gradients are there: density's, pressure's, u's, v's, w's.
  const FunctionPlan plan(flow(),
                          {name.toStdString(), "density-gradient", "pressure-gradient", "divergence"});
  QCOMPARE(plan.gradientCount(), 5);
  QVERIFY(plan.functions().front().derivative);
  if (!number.isEmpty())
    QCOMPARE(FunctionPlan(flow(), {number.toStdString()}).functions().front().name, name.toStdString());
  const std::vector<Vec3> gradients{{0.1, 0.2, -0.2}, {2, -1, 2}, {1, 2, 3}, {-1, 0.5, 2}, {4, -2, -1.5}};
  std::vector<double> values(static_cast<std::size_t>(plan.outputCount()));
  plan.computeNode(kState, gradients, values);
  for (qsizetype n = 0; n < expected.size(); ++n)
    QVERIFY2(
        std::abs(values[static_cast<std::size_t>(n)] - expected[n]) <= 1e-13 * std::abs(expected[n]) + 1e-13,
        qPrintable(QString("%1, not %2").arg(values[static_cast<std::size_t>(n)]).arg(expected[n])));
}

QTEST_APPLESS_MAIN(TestFunctions)
#include "tst_functions.moc"
