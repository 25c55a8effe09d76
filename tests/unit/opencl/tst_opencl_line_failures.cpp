// Whatever OpenCL fails at, or does not do, lines are left to the processors, and somebody is told once.

#include <QTest>

#include "core/base/error.h"
#include "core/fields/data/box_data.h"
#include "tests/support/nodewise_reader.h"
#include "tests/unit/opencl/failing_calls.h"
#include "tests/unit/opencl/line_theatre.h"

using namespace farfield;
using opencl::ClCalls;
using opencl::OpenCl;
using test::callsLeft;
using test::LineTheatre;

namespace {

constexpr const char* kUrl = "sample://abc?size=40,40,40";

bool hasDevice() {
  try {
    return !opencl::findDevices({}).empty();
  } catch (const volume::DeviceFailed&) {
    return false;
  }
}

std::unique_ptr<fields::OpenData> plane(MemoryAccount& account) {
  const Index3 dims{9, 9, 1};
  paging::DatasetDescription description;
  description.format = "test";
  description.times = {0};
  paging::BlockDescription block;
  block.dims = dims;
  block.kind = paging::GridKind::Regular;
  block.bounds.add(Vec3{0, 0, 0});
  block.bounds.add(Vec3{8, 8, 0});
  description.blocks.push_back(block);
  const paging::PageLayout whole = paging::PageLayout::ofExtent(dims, dims);
  description.arrays.push_back({"velocity", 0, whole, 1, 3, ScalarType::F64, {}});
  description.arrays.push_back({"density", 0, whole, 1, 1, ScalarType::F64, {}});
  const auto reader = test::nodewiseReader(
      description, [](std::uint32_t array, std::int64_t, const Index3&, test::NodeValues& values) {
        if (array == 0) values.put(Vec3{1, 0.5, 0});
        if (array == 1) values.put(1.0);
      });
  return fields::openBoxes(reader, {.threads = false, .name = "plane"}, {}, account);
}

}  // namespace

class TestOpenClLineFailures : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_told.clear(); }
  void processorsGoOn_data();
  void processorsGoOn();
  void anyCallMayFail_data();
  void anyCallMayFail();
  void withoutFailureTheDeviceDoesIt();
  void whatDevicesDoNotDo();
  void aBudgetTooSmallIsTheProcessors();

 private:
  std::shared_ptr<OpenCl> openCl(const ClCalls& calls = {}) {
    return std::make_shared<OpenCl>(OpenCl::Options{
        .calls = calls,
        .notice = [&](const std::string& line) { m_told.append(QString::fromStdString(line)); },
        .image = false});
  }
  QStringList m_told;
};

void TestOpenClLineFailures::processorsGoOn_data() {
  QTest::addColumn<int>("which");
  QTest::addColumn<QString>("says");
  QTest::newRow("no driver") << 0 << "no driver is installed";
  QTest::newRow("no device") << 1 << "no driver has a device";
  QTest::newRow("no context") << 2 << "using the device";
  QTest::newRow("no program") << 3 << "the driver does not take the program";
}

void TestOpenClLineFailures::processorsGoOn() {
  QFETCH(int, which);
  QFETCH(QString, says);
  if (which > 1 && !hasDevice()) QSKIP("no OpenCL driver has a device");
  ClCalls calls;
  if (which == 0) calls.getPlatforms = test::noPlatforms;
  if (which == 1) calls.getDevices = test::noDevices;
  if (which == 2) calls.createContext = test::noContext;
  if (which == 3) calls.buildProgram = test::noProgram;
  LineTheatre theatre(kUrl);
  const flow::LineEngine engine = opencl::lineEngine(openCl(calls));
  QVERIFY(!engine(theatre.job()));
  QCOMPARE(m_told.size(), 1);
  QVERIFY2(m_told[0].contains(says) && m_told[0].endsWith("the processors trace the lines"),
           qPrintable(m_told[0]));
  QVERIFY(!m_told[0].contains('\n'));
  // It is told once, and not tried again.
  QVERIFY(!engine(theatre.job()));
  QCOMPARE(m_told.size(), 1);
}

