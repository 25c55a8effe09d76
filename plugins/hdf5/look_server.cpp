#include "plugins/hdf5/look_server.h"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory_account.h"
#include "plugins/hdf5/hdf5_records.h"
#include "plugins/hdf5/library_dataset.h"
#include "plugins/hdf5/look_job.h"
#include "plugins/hdf5/look_link.h"

namespace farfield::hdf5 {
namespace {

using Kind = LookMessage::Kind;

/// Its bytes are with who asks.
class AskedObject final : public paging::ByteObject {
 public:
  AskedObject(LookLink& link, const LookJob& job) : ByteObject(job.name, job.generation), m_link(link) {}

  std::size_t readSomeAt(std::uint64_t offset, std::span<std::byte> out, std::size_t) const override {
    const std::uint64_t from = std::min(offset, size());
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), size() - from));
    // where it could not be read, or nobody wants it any more, the other end goes
    if (!m_link.send({.kind = Kind::Read, .offset = from, .bytes = count}) ||
        !m_link.receive(out.first(count)))
      ::_exit(0);
    return count;
  }
  void checkUnchanged() const override {}

 private:
  LookLink& m_link;
};

/// Ends the process once it has worked for so long.
class Deadline {
 public:
  explicit Deadline(unsigned seconds) { set(seconds); }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  ~Deadline() { set(0); }

 private:
  static void set(unsigned seconds) {
    itimerval timer{};
    timer.it_value.tv_sec = seconds;
    ::setitimer(ITIMER_PROF, &timer, nullptr);
  }
};

class Server {
 public:
  explicit Server(int socket) : m_link(socket) {}

  void serve() {
    LookMessage message;
    std::string text;
    if (!m_link.send({.kind = Kind::Hello, .offset = kLookVersion})) return;
    while (m_link.receive(message) && message.kind == Kind::Job && m_link.receiveText(message.bytes, text)) {
      std::string answer;
      Kind kind = Kind::Answer;
      try {
        const LookJob job = decodedJob(text);
        const Deadline deadline(job.seconds);
        answer = look(job);
      } catch (...) {
        answer = encoded(LookFailure::current());
        kind = Kind::Failure;
      }
      if (!m_link.send(kind, answer)) return;
    }
  }

 private:
  /// Opened, unless it is the file of the last job.
  File& fileOf(const LookJob& job) {
    const bool isSame = m_file && !job.generation.tag.empty() && m_file->object()->name() == job.name &&
                        m_file->object()->generation() == job.generation;
    if (!isSame) {
      m_file.reset();
      m_file = std::make_unique<File>(std::make_shared<const AskedObject>(m_link, job),
                                      File::Looking::ThisProcess);
    }
    return *m_file;
  }

  LibraryDataset& datasetOf(const LookJob& job) {
    const LibraryLayout layout{job.object, job.dims, job.chunks, job.elementBytes};
    if (!m_dataset || !(m_dataset->layout() == layout)) {
      m_dataset.reset();
      m_dataset = std::make_unique<LibraryDataset>(m_file, layout);
    }
    return *m_dataset;
  }

  std::string placesOf(const LookJob& job) {
    std::vector<std::int64_t> numbers;
    for (const LibraryDataset::Place& its :
         datasetOf(job).places(job.first, job.first + static_cast<std::int64_t>(job.most)))
      numbers.insert(numbers.end(), {static_cast<std::int64_t>(its.offset),
                                     static_cast<std::int64_t>(its.bytes), its.skipped});
    return encoded(numbers);
  }

  std::string valuesOf(const LookJob& job) {
    const LibraryDataset& dataset = datasetOf(job);
    std::string bytes(static_cast<std::size_t>(dataset.chunkBytes()), '\0');
    dataset.read(job.first, std::as_writable_bytes(std::span(bytes)));
    return bytes;
  }

  std::string look(const LookJob& job) {
    File& file = fileOf(job);
    switch (job.kind) {
      case LookKind::Head:
        return encoded(headOf(file));
      case LookKind::Has:
        return encoded(file.has(job.object.c_str()));
      case LookKind::Contents:
        return encoded(contentsHere(file));
      case LookKind::Records: {
        // who asks claims the memory
        MemoryAccount account(std::numeric_limits<std::int64_t>::max());
        return encoded(recordsOf(file, job.object, job.members, job.most, account));
      }
      case LookKind::Record:
        return encoded(recordOf(file, job.object, job.attribute, job.members));
      case LookKind::Places:
        return placesOf(job);
      case LookKind::Values:
        return valuesOf(job);
    }
    throw Invalid("there is no such job");
  }

  LookLink m_link;
  std::shared_ptr<File> m_file;
  std::unique_ptr<LibraryDataset> m_dataset;  ///< of the file, asked last
};

}  // namespace

void serveLooks(int socket) {
  Server(socket).serve();
}

}  // namespace farfield::hdf5
