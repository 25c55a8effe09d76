#pragma once
// Bricks of a volume whose axes are stretched in the view. A regular or rectilinear grid that is stretched is one again, with the same
// values: so casters of every engine know nothing of it, and the picture is that of data that were written stretched.

#include "core/scene/scene.h"
#include "render/volume/brick_source.h"

namespace farfield::volume {

/// The same nodes, at stretched places.
BrickGrid stretched(const BrickGrid& grid, Vec3 stretch);
/// What is cut away, in stretched space.
scene::VolumeLook stretched(const scene::VolumeLook& look, Vec3 stretch);

class StretchedBricks final : public BrickSource {
 public:
  /// `of` outlives it.
  explicit StretchedBricks(BrickSource& of) : m_of(of) {}
  /// Not while others use it. Bricks that were read stay what they are.
  void setStretch(Vec3 stretch);
  const BrickGrid& grid() const override { return m_grid; }
  BrickFormat format() const override { return m_of.format(); }
  std::optional<paging::ValueRange> range(const Index3& brick) const override { return m_of.range(brick); }
  std::optional<paging::ValueRange> wholeRange() const override { return m_of.wholeRange(); }
  Vec3 bricksTogether() const override { return m_of.bricksTogether(); }
  void read(const Index3& brick, tasks::TaskContext& context, Brick& out) override {
    m_of.read(brick, context, out);
  }
  std::uint64_t readBytes() const override { return m_of.readBytes(); }
  std::unique_ptr<tasks::Scheduler> makeScheduler() const override { return m_of.makeScheduler(); }
  tasks::Admission* admission() override { return m_of.admission(); }

 private:
  BrickSource& m_of;
  BrickGrid m_grid;
  Vec3 m_stretch{};
};

}  // namespace farfield::volume
