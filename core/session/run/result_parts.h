#pragma once
// Results on their way from the run of an object in one program, which has the data, to a run of the same object in another,
// which shows and writes them as if it had computed them. Several programs can share an object's tasks; what they give is put
// together by the numbers of tasks, so that nothing depends on how many they are.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "core/base/memory_account.h"
#include "core/extract/grid_surface.h"

namespace farfield::session {

/// Which of an object's tasks are computed here: those whose number leaves the rest `part`.
struct TaskShare {
  std::size_t part = 0, of = 1;
  bool has(std::uint64_t number) const { return number % of == part; }
  std::size_t countOf(std::size_t total) const { return total > part ? (total - part - 1) / of + 1 : 0; }
  /// The number of the n-th of them.
  std::size_t number(std::size_t n) const { return part + n * of; }
};

/// What there is of a result, before it comes.
struct ResultFacts {
  std::uint64_t numbers = 0;                 ///< of lines, or of tasks of a surface: of all shares together
  std::uint32_t width = 0;                   ///< values of a vertex; or of a node of the surface it is on
  std::uint64_t missing = 0, missingOf = 0;  ///< tasks that there was no time for
};

/// Some vertices of a line, in order: x, y, z, time, values.
struct LinePart {
  std::uint64_t number = 0;
  bool ends = true;              ///< it has no more
  std::int32_t termination = 0;  ///< why it ends (flow::Termination), and in which block
  std::int32_t block = -1;
  std::span<const double> vertices;
};

/// Takes the parts of a result, those of a line or of a number in their order.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  virtual void line(const LinePart& part) = 0;
  virtual void patch(std::uint64_t number, const extract::SurfacePatch& patch) = 0;
};

/// Asks a program that has the data for the result of an object.
struct ResultRequest {
  std::string source;    ///< slab://HOST:PORT
  std::string document;  ///< a session of this one object (documentOf)
  std::int64_t step = 0;
  MemoryAccount& account;
  std::stop_token stop = {};
  /// Called for each share of it with the same facts but what is missing; its parts go into what this returns, from one thread at
  /// a time. Again from the beginning where a share is lost and all are asked for once more (`again`).
  std::function<std::shared_ptr<ResultSink>(const ResultFacts& facts, std::int64_t stepOfData, bool again)>
      begin;
  std::function<void(std::size_t done, std::size_t total)> progress = {};  ///< shares
  /// Set to what the next request of the same object is quicker with, if it is kept until then; null: nothing is.
  std::shared_ptr<void>* link = nullptr;
};

struct ResultCounts {
  std::uint64_t ranks = 0;          ///< that shared it
  std::uint64_t bytesReceived = 0;  ///< as they came
};

/// Returns when all is there. Throws what the other program says, Io (it is gone), OverBudget, Cancelled.
using ResultAsker = std::function<ResultCounts(const ResultRequest&)>;

}  // namespace farfield::session
