#pragma once
// Two reasons to stop what knows of one.

#include <stop_token>

namespace farfield {

class LinkedStop {
 public:
  LinkedStop(const std::stop_token& one, const std::stop_token& other)
      : m_one(one, Ask{&m_source}), m_other(other, Ask{&m_source}) {}
  LinkedStop(const LinkedStop&) = delete;
  LinkedStop& operator=(const LinkedStop&) = delete;
  /// Asks to stop as soon as either does, while this object lives.
  std::stop_token token() const { return m_source.get_token(); }

 private:
  struct Ask {
    std::stop_source* source;
    void operator()() const { source->request_stop(); }
  };
  std::stop_source m_source;
  std::stop_callback<Ask> m_one, m_other;
};

}  // namespace farfield
