#include "tests/contract/page_source_contract.h"

#include <poll.h>
#include <pthread.h>

#include <QTest>
#include <random>
#include <thread>

#include "tests/contract/collecting_sink.h"

namespace farfield::test {
namespace {

using paging::PageRequest;
using paging::PageSource;
using paging::StoredPage;

constexpr std::uint64_t kBudgetBytes = std::uint64_t{512} << 20;

/// A source and what it may use, in the order in which they must go.
struct Opened {
  explicit Opened(const SourceSubject& subject) : source(subject.open(account)) {}
  MemoryAccount account{kBudgetBytes};
  std::unique_ptr<PageSource> source;
};

bool isOneOf(const std::exception_ptr& error, std::string* what, bool (*matches)(const Error&)) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    *what = known.what();
    return matches(known);
  } catch (const std::exception& other) {
    *what = other.what();
    return false;
  }
}

bool isInvalidOrNotFound(const Error& error) {
  return dynamic_cast<const Invalid*>(&error) || dynamic_cast<const NotFound*>(&error);
}
bool isCorruptOrIo(const Error& error) {
  return dynamic_cast<const Corrupt*>(&error) || dynamic_cast<const Io*>(&error);
}

#define COMPARE_NO_COMPLAINT(sink) QCOMPARE(QString::fromStdString((sink).complaint()), QString())

}  // namespace

void PageSourceContract::initTestCase_data() {
  QTest::addColumn<int>("subject");
  for (std::size_t n = 0; n < m_subjects.size(); ++n)
    QTest::newRow(m_subjects[n].name.c_str()) << static_cast<int>(n);
}

const SourceSubject& PageSourceContract::subject() const {
  QFETCH_GLOBAL(int, subject);
  return m_subjects[static_cast<std::size_t>(subject)];
}

void PageSourceContract::describesItself() {
  Opened opened(subject());
  const paging::DatasetDescription& description = opened.source->description();
  QVERIFY(!description.arrays.empty());
  QVERIFY(!description.times.empty());
  for (std::uint32_t array = 0; array < description.arrays.size(); ++array) {
    QVERIFY(description.arrays[array].pageCount() > 0);
    QVERIFY(opened.source->maxStoredBytes(array) > 0);
    QVERIFY(description.arrays[array].block < static_cast<int>(description.blocks.size()));
  }
}

void PageSourceContract::everyPageIsTrue() {
  Opened opened(subject());
  CollectingSink sink(*opened.source, subject().truth);
  const std::vector<PageRequest> requests = everyPage(*opened.source, sink);
  opened.source->read(requests);
  if (subject().endsInsideRead) QCOMPARE(sink.ended(), requests.size());
  sink.waitFor(*opened.source);
  COMPARE_NO_COMPLAINT(sink);
  QCOMPARE(sink.good(), requests.size());
}

void PageSourceContract::pagesOneByOne() {
  Opened opened(subject());
  CollectingSink sink(*opened.source, subject().truth);
  std::vector<PageRequest> requests = everyPage(*opened.source, sink);
  std::shuffle(requests.begin(), requests.end(), std::mt19937(1));
  requests.resize(std::min<std::size_t>(requests.size(), 50));
  std::size_t asked = 0;
  for (const PageRequest& request : requests) {
    opened.source->read({&request, 1});
    ++asked;
    paging::reapUntil(*opened.source, [&] { return sink.ended() >= asked; });
  }
  QCOMPARE(sink.good(), requests.size());
}

void PageSourceContract::pagesOfEveryPriorityArrive() {
  Opened opened(subject());
  CollectingSink sink(*opened.source, subject().truth);
  std::vector<PageRequest> requests = everyPage(*opened.source, sink, paging::Priority::Prefetch);
  for (std::size_t n = 0; n < requests.size(); n += 3) requests[n].priority = paging::Priority::Demand;
  for (std::size_t n = 1; n < requests.size(); n += 3) requests[n].priority = paging::Priority::Soon;
  opened.source->read(requests);
  for (std::size_t n = 0; n < requests.size(); n += 2) {
    requests[n].priority = paging::Priority::Demand;
    opened.source->hurry(requests[n]);
  }
  sink.waitFor(*opened.source);
  COMPARE_NO_COMPLAINT(sink);
  QCOMPARE(sink.good(), requests.size());
}

