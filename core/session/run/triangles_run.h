#pragma once
// What runs of objects made of triangles have in common: a task hands its patches to a spool, which is
// written, drawn and counted. What is left to each kind is how many tasks there are and what one does.

#include "core/base/guarded_pointer.h"
#include "core/extract/grid_surface.h"
#include "core/session/run/object_run.h"
#include "core/session/surface_spool.h"
#include "core/session/vtp_writer.h"

namespace farfield::session {

class TrianglesRun : public ObjectRun {
 public:
  tasks::GroupResult tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                              std::span<const std::size_t> numbers,
                              std::chrono::milliseconds limit) const final;
  void step(const ObjectSurroundings& surroundings, std::int64_t step) final;
  void writeGeometry(const std::filesystem::path& path) const final;
  using ObjectRun::item;
  scene::SceneItem item(const Object& look) const final;
  Bounds bounds() const final;
  void count(ObjectStats& stats) const final;

 protected:
  using ObjectRun::ObjectRun;
  /// The work of task `number`, whose patches have that number.
  virtual void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                       std::int64_t step, extract::SurfaceSink& sink) const = 0;
  /// Of a node of a patch: those of the functions.
  virtual int valuesPerNode() const { return m_functions->outputCount(); }
  /// Number among them of that by which the object is coloured.
  virtual std::optional<int> shownValue() const { return colorValue(); }
  /// Those that the file has beside the normals; the first is a viewer's first choice.
  virtual std::vector<NamedValue> writtenValues() const;

 private:
  GuardedPointer<SurfaceSpool> m_spool;
};

}  // namespace farfield::session
