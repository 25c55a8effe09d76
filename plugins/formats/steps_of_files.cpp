#include "plugins/formats/steps_of_files.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/units.h"
#include "core/base/url.h"
#include "core/fields/functions/forwarded_data.h"

namespace farfield::formats {
namespace {

constexpr const char* kOption = fields::BadSteps::kOption;
constexpr const char* kPieces =
    "open pieces of one grid, which are no steps, one by one or by the file that lists them";
constexpr const char* kSkip = "leave such steps out with the option badSteps=skip";

std::string stepName(std::size_t step) {
  return "step " + std::to_string(step);
}

/// The request for one of its files.
fields::OpenRequest aloneOf(const fields::OpenRequest& request, std::size_t file) {
  fields::OpenRequest alone = request;
  alone.sources = {request.sources[file]};
  return alone;
}

std::string dimsText(const Index3& dims) {
  return std::to_string(dims[0]) + " x " + std::to_string(dims[1]) + " x " + std::to_string(dims[2]);
}

/// What makes `now` a step of another series than `first`; empty where nothing does. Grids that readers let change from step to step may
/// differ.
std::string differenceOf(const paging::DatasetDescription& first, const paging::DatasetDescription& now) {
  const auto isFixed = [](const paging::DatasetDescription& data) {
    return !data.attributes.contains("amr") &&
           std::none_of(data.blocks.begin(), data.blocks.end(),
                        [](const paging::BlockDescription& block) { return block.isUnstructured(); });
  };
  const auto variablesOf = [](const paging::DatasetDescription& data) {
    std::vector<std::string> names;
    for (const paging::ArrayDescription& array : data.arrays)
      if (array.block == 0 && !array.isGrid()) names.push_back(array.name);
    std::sort(names.begin(), names.end());
    return names;
  };
  if (isFixed(first) && isFixed(now)) {
    if (first.blocks.size() != now.blocks.size())
      return "has " + std::to_string(now.blocks.size()) + " blocks where the first step has " +
             std::to_string(first.blocks.size());
    for (std::size_t b = 0; b < first.blocks.size(); ++b)
      if (first.blocks[b].dims != now.blocks[b].dims)
        return "has " + dimsText(now.blocks[b].dims) + " nodes where the first step has " +
               dimsText(first.blocks[b].dims);
  }
  if (variablesOf(first) != variablesOf(now)) return "has other variables than the first step";
  return {};
}

/// As pieces of one grid do, whose names are numbered like those of steps.
bool differsInSize(const paging::DatasetDescription& first, const paging::DatasetDescription& now) {
  return first.blocks.size() == now.blocks.size() &&
         !std::equal(first.blocks.begin(), first.blocks.end(), now.blocks.begin(),
                     [](const auto& a, const auto& b) { return a.dims == b.dims; });
}

/// Says which steps are not among its data, and why.
class DataWithoutSteps final : public fields::ForwardedData {
 public:
  DataWithoutSteps(std::unique_ptr<fields::OpenData> data, std::vector<std::string> leftOut)
      : ForwardedData(std::move(data)), m_leftOut(std::move(leftOut)) {}
  std::unique_ptr<fields::OpenData> openLevel(int level, MemoryAccount& account) const override {
    auto coarse = behind().openLevel(level, account);
    return coarse ? std::make_unique<DataWithoutSteps>(std::move(coarse), m_leftOut) : nullptr;
  }
  std::vector<std::string> explanation() const override {
    std::vector<std::string> lines = behind().explanation();
    lines.insert(lines.end(), m_leftOut.begin(), m_leftOut.end());
    return lines;
  }

