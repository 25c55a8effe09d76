// Whatever OpenCL fails at, the picture is the processors', to the byte, and somebody is told once.

#include <QTest>

#include <cmath>

#include "core/base/error.h"
#include "core/fields/samples/sample_data.h"
#include "render/opencl/open_cl.h"
#include "render/volume/shown_volume.h"
#include "tests/unit/opencl/failing_calls.h"

using namespace farfield;
using opencl::ClCalls;
using opencl::OpenCl;
using test::callsLeft;
using test::noContext;
using test::noDevices;
using test::noPlatforms;
using test::noProgram;
using test::scarceBuffer;
using test::scarceKernel;
using test::scarceWrite;

namespace {

constexpr int kSide = 64;

/// Data, and what shows them with or without OpenCL.
struct Theatre {
  Theatre() : account(std::uint64_t{256} << 20) {
    fields::OpenRequest open;
    open.sources = {"sample://marschner-lobb?size=90,80,70"};
    data = samples::SampleDataReader().open(open, account);
    plan = std::make_shared<fields::FunctionPlan>(data->description(), std::vector<std::string>{"density"});
    fields::PagedDataOptions options;
    options.arrays = plan->arrays();
    options.processors = 2;
    paged = std::make_unique<fields::PagedData>(*data, account, options);
  }

  std::vector<float> picture(const std::shared_ptr<OpenCl>& openCl, volume::ShownCounts* counts = nullptr) {
    volume::ShownParts parts{.data = *paged, .function = plan, .account = account, .processors = 2};
    if (openCl) {
      parts.makeDevice = openCl->anyDevice();
      parts.deviceFailed = [&](const Error& error) { openCl->failed(error); };
    }
    const volume::ShownVolume shown(std::move(parts));
    std::vector<float> rgba(4 * kSide * kSide);
    scene::VolumeLook look;
    look.opacity = opacity;
    const scene::ColorScale scale;
    const scene::VolumeCast cast{.look = look,
                                 .scale = scale,
                                 .camera = scene::cameraFor(shown.bounds(), {0.6, 0.5, 0.4}, {0, 0, 1}, 1.0),
                                 .width = kSide,
                                 .height = kSide,
                                 .rows = kSide,
                                 .from = {},
                                 .to = {},
                                 .stop = {}};
    shown.cast(cast, rgba);
    if (counts) *counts = shown.counts();
    return rgba;
  }

  std::vector<scene::OpacityPoint> opacity{{0.4, 0}, {1, 0.3}};
  MemoryAccount account;
  std::unique_ptr<fields::OpenData> data;
  std::shared_ptr<fields::FunctionPlan> plan;
  std::unique_ptr<fields::PagedData> paged;
};

}  // namespace

class TestOpenClFailures : public QObject {
  Q_OBJECT
 private slots:
  void processorsGoOn_data();
  void processorsGoOn();
  void anyCallMayFail_data();
  void anyCallMayFail();
  void withoutFailureTheDeviceDoesIt();
  void aBudgetTooSmallIsTheProcessors();
  void aKernelThatDoesNotCompileSaysWhere();
};

void TestOpenClFailures::processorsGoOn_data() {
  QTest::addColumn<int>("which");
  QTest::addColumn<QString>("says");
  QTest::newRow("no driver") << 0 << "no driver is installed";
  QTest::newRow("no device") << 1 << "no driver has a device";
  QTest::newRow("no context") << 2 << "using the device";
  QTest::newRow("no program") << 3 << "the driver does not take the program";
}

void TestOpenClFailures::processorsGoOn() {
  QFETCH(int, which);
  QFETCH(QString, says);
  ClCalls calls;
  if (which == 0) calls.getPlatforms = noPlatforms;
  if (which == 1) calls.getDevices = noDevices;
  if (which == 2) calls.createContext = noContext;
  if (which == 3) calls.buildProgram = noProgram;
  if (which > 1) try {
      opencl::findDevices({});
    } catch (const volume::DeviceFailed&) {
      QSKIP("no OpenCL driver has a device");
    }
  QStringList told;
  const auto openCl = std::make_shared<OpenCl>(
      OpenCl::Options{.calls = calls,
                      .notice = [&](const std::string& line) { told.append(QString::fromStdString(line)); },
                      .image = false});
  Theatre theatre;
  volume::ShownCounts counts;
  const std::vector<float> wanted = theatre.picture(nullptr);
  QVERIFY(theatre.picture(openCl, &counts) == wanted);
  QCOMPARE(counts.engine, std::string("cpu"));
  QVERIFY(counts.casts.samples > 0);
  QCOMPARE(told.size(), 1);
  QVERIFY2(told[0].contains(says) && told[0].endsWith("the processors cast volumes"), qPrintable(told[0]));
  QVERIFY(!told[0].contains('\n'));
  // It is told once, and not tried again.
  QVERIFY(theatre.picture(openCl) == wanted);
  QCOMPARE(told.size(), 1);
}

void TestOpenClFailures::anyCallMayFail_data() {
  QTest::addColumn<int>("which");
  QTest::addColumn<int>("after");
  const char* const names[] = {"buffers", "kernels", "writes"};
  for (int which = 0; which < 3; ++which)
    for (const int after : {0, 1, 3, 6, 10, 15})
      QTest::addRow("%s, %d do", names[which], after) << which << after;
}

