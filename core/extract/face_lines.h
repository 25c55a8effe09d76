#pragma once
// Lines on faces of an unstructured block that follow the part of a vector along them, as sheet_lines.h has them on sheets of
// structured blocks: the same steps, ends and numbers. In a face position and vector are linear (triangles) or bilinear (quadrilaterals) between its
// corners. A line that comes to a side goes on in the face that meets there (face_links.h), from the same point of the side, which both
// have. Where the vector points out of both faces, as it does on both sides of a line of separation, the line follows the side
// that they share, and at a corner whatever face or side around it leads away; within a face it goes on as on a sheet. It ends where no face meets.

#include "core/extract/face_links.h"
#include "core/extract/sheet_lines.h"

namespace farfield::extract {

/// Where a line starts: in a face, counted from the surface's first, at a share of the way along its two first sides; a triangle is
/// half of what these span, and the other half is folded onto it.
struct FacePlace {
  std::int64_t face = 0;
  FlowSheet::Place place;
};

/// Faces whose sides one task adds to a linker.
constexpr std::int64_t kLinkedFaces = 256;
/// Adds part `number` of `surface`, which is of faces: kLinkedFaces of them or what is left. One task's work. Throws what gathering
/// throws, Corrupt, and what the linker throws.
void addFaces(const GridSurface& surface, std::size_t number, fields::PagedData& data,
              tasks::TaskContext& context, const fields::FunctionPlan& functions, std::int64_t step,
              FaceLinker& linker);

/// Says where some of the linker's loose sides are: part `number` of kLinkedFaces of them or what is left. One task's work. Of grids whose
/// nodes move where they are at the first step, so that the same faces meet at all steps; followOnFaces() ends lines where they have come
/// apart. Throws the same.
void placeLooseSides(const GridSurface& surface, std::size_t number, fields::PagedData& data,
                     tasks::TaskContext& context, const fields::FunctionPlan& functions, std::int64_t step,
                     FaceLinker& linker);

/// As followOnSheet(), on a surface of faces, of which `links` are.
SheetLineEnd followOnFaces(const GridSurface& surface, const FaceLinks& links, const FacePlace& start,
                           int direction, const SheetLineOptions& options, fields::PagedData& data,
                           tasks::TaskContext& context, const fields::FunctionPlan& functions,
                           std::int64_t step, SheetLineSink& sink);
/// Memory of a task of any of these kinds.
std::uint64_t faceLineBytes(const fields::FunctionPlan& functions);

}  // namespace farfield::extract
