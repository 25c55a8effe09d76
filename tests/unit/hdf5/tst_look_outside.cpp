// Looking into HDF5 files by another process: it finds what this one would find, and what ends it ends nothing else.

#include <QTest>

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "plugins/hdf5/hdf5_records.h"
#include "plugins/hdf5/looker.h"
#include "plugins/hdf5/outside.h"
#include "tests/support/memory_object.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/hdf5/damaged_hdf5.h"

using namespace farfield;
using hdf5::LookKind;
using End = hdf5::Looker::Outcome::End;
using test::Damage;
using test::Hdf5Maker;
using test::Hid;

namespace {

std::filesystem::path program() {
  return std::filesystem::path(test::builtProgram()).parent_path() / "farfield-hdf5";
}

hdf5::LookJob jobFor(LookKind kind, const paging::ByteObject& object) {
  hdf5::LookJob job(kind);
  job.name = object.name();
  job.generation = object.generation();
  return job;
}

bool hasNoChildren() {
  return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
}

}  // namespace

class TestLookOutside : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void findsWhatThisProcessFinds();
  void recordsAreTheSame();
  void whatCannotBeOpenedIsSaid();
  void namesBehindTheFirst();
  void listsAreClaimed();
  void crashesAreToldApart();
  void whatDoesNotEndIsEnded();
  void ofNoUseAnyMore();
  void readsThatFail();
  void otherProgramsAreRefused();
  void layoutsHaveNumbers();
  void wrongAnswersAreRefused();
  void cleanup() { QVERIFY(hasNoChildren()); }

 private:
  std::shared_ptr<const paging::ByteObject> object() const { return paging::ByteStores().open(m_path); }
  std::unique_ptr<hdf5::Looker> looker() const {
    auto made = std::make_unique<hdf5::Looker>(program());
    made->greet();
    return made;
  }

  test::TemporaryFolder m_folder;
  std::string m_path = (m_folder.path() / "a.h5").string();
};

void TestLookOutside::initTestCase() {
  if (!std::filesystem::exists(program())) QFAIL("farfield-hdf5 is not built");
}

/// Groups, attributes of all kinds, storage of all kinds, filters, fill values, what cannot be read.
void writeManyKinds(const std::string& path, bool latest) {
  Hdf5Maker file(path, latest);
  const double fill = -7;
  file.group("a");
  file.group("a/b");
  file.makeNumbered("row", {.dims = {4, 5, 6}});
  file.makeNumbered("a/packed", {.dims = {8, 8, 8},
                                 .chunks = {4, 4, 4},
                                 .type = H5T_IEEE_F64BE,
                                 .shuffle = true,
                                 .fletcher = true,
                                 .gzip = 4,
                                 .fill = &fill});
  file.make("a/b/grows", {.dims = {2, 3}, .chunks = {1, 3}, .most = {H5S_UNLIMITED, 3}});
  file.makeNumbered("a/b/small", {.dims = {2, 2, 2}, .compact = true});
  const Hid type(H5Tarray_create2(H5T_IEEE_F32LE, 1, std::vector<hsize_t>{3}.data()), H5Tclose);
  file.make("strange", {.dims = {4, 4, 4}, .type = type});
  const Hid set(H5Dopen2(file.file(), "row", H5P_DEFAULT), H5Dclose);
  for (int n = 0; n < 12; ++n) {
    const hsize_t count = 3;
    const Hid space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hid attribute(H5Acreate2(set, ("number " + std::to_string(n)).c_str(), H5T_IEEE_F64LE, space,
                                   H5P_DEFAULT, H5P_DEFAULT),
                        H5Aclose);
    const double numbers[] = {n + 0.25, n + 0.5, -1.0 * n};
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, numbers);
  }
}

void TestLookOutside::findsWhatThisProcessFinds() {
  const auto asked = looker();  // the same for all
  for (const bool latest : {false, true})
    for (const bool texts : {false, true}) {
      if (texts)
        test::writeDamagedHdf5(m_path, Damage::None);
      else
        writeManyKinds(m_path, latest);
      const auto opened = object();
      hdf5::File here(opened, hdf5::File::Looking::ThisProcess);
      const auto head = asked->ask(jobFor(LookKind::Head, *opened), *opened);
      QVERIFY(head.end == End::Answered);
      QVERIFY(head.bytes == hdf5::encoded(hdf5::Head{here.sizes(), here.someNames(1000)}));
      const auto contents = asked->ask(jobFor(LookKind::Contents, *opened), *opened);
      QVERIFY(contents.end == End::Answered);
      const hdf5::Contents found = hdf5::contentsHere(here);
      QVERIFY(found.datasets.size() > 0);
      QVERIFY(contents.bytes == hdf5::encoded(found));
      // nothing is lost on the way
      QVERIFY(hdf5::encoded(hdf5::decodedContents(contents.bytes)) == contents.bytes);
      QVERIFY(hdf5::encoded(hdf5::decodedHead(head.bytes)) == head.bytes);
    }
}

