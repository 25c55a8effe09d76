// What the checks make of machines that are written down: control groups of both kinds, in containers and
// outside, machines with little memory.

#include <QTest>

#include <filesystem>
#include <fstream>

#include "app/doctor/machine_checks.h"
#include "core/base/error.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::doctor;

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// A machine with 16 GB, of which 8 GB are free, and these files beside.
class WrittenMachine {
 public:
  explicit WrittenMachine(const std::string& freeKiB = "8388608") {
    write("proc/meminfo",
          "MemTotal:       16777216 kB\nMemFree:        1000 kB\nMemAvailable:   " + freeKiB + " kB\n");
  }
  WrittenMachine& write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((m_folder / path).parent_path());
    std::ofstream(m_folder / path) << text;
    return *this;
  }
  operator Machine() const { return {m_folder.path()}; }

 private:
  test::TemporaryFolder m_folder;
};

}  // namespace

class TestMachineChecks : public QObject {
  Q_OBJECT
 private slots:
  void memoryLimitsOfGroups();
  void processorLimitsOfGroups();
  void memory();
  void processors();
  void thisMachine();
  void whatIsThrownIsAFailure();
};

void TestMachineChecks::memoryLimitsOfGroups() {
  QVERIFY(!groupMemoryLimit(WrittenMachine()));
  // Version 2: the narrowest on the way to the root counts.
  QVERIFY(!groupMemoryLimit(WrittenMachine()
                                .write("proc/self/cgroup", "0::/a/b\n")
                                .write("sys/fs/cgroup/a/b/memory.max", "max\n")));
  QCOMPARE(groupMemoryLimit(WrittenMachine()
                                .write("proc/self/cgroup", "0::/a/b\n")
                                .write("sys/fs/cgroup/a/b/memory.max", "max\n")
                                .write("sys/fs/cgroup/a/memory.max", "1048576\n")),
           std::optional<std::uint64_t>(kMiB));
  QCOMPARE(groupMemoryLimit(WrittenMachine()
                                .write("proc/self/cgroup", "0::/a/b\n")
                                .write("sys/fs/cgroup/a/b/memory.max", "2097152\n")
                                .write("sys/fs/cgroup/a/memory.max", "4194304\n")),
           std::optional<std::uint64_t>(2 * kMiB));
  // A container sees its own group as the root.
  QCOMPARE(groupMemoryLimit(WrittenMachine()
                                .write("proc/self/cgroup", "0::/\n")
                                .write("sys/fs/cgroup/memory.max", "3145728\n")),
           std::optional<std::uint64_t>(3 * kMiB));
  // Version 1, where no limit is a large number.
  QCOMPARE(
      groupMemoryLimit(WrittenMachine()
                           .write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/x\n1:name=systemd:/\n")
                           .write("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "9223372036854771712\n")
                           .write("sys/fs/cgroup/memory/memory.limit_in_bytes", "1048576\n")),
      std::optional<std::uint64_t>(kMiB));
}

void TestMachineChecks::processorLimitsOfGroups() {
  QVERIFY(!groupProcessorLimit(WrittenMachine()));
  QVERIFY(!groupProcessorLimit(WrittenMachine()
                                   .write("proc/self/cgroup", "0::/a\n")
                                   .write("sys/fs/cgroup/a/cpu.max", "max 100000\n")));
  QCOMPARE(groupProcessorLimit(WrittenMachine()
                                   .write("proc/self/cgroup", "0::/a\n")
                                   .write("sys/fs/cgroup/a/cpu.max", "150000 100000\n")),
           std::optional<double>(1.5));
  QCOMPARE(groupProcessorLimit(WrittenMachine()
                                   .write("proc/self/cgroup", "3:cpu,cpuacct:/a\n")
                                   .write("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "-1\n")
                                   .write("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n")),
           std::optional<double>());
}

void TestMachineChecks::memory() {
  const auto statusOf = [](const Machine& machine) { return checkMemory(machine, 4096 * kMiB).status; };
  QCOMPARE(statusOf(WrittenMachine()), Status::Ok);
  QVERIFY(checkMemory(WrittenMachine(), 4096 * kMiB).advice.empty());
  QCOMPARE(statusOf(WrittenMachine("2097152")), Status::Warn);
  QVERIFY(checkMemory(WrittenMachine("2097152"), 4096 * kMiB).advice.find("--memory, at most 1024M") !=
          std::string::npos);
  QCOMPARE(statusOf(WrittenMachine("40000")), Status::Fail);
  QCOMPARE(statusOf(WrittenMachine()
                        .write("proc/self/cgroup", "0::/\n")
                        .write("sys/fs/cgroup/memory.max", "1073741824\n")),
           Status::Warn);
  const test::TemporaryFolder nothing;
  QCOMPARE(statusOf({nothing.path()}), Status::Warn);
}

void TestMachineChecks::processors() {
  const WrittenMachine machine;
  QCOMPARE(checkProcessors(machine, 4).status, Status::Ok);
  const Finding finding = checkProcessors(
      WrittenMachine().write("proc/self/cgroup", "0::/\n").write("sys/fs/cgroup/cpu.max", "250000 100000\n"),
      4);
  QCOMPARE(finding.status, Status::Warn);
  QVERIFY2(finding.advice.find("--processors 2") != std::string::npos, finding.advice.c_str());
}

void TestMachineChecks::thisMachine() {
  // Whatever it is: each answers, and says what to do where it is not content.
  for (const Finding& finding : {checkProcessors({}, 1), checkMemory({}, 64 * kMiB), checkOpenFiles(),
                                 checkLockedMemory(), checkUring({})}) {
    QVERIFY(!finding.found.empty());
    QVERIFY(finding.status == Status::Ok || !finding.advice.empty());
  }
}

void TestMachineChecks::whatIsThrownIsAFailure() {
  const Finding finding =
      findingOf({"x", []() -> Finding { throw Io("is broken", "repair it").at("disk"); }});
  QCOMPARE(finding.status, Status::Fail);
  QCOMPARE(finding.found, std::string("disk: is broken"));
  QCOMPARE(finding.advice, std::string("repair it"));
}

QTEST_APPLESS_MAIN(TestMachineChecks)
#include "tst_machine_checks.moc"
