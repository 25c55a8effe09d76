#pragma once
// Of the workshop alone: data that a thread of its own opens.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "app/model/workshop/workshop.h"

namespace farfield::app {

struct Workshop::Opened {
  std::unique_ptr<fields::OpenData> data;  ///< null where there is a problem
  std::shared_ptr<const DataSummary> summary;
  std::optional<Problem> problem;
};

/// What nobody waits for any more goes on that thread, too.
struct Workshop::Opening {
  std::mutex mutex;
  std::condition_variable_any ended;
  bool isDone = false, isGivenUp = false;
  Opened opened;

  bool isOver() {
    const std::lock_guard lock(mutex);
    return isDone;
  }
  /// What there is; whatever comes later is not kept.
  Opened take() {
    const std::lock_guard lock(mutex);
    isGivenUp = true;
    return std::move(opened);
  }
};

/// Data that were opened once more, and have more steps, or are to be read again whatever they are.
struct Workshop::Grown {
  std::string key;
  Opened opened;  ///< without data where there was no memory beside the old ones
  bool isReadAgain = false;
};

}  // namespace farfield::app