void PageSourceContract::withdrawnRequestsEndOnce() {
  Opened opened(subject());
  CollectingSink sink(*opened.source, subject().truth);
  const std::vector<PageRequest> requests = everyPage(*opened.source, sink, paging::Priority::Soon);
  opened.source->read(requests);
  for (std::size_t n = requests.size(); n-- > 1;) {
    opened.source->withdraw(requests[n]);
    opened.source->withdraw(requests[n]);
  }
  sink.waitFor(*opened.source);
  COMPARE_NO_COMPLAINT(sink);
  QCOMPARE(sink.good() + sink.cancelled(), requests.size());
  QVERIFY(sink.good() > 0);
  // What was withdrawn can be asked for again.
  const PageRequest again = sink.request(requests.back().array, requests.back().page);
  opened.source->read({&again, 1});
  sink.waitFor(*opened.source);
  COMPARE_NO_COMPLAINT(sink);
}

void PageSourceContract::duplicatesInOneBatch() {
  Opened opened(subject());
  CollectingSink sink(*opened.source, subject().truth);
  std::vector<PageRequest> requests;
  const auto lastPage = static_cast<std::uint64_t>(opened.source->description().arrays[0].pageCount() - 1);
  for (int n = 0; n < 20; ++n) {
    requests.push_back(sink.request(0, 0));
    requests.push_back(sink.request(0, lastPage));
  }
  opened.source->read(requests);
  sink.waitFor(*opened.source);
  COMPARE_NO_COMPLAINT(sink);
  QCOMPARE(sink.good(), requests.size());
}

void PageSourceContract::anEmptyBatchIsNothing() {
  Opened opened(subject());
  opened.source->read({});
  opened.source->reap();
  CollectingSink sink(*opened.source, subject().truth);
  const PageRequest request = sink.request(0, 0);
  opened.source->read({&request, 1});
  sink.waitFor(*opened.source);
  COMPARE_NO_COMPLAINT(sink);
  QCOMPARE(sink.good(), std::size_t{1});
}

void PageSourceContract::pagesThatDoNotExist() {
  Opened opened(subject());
  CollectingSink sink(*opened.source, subject().truth);
  const auto arrays = static_cast<std::uint32_t>(opened.source->description().arrays.size());
  const auto pages = static_cast<std::uint64_t>(opened.source->description().arrays[0].pageCount());
  const std::vector<PageRequest> requests = {sink.request(0, 0),          sink.request(arrays, 0),
                                             sink.request(0, pages),      sink.request(~0u, 7),
                                             sink.request(0, ~0ull),      sink.request(0, pages - 1),
                                             sink.request(0, 1ull << 63), sink.request(arrays - 1, 0)};
  opened.source->read(requests);
  sink.waitFor(*opened.source);
  COMPARE_NO_COMPLAINT(sink);
  QCOMPARE(sink.good(), std::size_t{3});
  QCOMPARE(sink.errors().size(), std::size_t{5});
  for (const auto& [tag, error] : sink.errors()) {
    std::string what;
    QVERIFY2(isOneOf(error, &what, isInvalidOrNotFound), what.c_str());
  }
  // Later requests are not harmed.
  const PageRequest after = sink.request(0, 0);
  opened.source->read({&after, 1});
  sink.waitFor(*opened.source);
  QCOMPARE(sink.good(), std::size_t{4});
}

