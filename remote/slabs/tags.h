#pragma once
// The moments by which remote rendering is watched, by the names that Visapult's publication (SC 2000) gave them, so that life
// lines of all components read alike; and the time between two of them as a bar.

#include <cstdint>

#include "core/trace/recent.h"
#include "core/trace/trace.h"

namespace farfield::remote {

struct Tag {
  const char* span;
  const char* start;
  const char* end;
};

// of a rank
inline constexpr Tag kLoad{"LOAD", "LOAD_START", "LOAD_END"};
inline constexpr Tag kRender{"RENDER", "RENDER_START", "RENDER_END"};
inline constexpr Tag kLightSend{"LIGHT_SEND", "LIGHT_SEND_START", "LIGHT_SEND_END"};
inline constexpr Tag kHeavySend{"HEAVY_SEND", "HEAVY_SEND_START", "HEAVY_SEND_END"};
/// Objects of the data: not in the publication.
inline constexpr Tag kCompute{"COMPUTE", "COMPUTE_START", "COMPUTE_END"};
// of a viewer
inline constexpr Tag kFrame{"FRAME", "FRAME_START", "FRAME_END"};
inline constexpr Tag kLightPayload{"LIGHTPAYLOAD", "LIGHTPAYLOAD_START", "LIGHTPAYLOAD_END"};
inline constexpr Tag kHeavyPayload{"HEAVYPAYLOAD", "HEAVYPAYLOAD_START", "HEAVYPAYLOAD_END"};

/// From construction to destruction, on the calling thread's life line, in the event log and for who watches. `frame`: the step of the data, so that what goes on for one
/// step has one number everywhere; of what a viewer does not want any more, the number of the message.
class TagSpan {
 public:
  TagSpan(const char* category, const Tag& tag, std::uint64_t frame)
      : m_category(category), m_tag(tag), m_frame(frame), m_scope(category, tag.span, frame) {
    trace::instant(category, tag.start, frame);
    trace::noteBegin(tag.span, frame);
  }
  ~TagSpan() {
    trace::noteEnd(m_tag.span);
    trace::instant(m_category, m_tag.end, m_frame);
  }
  TagSpan(const TagSpan&) = delete;
  TagSpan& operator=(const TagSpan&) = delete;

 private:
  const char* m_category;
  const Tag& m_tag;
  std::uint64_t m_frame;
  trace::Scope m_scope;
};

}  // namespace farfield::remote
