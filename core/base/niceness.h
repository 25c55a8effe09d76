#pragma once
// The priority of threads: a window's own thread comes before the one that draws, and that before those that
// compute.

namespace farfield {

/// For the calling thread and those it starts later: 0 (the usual) … 19. Cannot be lowered again without
/// special rights.
void beNice(int niceness);

}  // namespace farfield
