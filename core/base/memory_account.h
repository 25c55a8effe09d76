#pragma once
// The memory budget, as bookkeeping. Code that needs memory whose size depends on the data takes a claim
// *before* it allocates; the claim's destructor gives the bytes back. The account never lets the sum of
// claims exceed the budget, with any number of threads.
//
// An account that only counts refuses nothing. It is used to rehearse a job and find the budget it needs
// (core/fields/paged/budget_advice.h): what is claimed from it must not be allocated.

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace farfield {

/// What claimed bytes are used for; for reports only.
enum class Purpose {
  Frames,
  Staging,
  Index,
  Stacks,
  Results,
  Work,
  Device,  ///< memory of a graphics device; has an account of its own unless it is the host's memory
};
constexpr int kPurposeCount = 7;
const char* nameOf(Purpose purpose);

/// What an OverBudget error tells the user to do: "give at least --memory 437K", rounded up.
std::string adviceToGive(std::uint64_t budgetBytes);

class MemoryAccount;

/// Holds claimed memory that it can do without: a cache.
class MemoryLender {
 public:
  /// Gives back up to `bytes` of its claims, as far as it can. Must neither claim nor wait for anything.
  virtual void giveBack(std::uint64_t bytes) noexcept = 0;
  /// How much it could give back.
  virtual std::uint64_t spareBytes() const noexcept = 0;

 protected:
  ~MemoryLender() = default;
};

/// Bytes taken from an account; given back by the destructor. Movable, not copyable.
class MemoryClaim {
 public:
  MemoryClaim() = default;
  MemoryClaim(MemoryClaim&& other) noexcept;
  MemoryClaim& operator=(MemoryClaim&& other) noexcept;
  ~MemoryClaim() { release(); }
  std::uint64_t bytes() const { return m_bytes; }
  void release();
  /// Gives back all but `bytes`; no effect if it has no more than that.
  void shrink(std::uint64_t bytes);
  /// Claims `bytes` more if they are free, without asking the account's lender.
  bool tryGrow(std::uint64_t bytes);

 private:
  friend class MemoryAccount;
  MemoryClaim(MemoryAccount* account, Purpose purpose, std::uint64_t bytes)
      : m_account(account), m_purpose(purpose), m_bytes(bytes) {}
  MemoryAccount* m_account = nullptr;
  Purpose m_purpose = Purpose::Work;
  std::uint64_t m_bytes = 0;
};

/// Thread-safe. Outlives its claims.
class MemoryAccount {
 public:
  enum class Mode { Refuses, Counts };
  explicit MemoryAccount(std::uint64_t budgetBytes, Mode mode = Mode::Refuses)
      : m_budget(budgetBytes), m_mode(mode) {}
  MemoryAccount(const MemoryAccount&) = delete;
  MemoryAccount& operator=(const MemoryAccount&) = delete;

  /// Claims `bytes`, or throws OverBudget, which names `what` they were for and what would be needed.
  MemoryClaim claim(Purpose purpose, std::uint64_t bytes, const std::string& what);
  /// The same for memory that is allocated even in a rehearsal: refused there, too, if it alone exceeds the
  /// budget.
  MemoryClaim claimInEarnest(Purpose purpose, std::uint64_t bytes, const std::string& what);
  /// Throws OverBudget, as claim() does.
  [[noreturn]] void refuse(std::uint64_t bytes, const std::string& what) const;
  /// Claims `bytes` if they are free.
  std::optional<MemoryClaim> tryClaim(Purpose purpose, std::uint64_t bytes);

  /// The lender is asked for memory before a claim is refused; null: none. It must live until it is replaced:
  /// this call waits until no thread is asking it.
  void setLender(MemoryLender* lender);

  std::uint64_t budgetBytes() const { return m_budget.load(std::memory_order_relaxed); }
  /// Changes the budget. If more is claimed, the lender gives back what it can; then nothing can be claimed
  /// until enough was given back.
  void setBudgetBytes(std::uint64_t bytes);
  bool onlyCounts() const { return m_mode == Mode::Counts; }
  std::uint64_t usedBytes() const { return m_used.load(std::memory_order_relaxed); }
  std::uint64_t usedBytes(Purpose purpose) const {
    return m_byPurpose[static_cast<int>(purpose)].load(std::memory_order_relaxed);
  }
  std::uint64_t freeBytes() const {
    const std::uint64_t used = usedBytes(), budget = budgetBytes();
    return used < budget ? budget - used : 0;
  }
  /// freeBytes() and what the lender could give back.
  std::uint64_t obtainableBytes() const;
  std::uint64_t peakBytes() const { return m_peak.load(std::memory_order_relaxed); }

 private:
  friend class MemoryClaim;
  bool take(Purpose purpose, std::uint64_t bytes);
  bool takeOrBorrow(Purpose purpose, std::uint64_t bytes);
  void giveBack(Purpose purpose, std::uint64_t bytes);

  std::atomic<std::uint64_t> m_budget;
  const Mode m_mode;
  std::atomic<std::uint64_t> m_used{0}, m_peak{0};
  std::array<std::atomic<std::uint64_t>, kPurposeCount> m_byPurpose{};
  mutable std::mutex m_lenderMutex;  ///< held while the lender is asked
  MemoryLender* m_lender = nullptr;
};

}  // namespace farfield
