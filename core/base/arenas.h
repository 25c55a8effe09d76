#pragma once
// How much unused memory the C library's allocator keeps.

namespace farfield {

/// Lets it have at most `count` arenas. By default there are eight for each processor, and threads that come and go leave
/// unused memory in all of them, which no budget counts. Called first thing in main(), before there are threads; does
/// nothing where the C library is not GNU's.
void limitArenas(int count);

}  // namespace farfield
