// How often values occur, in the data and on an object, as bars. Needs no OpenGL.

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QStandardPaths>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <vector>

#include "app/ui/plots/curve_view.h"
#include "app/ui/plots/plot_panel.h"
#include "core/fields/samples/sample_data.h"
#include "plugins/vtkamr/vtkamr_data.h"
#include "plugins/vtkfile/vtk_data.h"
#include "tests/gui/window/support/studio.h"
#include "tests/support/flat_mesh_file.h"
#include "tests/support/vtk_amr_files.h"

using namespace farfield;
using namespace farfield::test;
using farfield::ui::Curve;

class TestCountedValues : public QObject {
  Q_OBJECT
 private slots:
  void valuesOfTheDataAreCounted();
  void sumsHaveTheirUnits();
  void valuesOnAnObjectAreSummed();
  void hiddenObjectsStayChosen();
  void whatIsStoppedIsSaid();
  void normalsPointOutOfTheData();
  void whatHasNoValueIsSaid();
  void countingGoesOnAfterPoints();
  void cellsAreCountedOnce();
  void cellsOfAdaptiveGridsAreCountedOnce();
  void cellsOfStructuredGridsAreCountedOnce();
  void dataInAPlaneAreASheet();

 private:
  static void keep(Studio& studio, const QString& name) {
    if (const QString where = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !where.isEmpty())
      QVERIFY(studio.window.grab()
                  .toImage()
                  .convertToFormat(QImage::Format_RGB32)
                  .save(where + "/" + name + ".png"));
  }
  static std::vector<double> valuesOf(ui::PlotPanel* dialog) { return dialog->curve().curve().values; }
};

void TestCountedValues::valuesOfTheDataAreCounted() {
  Studio studio;
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("plotValues");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  auto* const over = panel->findChild<QComboBox*>("plot.over");
  over->setCurrentIndex(0);
  emit over->activated(0);
  auto* const by = panel->findChild<QComboBox*>("plot.by");
  by->setCurrentIndex(by->findText("velocity-x"));
  const auto total = [&] {
    double sum = 0;
    for (const double each : valuesOf(panel)) sum += each;
    return sum;
  };
  QTRY_VERIFY_WITH_TIMEOUT(panel->curve().curve().across == "velocity-x" && total() == 17.0 * 17 * 17,
                           kPatienceMs);
  const Curve curve = panel->curve().curve();
  QVERIFY(curve.bars);
  // u = sqrt(3) sin z + cos y, on a grid that has nodes at its extremes.
  const double most = std::sqrt(3.0) + 1;
  QVERIFY(std::abs(curve.ends[0] + most) < 1e-5 && std::abs(curve.ends[1] - most) < 1e-5);
  // Bar after bar as the formula has it, but for values next to the border of two.
  const auto bars = static_cast<int>(curve.values.size());
  std::vector<double> expected(curve.values.size());
  double between = 0;
  for (int k = 0; k < 17; ++k)
    for (int j = 0; j < 17; ++j) {
      const double u =
          std::sqrt(3.0) * std::sin(k * std::numbers::pi / 8) + std::cos(j * std::numbers::pi / 8);
      const double at = (u + most) / (2 * most) * bars;
      if (std::abs(at - std::round(at)) < 1e-3 && std::abs(std::abs(u) - most) > 1e-6)
        between += 17;
      else
        expected[static_cast<std::size_t>(std::clamp(static_cast<int>(at), 0, bars - 1))] += 17;
    }
  double differing = 0;
  for (std::size_t n = 0; n < expected.size(); ++n) differing += std::abs(curve.values[n] - expected[n]);
  QVERIFY2(differing <= between && between < 17 * 17 * 17 / 4,
           qPrintable(QString("%1 differ, %2 may").arg(differing).arg(between)));
  keep(studio, "plot-values");
  const QString table = studio.at("values.csv"), drawing = studio.at("values.svg");
  QVERIFY(panel->writeCsv(table) && panel->curve().writeSvg(drawing));
  QFile file(table);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QCOMPARE(file.readAll().trimmed().split('\n').size(), 61);
}

