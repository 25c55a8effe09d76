#pragma once
// A session's data, opened, with the objects that show them, and memory divided among them: shared by a run
// and its preview.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/fields/paged/paged_data.h"
#include "core/session/run/object_run.h"
#include "core/session/run/runner.h"

namespace farfield::session {

/// One data set of the session with the objects that show it.
struct DataRun {
  const DataSource* source = nullptr;
  std::unique_ptr<fields::OpenData> data;
  std::vector<std::unique_ptr<ObjectRun>> objects;
  std::unique_ptr<fields::PagedData> paged;
  /// Of functions by which objects are coloured over the range of the whole data: of all steps (RangeOf::Data), and of single ones of
  /// the data (RangeOf::Step).
  std::map<std::string, std::array<double, 2>> ranges;
  std::map<std::pair<std::string, std::int64_t>, std::array<double, 2>> rangesOfSteps;
  /// Nothing where it is not known.
  std::optional<std::array<double, 2>> rangeOf(const std::string& function, RangeOf which,
                                               std::int64_t step) const;
  /// Data that do not change in time are shown at every step.
  std::int64_t ownStep(std::int64_t step) const { return std::min(step, data->description().steps() - 1); }
};

/// Runs `work`; its errors get the object's name in front.
template <class Work>
void inObject(const Object& object, Work&& work) {
  try {
    work();
  } catch (Cancelled&) {
    throw;
  } catch (Error& error) {
    error.at("object " + object.name);
    throw;
  }
}

/// Throws what makes a session impossible for any data: objects that cannot be computed, unknown colour maps.
void requireShowable(const Session& session, const RunOptions& options);

/// Opens the data of all visible objects, without memory for their pages. The session, `options` and `account` outlive the
/// result. Throws OverBudget with the smallest budget that works, and what opening throws, with the name of the data or
/// object in front.
std::vector<DataRun> openSession(const Session& session, const fields::ReaderRegistry& readers,
                                 const RunOptions& options, MemoryAccount& account);
/// The ranges of the whole data over which objects are coloured in pictures of `steps`: by the index, or by reading the data, for
/// which all memory is free yet. Throws Cancelled, and what looking them up or reading throws.
void findRanges(std::vector<DataRun>& runs, const Session& session, std::span<const std::int64_t> steps,
                const fields::ReaderRegistry& readers, const RunOptions& options, MemoryAccount& account,
                const std::stop_token& stop);
/// Gives each of the data its share of the memory for pages. Throws OverBudget as openSession does.
void divideMemory(std::vector<DataRun>& runs, const Session& session, const fields::ReaderRegistry& readers,
                  const RunOptions& options, MemoryAccount& account);

/// The smallest budget, from `budgetBytes` on, with which openSession succeeds.
std::uint64_t smallestSessionBudget(const Session& session, const fields::ReaderRegistry& readers,
                                    const RunOptions& options, std::uint64_t budgetBytes);

/// Most steps of any data set; 1 if there is none.
std::int64_t stepsOf(const std::vector<DataRun>& runs);
/// Those that a session asks for. A step that is counted from the first one may be of any of its data, as in a window: where those that
/// are shown have fewer, the others are opened for a moment to count theirs. "All" and the last are those of what is shown. Throws as
/// TimeSelection::stepsOf.
std::vector<std::int64_t> chosenSteps(const std::vector<DataRun>& runs, const Session& session,
                                      const fields::ReaderRegistry& readers, MemoryAccount& account);

}  // namespace farfield::session
