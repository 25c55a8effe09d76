#pragma once
// The one suite that every back end of the byte layer is held to (core/paging/bytes/byte_object.h has the
// contract). A test program makes a list of subjects, each of which says how to open one kind of object, and
// runs the suite over all of them; a back end that needs a server brings it up in `open`.

#include <QObject>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/paging/bytes/read_engine.h"

namespace farfield::test {

struct ByteSubject {
  std::string name;  ///< shown in front of each result
  /// A new object with exactly these bytes.
  std::function<std::shared_ptr<const paging::ByteObject>(const std::vector<std::byte>& bytes)> open;
  paging::EngineOptions engine = {};
  /// Optional: puts another generation in place of what `open` gave last, of the same size where `sameSize`.
  std::function<void(bool sameSize)> change = {};
};

class ByteStoreContract : public QObject {
  Q_OBJECT
 public:
  explicit ByteStoreContract(std::vector<ByteSubject> subjects) : m_subjects(std::move(subjects)) {}

 private slots:
  void initTestCase_data();
  void readsWhatIsThere();
  void endsWithTheObject();
  void manyRangesAtOnce();
  void rangesBeyondTheEndFailAlone();
  void cancelEndsEveryRangeOnce();
  void closingEndsEverything();
  void aChangedObjectIsAnError();

 private:
  const ByteSubject& subject() const;
  std::vector<ByteSubject> m_subjects;
};

}  // namespace farfield::test