namespace {

/// A sample whose axes are in metres and whose velocity is in metres per second.
class MeasuredData final : public fields::OpenData {
 public:
  explicit MeasuredData(std::unique_ptr<fields::OpenData> sample)
      : m_sample(std::move(sample)), m_description(m_sample->description()) {
    for (const char* const axis : {"x", "y", "z"})
      m_description.attributes[std::string("axisUnits.") + axis] = "m";
    m_description.attributes["units.velocity"] = "m/s";
  }
  const paging::DatasetDescription& description() const override { return m_description; }
  std::uint64_t largestStoredBytes() const override { return m_sample->largestStoredBytes(); }
  std::vector<std::unique_ptr<paging::PageSource>> makeSources(
      MemoryAccount& account, const fields::SourceOptions& options) const override {
    return m_sample->makeSources(account, options);
  }

 private:
  std::unique_ptr<fields::OpenData> m_sample;
  paging::DatasetDescription m_description;
};

class MeasuredReader final : public fields::DataReader {
 public:
  std::string name() const override { return "sample"; }
  bool recognizes(const std::string& source) const override {
    return samples::SampleDataReader().recognizes(source);
  }
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override {
    return std::make_unique<MeasuredData>(samples::SampleDataReader().open(request, account));
  }
};

}  // namespace

/// As on the axis of the plot, and of the integral what comes of both.
void TestCountedValues::sumsHaveTheirUnits() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<MeasuredReader>());
  Studio studio({1280, 800}, {}, {}, readers);
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  const auto colour = [&](const char* by) {
    studio.model.document().edit("Colour", [&](app::Draft& draft) { draft.object(slice).color.by = by; });
  };
  colour("velocity-z");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.trigger("plotValues");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  const auto note = [&] { return panel->findChild<QLabel*>("plot.note")->text(); };
  QTRY_VERIFY_WITH_TIMEOUT(panel->sums().has_value() && note().startsWith("Area "), kPatienceMs);
  static const QRegularExpression kAll(QStringLiteral(
      "^Area [0-9.]+ m\u00b2\\. From \\S+ to \\S+, on average \\S+ m/s, integral \\S+ m/s\u00b7m\u00b2\\. "
      "Times the normal: \\(.*\\) m/s\u00b7m\u00b2\\.$"));
  QVERIFY2(note().contains(kAll), qPrintable(note()));
  QCOMPARE(panel->curve().curve().up, QStringLiteral("area [m\u00b2]"));
  // Nobody knows in what an expression is: nothing is said of it.
  colour("2*velocity-z");
  static const QRegularExpression kSize(QStringLiteral(
      "^Area [0-9.]+ m\u00b2\\. From \\S+ to \\S+, on average \\S+, integral \\S+\\. Times the normal: "
      "\\([^)]*\\)\\.$"));
  QTRY_VERIFY2_WITH_TIMEOUT(note().contains(kSize), qPrintable(note()), kPatienceMs);
}

