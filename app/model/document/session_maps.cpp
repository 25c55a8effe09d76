#include "app/model/document/session_maps.h"

#include <QUndoStack>
#include <algorithm>
#include <utility>

#include "app/model/document/volume_looks.h"

namespace farfield::app {
namespace {

void addOnce(std::vector<scene::MapChoice>& maps, const scene::MapChoice& map) {
  if (std::find(maps.begin(), maps.end(), map) == maps.end()) maps.push_back(map);
}

auto named(const std::vector<scene::MapChoice>& maps, const std::string& name) {
  return std::count_if(maps.begin(), maps.end(),
                       [&](const scene::MapChoice& map) { return map.name == name; });
}

}  // namespace

scene::MapChoice plainMap(const scene::MapChoice& map) {
  scene::MapChoice its(map.name);
  its.points = map.points;
  return its;
}

std::string nameBeside(const std::vector<std::string>& builtIn, const std::string& wanted) {
  std::string name = wanted;
  for (int n = 2; std::find(builtIn.begin(), builtIn.end(), name) != builtIn.end(); ++n)
    name = wanted + ' ' + std::to_string(n);
  return name;
}

SessionMaps::SessionMaps(Document& document, Settings& settings, std::vector<std::string> builtIn,
                         QObject* parent)
    : QObject(parent),
      m_document(document),
      m_settings(settings),
      m_builtIn(std::move(builtIn)),
      m_used(used()),
      m_index(document.undoStack().index()) {
  renameKept();
  connect(&settings, &Settings::colorMapsChanged, this, &SessionMaps::changed);
  connect(&document.undoStack(), &QUndoStack::indexChanged, this,
          [this](int index) { look(index < std::exchange(m_index, index)); });
  connect(&document, &Document::replaced, this, [this] {
    m_left.clear();
    m_unwanted.clear();
    m_used = used();
  });
}

void SessionMaps::renameKept() {
  std::vector<std::string> taken = m_builtIn;
  for (const scene::MapChoice& map : m_settings.colorMaps()) taken.push_back(map.name);
  for (const scene::MapChoice& map : m_settings.colorMaps())
    if (std::find(m_builtIn.begin(), m_builtIn.end(), map.name) != m_builtIn.end()) {
      taken.push_back(nameBeside(taken, map.name));
      m_settings.renameColorMap(map.name, taken.back());
    }
}

std::vector<scene::MapChoice> SessionMaps::used() const {
  std::vector<scene::MapChoice> maps;
  for (const ObjectId id : m_document.objectIds()) {
    const session::Coloring color = withPlainColors(*m_document.object(id)).color;
    if (!color.by.empty() && !color.map.points.empty()) addOnce(maps, plainMap(color.map));
  }
  return maps;
}

/// A map that was edited or renamed is still there, as it is now; what was undone has not been.
void SessionMaps::look(bool undone) {
  std::vector<scene::MapChoice> now = used();
  const std::vector<scene::MapChoice> before = std::exchange(m_used, std::move(now)), leftBefore = m_left;
  const auto isUsed = [&](const scene::MapChoice& map) {
    return std::find(m_used.begin(), m_used.end(), map) != m_used.end();
  };
  for (const scene::MapChoice& map : before) {
    const bool isRenamed = std::any_of(m_used.begin(), m_used.end(), [&](const scene::MapChoice& other) {
      return other.points == map.points;
    });
    const bool isUnwanted = std::find(m_unwanted.begin(), m_unwanted.end(), map.name) != m_unwanted.end();
    if (!undone && !isRenamed && !isUnwanted && named(m_used, map.name) < named(before, map.name))
      addOnce(m_left, map);
  }
  std::erase_if(m_left, isUsed);
  if (m_left != leftBefore) emit changed();
}

std::vector<scene::MapChoice> SessionMaps::list() const {
  std::vector<scene::MapChoice> maps;
  for (const std::string& name : m_builtIn) addOnce(maps, name);
  for (const scene::MapChoice& map : m_settings.colorMaps()) addOnce(maps, plainMap(map));
  for (const ObjectId id : m_document.objectIds()) {
    const session::Coloring color = withPlainColors(*m_document.object(id)).color;
    if (!color.by.empty()) addOnce(maps, plainMap(color.map));
  }
  for (const scene::MapChoice& map : m_left) addOnce(maps, map);
  return maps;
}

std::string SessionMaps::nameToKeep(const scene::MapChoice& map) const {
  std::vector<std::string> taken = m_builtIn;
  for (const scene::MapChoice& kept : m_settings.colorMaps())
    if (kept.points != map.points) taken.push_back(kept.name);
  return nameBeside(taken, map.name);
}

std::string SessionMaps::freeName(const std::string& wanted) const {
  const std::vector<scene::MapChoice> maps = list();
  std::string name = wanted;
  for (int n = 2; named(maps, name) > 0; ++n) name = wanted + ' ' + std::to_string(n);
  return name;
}

}  // namespace farfield::app
