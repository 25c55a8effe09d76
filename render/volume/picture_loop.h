#pragma once
// Loops over the bricks and tiles of a picture, on oneTBB. The thread sanitizer cannot see what that library orders, since
// it is not instrumented; where it runs, the loops run on threads of ours, and the bodies are checked there.

#include <cstddef>
#include <functional>
#include <memory>

namespace farfield::volume {

/// Used by one thread at a time.
class PictureLoop {
 public:
  /// At most `processors` threads take part, the calling one among them.
  explicit PictureLoop(int processors);
  ~PictureLoop();

  /// Numbers of threads are below this.
  std::size_t threads() const;
  /// Calls body(n, thread) for every n below `count`. No two calls at the same time have one number of a thread. The body
  /// must not throw.
  void each(std::size_t count, const std::function<void(std::size_t n, std::size_t thread)>& body);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace farfield::volume