void TestCountedValues::valuesOnAnObjectAreSummed() {
  Studio studio;
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  studio.model.document().edit("Colour", [&](app::Draft& draft) {
    session::Object& object = draft.object(slice);
    std::get<session::Slice>(object.shape).normal = {0, 0, 1};
    object.color.by = "velocity-z";
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.trigger("plotValues");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  QTRY_VERIFY_WITH_TIMEOUT(panel->sums().has_value(), kPatienceMs);
  const Bounds bounds = studio.model.stage().summary("abc")->bounds;
  const Vec3 size = bounds.max - bounds.min;
  QVERIFY(std::abs(panel->sums()->size - size.x * size.y) < 1e-9 * size.x * size.y);
  // w = sin y + cos x over whole periods: what flows up flows down.
  QVERIFY(std::abs(panel->sums()->integral) < 1e-9 * panel->sums()->size);
  QVERIFY(std::abs(std::abs(panel->sums()->vectorArea.z) - panel->sums()->size) < 1e-9 * panel->sums()->size);
  QVERIFY(panel->sums()->least < -1.5 && panel->sums()->greatest > 1.5);
  const Curve curve = panel->curve().curve();
  QVERIFY(curve.bars && curve.up == "area");
  QCOMPARE(curve.ends, (std::array{panel->sums()->least, panel->sums()->greatest}));
  const auto* const note = panel->findChild<QLabel*>("plot.note");
  QVERIFY(note->text().startsWith("Area 39.478") && !note->text().contains("cut away"));
  // What the picture does not show of it counts, too, which is said.
  studio.model.document().edit("Cut", [](app::Draft& draft) {
    draft.frame().image.clip.planes = {{{3, 3, 3}, {1, 0, 0}}};
  });
  QTRY_VERIFY2_WITH_TIMEOUT(note->text().startsWith("Area 39.478") && note->text().contains("cut away"),
                            qPrintable(note->text()), kPatienceMs);
  studio.trigger("undo");
  QTRY_VERIFY2_WITH_TIMEOUT(!note->text().contains("cut away"), qPrintable(note->text()), kPatienceMs);
  // It follows the object.
  studio.model.document().edit("Turn", [&](app::Draft& draft) {
    std::get<session::Slice>(draft.object(slice).shape).normal = {1, 1, 0};
  });
  QTRY_VERIFY_WITH_TIMEOUT(panel->sums() && std::abs(panel->sums()->vectorArea.z) < 1e-9, kPatienceMs);
  // and goes back to the data without it
  studio.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(slice); });
  QTRY_VERIFY_WITH_TIMEOUT(!panel->sums() && panel->curve().curve().up == "nodes", kPatienceMs);
}

/// Nothing more comes of it, so that nothing is waited for; and what was there is not that object's any more.
void TestCountedValues::whatIsStoppedIsSaid() {
  Studio studio;
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  const auto colourBy = [&](const char* function) {
    studio.model.document().edit("Colour",
                                 [&](app::Draft& draft) { draft.object(slice).color.by = function; });
  };
  colourBy("velocity-z");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.trigger("plotValues");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  QTRY_VERIFY_WITH_TIMEOUT(panel->sums().has_value(), kPatienceMs);
  colourBy("no-such-function");
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(slice), app::ObjectState::Failed, kPatienceMs);
  const auto* const note = panel->findChild<QLabel*>("plot.note");
  QTRY_VERIFY2_WITH_TIMEOUT(panel->curve().curve().values.empty() && !note->text().contains("Area"),
                            qPrintable(note->text()), kPatienceMs);
  colourBy("velocity-z");
  QTRY_VERIFY_WITH_TIMEOUT(note->text().startsWith("Area 39.478"), kPatienceMs);
}

/// It would be something else without a word: all of the data.
void TestCountedValues::hiddenObjectsStayChosen() {
  Studio studio;
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.trigger("plotValues");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  const auto* const over = panel->findChild<QComboBox*>("plot.over");
  QTRY_VERIFY_WITH_TIMEOUT(panel->sums().has_value(), kPatienceMs);
  const double area = panel->sums()->size;
  const QString name = over->currentText();
  const auto show = [&](bool isShown) {
    studio.model.document().edit("Show", [&](app::Draft& draft) { draft.object(slice).visible = isShown; });
  };
  const auto isHidden = [&] { return !panel->sums() && panel->curve().text().contains("is hidden"); };
  show(false);
  QTRY_VERIFY_WITH_TIMEOUT(isHidden(), kPatienceMs);
  QCOMPARE(over->currentText(), name);
  QVERIFY(!panel->findChild<QWidget*>("plot.csv")->isEnabled());
  show(true);
  QTRY_VERIFY_WITH_TIMEOUT(panel->sums() && panel->sums()->size == area, kPatienceMs);
  show(false);
  QTRY_VERIFY_WITH_TIMEOUT(isHidden(), kPatienceMs);
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(panel->sums() && panel->sums()->size == area, kPatienceMs);
  QCOMPARE(over->currentText(), name);
}

