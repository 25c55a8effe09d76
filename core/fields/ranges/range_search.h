#pragma once
// Least and greatest value of a function over all nodes of all steps, or of one, found bit by bit by somebody who has other things to do: it
// goes on where it stopped, also after its data were planned anew or have more steps. Boxes of nodes whose pages are known to have
// nothing beyond what was found are passed over without being read.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/fields/paged/paged_data.h"

namespace farfield::fields {

/// A value of its own, for one thread at a time. Of finite values alone, blanked nodes included, as ranges of the whole data are
/// everywhere else.
class RangeSearch {
 public:
  /// `function`: a name or an expression, of one component. Begins at `firstStep`; the steps before it follow those behind it, or none
  /// does.
  enum class Steps { All, FirstAlone };
  RangeSearch(std::string function, std::int64_t firstStep, Steps steps = Steps::All);

  /// Looks on until all was looked at, or `isEnough`, which is asked after each box. `data` are the same at each call, but for more
  /// steps. Memory of bytesFor() is the caller's to claim. May stop the task. Throws NotFound and Invalid for what is no function of
  /// one component, and what reading throws; what was found until then stays.
  void goOn(PagedData& data, tasks::TaskContext& task, const std::function<bool()>& isEnough);
  /// The data have more steps than before: they are to be looked at, too.
  void takeMoreSteps() {
    if (m_steps == Steps::All) m_part = std::min(m_part, kNotAll);
  }
  static std::uint64_t bytesFor(const paging::DatasetDescription& data, const std::string& function);

  /// Of what was looked at; nothing while no finite value was.
  std::optional<std::array<double, 2>> found() const;
  double part() const { return m_part; }       ///< that was looked at, of the steps that there were
  bool isDone() const { return m_part >= 1; }  ///< of these steps
  std::uint64_t seenBytes() const { return m_seenBytes; }  ///< of the numbers that were looked at

 private:
  static constexpr double kNotAll = 0.99;

  std::string m_function;
  std::int64_t m_firstStep, m_stepsAtFirst = 0;
  Steps m_steps;
  std::uint64_t m_next = 0;  ///< box, in the order of looking
  double m_part = 0;
  std::uint64_t m_seenBytes = 0;
  double m_least, m_greatest;
};

}  // namespace farfield::fields
