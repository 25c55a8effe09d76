#include "app/model/document/corrections.h"

#include <map>
#include <memory>
#include <utility>

#include "app/model/document/session_edit.h"

namespace farfield::app {

void correct(Document& document,
             const std::function<std::optional<session::Session>(const session::Session&)>& frame,
             const std::function<std::optional<session::Object>(const session::Object&)>& object) {
  // States go on to share what they have in common.
  std::map<std::shared_ptr<const session::Session>, std::shared_ptr<const session::Session>> frames;
  std::map<std::shared_ptr<const session::Object>, std::shared_ptr<const session::Object>> objects;
  const auto corrected = [](auto& known, const auto& was, const auto& change) {
    const auto [entry, isNew] = known.try_emplace(was, was);
    if (isNew)
      if (auto its = change(*was))
        entry->second = std::make_shared<typename decltype(its)::value_type>(std::move(*its));
    return entry->second;
  };
  SessionEdit::changeAll(document, [&](DocumentState state) {
    state.frame = corrected(frames, state.frame, frame);
    for (DocumentState::Entry& entry : state.objects) entry.object = corrected(objects, entry.object, object);
    return state;
  });
}

}  // namespace farfield::app
