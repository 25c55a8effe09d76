#pragma once
// What a viewer has got so far of the result of an object that ranks compute: shares come in any order, each whole or not at all,
// and go where the object keeps its results. Filled by the threads that receive.

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "core/session/run/result_parts.h"
#include "remote/slabs/geometry_messages.h"

namespace farfield::remote {

/// Thread-safe.
class GeometryShow {
 public:
  /// `request` outlives it up to close(). `again`: its result has been begun before.
  GeometryShow(const session::ResultRequest& request, bool again) : m_request(request), m_again(again) {}

  // What comes. They throw Protocol for what cannot be; other errors end this result alone.
  void takePlan(const Computing& plan);
  void takeHead(std::uint32_t rank, const GeometryHead& head);
  void takeBlock(std::uint32_t rank, const GeometryBlock& block);
  /// Nothing more comes from this rank.
  void lose(std::uint32_t rank);
  void fail(const std::exception_ptr& error);
  /// Nothing is taken any more, nor is the request used.
  void close();

  /// Nothing more will come, or it has failed.
  bool isDone() const;
  std::exception_ptr error() const;
  /// Shares that will not come.
  std::size_t missing() const;
  std::size_t shares() const;

 private:
  struct Share {
    std::uint32_t rank = 0;
    std::uint32_t width = 0;
    bool isWhole = false;
  };
  bool isLost(std::size_t n) const;
  std::size_t missingNow() const;
  /// The error of what is done with this result ends it, not the connection.
  template <class Work>
  void guarded(Work work);

  const session::ResultRequest& m_request;
  mutable std::mutex m_mutex;  ///< of all that follows, and held while parts are taken
  bool m_again;
  bool m_closed = false;
  std::vector<std::uint32_t> m_ranks;  ///< by share; none: not known yet
  std::map<std::uint32_t, Share> m_shares;
  std::set<std::uint32_t> m_gone;  ///< ranks
  std::shared_ptr<session::ResultSink> m_sink;
  std::exception_ptr m_error;
};

}  // namespace farfield::remote
