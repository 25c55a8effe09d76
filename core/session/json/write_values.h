#pragma once
// Writing values that occur at several places of a session as JSON, without those that have their default.
// Internal to core/session.

#include <optional>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/scene/scene.h"
#include "core/session/json/json_document.h"
#include "core/session/terms.h"

namespace farfield::session::detail {

Json jsonOf(Vec3 v);
Json jsonOf(const std::vector<Vec3>& points);
Json jsonOf(const scene::Rgba& color);
Json jsonOf(const scene::Clip& clip);
Json jsonOf(const IndexRange& range);
Json jsonOf(const IndexRange3& range);
Json jsonOf(Direction direction);
Json jsonOf(const Seeds& seeds);
Json jsonOf(const Release& release);
Json jsonOf(const Integrator& integrator);
/// The text itself, or a list if there are several.
Json jsonOf(const std::vector<std::string>& texts);

/// The keys of an object of the document, in the order in which they are set.
class Keys {
 public:
  explicit Keys(Json& out) : m_out(out) {}

  void set(const char* key, Json value) { m_out[key] = std::move(value); }
  /// Sets `key` unless the value is the default.
  template <class T>
  void put(const char* key, const T& value, const T& byDefault) {
    if (value == byDefault) return;
    if constexpr (requires { jsonOf(value); })
      m_out[key] = jsonOf(value);
    else
      m_out[key] = value;
  }
  template <class T>
  void put(const char* key, const std::optional<T>& value) {
    if (value) m_out[key] = *value;
  }
  /// One as "block", several as "blocks", all as neither.
  void putBlocks(const std::vector<std::int64_t>& blocks);
  /// See readOverlaps().
  void putOverlaps(bool resolves) {
    if (resolves) set("overlaps", "resolved");
  }

 private:
  Json& m_out;
};

}  // namespace farfield::session::detail
