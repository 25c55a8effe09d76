#pragma once
// A process of the program farfield-hdf5, in which the HDF5 library looks into files instead of in this one: what is damaged makes it crash
// or go around in circles, and then it is that process that ends.

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/paging/bytes/byte_object.h"
#include "plugins/hdf5/look_job.h"
#include "plugins/hdf5/look_link.h"

namespace farfield::hdf5 {

/// Used by one thread at a time. The process ends with it.
class Looker {
 public:
  /// Throws Io if it cannot be started.
  explicit Looker(const std::filesystem::path& program);
  Looker(const Looker&) = delete;
  Looker& operator=(const Looker&) = delete;
  ~Looker();

  /// Waits until it has come up, once, before it is asked anything. Throws Io if what was started is not that program, is of another
  /// version of the project, or says nothing for so long; Cancelled.
  void greet(std::chrono::milliseconds most = kMostGreeting) const;
  static constexpr std::chrono::seconds kMostGreeting{10};

  struct Outcome {
    enum class End {
      Answered,  ///< `bytes` is the answer
      Failed,    ///< `bytes` is a LookFailure
      Crashed,   ///< the process has ended
      TookLong   ///< it was ended because its time was over
    };
    End end = End::Answered;
    std::string bytes;
    int signal = 0;  ///< of Crashed; 0: it said what it must not, or exited
  };
  /// Where an answer goes.
  struct Receipt {
    std::function<void(std::uint64_t)> beforeAnswer =
        {};                          ///< hears how many bytes it has; what it throws is thrown
    std::span<std::byte> into = {};  ///< of its length; empty: Outcome::bytes
  };
  /// Lets it look at `object`, whose bytes are read here. Ends with Cancelled when the calling thread's waits do (StoppableWaits). Throws
  /// what reading throws, Protocol. After anything but an answer it is not to be asked again.
  Outcome ask(const LookJob& job, const paging::ByteObject& object, const Receipt& receipt);
  Outcome ask(const LookJob& job, const paging::ByteObject& object) { return ask(job, object, Receipt()); }

 private:
  bool give(const paging::ByteObject& object, std::uint64_t offset, std::uint64_t bytes);
  /// By itself, or because it is not to be trusted any more.
  Outcome ended(bool byItself);
  /// Its status, once it has been waited for.
  int end();

  std::unique_ptr<LookLink> m_link;
  pid_t m_process = -1;
};

}  // namespace farfield::hdf5
