#pragma once
// Grid surfaces as a command line names them, and names for the sheets of nodes that they are.
//
//   BLOCK:FACE     imin, imax, jmin, jmax, kmin or kmax: a face of the block; the normal points out of it
//   BLOCK:all      all its faces, as of a closed box
//   BLOCK:RANGES   i=A:B,k=N and the like, as in a session: a sheet where one index is fixed, with its normal
//                  to where that index grows; else the faces of that box of nodes, with normals out of it
//
//   NAME           a surface that the data name; the normal points out of its block where it lies on a face
//
// A slice is X,Y,Z:NX,NY,NZ: a point of its plane, and the normal.
//
// BLOCK is a number or "all". What is not named is the whole block; negative indices count from the end.

#include <string>
#include <vector>

#include "core/extract/integrate_surfaces.h"

namespace farfield::cli {

/// The sheets that `text` means, block after block. Throws UsageError for what is no such text, Invalid when
/// the block or the nodes are not there.
std::vector<extract::OrientedSurface> surfacesNamed(const std::string& text,
                                                    const paging::DatasetDescription& description);

/// The plane that `text` means. Throws UsageError.
extract::Plane planeNamed(const std::string& text);

/// Such a text that means this sheet of nodes: "0:kmin", "2:i=4:20,j=0"; of a slice a point of it.
std::string nameOf(const extract::IntegralSurface& surface, const paging::DatasetDescription& description);

/// Where the normal points: "+k", "-i"; of a slice its three components.
std::string normalOf(const extract::IntegralSurface& surface);

}  // namespace farfield::cli
