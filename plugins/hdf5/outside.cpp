#include "plugins/hdf5/outside.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/error.h"
#include "core/base/log.h"

namespace farfield::hdf5 {
namespace {

using End = Looker::Outcome::End;
constexpr const char* kProgram = "farfield-hdf5";
/// What Linux adds to the name of a running program that was replaced.
constexpr std::string_view kDeleted = " (deleted)";
/// A process that has answered so much has more memory than one that starts.
constexpr std::uint64_t kMostKept = 4 << 20;
constexpr std::size_t kMostKnown = 32;
/// Of files whose values only the library reads, one after the other.
constexpr std::size_t kMostIdle = 4;
/// A program that is none for this one is not tried for each file.
constexpr std::chrono::minutes kBetweenTries{1};

LookFailure damaged(const Looker::Outcome& outcome, unsigned seconds) {
  std::string why = "crashes on it";
  if (outcome.end == End::TookLong)
    why = "has not come to an end with it in " + std::to_string(seconds) + " s";
  else if (const char* const name = outcome.signal > 0 ? ::sigabbrev_np(outcome.signal) : nullptr)
    why += " (SIG" + std::string(name) + ")";
  return {LookFailure::Kind::Corrupt,
          {},
          "is a damaged HDF5 file: the HDF5 library " + why,
          "check that the copy is complete, or write it again"};
}

}  // namespace

std::filesystem::path Outside::programFor(std::filesystem::path program) {
  std::error_code none;
  if (const std::string& name = program.native();
      name.ends_with(kDeleted) && !std::filesystem::exists(program, none))
    program = name.substr(0, name.size() - kDeleted.size());
  for (const std::filesystem::path& folder :
       {program.parent_path(), program.parent_path().parent_path() / FARFIELD_LIBEXEC / program.filename()})
    if (::access((folder / kProgram).c_str(), X_OK) == 0) return folder / kProgram;
  return {};
}

Outside& Outside::ofThisProgram() {
  static auto& s_outside = *new Outside([] {
    std::error_code problem;
    const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", problem);
    return problem ? std::filesystem::path() : programFor(own);
  }());
  return s_outside;
}

/// One that has the file open, or the latest.
std::unique_ptr<Looker> Outside::takeIdle(const std::string& file) {
  const std::lock_guard lock(m_mutex);
  if (m_idle.empty()) return nullptr;
  auto found = std::find_if(m_idle.begin(), m_idle.end(), [&](const Idle& its) { return its.file == file; });
  if (found == m_idle.end()) found = m_idle.begin();
  std::unique_ptr<Looker> looker = std::move(found->looker);
  m_idle.erase(found);
  return looker;
}

void Outside::keepIdle(std::unique_ptr<Looker> looker, const std::string& file) {
  std::list<Idle> more;  // end without the mutex
  const std::lock_guard lock(m_mutex);
  m_idle.push_front({std::move(looker), file});
  if (m_idle.size() > kMostIdle) more.splice(more.begin(), m_idle, std::prev(m_idle.end()));
}

/// Said once: it is no error, but what a damaged file does is another thing then.
void Outside::cannot(const std::string& why, bool isForLong) {
  const std::lock_guard lock(m_mutex);
  m_why = why;
  if (isForLong) m_nextTry = LookLink::Clock::now() + kBetweenTries;
  if (!std::exchange(m_isTold, true))
    log::detail("HDF5 files are opened in this process, which a damaged one may end: " + why);
}

/// Null where none can be had.
std::unique_ptr<Looker> Outside::newLooker() {
  {
    const std::lock_guard lock(m_mutex);
    if (LookLink::Clock::now() < m_nextTry) return nullptr;
  }
  if (m_program.empty()) {
    cannot("the program " + std::string(kProgram) + " is not there; install it again", false);
    return nullptr;
  }
  std::unique_ptr<Looker> looker;
  try {
    looker = std::make_unique<Looker>(m_program);
  } catch (const Io& error) {  // for want of what may be there the next time
    cannot(error.what(), false);
    return nullptr;
  }
  try {
    looker->greet();
  } catch (Io& error) {
    cannot(error.at("file " + m_program.string()).what(), true);
    return nullptr;
  }
  const std::lock_guard lock(m_mutex);
  m_why.clear();
  return looker;
}

std::string Outside::whyNot() {
  std::unique_ptr<Looker> looker = takeIdle({});
  if (!looker) looker = newLooker();
  if (looker) {
    keepIdle(std::move(looker), {});
    return {};
  }
  const std::lock_guard lock(m_mutex);
  return m_why;
}

Outside::Found Outside::find(const paging::ByteObject& object) {
  const std::lock_guard lock(m_mutex);
  for (const Entry& its : m_known)
    if (its.name == object.name() && its.generation == object.generation()) return its.found;
  return {};
}

void Outside::keep(const paging::ByteObject& object, Found found) {
  // what says nothing of itself may be another one next time
  if (object.generation().tag.empty()) return;
  const std::lock_guard lock(m_mutex);
  m_known.push_front({object.name(), object.generation(), std::move(found)});
  if (m_known.size() > kMostKnown) m_known.pop_back();
}

std::optional<Outside::Answer> Outside::ask(const LookJob& job, const paging::ByteObject& object,
                                            const Looker::Receipt& receipt) {
  for (bool again = false;; again = true) {
    // of the files before this one something may be left in a process that was there: only a new one counts
    std::unique_ptr<Looker> looker = again ? nullptr : takeIdle(object.name());
    const bool isNew = !looker;
    if (isNew) looker = newLooker();
    if (!looker) return std::nullopt;
    Looker::Outcome outcome = looker->ask(job, object, receipt);
    if (outcome.end == End::Answered) {
      if (outcome.bytes.size() <= kMostKept) keepIdle(std::move(looker), object.name());
      return Answer{std::move(outcome.bytes), std::nullopt, false};
    }
    if (outcome.end == End::Failed) {
      LookFailure failure = decodedFailure(outcome.bytes);
      const bool tookAll = failure.kind == LookFailure::Kind::NoMemory;
      if (isNew || !tookAll) return Answer{{}, std::move(failure), tookAll};
      continue;
    }
    if (outcome.signal == SIGKILL) {
      if (isNew && again)
        throw Io("what looks into HDF5 files was ended while it looked at it, perhaps for want of memory",
                 "try again");
    } else if (isNew) {
      return Answer{{}, damaged(outcome, job.seconds), true};
    }
  }
}

std::optional<std::string> Outside::look(LookJob job, const paging::ByteObject& object,
                                         const Looker::Receipt& receipt) {
  if (const auto failure = find(object).failure) failure->raise();
  job.name = object.name();
  job.generation = object.generation();
  std::optional<Answer> answer = ask(job, object, receipt);
  if (!answer) return std::nullopt;
  if (!answer->failure) return std::move(answer->bytes);
  // of what cannot be opened nothing can be asked
  if (answer->isOfFile || job.kind == LookKind::Head)
    keep(object, {nullptr, std::make_shared<const LookFailure>(*answer->failure)});
  answer->failure->raise();
}

std::shared_ptr<const Head> Outside::head(const paging::ByteObject& object) {
  if (auto head = find(object).head) return head;
  const auto bytes = look(LookJob(LookKind::Head), object);
  if (!bytes) return nullptr;
  auto head = std::make_shared<const Head>(decodedHead(*bytes));
  keep(object, {head, nullptr});
  return head;
}

}  // namespace farfield::hdf5
