#pragma once
// Line integral convolution (B. Cabral, L. Leedom: Imaging Vector Fields Using Line Integral Convolution, 1993) on a piece of
// a surface: noise is averaged along the line through each place, so that the texture is alike along lines and
// changes across them. The noise is a function of the place in space, so the texture does not depend on how the surface is
// cut into pieces, but where these end lines before their length.
//
// Besides the average under a smooth window there is one under the same window times a wave along the line. It is complex,
// and turned by an angle it is the texture with the wave moved on by that part of its length: for pictures in
// which the texture flows (ibid., section 5).

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/extract/flow_walker.h"

namespace farfield::extract {

/// Immutable.
class LineConvolution {
 public:
  /// `texel`: length of a step along lines, and half the grain of the noise. `reach`: of lines to either side, in texels,
  /// at least 1. `stretch`: lengths are of a space whose axes are so many times longer than the data's.
  LineConvolution(double texel, int reach, Vec3 stretch = {1, 1, 1});

  /// All from 0 to 1 or -1 to 1, with a spread that does not depend on how long a line is.
  struct Shade {
    double light = 0.5;           ///< 0 … 1
    double cosine = 0, sine = 0;  ///< turned by the angle a the wave is cosine cos a - sine sin a, -1 … 1
  };
  /// Of a place in a usable cell of the walker's sheet; 0.5 of others.
  Shade at(const FlowWalker& walker, FlowSheet::Place place) const;

  /// The same of many places, sooner. Any number of them together gives the same.
  void shade(const FlowWalker& walker, std::span<const FlowSheet::Place> places,
             std::span<Shade> shades) const;

  /// Of a line that is followed elsewhere: from `point` on, `next` with 1 or -1 gives the next place forwards or backwards, a
  /// texel further, or nothing where the line ends.
  Shade along(Vec3 point, const std::function<std::optional<Vec3>(int)>& next) const;

  double texel() const { return m_texel; }
  Vec3 stretch() const { return m_stretch; }
  int reach() const { return static_cast<int>(m_weights.size()) - 1; }
  std::uint64_t bytes() const { return sizeof *this + 3 * m_weights.size() * sizeof(double); }
  /// Evenly distributed from 0 to 1, of the cube of the noise that holds `point`.
  double noise(Vec3 point) const;

 private:
  struct Sums;
  void add(Vec3 point, std::size_t steps, double side, Sums& sums) const;
  template <std::size_t Places>
  void shadeSome(const FlowWalker& walker, const FlowSheet::Place* places, Shade* shades) const;

  double m_texel, m_cubes;  ///< cubes of the noise per length
  Vec3 m_stretch;
  std::vector<double> m_weights, m_cosines, m_sines;  ///< by steps from the place
};

}  // namespace farfield::extract