void PageSourceContract::cancelEndsEveryRequestOnce() {
  Opened opened(subject());
  CollectingSink sink(*opened.source, subject().truth);
  opened.source->cancel(&sink);  // nothing there yet
  for (int round = 0; round < 5; ++round) {
    const std::vector<PageRequest> requests = everyPage(*opened.source, sink);
    opened.source->read(requests);
    opened.source->cancel(&sink);
    sink.waitFor(*opened.source);
  }
  COMPARE_NO_COMPLAINT(sink);
  QCOMPARE(sink.good() + sink.cancelled(), sink.asked());
  const PageRequest after = sink.request(0, 0);
  const std::size_t before = sink.good();
  opened.source->read({&after, 1});
  sink.waitFor(*opened.source);
  QCOMPARE(sink.good(), before + 1);
}

void PageSourceContract::cancelLeavesOthersAlone() {
  Opened opened(subject());
  CollectingSink gone(*opened.source, subject().truth), stays(*opened.source, subject().truth);
  std::vector<PageRequest> requests = everyPage(*opened.source, gone);
  const std::vector<PageRequest> kept = everyPage(*opened.source, stays);
  requests.insert(requests.end(), kept.begin(), kept.end());
  std::shuffle(requests.begin(), requests.end(), std::mt19937(2));
  opened.source->read(requests);
  opened.source->cancel(&gone);
  gone.waitFor(*opened.source);
  stays.waitFor(*opened.source);
  COMPARE_NO_COMPLAINT(gone);
  COMPARE_NO_COMPLAINT(stays);
  QCOMPARE(stays.good(), kept.size());
  QCOMPARE(gone.good() + gone.cancelled(), gone.asked());
}

void PageSourceContract::theDestructorEndsEverything() {
  for (int round = 0; round < 5; ++round) {
    Opened opened(subject());
    CollectingSink sink(*opened.source, subject().truth);
    opened.source->read(everyPage(*opened.source, sink));
    for (int n = 0; n < round; ++n) opened.source->reap();
    opened.source.reset();
    COMPARE_NO_COMPLAINT(sink);
    QCOMPARE(sink.ended(), sink.asked());
    QCOMPARE(sink.good() + sink.cancelled(), sink.asked());
    QCOMPARE(opened.account.usedBytes(), std::uint64_t{0});
  }
}

namespace {

/// Asks again for whatever arrives, until the source refuses.
class Insatiable final : public paging::PageSink {
 public:
  explicit Insatiable(PageSource& source) : m_source(source) {}
  void ask(std::uint64_t page) {
    ++asked;
    const PageRequest request{.array = 0, .page = page, .sink = this, .tag = page};
    m_source.read({&request, 1});
  }
  void arrived(std::uint64_t tag, const StoredPage&) noexcept override {
    // Without end, a source that delivers inside read() would never come back from it.
    if (++arrivals < 3000) ask(tag);
    ++ended;
  }
  void failed(std::uint64_t, std::exception_ptr) noexcept override { ++ended; }
  std::atomic<int> asked{0}, arrivals{0}, ended{0};

 private:
  PageSource& m_source;
};

}  // namespace

void PageSourceContract::theDestructorRefusesMore() {
  for (int round = 0; round < 5; ++round) {
    Opened opened(subject());
    Insatiable sink(*opened.source);
    const auto pages = static_cast<std::uint64_t>(opened.source->description().arrays[0].pageCount());
    for (std::uint64_t page = 0; page < std::min<std::uint64_t>(pages, 20); ++page) sink.ask(page);
    paging::reapUntil(*opened.source, [&] { return sink.arrivals >= 10 * round; });
    opened.source.reset();
    QCOMPARE(sink.ended.load(), sink.asked.load());
  }
}

