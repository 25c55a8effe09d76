// Expressions against what they mean, and what is said of wrong ones.

#include <QTest>

#include <cmath>
#include <random>

#include "core/base/error.h"
#include "core/fields/functions/functions.h"
#include "core/fields/words/expression.h"

using namespace farfield;
using namespace farfield::fields;

namespace {

const std::vector<std::pair<std::string, double>> kValues{
    {"a", 3}, {"b", -0.5}, {"velocity-x", 7}, {"velocity", 11}, {"x", 2}, {"log-density", 0.25}};

bool isName(std::string_view name) {
  for (const auto& [known, value] : kValues)
    if (known == name) return true;
  return false;
}

double valueOf(const std::string& text) {
  const Expression expression = Expression::parse(text, isName);
  std::vector<double> values;
  for (const std::string& name : expression.names())
    for (const auto& [known, value] : kValues)
      if (known == name) values.push_back(value);
  return expression.evaluate(values);
}

std::string errorOf(const std::string& text) {
  try {
    Expression::parse(text, isName);
  } catch (const Invalid& error) {
    return error.what();
  }
  return {};
}

}  // namespace

class TestExpression : public QObject {
  Q_OBJECT
 private slots:
  void values_data();
  void values();
  void wrongOnesSayWhere_data();
  void wrongOnesSayWhere();
  void sizeIsBounded();
  void randomTextIsAnErrorOrAValue();
  void plansComputeThem();
  void wordsThatAreNoNamesAreGuessedAt();
};

void TestExpression::values_data() {
  QTest::addColumn<double>("expected");
  const auto row = [](const char* text, double expected) { QTest::newRow(text) << expected; };
  row("1", 1);
  row(" .5e1 ", 5);
  row("1 + 2*3 - 4/8", 6.5);
  row("(1 + 2)*3", 9);
  row("2^3^2", 512);
  row("-2^2", -4);
  row("2^-1", 0.5);
  row("2*-3", -6);
  row("--a", 3);
  row("8/2/2", 2);
  row("5-3-1", 1);
  row("a*b", -1.5);
  row("0.5*a*velocity-x^2", 73.5);
  row("velocity-x", 7);
  row("velocity - x", 9);
  row("velocity-a", 8);
  row("a-velocity-x", -4);
  row("log-density", 0.25);
  row("sqrt(a*a + 16) + abs(b)", 5.5);
  row("min(a, b) + max(a, b)*10", 29.5);
  row("exp(0) + log(1) + log10(1000)", 4);
  row("atan2(1, 1)*4", M_PI);
  row("sin(b)^2 + cos(b)^2", 1);
  row("tan(asin(0.6)) - 0.75 + acos(1) + atan(0)", 0);
}

void TestExpression::values() {
  QFETCH(double, expected);
  const double found = valueOf(QTest::currentDataTag());
  QVERIFY2(std::abs(found - expected) < 1e-14 * (1 + std::abs(expected)), qPrintable(QString::number(found)));
}

void TestExpression::wrongOnesSayWhere_data() {
  QTest::addColumn<int>("place");
  QTest::addColumn<QString>("what");
  const auto row = [](const char* text, int place, const char* what) {
    QTest::newRow(text) << place << QString(what);
  };
  row("a + ", 5, "ends");
  row("a b", 3, "text after");
  row("(a", 3, "')'");
  row("a)", 2, "text after");
  row("c*a", 1, "no function 'c'");
  row("2*pressure-x", 3, "no function 'pressure-x'");
  row("a * * b", 5, "value is expected");
  row("sqrt a", 6, "'('");
  row("max(a)", 6, "two values");
  row("min(a, b, a)", 9, "'min' takes two values");
  row("sqrt(a, b)", 7, "'sqrt' takes one value");
  row("1e999*a", 1, "not a number");
  row("a ? b", 3, "text after");
  row(".", 1, "not a number");
}

void TestExpression::wrongOnesSayWhere() {
  QFETCH(int, place);
  QFETCH(QString, what);
  const QString words = QString::fromStdString(errorOf(QTest::currentDataTag()));
  QVERIFY2(words.contains(what), qPrintable(words));
  QVERIFY2(words.contains(QString("character %1:").arg(place)), qPrintable(words));
}

