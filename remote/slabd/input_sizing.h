#pragma once
// What steps took, and how many ranks should therefore read for the others: tried once, and kept only where steps follow each other
// faster then.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "remote/slabd/input_messages.h"
#include "remote/slabd/input_plan.h"

namespace farfield::remote {

/// Not thread-safe.
class InputSizing {
 public:
  /// `asked`: so many; none: by what is measured, at first none.
  explicit InputSizing(const std::optional<InputNeed>& asked)
      : m_isAsked(asked.has_value()), m_need(asked ? *asked : InputNeed{0, 1}) {}
  /// For what is shown next.
  const InputNeed& need() const { return m_need; }
  /// A Work is rendered by so many ranks, and those of `inputs` read. `alive`: all together.
  void begin(const InputPlan& inputs, std::size_t renderers, std::size_t alive);
  /// What is new to say, now and then; else empty.
  std::string note(const StepMeasured& measured);
  /// Medians of what was measured; `render` is that of all ranks, one after the other.
  StepTimes times() const;

 private:
  struct Shown {
    std::size_t renderers = 0, reported = 0;
    bool direct = false;
    double fetch = 0, render = 0, longest = 0;
  };
  std::string judge();
  std::string measuredText() const;

  const bool m_isAsked;
  InputNeed m_need;
  InputPlan m_inputs;
  std::size_t m_renderers = 1, m_alive = 1;
  std::map<std::uint64_t, Shown> m_shown;
  std::deque<double> m_direct, m_fetch, m_prepare, m_send, m_render;
  std::deque<double> m_alone, m_helped;  ///< from when a step is asked for until it is rendered
  enum class State { Measuring, Trying, Settled } m_state = State::Measuring;
};

}  // namespace farfield::remote