void PageSourceContract::manyThreads() {
  Opened opened(subject());
  PageSource& source = *opened.source;
  constexpr int kThreads = 4;
  std::vector<std::unique_ptr<CollectingSink>> sinks;
  for (int n = 0; n < kThreads; ++n)
    sinks.push_back(std::make_unique<CollectingSink>(source, subject().truth));
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int n = 0; n < kThreads; ++n)
    threads.emplace_back([&, n] {
      CollectingSink& sink = *sinks[static_cast<std::size_t>(n)];
      std::mt19937_64 random(static_cast<std::uint64_t>(n));
      for (int round = 0; round < 40; ++round) {
        std::vector<PageRequest> batch;
        for (std::uint64_t count = random() % 12; count > 0; --count) {
          const auto array = static_cast<std::uint32_t>(random() % source.description().arrays.size());
          const auto pages = static_cast<std::uint64_t>(source.description().arrays[array].pageCount());
          batch.push_back(sink.request(array, random() % pages, static_cast<paging::Priority>(random() % 3)));
        }
        source.read(batch);
        source.reap();
        if (random() % 8 == 0) source.cancel(&sink);
        if (random() % 4 == 0) sink.waitFor(source);
      }
      sink.waitFor(source);
    });
  std::thread reaper([&] {
    while (!stop) {
      source.reap();
      source.counters();
      std::this_thread::yield();
    }
  });
  for (std::thread& thread : threads) thread.join();
  stop = true;
  reaper.join();
  for (const auto& sink : sinks) {
    COMPARE_NO_COMPLAINT(*sink);
    QCOMPARE(sink->good() + sink->cancelled(), sink->asked());
  }
}

namespace {

/// Asks for the next page whenever one arrives.
class Chain final : public paging::PageSink {
 public:
  Chain(PageSource& source, int length) : m_source(source), m_left(length) {}
  void ask() {
    const auto pages = static_cast<std::uint64_t>(m_source.description().arrays[0].pageCount());
    const PageRequest request{.array = 0, .page = static_cast<std::uint64_t>(m_left) % pages, .sink = this};
    m_source.read({&request, 1});
  }
  void arrived(std::uint64_t, const StoredPage&) noexcept override {
    if (--m_left > 0)
      ask();
    else
      done = true;
  }
  void failed(std::uint64_t, std::exception_ptr) noexcept override {
    hasFailed = true;
    done = true;
  }
  std::atomic<bool> done{false}, hasFailed{false};
  void run() {
    ask();
    paging::reapUntil(m_source, [this] { return done.load(); });
  }

 private:
  PageSource& m_source;
  int m_left;
};

}  // namespace

