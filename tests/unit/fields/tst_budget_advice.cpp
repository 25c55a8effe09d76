// The advice of a budget that is too small: one number, and it is enough.

#include <QTest>

#include "core/fields/paged/budget_advice.h"

using namespace farfield;
using namespace farfield::fields;

namespace {

/// A job that gives a sixteenth of its budget to an index, needs `opening` for a moment, and `after` in the
/// end.
Rehearsal jobThatNeeds(std::uint64_t opening, std::uint64_t after) {
  return [=](MemoryAccount& account) {
    const MemoryClaim index = account.claim(Purpose::Index, account.budgetBytes() / 16, "index");
    account.claim(Purpose::Work, opening, "opening").release();
    return account.usedBytes() + after;
  };
}

}  // namespace

class TestBudgetAdvice : public QObject {
  Q_OBJECT
 private slots:
  void theSmallestBudgetIsEnoughAndNoMore_data();
  void theSmallestBudgetIsEnoughAndNoMore();
  void errorsGetTheAdvice();
  void errorsKeepTheirAdviceWhereThereIsNoBetter();
};

void TestBudgetAdvice::theSmallestBudgetIsEnoughAndNoMore_data() {
  QTest::addColumn<qulonglong>("from");
  QTest::addColumn<qulonglong>("opening");
  QTest::addColumn<qulonglong>("after");
  QTest::newRow("opening needs most") << 1024ull << 5'000'000ull << 100'000ull;
  QTest::newRow("what follows needs most") << 1024ull << 100'000ull << 5'000'000ull;
  QTest::newRow("from nothing") << 0ull << 10ull << 3000ull;
  QTest::newRow("from nearly enough") << 1'000'000ull << 10ull << 1'000'000ull;
}

void TestBudgetAdvice::theSmallestBudgetIsEnoughAndNoMore() {
  QFETCH(qulonglong, from);
  QFETCH(qulonglong, opening);
  QFETCH(qulonglong, after);
  const Rehearsal job = jobThatNeeds(opening, after);
  const auto isEnough = [&](std::uint64_t budget) {
    MemoryAccount account(budget, MemoryAccount::Mode::Counts);
    const std::uint64_t needed = job(account);
    return std::max(needed, account.peakBytes()) <= budget;
  };
  const std::uint64_t smallest = smallestBudget(from, job);
  QCOMPARE(smallest % 1024, std::uint64_t{0});
  QVERIFY(isEnough(smallest));
  QVERIFY(!isEnough(smallest - 1024));
  QCOMPARE(smallestBudget(smallest, job), smallest);
}

void TestBudgetAdvice::errorsGetTheAdvice() {
  const Rehearsal job = jobThatNeeds(0, 1'000'000);
  try {
    withBudgetAdvice(1024, job, [] { throw OverBudget("too small", "give 2K, or use smaller pages"); });
    QFAIL("nothing was thrown");
  } catch (const OverBudget& error) {
    QCOMPARE(error.action(), adviceToGive(smallestBudget(1024, job)) + ", or use smaller pages");
  }
  QCOMPARE(withBudgetAdvice(1024, job, [] { return 7; }), 7);
}

void TestBudgetAdvice::errorsKeepTheirAdviceWhereThereIsNoBetter() {
  const auto adviceAfter = [](std::uint64_t budget, const Rehearsal& job) {
    OverBudget error("too small", "its own advice");
    adviseBudget(error, budget, job);
    return error.action();
  };
  // Whatever was too small, it is not what the rehearsal knows of.
  QCOMPARE(adviceAfter(2'000'000, jobThatNeeds(0, 1'000'000)), std::string("its own advice"));
  QCOMPARE(adviceAfter(1024, [](MemoryAccount&) -> std::uint64_t { throw NotFound("gone"); }),
           std::string("its own advice"));
}

QTEST_APPLESS_MAIN(TestBudgetAdvice)
#include "tst_budget_advice.moc"