/// As farfield integrate has them, whatever way indices grow; all six together are closed.
void TestCountedValues::normalsPointOutOfTheData() {
  Studio studio;
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSurface");
  const app::ObjectId surface = studio.newest();
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  const auto show = [&](const session::IndexRange3& range, const char* function) {
    studio.model.document().edit("Faces", [&](app::Draft& draft) {
      session::Object& object = draft.object(surface);
      object.shape = session::GridSurface{{}, range, {}};
      object.color.by = function;
    });
    return QTest::qWaitFor([&] { return studio.rests(); }, kPatienceMs);
  };
  const session::IndexRange3 whole{};
  QVERIFY(show(whole, "1+0*velocity-x"));
  studio.trigger("plotValues");
  QTRY_VERIFY_WITH_TIMEOUT(panel->sums() && panel->sums()->greatest == 1, kPatienceMs);
  const double side = panel->sums()->size / 6;
  QVERIFY2(length(panel->sums()->through) < 1e-9 * side,
           qPrintable(panel->findChild<QLabel*>("plot.note")->text()));
  // One value is one bar, with its number within the axis.
  const Curve curve = panel->curve().curve();
  QVERIFY(curve.ends[0] < 1 && curve.ends[1] > 1);
  QCOMPARE(std::count_if(curve.values.begin(), curve.values.end(), [](double area) { return area > 0; }), 1);
  for (int axis = 0; axis < 3; ++axis)
    for (const bool high : {false, true}) {
      session::IndexRange3 range = whole;
      range[static_cast<std::size_t>(axis)] = high ? session::IndexRange{-1, -1} : session::IndexRange{0, 0};
      QVERIFY(show(range, "1+0*velocity-x"));
      QTRY_VERIFY_WITH_TIMEOUT(panel->sums() && std::abs(panel->sums()->size - side) < 1e-9 * side,
                               kPatienceMs);
      Vec3 out{0, 0, 0};
      out[axis] = high ? side : -side;
      QTRY_VERIFY_WITH_TIMEOUT(length(panel->sums()->vectorArea - out) < 1e-9 * side, kPatienceMs);
    }
}

/// Mean and integral are of what has values, which is not all of the area.
void TestCountedValues::whatHasNoValueIsSaid() {
  Studio studio;
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  const auto colourBy = [&](const char* function) {
    studio.model.document().edit("Colour", [&](app::Draft& draft) {
      std::get<session::Slice>(draft.object(slice).shape).normal = {0, 0, 1};
      draft.object(slice).color.by = function;
    });
  };
  colourBy("velocity-z");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.trigger("plotValues");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  const auto note = [&] { return panel->findChild<QLabel*>("plot.note")->text(); };
  QTRY_VERIFY_WITH_TIMEOUT(panel->sums() && note().startsWith("Area 39.478"), kPatienceMs);
  QCOMPARE(panel->sums()->valued, panel->sums()->size);
  QVERIFY2(!note().contains("has none"), qPrintable(note()));
  colourBy("log(velocity-z)");
  QTRY_VERIFY_WITH_TIMEOUT(note().contains("has none"), kPatienceMs);
  const app::ItemSums sums = *panel->sums();
  QVERIFY(sums.valued > 0.2 * sums.size && sums.valued < 0.8 * sums.size);
  const QString said = QString("Area %1. %2 of it has values, %3 has none.")
                           .arg(QString::number(sums.size, 'g', 6), QString::number(sums.valued, 'g', 6),
                                QString::number(sums.size - sums.valued, 'g', 6));
  QVERIFY2(note().startsWith(said), qPrintable(note()));
}

/// A point under the cursor goes before, and what was counted until then stays.
void TestCountedValues::countingGoesOnAfterPoints() {
  Studio studio;
  studio.model.open({"sample://abc?size=49"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  app::CurveRequest request;
  request.dataKey = studio.model.stage().keyOf("abc");
  request.kind = app::CurveRequest::Kind::Values;
  request.functions = {"velocity-magnitude"};
  std::optional<app::CurveAnswer> answer;
  connect(&studio.model.engine(), &app::Engine::curveRead, this, [&](const app::CurveAnswer& its) {
    if (its.part == 1 && its.request == request) answer = its;
  });
  int probed = 0;
  connect(&studio.model.engine(), &app::Engine::probed, this, [&] { ++probed; });
  studio.model.engine().readCurve(request);
  for (std::uint64_t n = 1; n <= 20; ++n) {
    app::ProbeRequest point;
    point.number = n;
    point.dataKey = request.dataKey;
    point.point = {1, 1, 1};
    point.functions = {"velocity-x"};
    const int before = probed;
    studio.model.engine().probe(point);
    QTRY_VERIFY_WITH_TIMEOUT(probed > before, kPatienceMs);
  }
  QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), kPatienceMs);
  QCOMPARE(answer->problem, std::string());
  QCOMPARE(answer->histogram.weight(), 49.0 * 49 * 49);
}