void TestExpression::sizeIsBounded() {
  QVERIFY(!errorOf(std::string(100'000, '(')).empty());
  QVERIFY(!errorOf(std::string(100'000, '-') + "(").empty());
  std::string sum = "a", nested = "a";
  for (int n = 0; n < 1000; ++n) sum += "+a";
  for (int n = 0; n < 40; ++n) nested = "a+(" + nested + ")";
  QVERIFY(!errorOf(sum).empty());
  QVERIFY(!errorOf(nested).empty());
}

void TestExpression::randomTextIsAnErrorOrAValue() {
  std::mt19937 random(11);
  const std::vector<std::string> pieces{"a", "b", "velocity", "-", "x", "+", "*",   "/",    "^", "(",
                                        ")", "1", ".5",       "e", " ", ",", "min", "sqrt", "#", "\xc3"};
  int parsed = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string text;
    for (std::size_t n = 1 + random() % 12; n > 0; --n) text += pieces[random() % pieces.size()];
    try {
      valueOf(text);
      ++parsed;
    } catch (const Invalid&) {
    }
  }
  QVERIFY(parsed > 1000);
}

void TestExpression::plansComputeThem() {
  paging::DatasetDescription data;
  data.blocks.resize(1);
  data.arrays.push_back({"q",
                         0,
                         paging::PageLayout::even({4, 4, 4}, 4),
                         1,
                         5,
                         ScalarType::F32,
                         {"density", "momentum-x", "momentum-y", "momentum-z", "energy"}});
  const FunctionPlan plan(data, {"0.5*density*velocity-magnitude^2", "pressure",
                                 "dynamic-pressure - pressure", "sqrt(divergence^2)"});
  QCOMPARE(plan.outputCount(), 4);
  QVERIFY(!plan.functions()[0].derivative && plan.functions()[3].derivative);
  QCOMPARE(plan.functions()[0].name, std::string("0.5*density*velocity-magnitude^2"));
  const std::vector<double> node{1.2, 0.6, -0.3, 0.9, 3.5};
  const std::vector<Vec3> gradients{{1, 0, 0}, {0, -3, 0}, {0, 0, 0.5}};
  double found[4];
  plan.computeNode(node, gradients, found);
  const double dynamic = 0.5 * (0.36 + 0.09 + 0.81) / 1.2, pressure = 0.4 * (3.5 - dynamic);
  const double expected[4] = {dynamic, pressure, dynamic - pressure, 1.5};
  for (int n = 0; n < 4; ++n) QVERIFY(std::abs(found[n] - expected[n]) < 1e-14);
  QVERIFY_EXCEPTION_THROWN(FunctionPlan(data, {"2*velocity"}), Invalid);
  QVERIFY_EXCEPTION_THROWN(FunctionPlan(data, {"2*presure"}), Invalid);
  QVERIFY_EXCEPTION_THROWN(FunctionPlan(data, {"presure-x"}), NotFound);
  // Names with a minus between are a difference as they are, and so is a name with a number.
  for (const char* const difference : {"pressure-density", "pressure-density-velocity-x", "pressure-2.5"})
    QCOMPARE(FunctionPlan(data, {difference}).functions()[0].components, 1);
  // So is what begins with a sign or a number.
  const std::vector<std::pair<std::string, double>> withSigns{
      {"-density", -1.2},      {"--density", 1.2},
      {"1-density", -0.2},     {"1e-3-density", 1e-3 - 1.2},
      {".5-density", -0.7},    {"-velocity-magnitude-density", -std::sqrt(1.26) / 1.2 - 1.2},
      {"2-3-density--1", -1.2}};
  for (const auto& [text, value] : withSigns) {
    const FunctionPlan its(data, {text});
    double out = 0;
    its.computeNode(node, {}, {&out, 1});
    QVERIFY2(std::abs(out - value) < 1e-14, text.c_str());
  }
  for (const char* const word :
       {"-presure", "1-densit", "1-2", "density-1e", "-", "--", "inf-density", "-2-"})
    QVERIFY_EXCEPTION_THROWN(FunctionPlan(data, {word}), NotFound);
  // Very many of them take no long time.
  std::string many;
  for (int n = 0; n < 2000; ++n) many += "density-";
  QVERIFY_EXCEPTION_THROWN(FunctionPlan(data, {many + "densit"}), NotFound);
  QVERIFY_EXCEPTION_THROWN(FunctionPlan(data, {"pressure-densit"}), NotFound);
  QVERIFY_EXCEPTION_THROWN(FunctionPlan(data, {"pressure-"}), NotFound);
}

void TestExpression::wordsThatAreNoNamesAreGuessedAt() {
  paging::DatasetDescription data;
  data.blocks.resize(1);
  data.attributes["function.mycp"] = "pressure*2";
  data.arrays.push_back({"q",
                         0,
                         paging::PageLayout::even({4, 4, 4}, 4),
                         1,
                         5,
                         ScalarType::F32,
                         {"density", "momentum-x", "momentum-y", "momentum-z", "energy"}});
  const auto said = [&](const char* text) {
    try {
      const FunctionPlan plan(data, {text});
    } catch (const Error& error) {
      return QString::fromStdString(error.message() + "; " + error.action());
    }
    return QString();
  };
  const auto guesses = [&](const char* text, const QString& word, const QString& guess) {
    const QString all = said(text);
    return all.contains("there is no function '" + word + "'") && all.contains("did you mean " + guess);
  };
  QVERIFY2(guesses("2*presure", "presure", "pressure"), qPrintable(said("2*presure")));
  QVERIFY2(guesses("sqrt(pressur)", "pressur", "pressure"), qPrintable(said("sqrt(pressur)")));
  QVERIFY2(guesses("1+{densty}", "densty", "density"), qPrintable(said("1+{densty}")));
  QVERIFY2(guesses("mycq/2", "mycq", "mycp"), qPrintable(said("mycq/2")));
  // With its beginning, which is a name; and in a difference of names.
  QVERIFY2(guesses("2*velocity-magnitud", "magnitud", "velocity-magnitude?"),
           qPrintable(said("2*velocity-magnitud")));
  QVERIFY2(guesses("density-presure*1", "presure", "pressure"), qPrintable(said("density-presure*1")));
  QVERIFY2(guesses("presure-density*1", "presure-density", "pressure"),
           qPrintable(said("presure-density*1")));
  // Of a definition that is wrong itself.
  data.attributes["function.wrong"] = "2*presure";
  QVERIFY2(guesses("wrong", "presure", "pressure"), qPrintable(said("wrong")));
  QVERIFY(!availableFunctions(data).empty());
  // Of a vector that is called nearly so, the same part.
  paging::DatasetDescription small = data;
  small.attributes.clear();
  small.arrays = {
      {"Velocity", 0, paging::PageLayout::even({4, 4, 4}, 4), 1, 3, ScalarType::F32, {"", "", ""}}};
  std::swap(data, small);
  QVERIFY2(guesses("2*velocity-x", "velocity-x", "Velocity-x"), qPrintable(said("2*velocity-x")));
  std::swap(data, small);
  // What is wrong is how many values there are, not a parenthesis.
  QVERIFY2(said("sqrt(density+energy,2)").contains("'sqrt' takes one value"),
           qPrintable(said("sqrt(density+energy,2)")));
  QVERIFY2(said("max(density,energy,2)").contains("'max' takes two values"),
           qPrintable(said("max(density,energy,2)")));
  QVERIFY2(said("sqrt(density+energy").contains("')' is missing"), qPrintable(said("sqrt(density+energy")));
  // What is like none is not guessed at.
  QVERIFY(said("2*qqq").contains("'qqq'") && !said("2*qqq").contains("did you mean"));
  QVERIFY(said("2*j").contains("'j'") && !said("2*j").contains("did you mean"));
}

QTEST_APPLESS_MAIN(TestExpression)
#include "tst_expression.moc"
