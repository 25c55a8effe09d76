// The contract of the byte layer's back ends: files by io_uring and by threads, memory, and a scripted object
// that is slow and answers in any order.

#include <QTest>
#include <thread>

#include "core/base/file.h"
#include "core/paging/bytes/byte_object.h"
#include "tests/contract/byte_store_contract.h"
#include "tests/support/memory_object.h"
#include "tests/support/temporary_folder.h"

namespace farfield::test {
namespace {

using namespace paging;

ByteSubject fileSubject(const std::string& name, const TemporaryFolder& folder, const EngineOptions& engine) {
  const std::filesystem::path path = folder / name;
  return {.name = name,
          .open =
              [path](const std::vector<std::byte>& bytes) {
                NewFile file(path);
                file.write(std::span<const std::byte>(bytes));
                file.commit();
                return ByteStores().open("file://" + path.string());
              },
          .engine = engine,
          .change =
              [path](bool sameSize) {
                File file = File::openForWriting(path, false);
                file.writeAt(0, std::vector<std::byte>(1));
                if (!sameSize) file.resize(file.size() / 2);
              }};
}

/// Takes its time, a different one for each read.
class SlowObject final : public ByteObject {
 public:
  explicit SlowObject(std::shared_ptr<const ByteObject> inner)
      : ByteObject(inner->name(), inner->generation()), m_inner(std::move(inner)) {}
  using ByteObject::readSomeAt;
  std::size_t readSomeAt(std::uint64_t offset, std::span<std::byte> out, std::size_t enough) const override {
    std::this_thread::sleep_for(std::chrono::microseconds(offset * 2654435761u % 300));
    return m_inner->readSomeAt(offset, out, enough);
  }
  void checkUnchanged() const override { m_inner->checkUnchanged(); }

 private:
  std::shared_ptr<const ByteObject> m_inner;
};

ByteSubject memorySubject(const std::string& name, bool slow) {
  const auto last = std::make_shared<std::shared_ptr<MemoryObject>>();
  return {.name = name,
          .open = [last, slow](const std::vector<std::byte>& bytes) -> std::shared_ptr<const ByteObject> {
            *last = std::make_shared<MemoryObject>(bytes);
            if (slow) return std::make_shared<SlowObject>(*last);
            return *last;
          },
          .engine = {.readers = 5},
          .change = [last](bool) { (*last)->change(); }};
}

}  // namespace
}  // namespace farfield::test

int main(int argc, char** argv) {
  using namespace farfield::test;
  using farfield::paging::EngineKind;
  const TemporaryFolder folder;
  std::vector<ByteSubject> subjects = {
      fileSubject("threads", folder, {.kind = EngineKind::Threads, .readers = 3}),
      memorySubject("memory", false), memorySubject("scripted", true)};
  if (farfield::paging::whyNoUring().empty())
    subjects.push_back(fileSubject("uring", folder, {.kind = EngineKind::Uring, .depth = 8, .rings = 2}));
  ByteStoreContract suite(std::move(subjects));
  return QTest::qExec(&suite, argc, argv);
}