/// Whatever they are made of: what belongs to cells is no matter of their corners.
void TestCountedValues::cellsAreCountedOnce() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<vtkfile::VtkDataReader>());
  Studio studio({1280, 800}, {}, {}, readers);
  // Two cubes and the tetrahedron upon them.
  std::ofstream(studio.folder / "cells.vtk")
      << "# vtk DataFile Version 3.0\ncells\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 13 double\n"
         "0 0 0\n1 0 0\n2 0 0\n0 1 0\n1 1 0\n2 1 0\n0 0 1\n1 0 1\n2 0 1\n0 1 1\n1 1 1\n2 1 1\n0 0 2\n"
         "CELLS 3 23\n8 0 1 4 3 6 7 10 9\n8 1 2 5 4 7 8 11 10\n4 6 7 9 12\nCELL_TYPES 3\n12\n12\n10\n"
         "CELL_DATA 3\nSCALARS load double 1\nLOOKUP_TABLE default\n1\n1\n3\n"
         "POINT_DATA 13\nSCALARS heat double 1\nLOOKUP_TABLE default\n"
         "0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n1\n";
  studio.model.open({studio.at("cells.vtk")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("plotValues");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  auto* const over = panel->findChild<QComboBox*>("plot.over");
  over->setCurrentIndex(0);
  emit over->activated(0);
  auto* const by = panel->findChild<QComboBox*>("plot.by");
  const auto note = [&] { return panel->findChild<QLabel*>("plot.note")->text(); };
  const auto shows = [&](const QString& function, const QString& counted, double total) {
    by->lineEdit()->setFocus();
    by->lineEdit()->selectAll();
    QTest::keyClicks(by->lineEdit(), function);
    QTest::keyClick(by->lineEdit(), Qt::Key_Return);
    return QTest::qWaitFor(
        [&] {
          const Curve& curve = panel->curve().curve();
          double sum = 0;
          for (const double each : curve.values) sum += each;
          return curve.across == function && curve.up == counted && std::abs(sum - total) < 1e-12;
        },
        kPatienceMs);
  };
  QVERIFY2(shows("load", "cells", 3), qPrintable(note()));
  QVERIFY2(note().startsWith("3 cells, from 1 to 3, on average 1.66667"), qPrintable(note()));
  QCOMPARE(valuesOf(panel).front(), 2.0);
  QCOMPARE(valuesOf(panel).back(), 1.0);
  QVERIFY2(shows("load*2", "cells", 3), qPrintable(note()));
  // Of corners of cells each has its share.
  QVERIFY2(shows("load+heat", "cells", 3), qPrintable(note()));
  QCOMPARE(valuesOf(panel).back(), 0.25);
  QVERIFY2(shows("heat", "nodes", 13), qPrintable(note()));
}

/// Those that finer boxes cover, and the ends of boxes, are none.
void TestCountedValues::cellsOfAdaptiveGridsAreCountedOnce() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<vtkamr::VtkAmrDataReader>(std::make_shared<paging::ByteStores>()));
  Studio studio({1280, 800}, {}, {}, readers);
  const AmrSample sample;
  studio.model.open({QString::fromStdString(writeVtkAmr(sample, studio.folder.path(), "boxes"))});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  std::array<int, 3> ofLevel{};
  double sum = 0;
  for (std::size_t level = 0; level < sample.levels.size(); ++level)
    for (const IndexBox& box : sample.levels[level])
      for (std::int64_t n = 0; n < product(box.size); ++n) {
        Index3 cell = unlinear(n, box.size);
        for (std::size_t a = 0; a < 3; ++a) cell[a] += box.first[a];
        const Vec3 centre = sample.centre(level, cell);
        if (sample.holder(centre)[0] != level) continue;
        ++ofLevel[level];
        sum += AmrSample::linear(centre);
      }
  const int cells = ofLevel[0] + ofLevel[1] + ofLevel[2];
  studio.trigger("plotValues");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  auto* const over = panel->findChild<QComboBox*>("plot.over");
  over->setCurrentIndex(0);
  emit over->activated(0);
  const auto note = [&] { return panel->findChild<QLabel*>("plot.note")->text(); };
  const auto choose = [&](const QString& function) {
    auto* const by = panel->findChild<QComboBox*>("plot.by");
    by->setCurrentIndex(by->findText(function));
    emit by->activated(by->currentIndex());
  };
  choose("level");
  QTRY_VERIFY2_WITH_TIMEOUT(note().startsWith(QStringLiteral("%1 cells, from 0 to 2").arg(cells)),
                            qPrintable(note()), kPatienceMs);
  QCOMPARE(valuesOf(panel).front(), double(ofLevel[0]));
  QCOMPARE(valuesOf(panel).back(), double(ofLevel[2]));
  choose("linear");
  const QString mean = QString::number(sum / cells, 'g', 6);
  QTRY_VERIFY2_WITH_TIMEOUT(note().contains("on average " + mean), qPrintable(note() + mean), kPatienceMs);
}

