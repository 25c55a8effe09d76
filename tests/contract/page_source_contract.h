#pragma once
// The one suite that every page source is held to (core/paging/pages/page_source.h has the contract). A test
// program makes a list of subjects, each of which says how to open one kind of source, and runs the suite
// over all of them; a source that needs a server brings it up in `open`.

#include <QObject>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/pages/page_source.h"

namespace farfield::test {

struct SourceSubject {
  using Open = std::function<std::unique_ptr<paging::PageSource>(MemoryAccount&)>;
  std::string name;  ///< shown in front of each result
  /// A new source each time, over at least some dozens of pages, with all its memory claimed from the
  /// account.
  Open open;
  /// The real nodes that a page must decode to; thread-safe.
  std::function<std::vector<std::byte>(const paging::DatasetDescription&, std::uint32_t array,
                                       std::uint64_t page)>
      truth;
  bool claimsMemory = true;     ///< fails with OverBudget under an account too small for a page
  bool endsInsideRead = false;  ///< every request has ended when read() returns
  /// Optional: the same data, of which the end is cut off: some pages, not all, must fail, as
  /// Corrupt or Io, naming `fileName`, array and page.
  Open openTruncated = {};
  std::string fileName = {};
  /// Optional: the same data, in which a byte of page 0 of array 0 was changed after it was written. The page
  /// is delivered with a checksum that tells (or the source itself fails it as Corrupt).
  Open openFlipped = {};
};

class PageSourceContract : public QObject {
  Q_OBJECT
 public:
  explicit PageSourceContract(std::vector<SourceSubject> subjects) : m_subjects(std::move(subjects)) {}

 private slots:
  void initTestCase_data();
  void describesItself();
  void everyPageIsTrue();
  void pagesOneByOne();
  void pagesOfEveryPriorityArrive();
  void withdrawnRequestsEndOnce();
  void duplicatesInOneBatch();
  void anEmptyBatchIsNothing();
  void pagesThatDoNotExist();
  void cancelEndsEveryRequestOnce();
  void cancelLeavesOthersAlone();
  void theDestructorEndsEverything();
  void theDestructorRefusesMore();
  void manyThreads();
  void readFromWithinArrived();
  void memoryIsClaimed();
  void tooSmallABudget();
  void countersCount();
  void descriptorsTellOfCompletions();
  void truncatedFile();
  void flippedByte();

 private:
  const SourceSubject& subject() const;
  std::vector<SourceSubject> m_subjects;
};

}  // namespace farfield::test
