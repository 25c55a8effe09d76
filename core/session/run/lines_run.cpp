#include "core/session/run/lines_run.h"

namespace farfield::session {

std::shared_ptr<LineSpool> LinesRun::makeSpool(const ObjectSurroundings& surroundings, std::size_t lines) {
  const auto spool = std::make_shared<LineSpool>(
      LineSpoolOptions{surroundings.spoolFolder, lines, m_functions->outputCount(), kBlockBytes},
      surroundings.account);
  m_spool.store(spool);
  return spool;
}

scene::SceneItem LinesRun::item(const Object& look) const {
  const auto lines = spool();
  scene::SceneItem item =
      describedItem(look, colorValue() && lines ? lines->range(*colorValue()) : std::nullopt);
  // columns of a vertex: point, time, values
  if (lines)
    item.lines =
        lineGeometry(polylinesOf(lines), colorValue() ? std::optional(4 + *colorValue()) : std::nullopt);
  return item;
}

Bounds LinesRun::bounds() const {
  const auto lines = spool();
  return lines ? lines->bounds() : Bounds{};
}

void LinesRun::count(ObjectStats& stats) const {
  const auto lines = spool();
  stats.count += lines->lineCount();
  stats.points += lines->vertexCount();
}

}  // namespace farfield::session
