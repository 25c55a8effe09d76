#pragma once
// Looking into HDF5 files outside of this process (looker.h), where the program for it is installed. Some that have answered are kept for
// the next question; what was found of files that could be opened, and of those that could not, is kept for the readers that are asked one after
// the other whose a file is.

#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/paging/bytes/byte_object.h"
#include "plugins/hdf5/look_job.h"
#include "plugins/hdf5/looker.h"

namespace farfield::hdf5 {

/// Thread-safe.
class Outside {
 public:
  /// Processes of `program`; empty: there is none.
  explicit Outside(std::filesystem::path program) : m_program(std::move(program)) {}
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;
  /// Of programFor() this one. Lives until the end of the process, whatever its threads still do then.
  static Outside& ofThisProgram();
  /// The program that looks for `program`, which may have been replaced while it runs: beside it, or where it is installed for it; empty:
  /// nowhere.
  static std::filesystem::path programFor(std::filesystem::path program);

  /// The answer to `job`, of which the name and the generation are filled in; nothing where no other process can be had (whyNot()).
  /// Empty where it went elsewhere by `receipt`, whose function may hear of a second answer, when the first did not come. Throws what
  /// the other process threw; Corrupt where the library crashes on the file, does not end or takes too much memory; Io where the process
  /// was ended from outside; Cancelled when the calling thread's waits end (StoppableWaits).
  std::optional<std::string> look(LookJob job, const paging::ByteObject& object,
                                  const Looker::Receipt& receipt);
  std::optional<std::string> look(LookJob job, const paging::ByteObject& object) {
    return look(std::move(job), object, {});
  }
  /// Of a file that was looked at a moment ago it is what was found then. Null where no other process can be had. Throws as look().
  std::shared_ptr<const Head> head(const paging::ByteObject& object);

  /// Why this process must look into files itself; empty: another one does. Starts one to see it. Throws Cancelled.
  std::string whyNot();

 private:
  /// What was found of a file.
  struct Found {
    std::shared_ptr<const Head> head;            ///< null: not known
    std::shared_ptr<const LookFailure> failure;  ///< of whatever it is asked; null: none is known
  };
  struct Entry {
    std::string name;
    paging::Generation generation;
    Found found;
  };
  /// A process, and the file that it has open.
  struct Idle {
    std::unique_ptr<Looker> looker;
    std::string file;
  };
  struct Answer {
    std::string bytes;
    std::optional<LookFailure> failure;  ///< instead
    bool isOfFile = false;               ///< the failure, whatever is asked
  };

  std::unique_ptr<Looker> newLooker();
  std::unique_ptr<Looker> takeIdle(const std::string& file);
  void keepIdle(std::unique_ptr<Looker> looker, const std::string& file);
  std::optional<Answer> ask(const LookJob& job, const paging::ByteObject& object,
                            const Looker::Receipt& receipt);
  Found find(const paging::ByteObject& object);
  void keep(const paging::ByteObject& object, Found found);
  void cannot(const std::string& why, bool isForLong);

  const std::filesystem::path m_program;
  std::mutex m_mutex;
  std::list<Idle> m_idle;    ///< wait for the next file: latest first
  std::list<Entry> m_known;  ///< latest first
  std::string m_why;         ///< why none could be had last; empty: never asked, or one could
  bool m_isTold = false;
  LookLink::Clock::time_point m_nextTry{};  ///< before it none is started
};

}  // namespace farfield::hdf5
