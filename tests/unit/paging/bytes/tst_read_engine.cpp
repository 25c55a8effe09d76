// Both engines: what they read, what they do at the end of a file and on errors, and that they give up
// politely where io_uring is refused.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <QTest>
#include <atomic>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/paging/bytes/local_file.h"
#include "core/paging/bytes/read_engine.h"
#include "core/paging/sources/source_wait.h"
#include "tests/support/refused_calls.h"
#include "tests/support/temporary_folder.h"

namespace farfield::paging {
namespace {

struct Job {
  RangeRead read;
  std::vector<std::byte> bytes;
  std::atomic<int> landed{0}, ended{0};
  std::uint64_t got = 0;
  std::exception_ptr error;
};

/// Gives jobs in order, never more than `depth` at a time.
class Client final : public ReadClient {
 public:
  explicit Client(int depth) : m_depth(depth) {}
  Job& add(std::uint32_t object, std::uint64_t offset, std::uint64_t bytes, std::uint64_t needed = ~0ull) {
    const std::lock_guard lock(m_mutex);
    Job& job = m_jobs.emplace_back();
    job.bytes.resize(bytes, std::byte{0xEE});
    job.read = {object, offset, job.bytes, std::min(needed, bytes), &job};
    return job;
  }
  bool nextRead(RangeRead& read, bool& more) noexcept override {
    const std::lock_guard lock(m_mutex);
    if (m_next == m_jobs.size() || m_now == m_depth) return false;
    read = m_jobs[m_next++].read;
    ++m_now;
    most = std::max(most, m_now);
    more = m_next < m_jobs.size();
    return true;
  }
  void readLanded(const RangeRead& read) noexcept override {
    ++static_cast<Job*>(read.token)->landed;
    const std::lock_guard lock(m_mutex);
    --m_now;
  }
  void readEnded(const RangeRead& read, std::uint64_t got, std::exception_ptr error) noexcept override {
    Job& job = *static_cast<Job*>(read.token);
    job.got = got;
    job.error = error;
    ++job.ended;
    const std::lock_guard lock(m_mutex);
    if (job.landed == 0) --m_now;
    ++m_ended;
  }
  std::size_t ended() {
    const std::lock_guard lock(m_mutex);
    return m_ended;
  }
  int onTheirWay() {
    const std::lock_guard lock(m_mutex);
    return m_now;
  }
  int most = 0;

 private:
  const int m_depth;
  std::mutex m_mutex;
  std::deque<Job> m_jobs;
  std::size_t m_next = 0, m_ended = 0;
  int m_now = 0;
};

std::vector<std::byte> noise(std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  std::uint64_t state = 7;
  for (std::byte& byte : data)
    byte = static_cast<std::byte>((state = state * 6364136223846793005u + 1442695040888963407u) >> 56);
  return data;
}

}  // namespace

class TestReadEngine : public QObject {
  Q_OBJECT

 private:
  test::TemporaryFolder m_folder;
  std::vector<std::byte> m_data;
  std::shared_ptr<const LocalFile> m_file;

  std::unique_ptr<ReadEngine> make(Client& client, int depth) const {
    QFETCH_GLOBAL(QString, engine);
    const std::vector<std::shared_ptr<const LocalFile>> files = {m_file, LocalFile::open("/proc/self/mem")};
    auto made = engine == "uring" ? makeUringEngine(files, 2, depth)
                                  : makeThreadEngine({files.begin(), files.end()}, depth);
    made->serve(client);
    return made;
  }

 private slots:
  void initTestCase_data() {
    QTest::addColumn<QString>("engine");
    QTest::newRow("threads") << "threads";
    if (whyNoUring().empty()) QTest::newRow("uring") << "uring";
  }

  void initTestCase() {
    m_data = noise(3'000'000);
    NewFile file(m_folder / "data");
    file.write(std::span<const std::byte>(m_data));
    file.commit();
    m_file = LocalFile::open(m_folder / "data");
  }

  void readsWhatIsThere() {
    Client client(8);
    std::vector<Job*> jobs;
    for (std::uint64_t n = 0; n < 500; ++n)
      jobs.push_back(&client.add(0, n * 5003 % 2'900'000, 1 + n * 131 % 90'000));
    const auto engine = make(client, 8);
    engine->start();
    reapUntil(*engine, [&] { return client.ended() == jobs.size(); });
    for (const Job* job : jobs) {
      QCOMPARE(job->ended.load(), 1);
      QVERIFY(job->landed <= 1);
      QCOMPARE(job->got, job->bytes.size());
      QCOMPARE(std::memcmp(job->bytes.data(), m_data.data() + job->read.offset, job->bytes.size()), 0);
    }
    QVERIFY(client.most <= 8);
  }

  void stopsAtTheEndOfTheFile() {
    Client client(4);
    const Job& across = client.add(0, 2'999'000, 5000);
    const Job& enough = client.add(0, 2'999'000, 5000, 1000);
    const Job& behind = client.add(0, 4'000'000, 100);
    const auto engine = make(client, 4);
    engine->start();
    reapUntil(*engine, [&] { return client.ended() == 3; });
    QCOMPARE(across.got, std::uint64_t{1000});
    QVERIFY(!across.error);
    QCOMPARE(enough.got, std::uint64_t{1000});
    QCOMPARE(behind.got, std::uint64_t{0});
    QVERIFY(!behind.error);
  }

  void reportsErrors() {
    Client client(4);
    const Job& bad = client.add(1, 0, 100);
    const Job& good = client.add(0, 0, 100);
    const auto engine = make(client, 4);
    engine->start();
    reapUntil(*engine, [&] { return client.ended() == 2; });
    try {
      if (bad.error) std::rethrow_exception(bad.error);
      QFAIL("memory that is not there was read");
    } catch (const Io& error) {
      QVERIFY(std::string(error.what()).starts_with("read failed at byte 0"));
    }
    QVERIFY(!good.error);
    QCOMPARE(good.got, std::uint64_t{100});
  }

  void theDestructorWaits() {
    for (int round = 0; round < 20; ++round) {
      Client client(64);
      std::vector<Job*> jobs;
      for (std::uint64_t n = 0; n < 64; ++n) jobs.push_back(&client.add(0, n * 40'000, 40'000));
      auto engine = make(client, 64);
      engine->start();
      engine->stop();
      for (const Job* job : jobs)
        if (job->ended) QCOMPARE(std::memcmp(job->bytes.data(), m_data.data() + job->read.offset, 40'000), 0);
      QCOMPARE(client.onTheirWay(), 0);
    }
  }

  void readsOutliveTheThreadThatStartedThem() {
    Client client(64);
    for (std::uint64_t n = 0; n < 64; ++n) client.add(0, n * 40'000, 40'000);
    const auto engine = make(client, 64);
    std::thread([&] { engine->start(); }).join();
    reapUntil(*engine, [&] { return client.ended() == 64; });
  }

  void refusedUringIsSaid() {
    const int status = test::statusInChild(&test::refuseIoUring, [] {
      if (whyNoUring().empty()) return 1;
      try {
        makeUringEngine({}, 1, 1);
        return 2;
      } catch (const Unsupported& error) {
        return std::string(error.what()).find("io_uring") != std::string::npos ? 0 : 3;
      } catch (...) {
        return 4;
      }
    });
    if (status == 77) QSKIP("no system call filters here");
    QCOMPARE(status, 0);
  }
};

}  // namespace farfield::paging

QTEST_APPLESS_MAIN(farfield::paging::TestReadEngine)
#include "tst_read_engine.moc"
