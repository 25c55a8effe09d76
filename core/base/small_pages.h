#pragma once
// Whoever has little time cannot wait for huge pages: where the machine's memory has not been used for long, clearing one takes up to
// 8 ms, in the middle of whatever touched it.

namespace farfield {

/// While there is one, the whole program gets pages of the usual size for memory that it touches for the first time; what
/// it has stays as it is. From any thread; where the system refuses, all stays as it was.
class SmallPages {
 public:
  SmallPages();
  ~SmallPages();
  SmallPages(const SmallPages&) = delete;
  SmallPages& operator=(const SmallPages&) = delete;
};

}  // namespace farfield
