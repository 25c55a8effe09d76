#include "tests/contract/byte_store_contract.h"

#include <QTest>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>

#include "core/base/error.h"
#include "core/paging/bytes/range_reader.h"
#include "core/paging/sources/source_wait.h"

namespace farfield::test {
namespace {

using namespace paging;

constexpr std::uint64_t kBytes = 700'000;

std::vector<std::byte> sample() {
  std::vector<std::byte> bytes(kBytes);
  std::mt19937 random(5);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

/// Counts how each range ended, and compares what arrived.
class Sink final : public RangeSink {
 public:
  explicit Sink(const std::vector<std::byte>& truth) : m_truth(truth) {}
  void arrived(const RangeRequest& range, std::span<const std::byte> bytes) noexcept override {
    const bool same = bytes.size() == range.bytes && range.end() <= m_truth.size() &&
                      std::memcmp(bytes.data(), m_truth.data() + range.offset, bytes.size()) == 0;
    ++(same ? good : wrong);
    ++ended;
  }
  void failed(const RangeRequest&, std::exception_ptr error) noexcept override {
    {
      const std::lock_guard lock(m_mutex);
      m_error = error;
    }
    ++bad;
    ++ended;
  }
  void cancelled(const RangeRequest&) noexcept override {
    ++withdrawn;
    ++ended;
  }
  std::string error() {
    const std::lock_guard lock(m_mutex);
    try {
      if (m_error) std::rethrow_exception(m_error);
    } catch (const Corrupt& error) {
      return std::string("Corrupt ") + error.what();
    } catch (const std::exception& error) {
      return error.what();
    }
    return {};
  }
  std::atomic<std::size_t> good{0}, wrong{0}, bad{0}, withdrawn{0}, ended{0};

 private:
  const std::vector<std::byte>& m_truth;
  std::mutex m_mutex;
  std::exception_ptr m_error;
};

RangeList randomRanges(std::size_t count) {
  std::mt19937 random(9);
  RangeList ranges;
  for (std::size_t n = 0; n < count; ++n) {
    const std::uint64_t bytes = 1 + random() % 20'000;
    ranges.push_back({.offset = random() % (kBytes - bytes),
                      .bytes = bytes,
                      .priority = static_cast<ReadPriority>(random() % kReadPriorities)});
  }
  return ranges;
}

struct Reading {
  Reading(const ByteSubject& subject, const std::vector<std::byte>& truth)
      : sink(truth),
        reader({subject.open(truth)}, sink, account,
               {.engine = subject.engine, .stagingBytes = 200'000, .largestRange = 20'000}, "test") {}
  void wait(std::size_t count) {
    reapUntil(reader, [&] { return sink.ended == count; });
  }
  MemoryAccount account{1 << 20};
  Sink sink;
  RangeReader reader;
};

std::string errorOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

const ByteSubject& ByteStoreContract::subject() const {
  QFETCH_GLOBAL(int, number);
  return m_subjects[static_cast<std::size_t>(number)];
}

void ByteStoreContract::initTestCase_data() {
  QTest::addColumn<int>("number");
  for (std::size_t n = 0; n < m_subjects.size(); ++n)
    QTest::newRow(m_subjects[n].name.c_str()) << static_cast<int>(n);
}

void ByteStoreContract::readsWhatIsThere() {
  const auto truth = sample();
  const auto object = subject().open(truth);
  QCOMPARE(object->size(), kBytes);
  QVERIFY(!object->name().empty());
  std::vector<std::byte> out(5000);
  for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{4097}, kBytes - 5000}) {
    object->readAt(offset, out);
    QCOMPARE(std::memcmp(out.data(), truth.data() + offset, out.size()), 0);
  }
  object->checkUnchanged();
}

void ByteStoreContract::endsWithTheObject() {
  const auto object = subject().open(sample());
  std::vector<std::byte> out(5000);
  QCOMPARE(object->readSomeAt(kBytes - 1000, out), std::size_t{1000});
  QCOMPARE(object->readSomeAt(kBytes + 1000, out), std::size_t{0});
  const std::string error = errorOf([&] { object->readAt(kBytes - 1000, out); });
  QVERIFY2(error.starts_with(object->name() + ": ends at byte"), error.c_str());
}

void ByteStoreContract::manyRangesAtOnce() {
  const auto truth = sample();
  Reading reading(subject(), truth);
  std::vector<std::jthread> threads;
  for (int n = 0; n < 3; ++n) threads.emplace_back([&] { reading.reader.read(randomRanges(300)); });
  threads.clear();
  reading.wait(900);
  QCOMPARE(reading.sink.good.load(), std::size_t{900});
  QVERIFY(reading.reader.reads() < 900);  // neighbours are read together
}

void ByteStoreContract::rangesBeyondTheEndFailAlone() {
  const auto truth = sample();
  Reading reading(subject(), truth);
  RangeList ranges;
  ranges.push_back({.offset = kBytes - 3000, .bytes = 2000});
  ranges.push_back({.offset = kBytes - 1000, .bytes = 2000});
  ranges.push_back({.offset = kBytes + 5000, .bytes = 100});
  reading.reader.read(std::move(ranges));
  reading.wait(3);
  QCOMPARE(reading.sink.good.load(), std::size_t{1});
  QCOMPARE(reading.sink.bad.load(), std::size_t{2});
  QVERIFY2(reading.sink.error().starts_with("Corrupt its "), reading.sink.error().c_str());
}

void ByteStoreContract::cancelEndsEveryRangeOnce() {
  const auto truth = sample();
  Reading reading(subject(), truth);
  int mine = 0;
  RangeList some = randomRanges(200), others = randomRanges(50);
  for (RangeRequest& range : some) range.token = &mine;
  reading.reader.read(std::move(some));
  reading.reader.read(std::move(others));
  reading.reader.cancel([&](const RangeRequest& range) { return range.token == &mine; });
  reading.wait(250);
  QCOMPARE(reading.sink.good + reading.sink.withdrawn, std::size_t{250});
  QVERIFY(reading.sink.good >= 50);
}

void ByteStoreContract::closingEndsEverything() {
  const auto truth = sample();
  Reading reading(subject(), truth);
  reading.reader.read(randomRanges(200));
  reading.reader.close();
  QCOMPARE(reading.sink.ended.load(), std::size_t{200});
  reading.reader.read(randomRanges(20));
  QCOMPARE(reading.sink.ended.load(), std::size_t{220});
  QVERIFY(reading.sink.withdrawn >= 20);
  QCOMPARE(reading.sink.wrong.load(), std::size_t{0});
}

void ByteStoreContract::aChangedObjectIsAnError() {
  if (!subject().change) QSKIP("cannot be changed");
  for (const bool sameSize : {true, false}) {
    const auto truth = sample();
    Reading reading(subject(), truth);
    reading.reader.read(randomRanges(10));
    reading.wait(10);
    QCOMPARE(reading.sink.good.load(), std::size_t{10});
    // Longer than a file's clock ticks, and than files are not looked at.
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    subject().change(sameSize);
    reading.reader.read(randomRanges(50));
    reading.wait(60);
    QCOMPARE(reading.sink.bad.load(), std::size_t{50});
    QVERIFY2(reading.sink.error().starts_with("Corrupt has changed since it was opened"),
             reading.sink.error().c_str());
    const ByteObject& object = reading.reader.object(0);
    const std::string error = errorOf([&] { object.checkUnchanged(); });
    QVERIFY2(error.starts_with(object.name() + ": has changed"), error.c_str());
  }
}

}  // namespace farfield::test
