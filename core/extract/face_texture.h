#pragma once
// Textures of a vector on faces of unstructured blocks, as surface_texture.h has them on sheets: faces are divided into triangles as
// fine as the texels, and lines go from face to face (face_lines.h), as far as they reach. A face has nodes of its own, as it has where surfaces are
// drawn; a texel on a side that two faces share has the same place in both.

#include "core/extract/face_links.h"
#include "core/extract/surface_texture.h"

namespace farfield::extract {

/// Computes a part of the texture of patch `number` of `surface`, which is of faces, of which `links` are; one task's work. The parts
/// are those of texturePartsOf(). Throws what gathering throws, Corrupt, Io.
void extractFaceTexture(const GridSurface& surface, const FaceLinks& links, std::size_t number,
                        TexturePart part, fields::PagedData& data, tasks::TaskContext& context,
                        const fields::FunctionPlan& functions, std::int64_t step,
                        const LineConvolution& lines, SurfaceSink& sink);
std::uint64_t faceTextureBytes(const fields::FunctionPlan& functions);

}  // namespace farfield::extract
