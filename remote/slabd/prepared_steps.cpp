#include "remote/slabd/prepared_steps.h"

#include <algorithm>
#include <utility>

namespace farfield::remote {
namespace {

/// Of a brick, besides its bytes.
constexpr std::uint64_t kEntryBytes = 160;

}  // namespace

void PreparedSteps::refuse(Step& step) {
  for (const auto& [brick, its] : std::exchange(step.waiting, {})) its.second(nullptr);
}

void PreparedSteps::ask(const BrickRequest& request, Answer answer) {
  const std::lock_guard lock(m_mutex);
  if (request.serial > m_serial)
    m_early.push_back({request, std::move(answer)});
  else
    askNow(request, std::move(answer));
}

void PreparedSteps::askNow(const BrickRequest& request, Answer answer) {
  const auto found = m_steps.find(request.step);
  if (found == m_steps.end() || !(request.subject == m_subject)) return answer(nullptr);
  Step& step = found->second;
  if (step.level >= 0) {
    const auto brick = step.bricks.find(request.brick);
    if (step.level != request.level || brick == step.bricks.end()) return answer(nullptr);
    if (brick->second || step.done) return answer(brick->second);
  } else if (step.done) {
    return answer(nullptr);
  }
  step.waiting.emplace(request.brick, std::pair(request.level, std::move(answer)));
}

void PreparedSteps::want(std::uint64_t serial, const BrickSubject& subject, std::int64_t shown,
                         const std::vector<std::int64_t>& steps) {
  const std::lock_guard lock(m_mutex);
  m_serial = std::max(m_serial, serial);
  const bool isOther = !(subject == m_subject);
  for (auto at = m_steps.begin(); at != m_steps.end();) {
    const bool stays = at->first == shown ? at->second.begun
                                          : std::find(steps.begin(), steps.end(), at->first) != steps.end();
    if (!isOther && stays) {
      ++at;
      continue;
    }
    refuse(at->second);
    at = m_steps.erase(at);
  }
  m_subject = subject;
  m_order = steps;
  for (const std::int64_t step : steps) {
    // memory that was short may be there now
    const auto known = m_steps.find(step);
    if (known != m_steps.end() && known->second.done && known->second.bricks.empty()) m_steps.erase(known);
    if (const auto [at, isNew] = m_steps.try_emplace(step); isNew) at->second.id = ++m_lastId;
  }
  std::vector<Early> early = std::exchange(m_early, {});
  for (Early& its : early)
    if (its.request.serial > m_serial)
      m_early.push_back(std::move(its));
    else
      askNow(its.request, std::move(its.answer));
}

std::optional<PreparedSteps::Ticket> PreparedSteps::begin() {
  const std::lock_guard lock(m_mutex);
  for (const std::int64_t number : m_order) {
    Step& step = m_steps.at(number);
    if (std::exchange(step.begun, true)) continue;
    return Ticket{number, step.id};
  }
  return std::nullopt;
}

std::vector<std::int64_t> PreparedSteps::notBegun() const {
  const std::lock_guard lock(m_mutex);
  std::vector<std::int64_t> steps;
  for (const std::int64_t number : m_order)
    if (!m_steps.at(number).begun) steps.push_back(number);
  return steps;
}

PreparedSteps::Step* PreparedSteps::stepOf(const Ticket& ticket) {
  const auto found = m_steps.find(ticket.step);
  return found != m_steps.end() && found->second.id == ticket.id ? &found->second : nullptr;
}

bool PreparedSteps::isWanted(const Ticket& ticket) const {
  const std::lock_guard lock(m_mutex);
  const auto found = m_steps.find(ticket.step);
  return found != m_steps.end() && found->second.id == ticket.id;
}

bool PreparedSteps::listed(const Ticket& ticket, int level, const std::vector<std::int64_t>& bricks) {
  const std::lock_guard lock(m_mutex);
  Step* const found = stepOf(ticket);
  if (!found) return false;
  Step& step = *found;
  auto claim = m_account.tryClaim(Purpose::Results, bricks.size() * kEntryBytes);
  if (!claim) return false;
  step.claims.push_back(std::move(*claim));
  step.level = level;
  for (const std::int64_t brick : bricks) step.bricks.emplace(brick, nullptr);
  for (auto at = step.waiting.begin(); at != step.waiting.end();) {
    if (at->second.first == level && step.bricks.contains(at->first)) {
      ++at;
      continue;
    }
    at->second.second(nullptr);
    at = step.waiting.erase(at);
  }
  return true;
}

bool PreparedSteps::put(const Ticket& ticket, std::int64_t brick, Bytes bytes) {
  const std::lock_guard lock(m_mutex);
  Step* const found = stepOf(ticket);
  if (!found) return false;
  Step& step = *found;
  auto claim = m_account.tryClaim(Purpose::Results, bytes.size());
  if (!claim) return false;
  step.claims.push_back(std::move(*claim));
  const auto shared = std::make_shared<const Bytes>(std::move(bytes));
  step.bricks[brick] = shared;
  const auto [first, last] = step.waiting.equal_range(brick);
  for (auto at = first; at != last; ++at) at->second.second(shared);
  step.waiting.erase(first, last);
  return true;
}

void PreparedSteps::finish(const Ticket& ticket) {
  const std::lock_guard lock(m_mutex);
  Step* const step = stepOf(ticket);
  if (!step) return;
  step->done = true;
  refuse(*step);
}

}  // namespace farfield::remote
