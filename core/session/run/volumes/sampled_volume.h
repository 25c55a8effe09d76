#pragma once
// What a volume may be that shows samples of its data, not their nodes: volumes of a session's casters are, of grids that are not regular.

namespace farfield::session {

/// As far as known.
struct VolumeSamples {
  int nodes = 0;  ///< along the longest axis; 0: the data's own are shown
  double timesCoarser =
      0;  ///< how many times as far apart they are as the finest of the data's cells are thick; 0: not known
  bool isCrumbs = false;  ///< most of what has values lies between them
};

class SampledVolume {
 public:
  virtual ~SampledVolume() = default;
  /// Waits for nothing.
  virtual VolumeSamples samples() const = 0;
};

}  // namespace farfield::session
