#pragma once
// Objects of data that only a renderer has (slab://HOST:PORT): it computes them, and what comes is shown and written by the
// run that would have computed it here.

#include <memory>
#include <string>

#include "core/session/run/object_run.h"

namespace farfield::session {

/// Attribute of data that only a renderer has: its URL, slab://HOST:PORT.
inline constexpr const char* kRendererAttribute = "renderer";
/// What it can show, a name a line.
inline constexpr const char* kRendererFunctions = "rendererFunctions";
/// The file that it renders; not there: it does not say.
inline constexpr const char* kRendererFile = "rendererFile";
/// About where values of functions lie, a line each: least, greatest, whether of all nodes (0 or 1), name.
inline constexpr const char* kRendererRanges = "rendererRanges";
/// And its data's own description (paging::descriptionText); not there: it computes no objects.
inline constexpr const char* kRendererData = "rendererData";

/// Of data that only a renderer has what these data are there, else the description itself. Throws Corrupt.
paging::DatasetDescription dataBehind(const paging::DatasetDescription& description);
/// Whether renderers compute objects of this kind.
bool isComputedByRenderers(ObjectType type);
/// A session of this object alone, which does not depend on the folder of another one.
std::string documentOf(const Object& object);

class RemoteRun final : public ObjectRun {
 public:
  /// Throws Unsupported for kinds that renderers do not compute, and what makeObjectRun() throws for the renderer's data.
  RemoteRun(const Object& object, const paging::DatasetDescription& description);
  TaskName taskName() const override { return m_shown->taskName(); }
  std::uint64_t taskBytes() const override { return 0; }
  std::size_t taskCount(const paging::DatasetDescription&) const override { return 0; }
  tasks::GroupResult tryTasks(const ObjectSurroundings&, std::int64_t, std::span<const std::size_t>,
                              std::chrono::milliseconds) const override {
    return {};
  }
  GeometryFiles geometryFiles() const override { return m_shown->geometryFiles(); }
  void step(const ObjectSurroundings& surroundings, std::int64_t step) override;
  void writeGeometry(const std::filesystem::path& path) const override { m_shown->writeGeometry(path); }
  bool hasPieces() const override { return m_shown->hasPieces(); }
  void writePieces(const std::filesystem::path& path, std::uint64_t triangles) const override {
    m_shown->writePieces(path, triangles);
  }
  using ObjectRun::item;
  scene::SceneItem item(const Object& look) const override { return m_shown->item(look); }
  Bounds bounds() const override { return m_shown->bounds(); }
  void count(ObjectStats& stats) const override;

 private:
  std::string m_source;
  paging::DatasetDescription m_data;  ///< the renderer's
  std::unique_ptr<ObjectRun> m_shown;
  ResultCounts m_counts;
  std::shared_ptr<void> m_link;  ///< to the renderer
};

}  // namespace farfield::session
