#include "remote/slabd/input_sizing.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "core/base/count_text.h"

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
  m_shown[inputs.serial] = {renderers, 0, inputs.ranks.empty(), 0, 0, 0};
  while (m_shown.size() > kMostShown) m_shown.erase(m_shown.begin());
}

std::string InputSizing::note(const StepMeasured& measured) {
  if (measured.render <= 0) {
    // of a rank that reads: its share, of which the group has as many
    const double shares = m_inputs.together;
    keep(m_fetch, shares * measured.fetch);
    keep(m_prepare, shares * measured.prepare);
    if (measured.send > 0) keep(m_send, shares * measured.send);
    return {};
  }
  const auto found = m_shown.find(measured.serial);
  if (found == m_shown.end()) return {};
  Shown& shown = found->second;
  shown.fetch += measured.fetch;
  shown.render += measured.render;
  shown.longest = std::max(shown.longest, measured.render + measured.wait);
  if (++shown.reported < shown.renderers) return {};
  keep(m_render, shown.render);
  keep(shown.direct ? m_alone : m_helped, shown.longest);
  if (shown.direct && shown.fetch > 0) keep(m_direct, shown.fetch);
  m_shown.erase(found);
  return judge();
}

StepTimes InputSizing::times() const {
  StepTimes times;
  times.fetch = median(m_fetch.empty() ? m_direct : m_fetch);
  times.prepare = median(m_prepare);
  times.send = median(m_send);
  times.render = median(m_render);
  return times;
}

std::string InputSizing::judge() {
  if (m_state == State::Settled) return {};
  if (m_isAsked) {
    if (m_helped.size() < kEnough || m_fetch.size() < kEnough) return {};
    m_state = State::Settled;
    return measuredText();
  }
  if (m_state == State::Measuring) {
    if (m_direct.size() < kEnough) return {};
    const StepTimes its = times();
    const InputNeed best = bestInputs(its, its.render, static_cast<std::uint32_t>(m_alive));
    m_state = best.ranks() > 0 ? State::Trying : State::Settled;
    m_need = best;
    char text[200];
    std::snprintf(
        text, sizeof text,
        "of a step, %zu ranks read their parts in %.3g s and render them in %.3g s: from now on, %u of them read "
        "for the others",
        m_renderers, its.fetch / static_cast<double>(m_renderers),
        its.render / static_cast<double>(m_renderers), best.ranks());
    return text;
  }
  // the first that are shown so were read by nobody ahead
  if (m_helped.size() < kKept) return {};
  m_state = State::Settled;
  const double alone = median(m_alone), helped = median(m_helped);
  std::string text = measuredText();
  if (helped < alone) return text;
  m_need = {0, 1};
  char why[120];
  std::snprintf(why, sizeof why,
                "; a step takes %.3g s so, and %.3g s where each reads its own part, which is done again",
                helped, alone);
  return text + why;
}

std::string InputSizing::measuredText() const {
  StepTimes its = times();
  its.render /= static_cast<double>(m_renderers);
  const InputNeed need = inputNeed(its);
  char text[200];
  std::snprintf(text, sizeof text,
                "a step takes %.3g s to read, %.3g s to prepare, %.3g s to send, and %.3g s to render by ",
                its.fetch, its.prepare, its.send, its.render);
  std::string said = text + countText(static_cast<std::int64_t>(m_renderers), "rank", "ranks") + ": " +
                     countText(need.ranks(), "input rank", "input ranks");
  if (need.together > 1) said += " in groups of " + std::to_string(need.together);
  const std::size_t there = m_inputs.ranks.size();
  return said + (need.ranks() == 1 ? " hides" : " hide") + " the reading; there " +
         (there == 1 ? "is " : "are ") + std::to_string(there);
}

}  // namespace farfield::remote