void TestOpenClFailures::anyCallMayFail() {
  QFETCH(int, which);
  QFETCH(int, after);
  ClCalls calls;
  if (which == 0) calls.createBuffer = scarceBuffer;
  if (which == 1) calls.enqueueKernel = scarceKernel;
  if (which == 2) calls.writeBuffer = scarceWrite;
  QStringList told;
  const auto openCl = std::make_shared<OpenCl>(
      OpenCl::Options{.calls = calls,
                      .notice = [&](const std::string& line) { told.append(QString::fromStdString(line)); },
                      .image = false});
  Theatre theatre;
  const std::vector<float> wanted = theatre.picture(nullptr);
  callsLeft = -1;
  try {
    opencl::findDevices({});
  } catch (const volume::DeviceFailed&) {
    QSKIP("no OpenCL driver has a device");
  }
  callsLeft = after;
  volume::ShownCounts counts;
  const std::vector<float> picture = theatre.picture(openCl, &counts);
  const bool failed = counts.engine == "cpu";
  callsLeft = -1;
  if (failed) {
    QVERIFY(picture == wanted);
    QCOMPARE(told.size(), 1);
    QVERIFY2(told[0].contains("out of memory"), qPrintable(told[0]));
    // What the device had is given back.
    QCOMPARE(theatre.account.usedBytes(Purpose::Device), 0U);
  } else {
    QVERIFY(after > 1 && told.isEmpty());
  }
}

void TestOpenClFailures::withoutFailureTheDeviceDoesIt() {
  QStringList told;
  const auto openCl = std::make_shared<OpenCl>(
      OpenCl::Options{.notice = [&](const std::string& line) { told.append(QString::fromStdString(line)); }});
  try {
    const OpenCl::Description description = openCl->describe();
    QVERIFY(description.speed.buffer > 0 || description.speed.image > 0);
    QVERIFY(!opencl::textOf(description).empty());
  } catch (const volume::DeviceFailed&) {
    QSKIP("no OpenCL driver has a device");
  }
  Theatre theatre;
  const std::vector<float> wanted = theatre.picture(nullptr);
  volume::ShownCounts counts;
  const std::vector<float> got = theatre.picture(openCl, &counts);
  QVERIFY2(told.isEmpty(), qPrintable(told.join('\n')));
  QCOMPARE(counts.engine, std::string("opencl"));
  QVERIFY(!counts.device.empty() && counts.kernelSeconds > 0);
  double sum = 0;
  for (std::size_t n = 0; n < wanted.size(); ++n) sum += std::pow(static_cast<double>(wanted[n] - got[n]), 2);
  QVERIFY(sum / static_cast<double>(wanted.size()) <= 1e-5);
}

void TestOpenClFailures::aBudgetTooSmallIsTheProcessors() {
  Theatre theatre;
  // Steep in many places: a device is sent a table of a million entries.
  theatre.opacity.clear();
  for (int n = 0; n < 256; ++n)
    for (const auto& [after, opaque] : {std::pair{0.0, 0.0}, {1e-6, 0.3}, {2e-6, 0.0}})
      theatre.opacity.push_back({n / 256.0 + after, opaque});
  const std::vector<float> wanted = theatre.picture(nullptr);
  QStringList told;
  const auto openCl = std::make_shared<OpenCl>(OpenCl::Options{
      .notice = [&](const std::string& line) { told.append(QString::fromStdString(line)); }, .image = false});
  // All but what two bricks of processors take.
  const std::uint64_t free = theatre.account.obtainableBytes();
  volume::ShownCounts counts;
  {
    const MemoryClaim taken = theatre.account.claim(Purpose::Work, free - 1'200'000, "all but a little");
    QVERIFY(theatre.picture(openCl, &counts) == wanted);
    QCOMPARE(counts.engine, std::string("cpu"));
    QCOMPARE(told.size(), 1);
    QVERIFY(theatre.picture(openCl, &counts) == wanted);
    QCOMPARE(told.size(), 1);
  }
  // The device is as good as before for what it has room for.
  theatre.opacity = Theatre().opacity;
  theatre.picture(openCl, &counts);
  try {
    opencl::findDevices({});
    QCOMPARE(counts.engine, std::string("opencl"));
  } catch (const volume::DeviceFailed&) {
    QSKIP("no OpenCL driver has a device");
  }
}

void TestOpenClFailures::aKernelThatDoesNotCompileSaysWhere() {
  // The compiler's own words, of which the first line is told.
  ClCalls calls;
  calls.buildProgram = [](cl_program program, cl_uint count, const cl_device_id* devices, const char*,
                          void (*)(cl_program, void*), void*) {
    return clBuildProgram(program, count, devices, "-DVALUE_TYPE=2 -Daim=1", nullptr, nullptr);
  };
  QStringList told;
  const auto openCl = std::make_shared<OpenCl>(
      OpenCl::Options{.calls = calls,
                      .notice = [&](const std::string& line) { told.append(QString::fromStdString(line)); },
                      .image = false});
  try {
    opencl::findDevices({});
  } catch (const volume::DeviceFailed&) {
    QSKIP("no OpenCL driver has a device");
  }
  Theatre theatre;
  volume::ShownCounts counts;
  theatre.picture(openCl, &counts);
  QCOMPARE(counts.engine, std::string("cpu"));
  QCOMPARE(told.size(), 1);
  QVERIFY2(told[0].contains("compiling kernels") && !told[0].contains('\n'), qPrintable(told[0]));
}

QTEST_GUILESS_MAIN(TestOpenClFailures)
#include "tst_opencl_failures.moc"
