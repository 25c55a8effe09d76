#pragma once
// What a run would cost, found out without running it: the data are opened and memory is shared out as the
// run would do it, pages of surfaces and outlines are looked up, and of every object a few tasks are tried,
// for a second or two in all. Nothing is written.
//
// Lines. Which pages they touch shows only on the way, so some are traced: 1, 2, 4, … up to 256, spread
// evenly over all. From how much more the last doubling read follows what all lines read, never beyond all
// pages there are: good to a factor of two where lines are alike. Pages that lines share with other objects
// count twice.

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/session/run/runner.h"

namespace farfield::session {

struct ObjectPreview {
  std::string name, type;
  TaskName taskName{};         ///< what its tasks are called
  std::uint64_t tasks = 0;     ///< lines, patches or edges, of one step
  std::uint64_t tried = 0;     ///< of them
  bool pagesAreKnown = false;  ///< looked up; else estimated from those tried
  bool isLeast = false;        ///< not even one task ended in the time there was: it costs more than this
  std::uint64_t bytes = 0;     ///< to be read for it alone, as stored, over all steps
  double cpuSeconds = 0;       ///< of all tasks, over all steps
};

struct RunPreview {
  std::uint64_t steps = 0;
  std::vector<ObjectPreview> objects;
  std::uint64_t bytesToRead = 0;   ///< of all objects; pages that surfaces and outlines share once
  std::uint64_t decodedBytes = 0;  ///< the same in memory
  std::uint64_t budgetBytes = 0, smallestBudgetBytes = 0;
  std::uint64_t frameBytes = 0;   ///< for decoded pages
  std::uint64_t memoryBytes = 0;  ///< expected use of the budget
  std::uint64_t rssBytes = 0;     ///< expected memory of the process, pictures included
  int processors = 0, tasksInFlight = 0;
  double openSeconds = 0;          ///< that opening the data took
  std::uint64_t requestBytes = 0;  ///< mean size of a read
  double readBytesPerSecond = 0;   ///< measured, past the page cache; 0 where nothing lies on a disk
  double seconds = 0;              ///< opening and computing; writing files and drawing come on top
  std::string boundBy;             ///< "compute", "disk" or "nothing"
  bool readsMoreThanOnce = false;  ///< not all that is read fits the frames
};

/// Throws what runSession throws before it computes, and what reading throws. `options.outputFolder` is not
/// looked at.
RunPreview previewSession(const Session& session, const fields::ReaderRegistry& readers,
                          const RunOptions& options, std::stop_token stop);

}  // namespace farfield::session
