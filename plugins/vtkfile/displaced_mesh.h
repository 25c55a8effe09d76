#pragma once
// Unstructured grids shown with their nodes moved by a vector that they have there, as bodies of solid mechanics are: VTK's files do not
// say which vector that is, or whether any is, so it is chosen by options.

#include <memory>
#include <string>
#include <vector>

#include "core/fields/data/mesh_data.h"
#include "core/paging/arranging/mesh_input.h"
#include "plugins/arrays/option_words.h"

namespace farfield::vtkfile {

/// Option `shape`: `stored` (default) or `displaced`; `displacement`: the vector, by default the first whose name begins with "dis", or
/// the first; `factor`: how many times as far, by default once.
struct DisplacementOptions {
  bool displaced = false;
  std::string vector;  ///< empty: not chosen
  double factor = 1;
};

const std::vector<std::string>& displacementOptionNames();
/// Throws Invalid.
DisplacementOptions displacementOptions(const arrays::Options& options);

/// Moves the nodes of `inputs`, which are of one data set and of one step each, or one of all steps, as the options say: at each step by
/// that step's vector. What can be chosen is added to `mesh`, and what was. Throws Invalid if there is no such vector.
void displace(std::vector<std::shared_ptr<const paging::MeshInput>>& inputs,
              const DisplacementOptions& options, fields::MeshDataOptions& mesh);

}  // namespace farfield::vtkfile
