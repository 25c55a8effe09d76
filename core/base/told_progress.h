#pragma once
// How far a thread is with what takes long, told to who watches it. Who draws a picture is deep below who asked for it; between them nothing
// knows of progress, as nothing knows of stopping (stoppable_waits.h).

#include <functional>

namespace farfield {

/// While it lives, what the calling thread tells is heard. For threads that do one thing at a time, not for tasks. Nested ones end in the
/// reverse order.
class ToldProgress {
 public:
  /// `hear` is called on that thread with the part that is done, 0 to 1.
  explicit ToldProgress(std::function<void(double part)> hear);
  /// What is told from now on is about a part of the work that is told of outside: from `from` to `to` of that. Nobody need listen.
  ToldProgress(double from, double to);
  ~ToldProgress();
  ToldProgress(const ToldProgress&) = delete;
  ToldProgress& operator=(const ToldProgress&) = delete;
  /// So much is done, 0 to 1. Nothing happens where nobody listens.
  static void tell(double part);

 private:
  const std::function<void(double part)> m_hear;
  const double m_from = 0, m_to = 1;
  ToldProgress* const m_outer;
};

}  // namespace farfield
