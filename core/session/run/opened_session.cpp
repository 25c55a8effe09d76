#include "core/session/run/opened_session.h"

#include <algorithm>
#include <functional>

#include "core/base/error.h"
#include "core/base/log.h"
#include "core/fields/functions/variables_apart.h"
#include "core/fields/paged/budget_advice.h"
#include "core/fields/ranges/stored_range.h"
#include "core/fields/words/series_gaps.h"

namespace farfield::session {
namespace {

/// Kept free of frames, for reading results from the spool while they are written.
constexpr std::uint64_t kOutputBytes = 16 * 1024;

void requireColorMap(const Object& object, const Session& session, const RunOptions& options) {
  const auto& known = options.colorMaps;
  const auto* volume = std::get_if<Volume>(&object.shape);
  if (const auto* const slabs = std::get_if<Slabs>(&object.shape)) volume = &slabs->shown;
  const bool ofVolume = volume && volume->map;
  const scene::MapChoice& map = ofVolume ? *volume->map : object.color.map;
  if (!session.output.images || known.empty() || !map.points.empty()) return;
  if (object.color.by.empty() && !ofVolume) return;
  if (std::find(known.begin(), known.end(), map.name) != known.end()) return;
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  throw Invalid("there is no colour map '" + map.name + "'", "use one of: " + list)
      .at(ofVolume ? "transfer.color.map" : "color.map");
}

/// Says which steps a pattern of files lacks; throws NotFound where such steps are to stop the run.
void lookForGaps(const Session& session, const DataSource& source) {
  const auto option = source.options.find("badSteps");
  const bool stops = option != source.options.end() && textOf(option->second) == "stop";
  for (const auto* names : {&source.source, &source.solution}) {
    if (names->size() != 1) continue;  // a list says itself what there is
    const std::string name = session.resolve(names->front());
    for (const fields::SeriesGap& gap : fields::gapsIn(fields::expandPattern(name))) {
      const std::string step = "step " + std::to_string(gap.step);
      if (stops)
        throw NotFound(
            "no such file, and " + name + " finds those before and after it",
            "check that all steps are there, or leave such steps out with the option badSteps=skip")
            .at("file " + gap.file)
            .at(step);
      log::warning("data " + source.name + ": " + step + " is left out: no file " + gap.file);
    }
  }
}

/// The variables that the objects gather, and all that there are, of those of which each is an array.
std::array<std::size_t, 2> gatheredAlone(const DataRun& run) {
  const auto& arrays = run.data->description().arrays;
  std::array<std::size_t, 2> counts{0, 0};
  for (const paging::ArrayDescription& array : arrays) {
    if (array.block != arrays.front().block || array.isGrid()) continue;
    ++counts[1];
    counts[0] += std::any_of(run.objects.begin(), run.objects.end(), [&](const auto& object) {
      return std::find(object->arrays().begin(), object->arrays().end(), array.name) !=
             object->arrays().end();
    });
  }
  return counts;
}

/// Where all objects together need at most half of the variables that files keep apart, they read these alone. Where they need
/// more a page with all of them is fewer look-ups.
void takeApartWhereFew(DataRun& run, const std::function<void()>& makeObjects) {
  auto* const data = dynamic_cast<fields::VariablesApart*>(run.data.get());
  if (!data) return;
  run.objects.clear();
  if (data->takeApart()) {
    try {
      makeObjects();
      const auto [gathered, all] = gatheredAlone(run);
      if (2 * gathered <= all) return;
    } catch (const NotFound&) {
      // an array that is asked for as a whole
    }
    run.objects.clear();
    data->putTogether();
  }
  makeObjects();
}

/// Opens the data and makes their objects, without memory for pages.
std::vector<DataRun> openData(const Session& session, const fields::ReaderRegistry& readers,
                              const RunOptions& options, MemoryAccount& account) {
  std::vector<DataRun> runs;
  for (const DataSource& source : session.data) {
    DataRun run;
    run.source = &source;
    const auto shown = [&](const Object& object) { return object.visible && object.data == source.name; };
    if (std::none_of(session.objects.begin(), session.objects.end(), shown)) continue;
    try {
      lookForGaps(session, source);
      run.data = readers.open(requestOf(session, source), account);
    } catch (Error& error) {
      error.at("data " + source.name);
      throw;
    }
    const auto makeObjects = [&] {
      run.objects.clear();
      for (const Object& object : session.objects)
        if (shown(object))
          inObject(object, [&] { run.objects.push_back(options.makeRun(object, run.data->description())); });
    };
    makeObjects();
    takeApartWhereFew(run, makeObjects);
    runs.push_back(std::move(run));
  }
  return runs;
}

/// The range of `function` in all steps. Of data that have grown the last step that was read before is read again, which may not
/// have been whole then, and those before it are not.
std::optional<std::array<double, 2>> rangeByReading(const DataRun& run, const std::string& function,
                                                    const RunOptions& options, MemoryAccount& account) {
  const std::int64_t steps = run.data->description().steps();
  FoundRange none;
  FoundRange& found = options.foundRanges ? (*options.foundRanges)[{run.source->name, function}] : none;
  if (found.steps > steps) found = {};
  if (found.steps == steps) return found.range;
  const std::int64_t again = std::max<std::int64_t>(0, found.steps - 1);
  auto range = options.findRange(*run.data, function, StepSpan{again, steps - again}, account);
  if (range && found.range)
    range = {std::min((*range)[0], (*found.range)[0]), std::max((*range)[1], (*found.range)[1])};
  else if (!range)
    range = found.range;
  found = {steps, range};
  return range;
}

/// `left`: number of data sets among which the free memory is to be divided, this one included.
fields::PagedDataOptions pagingOptions(const DataRun& run, const RunOptions& options, std::size_t left) {
  fields::PagedDataOptions paging;
  paging.scheduler = options.scheduler;
  paging.processors = options.processors;
  paging.tasksPerProcessor = options.workersPerProcessor;
  paging.readers = options.readers;
  paging.engine = options.engine;
  paging.prefetch = options.prefetch;
  paging.keptBytes = kOutputBytes;
  paging.shareOfFree = 1.0 / static_cast<double>(left);
  for (const auto& object : run.objects) {
    paging.arrays.insert(paging.arrays.end(), object->arrays().begin(), object->arrays().end());
    paging.resultBytesPerTask = std::max(paging.resultBytesPerTask, object->taskBytes());
    paging.stepsAtATime = std::max(paging.stepsAtATime, object->stepsAtATime());
    paging.keptBytes += object->stateBytes();
  }
  return paging;
}

/// The budget with which openSession succeeds: every data set gets an equal share of what is left when all
/// are open.
fields::Rehearsal rehearsalOf(const Session& session, const fields::ReaderRegistry& readers,
                              const RunOptions& options) {
  return [&](MemoryAccount& account) {
    const std::vector<DataRun> runs = openData(session, readers, options, account);
    std::uint64_t largest = 0;
    for (const DataRun& run : runs)
      largest = std::max(
          largest, fields::PagedData::smallestFreeBytes(*run.data, pagingOptions(run, options, runs.size())));
    return account.usedBytes() + largest;
  };
}

}  // namespace

void requireShowable(const Session& session, const RunOptions& options) {
  for (const Object& object : session.objects)
    inObject(object, [&] {
      requireComputable(object);
      requireColorMap(object, session, options);
    });
}

std::optional<std::array<double, 2>> DataRun::rangeOf(const std::string& function, RangeOf which,
                                                      std::int64_t step) const {
  if (which == RangeOf::Step) {
    const auto found = rangesOfSteps.find({function, ownStep(step)});
    return found == rangesOfSteps.end() ? std::nullopt : std::optional(found->second);
  }
  const auto found = ranges.find(function);
  return found == ranges.end() ? std::nullopt : std::optional(found->second);
}

std::vector<DataRun> openSession(const Session& session, const fields::ReaderRegistry& readers,
                                 const RunOptions& options, MemoryAccount& account) {
  return fields::withBudgetAdvice(account.budgetBytes(), rehearsalOf(session, readers, options),
                                  [&] { return openData(session, readers, options, account); });
}

void findRanges(std::vector<DataRun>& runs, const Session& session, std::span<const std::int64_t> steps,
                const fields::ReaderRegistry& readers, const RunOptions& options, MemoryAccount& account,
                const std::stop_token& stop) {
  const auto findOfSteps = [&](DataRun& run, const std::string& function) {
    for (const std::int64_t step : steps) {
      const std::int64_t own = run.ownStep(step);
      if (run.rangesOfSteps.contains({function, own})) continue;
      auto range = fields::storedRangeOf(*run.data, function, own, stop);
      if (!range && options.findRange)
        range = options.findRange(*run.data, function, StepSpan{own, 1}, account);
      if (range) run.rangesOfSteps[{function, own}] = *range;
    }
  };
  const auto findFor = [&](DataRun& run, const ObjectRun& object) {
    const Coloring& color = object.object().color;
    // What is the object's own has the range of what is shown: the data know nothing of it.
    if (color.by.empty() || !isOfWholeData(color) || object.hasOwnColor()) return;
    const std::string function = object.item().scale.title;
    if (color.rangeOf == RangeOf::Step) return findOfSteps(run, function);
    if (run.ranges.contains(function)) return;
    auto range = fields::storedRangeOf(*run.data, function);
    if (!range && options.findRange) range = rangeByReading(run, function, options, account);
    if (range) run.ranges[function] = *range;
  };
  fields::withBudgetAdvice(account.budgetBytes(), rehearsalOf(session, readers, options), [&] {
    for (DataRun& run : runs)
      for (const auto& object : run.objects) inObject(object->object(), [&] { findFor(run, *object); });
  });
}

void divideMemory(std::vector<DataRun>& runs, const Session& session, const fields::ReaderRegistry& readers,
                  const RunOptions& options, MemoryAccount& account) {
  fields::withBudgetAdvice(account.budgetBytes(), rehearsalOf(session, readers, options), [&] {
    std::size_t left = runs.size();
    const auto cache = fields::sharedCache(account, options.processors, 0, options.pageTrace);
    for (DataRun& run : runs) {
      fields::PagedDataOptions paging = pagingOptions(run, options, left--);
      paging.cache = cache;
      run.paged = std::make_unique<fields::PagedData>(*run.data, account, paging);
    }
  });
}

std::uint64_t smallestSessionBudget(const Session& session, const fields::ReaderRegistry& readers,
                                    const RunOptions& options, std::uint64_t budgetBytes) {
  return fields::smallestBudget(budgetBytes, rehearsalOf(session, readers, options));
}

std::int64_t stepsOf(const std::vector<DataRun>& runs) {
  std::int64_t steps = 1;
  for (const DataRun& run : runs) steps = std::max(steps, run.data->description().steps());
  return steps;
}

std::vector<std::int64_t> chosenSteps(const std::vector<DataRun>& runs, const Session& session,
                                      const fields::ReaderRegistry& readers, MemoryAccount& account) {
  const std::int64_t wanted = std::max(session.time.steps.first, session.time.steps.last);
  std::int64_t steps = stepsOf(runs);
  for (const DataSource& source : session.data) {
    if (wanted < steps) break;
    if (std::any_of(runs.begin(), runs.end(), [&](const DataRun& run) { return run.source == &source; }))
      continue;
    try {
      steps = std::max(steps, readers.open(requestOf(session, source), account)->description().steps());
    } catch (const Cancelled&) {
      throw;
    } catch (const Error&) {
      // What is not shown stops no run: then these steps are not there.
    }
  }
  return session.time.stepsOf(steps);
}

}  // namespace farfield::session
