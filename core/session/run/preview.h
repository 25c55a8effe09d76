#pragma once
// What a run would cost, without running it: the data are opened and memory is divided as in the run, pages
// of surfaces and outlines are looked up, and a few tasks of every object are tried, for a second or two in
// all. Nothing is written.
//
// Lines: which pages they touch is known only when they are traced, so some are: 1, 2, 4, … up to 256, spread
// evenly over all. How much more the last doubling read gives the bytes of all lines, at most all pages: good
// to a factor of two if lines are alike. Pages that lines share with other objects count twice.

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
  bool isLeast = false;        ///< not even one task ended in the time available: it costs more than this
  std::uint64_t bytes = 0;     ///< read for it alone, as stored, over all steps
  double cpuSeconds = 0;       ///< of all tasks, over all steps
};

struct RunPreview {
  std::uint64_t steps = 0;
  std::vector<ObjectPreview> objects;
  std::uint64_t bytesToRead = 0;   ///< for all objects; pages shared by surfaces and outlines count once
  std::uint64_t decodedBytes = 0;  ///< the same in memory
  std::uint64_t budgetBytes = 0, smallestBudgetBytes = 0;
  std::uint64_t frameBytes = 0;   ///< for decoded pages
  std::uint64_t memoryBytes = 0;  ///< expected use of the budget
  std::uint64_t rssBytes = 0;     ///< expected memory of the process, pictures included
  int processors = 0, tasksInFlight = 0;
  double openSeconds = 0;          ///< that opening the data took
  std::uint64_t requestBytes = 0;  ///< mean size of a read
  double readBytesPerSecond = 0;   ///< measured, past the system's cache; 0 if nothing is on a disk
  double seconds = 0;              ///< opening and computing, without writing files and drawing
  std::string boundBy;             ///< "compute", "disk" or "nothing"
  bool readsMoreThanOnce = false;  ///< the frames cannot hold all that is read
};

/// Throws what runSession throws before it computes, and what reading throws. Ignores `options.outputFolder`.
RunPreview previewSession(const Session& session, const fields::ReaderRegistry& readers,
                          const RunOptions& options, std::stop_token stop);

}  // namespace farfield::session
