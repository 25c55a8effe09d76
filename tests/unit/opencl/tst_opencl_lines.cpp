// Lines on a device are those of the processors, whatever memory its bricks have.

#include <QTest>

#include <atomic>

#include "core/base/error.h"
#include "tests/unit/opencl/line_theatre.h"

using namespace farfield;
using flow::Termination;
using test::KeptLine;
using test::LineTheatre;

class TestOpenClLines : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void linesAreTheProcessors_data();
  void linesAreTheProcessors();

 private:
  std::shared_ptr<const opencl::Device> m_device;
};

void TestOpenClLines::initTestCase() {
  try {
    m_device = std::make_shared<opencl::Device>(opencl::ClCalls{}, opencl::findDevices({}).front());
  } catch (const volume::DeviceFailed&) {
    QSKIP("no OpenCL driver has a device");
  }
}

void TestOpenClLines::linesAreTheProcessors_data() {
  QTest::addColumn<QString>("url");
  QTest::addColumn<bool>("doubles");
  for (const char* url : {"sample://taylor-green?size=40,36,33", "sample://abc?size=35,35,35",
                          "sample://tornado?size=40,40,40", "sample://cylinder?size=25,33,17&blocks=4"})
    for (const bool doubles : {true, false})
      QTest::addRow("%s %s", url, doubles ? "double" : "float") << url << doubles;
}

void TestOpenClLines::linesAreTheProcessors() {
  QFETCH(QString, url);
  QFETCH(bool, doubles);
  if (doubles && !m_device->facts().doubles) QSKIP("the device has no double precision");
  LineTheatre theatre(url.toStdString());
  theatre.options.maxLength = 2 * theatre.diagonal();
  const std::vector<KeptLine> wanted = theatre.byProcessors();
  const std::vector<KeptLine> got =
      doubles ? theatre.byDevice<double>(m_device) : theatre.byDevice<float>(m_device);
  std::size_t vertices = 0, same = 0, ends = 0;
  double most = 0, sum = 0;
  for (std::size_t n = 0; n < wanted.size(); ++n) {
    vertices += wanted[n].vertices.size();
    same += wanted[n].vertices.size() == got[n].vertices.size();
    ends += wanted[n].result.termination == got[n].result.termination;
    const double d = test::distance(wanted[n], got[n]) / theatre.diagonal();
    most = std::max(most, d);
    sum += d;
  }
  qInfo(
      "%zu lines, %zu vertices; %zu of as many vertices, %zu ends; distance max %g mean %g; rounds %d bricks "
      "%d back %d",
      wanted.size(), vertices, same, ends, most, sum / static_cast<double>(wanted.size()),
      static_cast<int>(theatre.counts.rounds), static_cast<int>(theatre.counts.bricks),
      static_cast<int>(theatre.counts.handedBack));
}

QTEST_GUILESS_MAIN(TestOpenClLines)
#include "tst_opencl_lines.moc"