 private:
  const std::vector<std::string> m_leftOut;
};

struct Seen {
  std::size_t file = 0;
  std::size_t step = 0;  ///< of its first step, among all
  std::vector<double> times;
};

/// Whether times say anything: files that know none all begin at the same.
bool sayNothing(const std::vector<Seen>& all) {
  return std::adjacent_find(all.begin(), all.end(), [](const Seen& a, const Seen& b) {
           return a.times.front() < b.times.front();
         }) == all.end();
}

}  // namespace

bool StepsOfFiles::takes(const fields::OpenRequest& request) const {
  fields::OpenRequest its = request;
  its.options.erase(kOption);
  return m_inner->takes(its);
}

/// Opens each file alone, and the good ones once more together.
std::unique_ptr<fields::OpenData> StepsOfFiles::openGood(const fields::OpenRequest& request,
                                                         const fields::BadSteps& bad,
                                                         MemoryAccount& account) const {
  std::vector<Seen> good;
  std::optional<paging::DatasetDescription> first;
  std::size_t steps = 0;
  std::vector<std::string> leftOut;
  const auto leaveOut = [&](std::size_t step, const std::string& why) {
    leftOut.push_back(stepName(step) + " is left out: " + why);
    log::warning(leftOut.back());
  };
  for (std::size_t n = 0; n < request.sources.size(); ++n) try {
      const auto alone = m_inner->open(aloneOf(request, n), account);
      const paging::DatasetDescription& its = alone->description();
      if (const std::string difference = first ? differenceOf(*first, its) : ""; !difference.empty())
        throw Invalid(difference).at(saidOf(request.sources[n]));
      if (bad.names(steps)) {
        leaveOut(steps, fields::BadSteps::kWhyNamed);
        steps += its.times.size();
        continue;
      }
      if (!first) first = its;
      good.push_back({n, steps, its.times});
      steps += its.times.size();
    } catch (const Cancelled&) {
      throw;
    } catch (const OverBudget&) {
      throw;
    } catch (Error& error) {
      const bool isNamed = bad.names(steps);
      if (!bad.skipped && !isNamed) {
        error.at(stepName(steps)).advise(fields::BadSteps::kNameAsWell);
        throw;
      }
      leaveOut(steps++, isNamed ? fields::BadSteps::kWhyNamed : error.what());
    }
  if (good.empty())
    throw Invalid("no step is good", "leave out badSteps=skip to see what is wrong with the first");
  if (!sayNothing(good)) {
    double last = good.front().times.back();
    std::erase_if(good, [&](const Seen& its) {
      if (&its == &good.front()) return false;
      if (its.times.front() > last) {
        last = its.times.back();
        return false;
      }
      const std::string isAt =
          "is at the time " + formatNumber(its.times.front()) + ", not after the step before it";
      if (!bad.skipped)
        throw Invalid(isAt, fields::BadSteps::kNameAsWell)
            .at(saidOf(request.sources[its.file]))
            .at(stepName(its.step));
      leaveOut(its.step, saidOf(request.sources[its.file]) + ": " + isAt);
      return true;
    });
  }
  fields::OpenRequest all = request;
  all.sources.clear();
  for (const Seen& its : good) all.sources.push_back(request.sources[its.file]);
  auto data = m_inner->open(all, account);
  if (leftOut.empty()) return data;
  return std::make_unique<DataWithoutSteps>(std::move(data), std::move(leftOut));
}

/// Throws what is wrong with the first file that is bad by itself, or is no step of the series that the first one begins; where all are
/// good, and times say anything, with the first that is not later than the one before it.
void StepsOfFiles::nameTheBad(const fields::OpenRequest& request, MemoryAccount& account) const {
  std::optional<paging::DatasetDescription> first;
  std::optional<double> last;
  std::size_t step = 0;
  for (std::size_t n = 0; n < request.sources.size(); ++n) try {
      const auto alone = m_inner->open(aloneOf(request, n), account);
      if (const std::string difference = first ? differenceOf(*first, alone->description()) : "";
          !difference.empty())
        throw Invalid(difference, differsInSize(*first, alone->description()) ? kPieces : "")
            .at(saidOf(request.sources[n]));
      const std::vector<double>& times = alone->description().times;
      // Files that know no time all begin at the same.
      if (last && n == 1 && times.front() == first->times.front()) last.reset();
      if (last && times.front() <= *last)
        throw Invalid("is at the time " + formatNumber(times.front()) + ", not after the step before it at " +
                          formatNumber(*last),
                      "give the files in the order of time")
            .at(saidOf(request.sources[n]));
      if (n == 0 || last) last = times.back();
      if (!first) first = alone->description();
      step += times.size();
    } catch (const Cancelled&) {
      throw;
    } catch (const OverBudget&) {
      throw;
    } catch (Error& error) {
      error.at(stepName(step)).advise(error.action().empty() ? kSkip : error.action() + ", or " + kSkip);
      throw;
    }
}

/// Whether the first two files are of different times: otherwise they know none.
bool StepsOfFiles::timesDiffer(const fields::OpenRequest& request, MemoryAccount& account) const {
  const double first = m_inner->open(aloneOf(request, 0), account)->description().times.front();
  return m_inner->open(aloneOf(request, 1), account)->description().times.front() != first;
}

std::unique_ptr<fields::OpenData> StepsOfFiles::open(const fields::OpenRequest& request,
                                                     MemoryAccount& account) const {
  fields::OpenRequest its = request;
  std::string onBadStep = "stop";
  if (const auto found = its.options.find(kOption); found != its.options.end()) {
    onBadStep = found->second;
    its.options.erase(found);
  }
  const auto bad = fields::BadSteps::from(onBadStep);
  if (!bad)
    throw Invalid("must be one of stop, skip, or numbers of steps with commas between them").at(kOption);
  if (its.sources.size() == 1 && m_knowsLists) its.options[kOption] = onBadStep;
  if (its.sources.size() < 2 || account.onlyCounts()) return m_inner->open(its, account);
  if (bad->mayBeLeftOut()) return openGood(its, *bad, account);
  std::unique_ptr<fields::OpenData> data;
  try {
    data = m_inner->open(its, account);
  } catch (const Cancelled&) {
    throw;
  } catch (const OverBudget&) {
    throw;
  } catch (const Error&) {
    nameTheBad(its, account);
    throw;
  }
  // Readers number the steps where times do not ascend, and where there are none.
  const std::vector<double>& times = data->description().times;
  bool isNumbered = true;
  for (std::size_t n = 0; n < times.size(); ++n) isNumbered &= times[n] == static_cast<double>(n);
  if (isNumbered && timesDiffer(its, account)) nameTheBad(its, account);
  return data;
}

}  // namespace farfield::formats