void TestLookOutside::recordsAreTheSame() {
  {
    Hdf5Maker file(m_path);
    const Hid type(H5Tcreate(H5T_COMPOUND, 8), H5Tclose);
    H5Tinsert(type, "lo", 0, H5T_NATIVE_INT32);
    H5Tinsert(type, "hi", 4, H5T_NATIVE_INT32);
    const hsize_t count = 3;
    const Hid space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hid set(H5Dcreate2(file.file(), "boxes", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                  H5Dclose);
    const std::int32_t values[] = {1, 2, 3, 4, -5, 6};
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  }
  const auto opened = object();
  hdf5::LookJob job = jobFor(LookKind::Records, *opened);
  job.object = "boxes";
  job.members = {"hi", "lo"};
  job.most = 3;
  const auto asked = looker();
  std::uint64_t announced = 0;
  const auto outcome = asked->ask(job, *opened, {[&](std::uint64_t bytes) { announced = bytes; }});
  QVERIFY(outcome.end == End::Answered);
  QVERIFY(announced == outcome.bytes.size());
  QVERIFY(hdf5::decodedIntegers(outcome.bytes) == (std::vector<std::int64_t>{2, 1, 4, 3, 6, -5}));
  job.most = 2;
  const auto refused = asked->ask(job, *opened);
  QVERIFY(refused.end == End::Failed);
  QVERIFY_THROWS_EXCEPTION(Unsupported, hdf5::decodedFailure(refused.bytes).raise());
}

void TestLookOutside::whatCannotBeOpenedIsSaid() {
  std::ofstream(m_path) << "no HDF5 file at all, but long enough to be looked at by the library";
  const auto opened = object();
  const auto outcome = looker()->ask(jobFor(LookKind::Head, *opened), *opened);
  QVERIFY(outcome.end == End::Failed);
  std::string here;
  try {
    hdf5::File file(opened, hdf5::File::Looking::ThisProcess);
  } catch (const Corrupt& error) {
    here = error.what();
  }
  QVERIFY(!here.empty());
  try {
    hdf5::decodedFailure(outcome.bytes).raise();
  } catch (const Corrupt& error) {
    QCOMPARE(std::string(error.what()), here);
  }
}

/// That there is more than its first names say is said, and what is behind them is found.
void TestLookOutside::namesBehindTheFirst() {
  {
    Hdf5Maker file(m_path);
    for (int n = 0; n < 1200; ++n) file.group("n" + std::to_string(n));
    file.group("z last");
  }
  const auto opened = object();
  const auto asked = looker();
  const auto said = asked->ask(jobFor(LookKind::Head, *opened), *opened);
  QVERIFY(said.end == End::Answered);
  const hdf5::Head head = hdf5::decodedHead(said.bytes);
  QVERIFY(!head.all && head.names.size() == 1000);
  QVERIFY(std::find(head.names.begin(), head.names.end(), "z last") == head.names.end());
  for (const char* const name : {"z last", "n1199", "n0"}) {
    hdf5::LookJob job = jobFor(LookKind::Has, *opened);
    job.object = name;
    QVERIFY(hdf5::decodedFlag(asked->ask(job, *opened).bytes));
  }
  hdf5::LookJob job = jobFor(LookKind::Has, *opened);
  job.object = "z";
  QVERIFY(!hdf5::decodedFlag(asked->ask(job, *opened).bytes));
  // as those ask who want to know whose it is
  hdf5::Outside outside(program());
  const hdf5::File file(opened, outside);
  QVERIFY(file.outside() == &outside && file.has("z last") && file.has("n0") && !file.has("z"));
}

/// What the list of a file takes is claimed while it is received, and as long as it is there.
void TestLookOutside::listsAreClaimed() {
  writeManyKinds(m_path, false);
  hdf5::Outside outside(program());
  hdf5::File file(object(), outside);
  MemoryAccount account(std::uint64_t{1} << 20);
  {
    MemoryClaim claim;
    const hdf5::Contents contents = hdf5::contentsOf(file, account, claim);
    const std::uint64_t bytes = hdf5::encoded(contents).size();
    QVERIFY(claim.bytes() >= bytes && account.usedBytes() == claim.bytes());
    QVERIFY(account.peakBytes() >= claim.bytes() + bytes);
  }
  QCOMPARE(account.usedBytes(), std::uint64_t{0});
  MemoryAccount small(100);
  MemoryClaim claim;
  QVERIFY_THROWS_EXCEPTION(OverBudget, hdf5::contentsOf(file, small, claim));
}

void TestLookOutside::crashesAreToldApart() {
  SKIP_UNLESS_LIBRARY_FAILS(Damage::Crashes);
  test::writeDamagedHdf5(m_path, Damage::Crashes);
  const auto opened = object();
  const auto asked = looker();
  QVERIFY(asked->ask(jobFor(LookKind::Head, *opened), *opened).end == End::Answered);
  const auto outcome = asked->ask(jobFor(LookKind::Contents, *opened), *opened);
  QVERIFY(outcome.end == End::Crashed);
#ifndef FARFIELD_SANITIZED
  QCOMPARE(outcome.signal, SIGSEGV);
#endif
}

void TestLookOutside::whatDoesNotEndIsEnded() {
  SKIP_UNLESS_LIBRARY_FAILS(Damage::Endless);
  test::writeDamagedHdf5(m_path, Damage::Endless);
  const auto opened = object();
  hdf5::LookJob job = jobFor(LookKind::Contents, *opened);
  job.seconds = 1;
  QVERIFY(looker()->ask(job, *opened).end == End::TookLong);
}

void TestLookOutside::ofNoUseAnyMore() {
  SKIP_UNLESS_LIBRARY_FAILS(Damage::Endless);
  test::writeDamagedHdf5(m_path, Damage::Endless);
  const auto opened = object();
  std::stop_source stop;
  const StoppableWaits waits(stop.get_token());
  auto asked = looker();
  std::jthread gives([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request_stop();
  });
  QVERIFY_THROWS_EXCEPTION(Cancelled, asked->ask(jobFor(LookKind::Contents, *opened), *opened));
}

void TestLookOutside::readsThatFail() {
  test::writeDamagedHdf5(m_path, Damage::None);
  std::ifstream in(m_path, std::ios::binary);
  const std::string all(std::istreambuf_iterator<char>(in), {});
  const auto bytes = std::as_bytes(std::span(all));
  test::MemoryObject changing({bytes.begin(), bytes.end()});
  {
    const auto asked = looker();
    QVERIFY(asked->ask(jobFor(LookKind::Head, changing), changing).end == End::Answered);
  }
  changing.change();
  const auto asked = looker();
  try {
    asked->ask(jobFor(LookKind::Head, changing), changing);
    QFAIL("an object that has changed was read");
  } catch (const Corrupt& error) {
    QVERIFY2(std::string(error.what()).find("changed") != std::string::npos, error.what());
  }
}

void TestLookOutside::otherProgramsAreRefused() {
  QVERIFY_THROWS_EXCEPTION(Io, hdf5::Looker("/no/such/program"));
  hdf5::Looker other("/bin/true");
  QVERIFY_THROWS_EXCEPTION(Io, other.greet());
  // says nothing, for ever
  hdf5::Looker mute("/bin/cat");
  QVERIFY_THROWS_EXCEPTION(Io, mute.greet(std::chrono::milliseconds(50)));
}

/// Who changes how messages are written must raise kLookLayout (look_link.h), and then the numbers here.
void TestLookOutside::layoutsHaveNumbers() {
  hdf5::LookJob job(LookKind::Record);
  job.name = "name";
  job.generation = {7, "tag"};
  job.object = "object";
  job.members = {"a", "b"};
  hdf5::Dataset data;
  data.path = "/a";
  data.dims = data.chunks = {2, 3};
  data.fill = std::vector<std::byte>(4);
  data.attributes.push_back({.name = "name", .text = "text", .numbers = {1}});
  hdf5::Contents contents;
  contents.groups.push_back({"/b", {}});
  contents.datasets.push_back(data);
  contents.unopened.push_back({"/c", "why"});
  const std::string all = hdf5::encoded(job) + hdf5::encoded(hdf5::Head{{}, {"n"}}) + hdf5::encoded(true) +
                          hdf5::encoded(contents) + hdf5::encoded(hdf5::LookFailure{}) +
                          hdf5::encoded(std::vector<double>{1, 2});
  QCOMPARE(hdf5::lookVersion(all, sizeof(hdf5::LookMessage)), std::uint64_t{4311901180635228776});
  QCOMPARE(hdf5::kLookLayout, std::uint64_t{3});
  QVERIFY(hdf5::lookVersion("0.1.0", 2) != hdf5::lookVersion("0.1.0", 3));
  QVERIFY(hdf5::lookVersion("0.1.0", 2) != hdf5::lookVersion("0.1.1", 2));
}

/// The process may have been taken over by what it looks at.
void TestLookOutside::wrongAnswersAreRefused() {
  writeManyKinds(m_path, false);
  hdf5::File here(object(), hdf5::File::Looking::ThisProcess);
  const std::string right = hdf5::encoded(hdf5::contentsHere(here));
  int refused = 0;
  for (std::size_t length = 0; length < right.size(); length += 7) try {
      hdf5::decodedContents(std::string_view(right).substr(0, length));
    } catch (const Error&) {
      ++refused;
    }
  QVERIFY(refused >= static_cast<int>(right.size() / 7));
  std::mt19937 random(1);
  for (int n = 0; n < 3000; ++n) {
    std::string wrong = right;
    for (int k = 0; k < 3; ++k) wrong[random() % wrong.size()] = static_cast<char>(random());
    try {
      for (const hdf5::Dataset& its : hdf5::decodedContents(wrong).datasets)
        QVERIFY(its.chunks.empty() || its.storage == hdf5::Storage::None ||
                its.storage == hdf5::Storage::Row || its.chunks.size() == its.dims.size());
    } catch (const Error&) {
    }
  }
}

QTEST_GUILESS_MAIN(TestLookOutside)
#include "tst_look_outside.moc"
