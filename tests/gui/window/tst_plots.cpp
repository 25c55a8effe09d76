// Plots along a line: values where the data are, gaps where they are not, and files of them. Needs no OpenGL.

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QStandardPaths>
#include <cmath>

#include "app/ui/curve_view.h"
#include "app/ui/number_edit.h"
#include "app/ui/plot_dialog.h"
#include "tests/gui/window/studio.h"

using namespace farfield;
using namespace farfield::test;

class TestPlots : public QObject {
  Q_OBJECT
 private slots:
  void curvesFollowTheLine();
  void curvesFollowTheStep();
  void curvesAreWritten();
  void vectorsAreRefused();

 private:
  static void type(QWidget* parent, const char* name, double value) {
    auto* const edit = parent->findChild<ui::NumberEdit*>(name);
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, QString::number(value, 'g', 17));
    QTest::keyClick(edit, Qt::Key_Return);
  }
  static std::vector<double> valuesOf(ui::PlotDialog* dialog) { return dialog->curve().curve().values; }
};

void TestPlots::curvesFollowTheLine() {
  Studio studio;
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("plotLine");
  auto* const dialog = studio.window.findChild<ui::PlotDialog*>();
  QVERIFY(dialog && dialog->isVisible());
  auto* const by = dialog->findChild<QComboBox*>("plot.by");
  by->setCurrentIndex(by->findText("velocity-x"));
  QTRY_VERIFY_WITH_TIMEOUT(!valuesOf(dialog).empty() && dialog->curve().curve().up == "velocity-x",
                           kPatienceMs);
  QCOMPARE(valuesOf(dialog).size(), std::size_t(401));
  // Along x this component of the flow does not change; across it does.
  const std::vector<double> along = valuesOf(dialog);
  for (const double value : along) QVERIFY(std::abs(value - along.front()) < 1e-9);
  const Bounds bounds = studio.model.stage().summary("abc")->bounds;
  type(dialog, "plot.to.x", bounds.min.x);
  type(dialog, "plot.to.y", bounds.max.y);
  QTRY_VERIFY_WITH_TIMEOUT(std::abs(valuesOf(dialog).back() - valuesOf(dialog)[200]) > 1e-3, kPatienceMs);
  // Half of a line that begins outside is a gap, and it is said.
  type(dialog, "plot.from.x", 2 * bounds.min.x - bounds.max.x);
  type(dialog, "plot.to.x", bounds.max.x);
  type(dialog, "plot.to.y", bounds.center().y);
  const auto gap = [&] {
    const std::vector<double> values = valuesOf(dialog);
    return values.size() == 401 && std::isnan(values.front()) && std::isnan(values[150]) &&
           std::isfinite(values[250]) && std::isfinite(values[399]);
  };
  QTRY_VERIFY_WITH_TIMEOUT(gap(), kPatienceMs);
  bool said = false;
  for (QLabel* const label : dialog->findChildren<QLabel*>())
    said |= label->text().contains("outside of the data");
  QVERIFY(said);
}

void TestPlots::curvesFollowTheStep() {
  Studio studio;
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("plotLine");
  auto* const dialog = studio.window.findChild<ui::PlotDialog*>();
  auto* const by = dialog->findChild<QComboBox*>("plot.by");
  by->setCurrentIndex(by->findText("velocity-magnitude"));
  QTRY_VERIFY_WITH_TIMEOUT(!valuesOf(dialog).empty(), kPatienceMs);
  const std::vector<double> first = valuesOf(dialog);
  studio.model.stage().setStep(2);
  const auto changed = [&] {
    const std::vector<double> now = valuesOf(dialog);
    for (std::size_t n = 0; n < now.size() && n < first.size(); ++n)
      if (std::isfinite(now[n]) && std::abs(now[n] - first[n]) > 1e-6) return true;
    return false;
  };
  QTRY_VERIFY_WITH_TIMEOUT(changed(), kPatienceMs);
}

void TestPlots::curvesAreWritten() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("plotLine");
  auto* const dialog = studio.window.findChild<ui::PlotDialog*>();
  QTRY_VERIFY_WITH_TIMEOUT(!valuesOf(dialog).empty(), kPatienceMs);
  const QString table = studio.at("curve.csv"), drawing = studio.at("curve.svg");
  QVERIFY(dialog->writeCsv(table) && dialog->curve().writeSvg(drawing));
  QFile file(table);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
  QCOMPARE(lines.size(), 402);
  QVERIFY(lines[0].startsWith("distance,x,y,z,"));
  QCOMPARE(lines[201].split(',').size(), 5);
  QCOMPARE(lines[401].split(',')[4].toDouble(), valuesOf(dialog).back());
  QFile svg(drawing);
  QVERIFY(svg.open(QIODevice::ReadOnly));
  QVERIFY(svg.readAll().contains("<svg"));
  QVERIFY(!dialog->writeCsv("/no such folder/curve.csv"));
}

void TestPlots::vectorsAreRefused() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QSignalSpy answered(&studio.model.engine(), &app::Engine::lineSampled);
  app::LineAnswer answer;
  connect(&studio.model.engine(), &app::Engine::lineSampled, this,
          [&](const app::LineAnswer& its) { answer = its; });
  app::LineRequest request;
  request.dataKey = studio.model.stage().keyOf("abc");
  request.to = {1, 0, 0};
  request.count = 5;
  for (const char* const function : {"velocity", "no-such-function"}) {
    request.function = function;
    answer = {};
    studio.model.engine().sampleLine(request);
    QTRY_COMPARE_WITH_TIMEOUT(answer.request.function, std::string(function), kPatienceMs);
    QVERIFY(answer.values.empty() && !answer.problem.empty());
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestPlots test;
  return QTest::qExec(&test, count, words);
}
#include "tst_plots.moc"
