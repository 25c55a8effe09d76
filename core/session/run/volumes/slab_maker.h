#pragma once
// What another program renders beside the data is asked for by something that is passed in: core/ knows no network.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/memory_account.h"
#include "core/scene/slabs.h"
#include "core/session/run/volumes/volume_maker.h"

namespace farfield::session {

/// Of all pictures so far.
struct SlabCounts {
  std::uint64_t slabs = 0;          ///< of the last set
  std::uint64_t missing = 0;        ///< of these, not there because who should render them is not
  std::uint64_t ranks = 0;          ///< processes that render
  std::uint64_t bytesReceived = 0;  ///< pictures, as they came
  std::string axis;  ///< of the last set: "+x" is seen from greater x; empty: none, or whole frames
};

/// A volume in another program: cast() gives whole frames, slabs() the pictures of its parts.
class RemoteVolume : public CastVolume {
 public:
  virtual std::shared_ptr<const scene::SlabGeometry> slabs() const = 0;
  virtual SlabCounts slabCounts() const = 0;
};

struct SlabRequest {
  std::string source;  ///< slab://HOST:PORT
  std::string by;      ///< the function
  std::int64_t step = 0;
  std::int64_t nextStep = -1;  ///< that is expected to be shown next; -1: none
  std::optional<int> axis;     ///< of the slabs, 0 to 2; none: by the view
  bool mesh = true;            ///< slabs are bent by the depth of what they show
  MemoryAccount& account;      ///< for pictures; outlives the volume
  std::stop_token stop = {};
  /// The same at another step, whose connection is used again; null: none.
  std::shared_ptr<RemoteVolume> before = nullptr;
};

/// Throws Invalid (a malformed source, no such function, a wrong token), Io (nothing answers there).
using SlabMaker = std::function<std::shared_ptr<RemoteVolume>(const SlabRequest&)>;

}  // namespace farfield::session
