// Functions that users define: what they are computed as, and what is said of wrong ones.

#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/fields/functions/defined_functions.h"
#include "core/fields/functions/forwarded_data.h"
#include "core/fields/functions/functions.h"
#include "core/fields/functions/vector_parts.h"
#include "core/fields/samples/sample_data.h"

using namespace farfield;
using namespace farfield::fields;

namespace {

std::unique_ptr<OpenData> open(const std::map<std::string, std::string>& options) {
  static MemoryAccount account(std::uint64_t{64} << 20);
  ReaderRegistry readers;
  readers.add(std::make_unique<samples::SampleDataReader>());
  return readers.open({.sources = {"sample://cylinder?size=17,13,5&blocks=1"}, .options = options}, account);
}

std::string errorOf(const std::map<std::string, std::string>& options) {
  try {
    (void)open(options);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

/// Data that can do all that only some can.
class AbleData final : public ForwardedData {
 public:
  explicit AbleData(std::unique_ptr<OpenData> data)
      : ForwardedData(std::move(data)), m_description(behind().description()) {}
  const paging::DatasetDescription& description() const override { return m_description; }
  Origin origin() const override { return {.url = "far://there/flow.x"}; }
  std::optional<paging::GroupExtremes> findGroups(std::uint32_t, int, std::int64_t, const Index3&,
                                                  const std::function<void()>&) const override {
    return paging::GroupExtremes{};
  }
  paging::SourceCounters lookCounters() const override { return {.reads = 7}; }
  bool takeApart() override {
    m_description.attributes["taken"] = "apart";
    return true;
  }
  void putTogether() override { m_description.attributes.erase("taken"); }

 private:
  paging::DatasetDescription m_description;
};

double valueOf(const paging::DatasetDescription& description, const std::string& name) {
  const FunctionPlan plan(description, {name});
  std::vector<double> inputs(static_cast<std::size_t>(plan.inputCount()));
  for (std::size_t n = 0; n < inputs.size(); ++n) inputs[n] = 1.5 + static_cast<double>(n);
  double value = 0;
  plan.computeNode(inputs, {&value, 1});
  return value;
}

}  // namespace

class TestDefinedFunctions : public QObject {
  Q_OBJECT
 private slots:
  void areWhatTheirExpressionsAre();
  void areListedWithTheOthers();
  void threeAreAVector();
  void wrongOnesAreRefused_data();
  void wrongOnesAreRefused();
  void whatFilesBringAlongIsNoError();
  void dataCanDoWhatTheyCouldWithout();
};

void TestDefinedFunctions::areWhatTheirExpressionsAre() {
  const auto data = open({{"function.polytropic", "pressure/density^1.4"},
                          {"function.twice-polytropic", "2*polytropic"},
                          {"function.small", "1e-6*density+polytropic-twice-polytropic"}});
  const auto& its = data->description();
  QCOMPARE(valueOf(its, "polytropic"), valueOf(its, "pressure/density^1.4"));
  QCOMPARE(valueOf(its, "twice-polytropic"), 2 * valueOf(its, "polytropic"));
  QCOMPARE(valueOf(its, "small"),
           1e-6 * valueOf(its, "density") + valueOf(its, "polytropic") - 2 * valueOf(its, "polytropic"));
  // In parentheses: what a name stands for is one value.
  QCOMPARE(valueOf(its, "1/small"), 1 / valueOf(its, "small"));
  QCOMPARE(valueOf(its, "polytropic^2"), valueOf(its, "polytropic") * valueOf(its, "polytropic"));
  const FunctionPlan plan(its, {"twice-polytropic"});
  QCOMPARE(plan.functions().front().name, std::string("twice-polytropic"));
  QCOMPARE(plan.functions().front().formula, std::string("2*polytropic"));
  // Readers have not been asked about them, and opening it again gives them again.
  QVERIFY(data->request()->options.contains("function.polytropic"));
}

void TestDefinedFunctions::areListedWithTheOthers() {
  const auto data = open({{"function.polytropic", "pressure/density^1.4"}});
  const auto all = availableFunctions(data->description());
  QCOMPARE(std::count_if(all.begin(), all.end(),
                         [](const FunctionInfo& each) { return each.name == "polytropic"; }),
           1);
  QCOMPARE(all.size(), availableFunctions(open({})->description()).size() + 1);
}

void TestDefinedFunctions::threeAreAVector() {
  const auto data = open({{"function.wind", "2*velocity-x, min(density, {pressure}), 0"},
                          {"function.up", "wind-y+1"},
                          {"function.turned", "{wind-z}, -wind-magnitude, wind-x"}});
  const auto& its = data->description();
  const FunctionPlan plan(its, {"pressure", "wind", "turned", "density"});
  QCOMPARE(plan.functions()[1].components, 3);
  QCOMPARE(plan.functions()[1].name, std::string("wind"));
  QCOMPARE(plan.functions()[1].formula, std::string("2*velocity-x, min(density, {pressure}), 0"));
  QCOMPARE(plan.outputCount(), 8);
  QCOMPARE(plan.outputOf(2), 4);
  std::vector<double> inputs(static_cast<std::size_t>(plan.inputCount())), values(8);
  for (std::size_t n = 0; n < inputs.size(); ++n) inputs[n] = 1.5 + static_cast<double>(n);
  plan.computeNode(inputs, values);
  const double density = values[7], x = values[1], y = values[2];
  QCOMPARE(y, std::min(density, values[0]));
  QCOMPARE(values[3], 0.0);
  QCOMPARE(values[4], 0.0);
  QCOMPARE(values[5], -std::sqrt(x * x + y * y));
  QCOMPARE(values[6], x);
  // What it may be in a region is as wide as its parts.
  std::vector<Interval> ranges, bounds(8);
  for (const double input : inputs) ranges.push_back(Interval(input, input));
  plan.bound(ranges, bounds);
  for (std::size_t n = 0; n < values.size(); ++n) QVERIFY(bounds[n].holds(values[n]));
  // In lists: itself among the functions, its parts behind them, and other definitions may be made of these.
  QCOMPARE(valueOf(its, "up"), valueOf(its, "wind-y") + 1);
  const auto all = availableFunctions(its), parts = vectorParts(its);
  const auto isIn = [](const auto& list, const std::string& name) {
    return std::any_of(list.begin(), list.end(), [&](const FunctionInfo& each) { return each.name == name; });
  };
  for (const char* const name : {"wind", "turned", "up"}) QVERIFY2(isIn(all, name), name);
  for (const char* const name : {"wind-x", "wind-y", "wind-z", "wind-magnitude", "turned-z"})
    QVERIFY2(isIn(parts, name), name);
  QCOMPARE(FunctionPlan(its, {"wind-y"}).functions().front().name, std::string("wind-y"));
}

void TestDefinedFunctions::wrongOnesAreRefused_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("said");
  QTest::newRow("no such function") << "a"
                                    << "nosuch*2"
                                    << "no function 'nosuch'";
  QTest::newRow("a vector") << "a"
                            << "velocity*2"
                            << "velocity is a vector";
  QTest::newRow("two") << "a"
                       << "density, pressure"
                       << "write one, or three for a vector";
  QTest::newRow("a vector of vectors") << "a"
                                       << "velocity, 0, 0"
                                       << "velocity is a vector";
  QTest::newRow("a vector of itself") << "a"
                                      << "0, a-y, 0"
                                      << "refers to itself";
  QTest::newRow("itself") << "a"
                          << "a+1"
                          << "refers to itself";
  QTest::newRow("taken") << "pressure"
                         << "density"
                         << "a function 'pressure' in these data already";
  QTest::newRow("taken by an array that is in no list") << "q"
                                                        << "density"
                                                        << "a function 'q' in these data already";
  QTest::newRow("an operator in the name") << "a+b"
                                           << "density"
                                           << "no name of a function";
  QTest::newRow("nothing") << ""
                           << "density"
                           << "no name of a function";
}

void TestDefinedFunctions::wrongOnesAreRefused() {
  QFETCH(QString, name);
  QFETCH(QString, text);
  QFETCH(QString, said);
  const std::string key = "function." + name.toStdString();
  const QString error = QString::fromStdString(errorOf({{key, text.toStdString()}}));
  QVERIFY2(error.contains(said), qPrintable(error));
  QVERIFY2(error.contains(QString::fromStdString(key)), qPrintable(error));
  // Each twice as long as the one before: refused before it takes memory.
  std::map<std::string, std::string> growing{{"function.n0", "density"}};
  for (int n = 1; n < 30; ++n)
    growing["function.n" + std::to_string(n)] = "n" + std::to_string(n - 1) + "+n" + std::to_string(n - 1);
  QVERIFY(!errorOf(growing).empty());
}

void TestDefinedFunctions::whatFilesBringAlongIsNoError() {
  paging::DatasetDescription description = open({})->description();
  const std::size_t count = availableFunctions(description).size();
  description.attributes["function.a"] = "b";
  description.attributes["function.b"] = "a";
  description.attributes["function."] = "density";
  description.attributes["function.c"] = std::string(100'000, '(');
  description.attributes["function.pressure"] = "density";
  QCOMPARE(availableFunctions(description).size(), count);
  QVERIFY(valueOf(description, "pressure") != valueOf(description, "density"));
  // Nor does one take the parts of a variable.
  description.attributes["function.velocity"] = "density, density, density";
  QVERIFY(valueOf(description, "velocity-x") != valueOf(description, "density"));
  QVERIFY(valueOf(description, "0+velocity-x") != valueOf(description, "density"));
  // What suits may be said anew, as who converts data with their definitions and goes on with these does.
  auto data = withDefinitions(withDefinitions(open({}), {{"twice", "2*density"}}), {{"twice", "3*density"}});
  QCOMPARE(valueOf(data->description(), "twice"), 3 * valueOf(data->description(), "density"));
  QVERIFY_THROWS_EXCEPTION(Invalid, (void)withDefinitions(open({}), {{"pressure", "density"}}));
}

void TestDefinedFunctions::dataCanDoWhatTheyCouldWithout() {
  const auto data = withDefinitions(std::make_unique<AbleData>(open({})), {{"twice", "2*density"}});
  const auto* const remote = dynamic_cast<const RemoteOrigin*>(data.get());
  QVERIFY(remote);
  QCOMPARE(remote->origin().url, std::string("far://there/flow.x"));
  const auto* const finder = dynamic_cast<const GroupFinder*>(data.get());
  QVERIFY(finder);
  QVERIFY(finder->findGroups(0, 0, 0, {0, 0, 0}, [] {}));
  QCOMPARE(finder->lookCounters().reads, std::uint64_t{7});
  auto* const apart = dynamic_cast<VariablesApart*>(data.get());
  QVERIFY(apart && apart->takeApart());
  // As they are described then, and with what was defined.
  QCOMPARE(data->description().attributes.at("taken"), std::string("apart"));
  QVERIFY(isDefined(data->description().attributes, "twice"));
  apart->putTogether();
  QVERIFY(!data->description().attributes.contains("taken"));
  QVERIFY(isDefined(data->description().attributes, "twice"));
  // Others still cannot.
  const auto plain = open({{"function.twice", "2*density"}});
  if (auto* const none = dynamic_cast<VariablesApart*>(plain.get())) QVERIFY(!none->takeApart());
}

QTEST_APPLESS_MAIN(TestDefinedFunctions)
#include "tst_defined_functions.moc"
