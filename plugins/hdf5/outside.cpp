#include "plugins/hdf5/outside.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <filesystem>
#include <list>
#include <mutex>
#include <utility>

#include "core/base/error.h"
#include "plugins/hdf5/looker.h"

namespace farfield::hdf5 {
namespace {

using End = Looker::Outcome::End;
constexpr const char* kProgram = "farfield-hdf5";
/// A process that has answered so much has more memory than one that starts.
constexpr std::uint64_t kMostKept = 4 << 20;
constexpr std::size_t kMostKnown = 32, kMostNames = 1000;

/// Beside this program, or where it is installed for it; empty: nowhere.
std::filesystem::path findProgram() {
  std::error_code problem;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", problem);
  if (problem) return {};
  for (const std::filesystem::path& folder :
       {own.parent_path(), own.parent_path().parent_path() / FARFIELD_LIBEXEC / own.filename()})
    if (::access((folder / kProgram).c_str(), X_OK) == 0) return folder / kProgram;
  return {};
}

/// Processes that wait for the next file: one, however many there were at a time.
class Idle {
 public:
  std::unique_ptr<Looker> take() {
    const std::lock_guard lock(m_mutex);
    return std::move(m_looker);
  }
  void keep(std::unique_ptr<Looker> looker) {
    const std::lock_guard lock(m_mutex);
    std::swap(m_looker, looker);  // the other one ends without the mutex
  }

 private:
  std::mutex m_mutex;
  std::unique_ptr<Looker> m_looker;
};

/// The library fails on the file, whatever it is asked.
struct LibraryFails : Corrupt {
  using Corrupt::Corrupt;
};

/// What was found of the files that were looked at last.
class Known {
 public:
  struct Found {
    std::shared_ptr<const Head> head;            ///< null: not known
    std::shared_ptr<const LibraryFails> damage;  ///< null: none is known
  };

  Found find(const paging::ByteObject& object) {
    const std::lock_guard lock(m_mutex);
    for (const Entry& its : m_entries)
      if (its.name == object.name() && its.generation == object.generation()) return its.found;
    return {};
  }
  void keep(const paging::ByteObject& object, Found found) {
    // what says nothing of itself may be another one next time
    if (object.generation().tag.empty() || (found.head && found.head->names.size() > kMostNames)) return;
    const std::lock_guard lock(m_mutex);
    m_entries.push_front({object.name(), object.generation(), std::move(found)});
    if (m_entries.size() > kMostKnown) m_entries.pop_back();
  }

 private:
  struct Entry {
    std::string name;
    paging::Generation generation;
    Found found;
  };
  std::mutex m_mutex;
  std::list<Entry> m_entries;  ///< latest first
};

/// Live until the end of the program, whatever its threads still do then.
Idle& idle() {
  static auto& s_idle = *new Idle;
  return s_idle;
}
Known& known() {
  static auto& s_known = *new Known;
  return s_known;
}

LibraryFails damaged(const Looker::Outcome& outcome, unsigned seconds) {
  std::string why = "crashes on it";
  if (outcome.end == End::TookLong)
    why = "has not come to an end with it in " + std::to_string(seconds) + " s";
  else if (const char* const name = outcome.signal > 0 ? ::sigabbrev_np(outcome.signal) : nullptr)
    why += " (SIG" + std::string(name) + ")";
  return LibraryFails("is a damaged HDF5 file: the HDF5 library " + why,
                      "check that the copy is complete, or write it again");
}

/// Null where none can be had.
std::unique_ptr<Looker> newLooker() {
  static const std::filesystem::path s_program = findProgram();
  if (s_program.empty()) return nullptr;
  try {
    auto looker = std::make_unique<Looker>(s_program);
    looker->greet();
    return looker;
  } catch (const Io&) {
    return nullptr;
  }
}

/// Throws LibraryFails.
std::optional<std::string> ask(const LookJob& job, const paging::ByteObject& object,
                               const std::function<void(std::uint64_t)>& beforeAnswer) {
  for (bool again = false;; again = true) {
    // of the files before this one something may be left in a process that was there: only a new one counts
    std::unique_ptr<Looker> looker = again ? nullptr : idle().take();
    const bool isNew = !looker;
    if (isNew) looker = newLooker();
    if (!looker) return std::nullopt;
    Looker::Outcome outcome = looker->ask(job, object, beforeAnswer);
    switch (outcome.end) {
      case End::Answered:
        if (outcome.bytes.size() <= kMostKept) idle().keep(std::move(looker));
        return std::move(outcome.bytes);
      case End::Failed:
        decodedFailure(outcome.bytes).raise();
      case End::TookLong:
        throw damaged(outcome, job.seconds);
      case End::Crashed:
        break;
    }
    if (isNew && outcome.signal != SIGKILL) throw damaged(outcome, job.seconds);
    if (isNew && again)
      throw Io("what looks into HDF5 files was ended while it looked at it, perhaps for want of memory",
               "try again");
  }
}

}  // namespace

std::optional<std::string> lookOutside(LookJob job, const paging::ByteObject& object,
                                       const std::function<void(std::uint64_t)>& beforeAnswer) {
  if (const auto damage = known().find(object).damage) throw LibraryFails(*damage);
  job.name = object.name();
  job.generation = object.generation();
  try {
    return ask(job, object, beforeAnswer);
  } catch (const LibraryFails& error) {
    known().keep(object, {nullptr, std::make_shared<const LibraryFails>(error)});
    throw;
  }
}

std::shared_ptr<const Head> headOutside(const paging::ByteObject& object) {
  if (auto head = known().find(object).head) return head;
  const auto bytes = lookOutside(LookJob(LookKind::Head), object);
  if (!bytes) return nullptr;
  auto head = std::make_shared<const Head>(decodedHead(*bytes));
  known().keep(object, {head, nullptr});
  return head;
}

}  // namespace farfield::hdf5
