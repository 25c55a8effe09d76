#pragma once
// Everything that is written onto a finished picture: title, legends, texts, axes, a bar of known length. Both back
// ends call it, so that the window and batch pictures say the same.

#include <string>
#include <vector>

#include "render/color/legend.h"

namespace farfield::view {

/// Writes what `scene` asks for. Returns the boxes of the legends.
std::vector<color::LegendBox> writeNotes(color::Image& image, const scene::Scene& scene);

/// The columns of a picture that are seen of it, beside those of another one that takes the rest.
struct NotesPart {
  int left = 0, width = 0;
  std::string name;  ///< what is seen there; empty: nothing is said of it
};
/// The same where title, texts, legends, the bar and the directions stand in that part, in letters that suit it; the name stands at the
/// top, beside the edge towards the other part, below the title.
std::vector<color::LegendBox> writeNotes(color::Image& image, const scene::Scene& scene,
                                         const NotesPart& part);

}  // namespace farfield::view
