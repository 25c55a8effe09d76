#pragma once
// A viewer's side of farfield-slabd: connections to its ranks, one each and a thread that receives on it, questions, and what
// is to be seen. A connection that is lost is made again.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "core/scene/slabs.h"
#include "core/session/run/result_parts.h"
#include "remote/client/far_url.h"
#include "remote/client/known_servers.h"
#include "remote/slabs/life_log.h"
#include "remote/slabs/slab_messages.h"
#include "remote/slabs/turns.h"

namespace farfield::remote {

class GeometryShow;
class SlabShow;

constexpr std::uint16_t kDefaultSlabPort = 4790;

bool isSlabUrl(const std::string& text);
/// slab://HOST:PORT. Throws Invalid.
Host parseSlabUrl(const std::string& text);

struct SlabCounters {
  std::uint64_t ranks = 0, alive = 0;
  std::uint64_t parts = 0, missing = 0;  ///< of what was shown last
  std::uint64_t bytesReceived = 0, samples = 0;
  std::uint64_t reconnects = 0;
};

/// Thread-safe; one picture is waited for at a time: who asks for another one meanwhile waits for his turn, and nobody's wait ends
/// but by its own request to stop.
class SlabViewer {
 public:
  /// Connects, with `credentials` or those that are known for the host. Throws Invalid (the URL, a wrong token), NotFound, Io, Cancelled.
  SlabViewer(const std::string& url, const std::stop_token& stop,
             const std::optional<Credentials>& credentials = std::nullopt);
  ~SlabViewer();

  const std::string& url() const { return m_url; }
  VolumeFacts facts() const;
  /// Waits for the answer. Throws what the renderer says, Io (it is gone and does not come back), Cancelled.
  Surveyed survey(const SurveyRequest& request, const std::stop_token& stop);
  /// Waits for all slabs, or for those that can be had: where ranks are gone the others are asked once more, and what is
  /// missing then is hatched. Pictures are claimed from `account`, which outlives them. Throws as survey(), OverBudget.
  std::shared_ptr<const scene::SlabSet> slabs(const ShowRequest& request, MemoryAccount& account,
                                              const std::stop_token& stop);
  /// Waits for a frame: red, green, blue (times alpha), alpha, 0 … 1, for the rows that are asked for. Throws as slabs(), Io where
  /// parts of it are missing.
  void frame(const ShowRequest& request, MemoryAccount& account, const std::stop_token& stop,
             std::span<float> rgba);
  /// Asks for the result of an object, which the ranks share, and waits for all of it; any number at a time. Where a rank is gone
  /// the others are asked for all of it once more. Throws what the renderer says, Io (it is gone, or ranks again and again),
  /// what the request's sink throws, Cancelled.
  session::ResultCounts results(const session::ResultRequest& request);
  SlabCounters counters() const;
  /// Has the ranks tell what they do, for kWatchedNanoseconds from now, and measures round trips to them. A connection that is lost
  /// is made again. Throws as survey().
  void watch(const std::stop_token& stop);
  /// What they have told since `from` (recentClock()), as far as it is kept.
  std::vector<Life> lives(std::int64_t from) const { return m_lives.lives(from); }

 private:
  class Connection;
  std::shared_ptr<Connection> connection(const std::stop_token& stop);
  /// Done, perhaps with parts missing.
  std::shared_ptr<SlabShow> shown(const ShowRequest& request, MemoryAccount& account,
                                  const std::stop_token& stop);
  template <class Result>
  Result retried(const std::stop_token& stop, const std::function<Result(Connection&)>& ask);

  const std::string m_url;
  const Host m_host;
  const std::optional<Credentials> m_credentials;
  LifeLog m_lives;  ///< of connections one after the other
  Turns m_turns;    ///< of pictures
  mutable std::mutex m_mutex;
  std::shared_ptr<Connection> m_connection;
  SlabCounters m_counters;
};

/// The axis along which slabs are seen best, and whether from its greater coordinates.
struct SlabView {
  int axis = 2;
  bool fromAbove = true;
  int pixels = 0;  ///< along the longer side of their pictures, so that they are about as fine as the picture
};
/// Cosine of the angle between the line of sight and an axis.
double alongOf(const Bounds& data, const scene::Camera& camera, int axis);
/// With `axis` 0 to 2 that one; else the best.
SlabView slabViewOf(const Bounds& data, const scene::SlabAim& aim, int axis);

}  // namespace farfield::remote