void PageSourceContract::readFromWithinArrived() {
  Opened opened(subject());
  Chain chain(*opened.source, 3000);
  // On a stack that is too small for 3,000 calls within one another.
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  pthread_t thread;
  const auto run = [](void* its) -> void* {
    static_cast<Chain*>(its)->run();
    return nullptr;
  };
  QCOMPARE(pthread_create(&thread, &attributes, run, &chain), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  QVERIFY(!chain.hasFailed);
}

void PageSourceContract::memoryIsClaimed() {
  if (!subject().claimsMemory) QSKIP("holds no memory of its own");
  Opened opened(subject());
  const std::uint64_t claimed = opened.account.usedBytes(Purpose::Staging);
  QVERIFY(claimed > 0);
  CollectingSink sink(*opened.source, subject().truth);
  for (int round = 0; round < 3; ++round) opened.source->read(everyPage(*opened.source, sink));
  sink.waitFor(*opened.source);
  COMPARE_NO_COMPLAINT(sink);
  QVERIFY(sink.mostBytesAtATime() <= std::max(claimed, opened.account.peakBytes()));
  QVERIFY(opened.account.peakBytes() <= opened.account.budgetBytes());
  opened.source.reset();
  QCOMPARE(opened.account.usedBytes(), std::uint64_t{0});
}

void PageSourceContract::tooSmallABudget() {
  if (!subject().claimsMemory) QSKIP("holds no memory of its own");
  MemoryAccount account(1000);
  QVERIFY_EXCEPTION_THROWN(subject().open(account), OverBudget);
  QCOMPARE(account.usedBytes(), std::uint64_t{0});
}

void PageSourceContract::countersCount() {
  Opened opened(subject());
  const paging::SourceCounters before = opened.source->counters();
  CollectingSink sink(*opened.source, subject().truth);
  const std::vector<PageRequest> requests = everyPage(*opened.source, sink);
  opened.source->read(requests);
  sink.waitFor(*opened.source);
  const paging::SourceCounters after = opened.source->counters();
  QVERIFY(after.reads > before.reads);
  QVERIFY(after.reads - before.reads <= requests.size());
  QVERIFY(after.bytesRead - before.bytesRead >= requests.size());
}

void PageSourceContract::descriptorsTellOfCompletions() {
  Opened opened(subject());
  int descriptors[64];
  const int count = opened.source->pollDescriptors(descriptors, 64);
  QVERIFY(count >= 0 && count <= 64);
  QCOMPARE(opened.source->pollDescriptors(descriptors, 0), 0);
  CollectingSink sink(*opened.source, subject().truth);
  const PageRequest request = sink.request(0, 0);
  opened.source->read({&request, 1});
  while (sink.ended() == 0) {
    if (count == 0) {  // a thread of the source's delivers
      QTRY_COMPARE_WITH_TIMEOUT(sink.ended(), std::size_t{1}, 20000);
      break;
    }
    std::vector<pollfd> polled;
    for (int n = 0; n < count; ++n) polled.push_back({descriptors[n], POLLIN, 0});
    if (::poll(polled.data(), polled.size(), 20000) == 0 && sink.ended() == 0)
      QFAIL("nothing became readable");
    opened.source->reap();
  }
  COMPARE_NO_COMPLAINT(sink);
}

void PageSourceContract::truncatedFile() {
  if (!subject().openTruncated) QSKIP("not from a file");
  MemoryAccount account(kBudgetBytes);
  const std::unique_ptr<PageSource> source = subject().openTruncated(account);
  CollectingSink sink(*source, subject().truth);
  const std::vector<PageRequest> requests = everyPage(*source, sink);
  source->read(requests);
  sink.waitFor(*source);
  COMPARE_NO_COMPLAINT(sink);
  QVERIFY(!sink.errors().empty());
  // Of a file that is cut while it is open all pages may be refused, those that are still there because it has changed.
  std::size_t refused = 0;
  for (const auto& [tag, error] : sink.errors()) {
    std::string what;
    QVERIFY2(isOneOf(error, &what, isCorruptOrIo), what.c_str());
    if (what.find("has changed since it was opened") != std::string::npos) ++refused;
    const PageRequest& request = requests[tag];
    for (const std::string& part :
         {subject().fileName, source->description().arrays[request.array].name, std::string("page ")})
      QVERIFY2(what.find(part) != std::string::npos, what.c_str());
  }
  QVERIFY(sink.good() > 0 || refused > 0);
}

namespace {

class KeepOne final : public paging::PageSink {
 public:
  void arrived(std::uint64_t, const StoredPage& page) noexcept override {
    told = page.hasChecksum && paging::checksum(page.bytes) != page.checksum;
    ended = true;
  }
  void failed(std::uint64_t, std::exception_ptr error) noexcept override {
    std::string what;
    told = isOneOf(error, &what, isCorruptOrIo);
    ended = true;
  }
  std::atomic<bool> told{false}, ended{false};
};

}  // namespace

void PageSourceContract::flippedByte() {
  if (!subject().openFlipped) QSKIP("no checksums");
  MemoryAccount account(kBudgetBytes);
  const std::unique_ptr<PageSource> source = subject().openFlipped(account);
  KeepOne sink;
  const PageRequest request{.array = 0, .page = 0, .sink = &sink};
  source->read({&request, 1});
  paging::reapUntil(*source, [&] { return sink.ended.load(); });
  QVERIFY(sink.told);
}

}  // namespace farfield::test
