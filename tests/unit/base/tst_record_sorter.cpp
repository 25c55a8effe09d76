// Sorting more records than memory holds: all come back once and in order, however many runs there are, and
// the memory in use stays near what was claimed.

#include <QTest>

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <random>

#include "core/base/record_sorter.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield;

namespace {

/// Bytes of the heap in use, and the most since it was set.
std::atomic<std::size_t> heapBytes{0}, mostBytes{0};

struct Record {
  std::uint64_t key = 0, number = 0;
  std::array<std::uint64_t, 6> rest{};
  bool operator<(const Record& other) const {
    return key != other.key ? key < other.key : number < other.number;
  }
};

}  // namespace

void* operator new(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (!memory) throw std::bad_alloc();
  const std::size_t now = heapBytes += malloc_usable_size(memory);
  if (now > mostBytes) mostBytes = now;
  return memory;
}
void operator delete(void* memory) noexcept {
  if (memory) heapBytes -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}

class TestRecordSorter : public QObject {
  Q_OBJECT
 private slots:
  void everyRecordOnceAndInOrder_data();
  void everyRecordOnceAndInOrder();
};

void TestRecordSorter::everyRecordOnceAndInOrder_data() {
  QTest::addColumn<int>("records");
  for (const int records : {0, 1, 511, 512, 513, 16 * 1024, 100'000}) QTest::addRow("%d", records) << records;
}

void TestRecordSorter::everyRecordOnceAndInOrder() {
  QFETCH(int, records);
  const test::TemporaryFolder folder;
  MemoryAccount account(1 << 20);
  const std::size_t before = heapBytes;
  mostBytes = before;
  {
    // the least memory: 512 records, so that the largest case has 196 runs, of which 32 are merged at a time
    RecordSorter<Record> sorter(0, account, folder.path());
    std::mt19937 random(7);
    for (int n = 0; n < records; ++n) sorter.add({random() % 1000, static_cast<std::uint64_t>(n), {}});
    QCOMPARE(sorter.count(), static_cast<std::uint64_t>(records));
    Record last;
    std::uint64_t visited = 0, sum = 0;
    bool ascending = true;
    sorter.forEach([&](const Record& record) {
      ascending = ascending && (visited == 0 || last < record);
      last = record;
      sum += record.number;
      ++visited;
    });
    QVERIFY(ascending);
    QCOMPARE(visited, static_cast<std::uint64_t>(records));
    QCOMPARE(sum,
             static_cast<std::uint64_t>(records) * static_cast<std::uint64_t>(std::max(records - 1, 0)) / 2);
  }
  QCOMPARE(account.usedBytes(), 0u);
  // lists of runs are not claimed
  QVERIFY2(mostBytes - before <= account.peakBytes() + 32 * 1024,
           qPrintable(QString("%1 of %2").arg(mostBytes - before).arg(account.peakBytes())));
}

QTEST_APPLESS_MAIN(TestRecordSorter)
#include "tst_record_sorter.moc"
