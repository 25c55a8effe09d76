#include "core/base/memory_account.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/units.h"

namespace farfield {

const char* nameOf(Purpose purpose) {
  static constexpr const char* kNames[] = {"frames",  "staging", "index", "stacks",
                                           "results", "work",    "device"};
  return kNames[static_cast<int>(purpose)];
}

MemoryClaim::MemoryClaim(MemoryClaim&& other) noexcept
    : m_account(std::exchange(other.m_account, nullptr)),
      m_purpose(other.m_purpose),
      m_bytes(std::exchange(other.m_bytes, 0)) {}

MemoryClaim& MemoryClaim::operator=(MemoryClaim&& other) noexcept {
  if (this != &other) {
    release();
    m_account = std::exchange(other.m_account, nullptr);
    m_purpose = other.m_purpose;
    m_bytes = std::exchange(other.m_bytes, 0);
  }
  return *this;
}

void MemoryClaim::release() {
  if (m_account) m_account->giveBack(m_purpose, m_bytes);
  m_account = nullptr;
  m_bytes = 0;
}

void MemoryClaim::shrink(std::uint64_t bytes) {
  if (!m_account || bytes >= m_bytes) return;
  m_account->giveBack(m_purpose, m_bytes - bytes);
  m_bytes = bytes;
}

bool MemoryClaim::tryGrow(std::uint64_t bytes) {
  if (!m_account || !m_account->take(m_purpose, bytes)) return false;
  m_bytes += bytes;
  return true;
}

void MemoryAccount::setLender(MemoryLender* lender) {
  const std::lock_guard lock(m_lenderMutex);
  m_lender = lender;
}

void MemoryAccount::setBudgetBytes(std::uint64_t bytes) {
  m_budget.store(bytes, std::memory_order_relaxed);
  const std::lock_guard lock(m_lenderMutex);
  const std::uint64_t used = usedBytes();
  if (m_lender && used > bytes) m_lender->giveBack(used - bytes);
}

std::uint64_t MemoryAccount::obtainableBytes() const {
  const std::lock_guard lock(m_lenderMutex);
  const std::uint64_t inUse = usedBytes() - (m_lender ? std::min(usedBytes(), m_lender->spareBytes()) : 0);
  return inUse < budgetBytes() ? budgetBytes() - inUse : 0;
}

/// Others may take what the lender gives back before this does, so it tries several times.
bool MemoryAccount::takeOrBorrow(Purpose purpose, std::uint64_t bytes) {
  constexpr int kAttempts = 8;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (take(purpose, bytes)) return true;
    const std::lock_guard lock(m_lenderMutex);
    if (!m_lender) return false;
    const std::uint64_t used = usedBytes(), budget = budgetBytes();
    if (bytes > budget) return false;
    if (used > budget - bytes) m_lender->giveBack(used - (budget - bytes));
    if (take(purpose, bytes)) return true;
  }
  return false;
}

bool MemoryAccount::take(Purpose purpose, std::uint64_t bytes) {
  std::uint64_t used = m_used.load(std::memory_order_relaxed);
  const std::uint64_t budget = budgetBytes();
  do {
    if (m_mode == Mode::Refuses && (bytes > budget || used > budget - bytes)) return false;
  } while (!m_used.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  m_byPurpose[static_cast<int>(purpose)].fetch_add(bytes, std::memory_order_relaxed);
  std::uint64_t peak = m_peak.load(std::memory_order_relaxed);
  while (peak < used + bytes &&
         !m_peak.compare_exchange_weak(peak, used + bytes, std::memory_order_relaxed)) {
  }
  return true;
}

void MemoryAccount::giveBack(Purpose purpose, std::uint64_t bytes) {
  m_byPurpose[static_cast<int>(purpose)].fetch_sub(bytes, std::memory_order_relaxed);
  m_used.fetch_sub(bytes, std::memory_order_relaxed);
}

std::optional<MemoryClaim> MemoryAccount::tryClaim(Purpose purpose, std::uint64_t bytes) {
  if (!takeOrBorrow(purpose, bytes)) return std::nullopt;
  return MemoryClaim(this, purpose, bytes);
}

void MemoryAccount::refuse(std::uint64_t bytes, const std::string& what) const {
  throw OverBudget(what + " needs " + formatBytes(bytes) + ", and " + formatBytes(freeBytes()) +
                       " of the budget of " + formatBytes(budgetBytes()) + " are left",
                   adviceToGive(usedBytes() + bytes));
}

MemoryClaim MemoryAccount::claim(Purpose purpose, std::uint64_t bytes, const std::string& what) {
  if (!takeOrBorrow(purpose, bytes)) refuse(bytes, what);
  return MemoryClaim(this, purpose, bytes);
}

MemoryClaim MemoryAccount::claimInEarnest(Purpose purpose, std::uint64_t bytes, const std::string& what) {
  if (bytes > m_budget) refuse(bytes, what);
  return claim(purpose, bytes, what);
}

std::string adviceToGive(std::uint64_t budgetBytes) {
  return "give at least --memory " + std::to_string((budgetBytes + 1023) / 1024) + "K";
}

}  // namespace farfield
