#include "remote/slabd/input_sizing.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace farfield::remote {
namespace {

/// Steps of which the median counts, and after which ranks are given other work, which costs them what they had read.
constexpr std::size_t kKept = 7, kEnough = 3;
constexpr std::size_t kMostShown = 64;

void keep(std::deque<double>& values, double value) {
  values.push_back(value);
  if (values.size() > kKept) values.pop_front();
}

double median(const std::deque<double>& values) {
  if (values.empty()) return 0;
  std::vector<double> sorted(values.begin(), values.end());
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                   sorted.end());
  return sorted[sorted.size() / 2];
}

}  // namespace

void InputSizing::begin(const InputPlan& inputs, std::size_t renderers, std::size_t alive) {
  m_inputs = inputs;
  m_renderers = renderers;
  m_alive = alive;
  m_shown[inputs.serial] = {renderers, 0, inputs.ranks.empty(), 0, 0};
  while (m_shown.size() > kMostShown) m_shown.erase(m_shown.begin());
}

bool InputSizing::note(const StepMeasured& measured) {
  if (measured.render <= 0) {
    // of a rank that reads: its share, of which the group has as many
    const double shares = m_inputs.together;
    keep(m_fetch, shares * measured.fetch);
    keep(m_prepare, shares * measured.prepare);
    if (measured.send > 0) keep(m_send, shares * measured.send);
  } else {
    const auto found = m_shown.find(measured.serial);
    if (found == m_shown.end()) return false;
    Shown& shown = found->second;
    shown.fetch += measured.fetch;
    shown.render += measured.render;
    if (++shown.reported < shown.renderers) return false;
    keep(m_render, shown.render);
    if (shown.direct && shown.fetch > 0) keep(m_direct, shown.fetch);
    m_shown.erase(found);
  }
  const std::size_t read = std::max(m_direct.size(), m_send.size());
  // once of what each rank reads itself, and again where others read: only then it is known how long sending takes
  const bool isNew =
      m_render.size() >= kEnough && read >= kEnough && m_sized < (m_send.size() < kEnough ? 1 : 2);
  if (!isNew) return false;
  ++m_sized;
  size();
  return true;
}

StepTimes InputSizing::times() const {
  StepTimes times;
  times.fetch = median(m_fetch.empty() ? m_direct : m_fetch);
  times.prepare = median(m_prepare);
  times.send = median(m_send);
  times.render = median(m_render);
  return times;
}

void InputSizing::size() {
  if (m_asked) return;
  const StepTimes its = times();
  m_need = bestInputs(its, its.render, static_cast<std::uint32_t>(m_alive));
}

std::string InputSizing::text() const {
  StepTimes its = times();
  const double work = its.render;
  its.render = work / static_cast<double>(m_renderers);
  char text[320];
  if (m_inputs.ranks.empty()) {
    const InputNeed best = bestInputs(its, work, static_cast<std::uint32_t>(m_alive));
    std::snprintf(
        text, sizeof text,
        "of a step, %zu ranks read for %.3g s and render for %.3g s each: %s%u of them should read for the others",
        m_renderers, its.fetch / static_cast<double>(m_renderers), its.render, m_asked ? "" : "from now on, ",
        best.ranks());
    return text;
  }
  const InputNeed need = inputNeed(its);
  std::snprintf(
      text, sizeof text,
      "a step takes %.3g s to read, %.3g s to prepare, %.3g s to send, and %.3g s to render by %zu ranks: %u "
      "input ranks%s hide the reading; there are %zu",
      its.fetch, its.prepare, its.send, its.render, m_renderers, need.ranks(),
      need.together > 1 ? (" in groups of " + std::to_string(need.together)).c_str() : "",
      m_inputs.ranks.size());
  return text;
}

}  // namespace farfield::remote
