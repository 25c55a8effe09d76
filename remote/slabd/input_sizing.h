#pragma once
// What steps took, and how many ranks should therefore read for the others.

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
      : m_asked(asked), m_need(asked ? *asked : InputNeed{0, 1}) {}
  /// For what is shown next.
  const InputNeed& need() const { return m_need; }
  /// Work number `serial` is rendered by so many ranks, and those of `inputs` read. `alive`: all together.
  void begin(const InputPlan& inputs, std::size_t renderers, std::size_t alive);
  /// True: there is something new to say (text()).
  bool note(const StepMeasured& measured);
  /// Medians of what was measured; `render` is that of all ranks, one after the other.
  StepTimes times() const;
  std::string text() const;

 private:
  struct Shown {
    std::size_t renderers = 0, reported = 0;
    bool direct = false;
    double fetch = 0, render = 0;
  };
  void size();

  const std::optional<InputNeed> m_asked;
  InputNeed m_need;
  InputPlan m_inputs;
  std::size_t m_renderers = 1, m_alive = 1;
  std::map<std::uint64_t, Shown> m_shown;
  std::deque<double> m_direct, m_fetch, m_prepare, m_send, m_render;
  int m_sized = 0;  ///< times
};

}  // namespace farfield::remote
