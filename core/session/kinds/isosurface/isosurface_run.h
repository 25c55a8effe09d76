#pragma once
// Isosurfaces of one step: a task per box of cells of every block. Most find that their pages have no such
// values, and read nothing.

#include "core/extract/isosurface.h"
#include "core/session/run/surfaces/triangles_run.h"

namespace farfield::session {

/// The value of the surface or the line to which a node belongs, as a name to colour by.
inline constexpr const char* kIsoValueName = "value";
/// That name; nothing if the data have a function of that name, which takes precedence.
std::vector<std::string> isoValueNames(const paging::DatasetDescription& description);

class IsosurfaceRun final : public TrianglesRun {
 public:
  IsosurfaceRun(const Object& object, const paging::DatasetDescription& description);
  TaskName taskName() const override { return {"part", "parts"}; }
  bool isHandedOver() const override { return true; }
  std::uint64_t taskBytes() const override { return m_taskBytes; }
  std::size_t taskCount(const paging::DatasetDescription&) const override { return m_surface.taskCount(); }
  /// as for slices
  std::size_t mostTrials() const override { return 16'384; }
  /// Says as well whether the values are the same all over each cell ("valuesOfCells"): there is no surface then.
  void count(ObjectStats& stats) const override;

 protected:
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context, std::int64_t step,
               extract::SurfaceSink& sink) const override {
    m_surface.extract(number, data, context, m_plans, step, sink);
  }
  bool hasCoarse() const override { return m_surface.coarseStride() > 0; }
  void extractCoarsely(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                       std::int64_t step, extract::SurfaceSink& sink) const override {
    m_surface.extractCoarsely(number, data, context, m_plans, step, sink);
  }
  int valuesPerNode() const override { return m_plans.shown.outputCount() + 1; }
  std::optional<int> shownValue() const override;
  std::vector<NamedValue> writtenValues() const override;

 private:
  /// Index of the value whose surface a node is on; it follows the functions' values.
  int ownValue() const { return m_plans.shown.outputCount(); }

  fields::SurfaceFunctions m_plans;
  extract::Isosurface m_surface;
  std::uint64_t m_taskBytes;
  bool m_ofCells;
};

}  // namespace farfield::session