void TestOpenClLineFailures::anyCallMayFail_data() {
  QTest::addColumn<int>("which");
  QTest::addColumn<int>("after");
  const char* const names[] = {"buffers", "kernels", "writes"};
  for (int which = 0; which < 3; ++which)
    for (const int after : {0, 1, 2, 3, 5, 8, 20})
      QTest::addRow("%s, %d do", names[which], after) << which << after;
}

void TestOpenClLineFailures::anyCallMayFail() {
  QFETCH(int, which);
  QFETCH(int, after);
  if (!hasDevice()) QSKIP("no OpenCL driver has a device");
  ClCalls calls;
  if (which == 0) calls.createBuffer = test::scarceBuffer;
  if (which == 1) calls.enqueueKernel = test::scarceKernel;
  if (which == 2) calls.writeBuffer = test::scarceWrite;
  LineTheatre theatre(kUrl);
  callsLeft = after;
  const bool done = opencl::lineEngine(openCl(calls))(theatre.job()).has_value();
  callsLeft = -1;
  if (done) {
    QVERIFY(after > 1 && m_told.isEmpty());
  } else {
    QCOMPARE(m_told.size(), 1);
    QVERIFY2(m_told[0].contains("out of memory"), qPrintable(m_told[0]));
  }
  // What the device had is given back.
  QCOMPARE(theatre.account.usedBytes(Purpose::Device), 0U);
}

void TestOpenClLineFailures::withoutFailureTheDeviceDoesIt() {
  if (!hasDevice()) QSKIP("no OpenCL driver has a device");
  LineTheatre theatre(kUrl);
  const auto counts = opencl::lineEngine(openCl())(theatre.job());
  QVERIFY2(m_told.isEmpty(), qPrintable(m_told.join('\n')));
  QVERIFY(counts && counts->engine == "opencl" && !counts->device.empty() && counts->deviceSeconds > 0);
  for (const test::KeptLine& line : theatre.lines) QVERIFY(line.finished);
}

void TestOpenClLineFailures::whatDevicesDoNotDo() {
  const auto refused = [&](LineTheatre& theatre, const QString& says) {
    m_told.clear();
    const flow::LineEngine engine = opencl::lineEngine(openCl());
    QVERIFY(!engine(theatre.job()));
    QVERIFY(!engine(theatre.job()));
    QCOMPARE(m_told.size(), 1);
    QVERIFY2(m_told[0].contains(says) && m_told[0].endsWith("the processors trace the lines"),
             qPrintable(m_told[0]));
  };
  LineTheatre fixedSteps(kUrl);
  fixedSteps.options.method = flow::Method::Rk4;
  refused(fixedSteps, "dopri5 alone");
  MemoryAccount account(std::uint64_t{16} << 20);
  LineTheatre flat(plane(account), std::uint64_t{64} << 20);
  refused(flat, "one plane of nodes");
}

void TestOpenClLineFailures::aBudgetTooSmallIsTheProcessors() {
  if (!hasDevice()) QSKIP("no OpenCL driver has a device");
  LineTheatre theatre(kUrl);
  const flow::LineEngine engine = opencl::lineEngine(openCl());
  {
    const MemoryClaim taken = theatre.account.claim(
        Purpose::Work, theatre.account.obtainableBytes() - 1'200'000, "all but a little");
    QVERIFY(!engine(theatre.job()));
    QCOMPARE(m_told.size(), 1);
    QVERIFY2(m_told[0].contains("budget") || m_told[0].contains("--memory"), qPrintable(m_told[0]));
  }
  // The device is as good as before.
  QVERIFY(engine(theatre.job()));
}

QTEST_GUILESS_MAIN(TestOpenClLineFailures)
#include "tst_opencl_line_failures.moc"
