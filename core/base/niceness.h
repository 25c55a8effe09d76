#pragma once
// How willingly a thread lets others go first. A window's own thread comes before the one that draws, and
// that before those that compute.

namespace farfield {

/// For the calling thread and those that it starts from now on: 0 (the usual) … 19. Cannot be taken back
/// without rights that programs do not have.
void beNice(int niceness);

}  // namespace farfield
