// The hash table over frames and the memory of frames, against plain models.

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

#include "core/paging/cache/frame_memory.h"
#include "core/paging/cache/frame_table.h"

using namespace farfield::paging;

class TestFrameTable : public QObject {
  Q_OBJECT
 private slots:
  void agreesWithAMap();
  void slotsAreAtMostAnEighthLarger();
  void memoryNeverPassesItsLimit();
  void freedMemoryServesOtherSizes();
};

void TestFrameTable::agreesWithAMap() {
  FrameTable table;
  std::map<PageKey, std::uint32_t> model;
  std::vector<PageKey> keyOfFrame(4000, kNoPage);
  std::mt19937_64 random(7);
  const auto find = [&](PageKey key) {
    return table.find(key, [&](std::uint32_t frame) { return keyOfFrame[frame] == key; });
  };
  for (int n = 0; n < 200000; ++n) {
    const PageKey key = makeKey(static_cast<std::uint32_t>(random() % 5), random() % 1500);
    const auto known = model.find(key);
    if (known != model.end()) {
      QCOMPARE(find(key), known->second);
      if (random() % 2) {
        table.erase(key, known->second);
        keyOfFrame[known->second] = kNoPage;
        model.erase(known);
        QCOMPARE(find(key), FrameTable::kNone);
      }
      continue;
    }
    QCOMPARE(find(key), FrameTable::kNone);
    const auto frame = static_cast<std::uint32_t>(std::find(keyOfFrame.begin(), keyOfFrame.end(), kNoPage) -
                                                  keyOfFrame.begin());
    if (model.size() > 2500) continue;
    keyOfFrame[frame] = key;
    table.reserve(model.size() + 1);
    table.insert(key, frame);
    model[key] = frame;
  }
}

void TestFrameTable::slotsAreAtMostAnEighthLarger() {
  for (std::uint64_t bytes = 1; bytes < (64u << 20); bytes = bytes * 11 / 10 + 1) {
    const std::uint64_t slot = FrameMemory::slotBytes(bytes);
    QVERIFY(slot >= bytes && slot % 4096 == 0);
    QVERIFY(slot <= std::max<std::uint64_t>((bytes + 4095) / 4096 * 4096, bytes + bytes / 8 + 1));
  }
}

void TestFrameTable::memoryNeverPassesItsLimit() {
  FrameMemory memory(1 << 20, 1 << 20, 1 << 20);
  const std::uint64_t sizes[] = {4096, 12288, 81920, 20480};
  for (const std::uint64_t size : sizes) memory.prepare(size);
  std::vector<std::pair<std::byte*, std::uint64_t>> held;
  std::mt19937 random(3);
  std::uint64_t heldBytes = 0;
  for (int n = 0; n < 20000; ++n) {
    const std::uint64_t size = sizes[random() % 4];
    if (std::byte* const slot = memory.allocate(size)) {
      slot[0] = slot[size - 1] = std::byte{1};
      held.emplace_back(slot, size);
      heldBytes += size;
    } else {
      // Refused only when what is held, not what is kept, leaves no room.
      QVERIFY(heldBytes + size > (1 << 20));
      for (int freed = 0; freed < 5 && !held.empty(); ++freed) {
        const std::size_t at = random() % held.size();
        memory.free(held[at].first, held[at].second);
        heldBytes -= held[at].second;
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
    QVERIFY(memory.chargedBytes() <= (1 << 20));
  }
}

void TestFrameTable::freedMemoryServesOtherSizes() {
  FrameMemory memory(1 << 20, 1 << 20, 1 << 20);
  memory.prepare(4096);
  memory.prepare(1 << 19);
  std::vector<std::byte*> small;
  while (std::byte* const slot = memory.allocate(4096)) small.push_back(slot);
  QCOMPARE(small.size(), std::size_t{256});
  QVERIFY(!memory.allocate(1 << 19));
  for (std::byte* const slot : small) memory.free(slot, 4096);
  QVERIFY(memory.allocate(1 << 19));
  QVERIFY(memory.allocate(1 << 19));
  QVERIFY(!memory.allocate(1 << 19));
}

QTEST_APPLESS_MAIN(TestFrameTable)
#include "tst_frame_table.moc"
