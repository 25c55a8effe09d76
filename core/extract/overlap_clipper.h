#pragma once
// Of a surface through several blocks that overlap, what belongs to its own block: every point is in the block in which location
// finds it (fields/paged/sampler.h), so the surface is there once, and without gaps. Which block that is is asked at the corners and
// in the middle of each triangle. Where they do not agree the triangle is divided, and cut along the border between the blocks.
//
// The border is followed with lines as long as a quarter of a triangle's edge, whose ends lie on it to 1/4000 of their length: what is missing or
// double there is of second order in the length of edges. A hole or an end of the other block that is smaller than a triangle may be missed.
// Points are looked for a millionth of an edge inside of their triangle, so that blocks which only touch lose nothing.
//
// Private to the folder.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/extract/grid_surface.h"
#include "core/extract/overlaps.h"
#include "core/fields/paged/sampler.h"

namespace farfield::extract::detail {

/// Belongs to one task and one block. While clip() runs it has a cursor of its own: the caller holds no pages meanwhile.
class OverlapClipper {
 public:
  OverlapClipper(int block, fields::PagedData& data, tasks::TaskContext& context, std::size_t outputs,
                 std::int64_t step);
  /// For patches with the values of `functions`.
  static std::uint64_t bytesFor(const fields::FunctionPlan& functions);

  /// One for surfaces of a block; null where none of it can belong to others.
  static std::unique_ptr<OverlapClipper> make(Overlaps overlaps, int block, fields::PagedData& data,
                                              tasks::TaskContext& context, std::size_t outputs,
                                              std::int64_t step);
  /// Passes what of `patch` belongs to the block to `sink`, in patches `number`. May stop the task; throws what locating
  /// points throws.
  void clip(const SurfacePatch& patch, std::size_t number, SurfaceSink& sink);

 private:
  /// A place in a triangle of the patch, by the weights of its corners.
  using Weights = std::array<double, 3>;
  struct Corner {
    Weights weights{};
    bool own = false;
  };
  using Triangle = std::array<Corner, 3>;
  enum class Owner : std::uint8_t { NotAsked, Own, Other };

  bool isOwn(Vec3 point);
  bool isOwnAt(const Weights& weights);
  bool isOwnVertex(std::uint32_t vertex);
  Vec3 pointAt(const Weights& weights) const;
  static Weights between(const Weights& a, const Weights& b, double share);
  void addDivided(const Triangle& triangle, int depth);
  void addCut(const Triangle& triangle);
  Weights borderBetween(const Corner& own, const Corner& other);
  std::uint32_t add(const Weights& weights);
  std::uint32_t addVertex(std::uint32_t vertex);
  void addTriangle(const Weights& a, const Weights& b, const Weights& c);
  void flush();

  int m_block;
  fields::PagedData& m_data;
  tasks::TaskContext& m_context;
  std::size_t m_outputs;
  fields::FieldTime m_time;
  std::vector<int> m_others;  ///< blocks that come before it
  std::shared_ptr<const fields::FunctionPlan> m_nothing;
  // of the patch
  std::unique_ptr<fields::Sampler> m_sampler;
  std::vector<Bounds> m_near;  ///< of the others that the patch may meet
  fields::Location m_taken;    ///< in another block, the last that was found
  SurfacePatch m_patch;
  std::array<std::uint32_t, 3> m_corners{};  ///< of the triangle
  std::uint8_t m_edges = 0;                  ///< its sides that are edges of cells
  std::vector<Owner> m_owners;               ///< of the patch's vertices
  std::vector<Vec3> m_inwards;               ///< by vertex: from it into the triangles around it
  std::vector<std::uint32_t> m_vertexOf;     ///< by vertex: its number in what is passed on
  // what is passed on
  std::size_t m_number = 0;
  SurfaceSink* m_sink = nullptr;
  std::vector<double> m_points, m_normals, m_values;
  std::vector<std::uint32_t> m_triangles;
  std::vector<std::uint8_t> m_sides;
};

/// Passes patches through a clipper.
class ClippedSink final : public SurfaceSink {
 public:
  ClippedSink(OverlapClipper& clipper, SurfaceSink& sink) : m_clipper(clipper), m_sink(sink) {}
  void patch(std::size_t number, const SurfacePatch& patch) override {
    m_clipper.clip(patch, number, m_sink);
  }

 private:
  OverlapClipper& m_clipper;
  SurfaceSink& m_sink;
};

}  // namespace farfield::extract::detail