/// The ends of a block, which have the values of the cells beside them, are none.
void TestCountedValues::cellsOfStructuredGridsAreCountedOnce() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<vtkfile::VtkDataReader>());
  Studio studio({1280, 800}, {}, {}, readers);
  {
    std::ofstream file(studio.folder / "image.vtk");
    file
        << "# vtk DataFile Version 3.0\nx\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 4 3 3\nORIGIN 0 0 0\n"
           "SPACING 1 1 1\nCELL_DATA 12\nSCALARS load double\nLOOKUP_TABLE default\n"
           "0 0 0 0 0 0 0 0 0 0 0 12\n";
  }
  studio.model.open({studio.at("image.vtk")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("plotValues");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  auto* const over = panel->findChild<QComboBox*>("plot.over");
  over->setCurrentIndex(0);
  emit over->activated(0);
  const auto note = [&] { return panel->findChild<QLabel*>("plot.note")->text(); };
  QTRY_VERIFY2_WITH_TIMEOUT(note().startsWith("12 cells, from 0 to 12, on average 1."), qPrintable(note()),
                            kPatienceMs);
  QCOMPARE(valuesOf(panel).back(), 1.0);
}

/// The layer that is made of them has two sides and a rim; neither is of the file.
void TestCountedValues::dataInAPlaneAreASheet() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<vtkfile::VtkDataReader>());
  Studio studio({1280, 800}, {}, {}, readers);
  writeFlatMesh(studio.folder / "flat.vtk");
  studio.model.open({studio.at("flat.vtk")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSurface");
  studio.model.document().edit("Colour",
                               [&](app::Draft& draft) { draft.object(studio.newest()).color.by = "s"; });
  studio.trigger("plotValues");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  const auto note = [&] { return panel->findChild<QLabel*>("plot.note")->text(); };
  QTRY_VERIFY2_WITH_TIMEOUT(note().startsWith("Area 2. From 0 to 2, on average 1, integral 2."),
                            qPrintable(note()), kPatienceMs);
  QVERIFY2(note().contains("Times the normal: (0, 0, 2)"), qPrintable(note()));
  auto* const over = panel->findChild<QComboBox*>("plot.over");
  over->setCurrentIndex(0);
  emit over->activated(0);
  auto* const by = panel->findChild<QComboBox*>("plot.by");
  by->setCurrentIndex(by->findText("s"));
  emit by->activated(by->currentIndex());
  QTRY_VERIFY2_WITH_TIMEOUT(note().startsWith("6 nodes, from 0 to 2, on average 1."), qPrintable(note()),
                            kPatienceMs);
  // as many are said of the data
  studio.window.pipeline().selectData("flat");
  const auto says = [&](const QString& words) {
    const QList<QLabel*> labels = studio.window.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&](QLabel* its) { return its->text() == words; });
  };
  QTRY_VERIFY_WITH_TIMEOUT(says("Nodes") && says("6") && says("3"), kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestCountedValues test;
  return QTest::qExec(&test, count, words);
}
#include "tst_counted_values.moc"
