#include "app/model/settings/settings.h"

#include <QDir>
#include <algorithm>

#include "app/model/settings/color_map_files.h"
#include "core/base/machine.h"

namespace farfield::app {
namespace {

constexpr int kMostRecent = 12;
constexpr const char* kMemory = "compute/memoryBytes";
constexpr const char* kProcessors = "compute/processors";
constexpr const char* kTheme = "look/theme";
constexpr std::size_t kMostColorMaps = 100;
constexpr const char* kColorMaps = "look/colorMaps";
constexpr const char* kRecent = "start/recent";
constexpr int kMostPlaces = 50;
constexpr const char* kPlaces = "start/places";
constexpr const char* kLastFolder = "start/folder";

}  // namespace

std::uint64_t defaultMemoryBytes() {
  return std::clamp(machineMemoryBytes() / 4, std::uint64_t{256} << 20, std::uint64_t{8} << 30);
}

Settings::Settings(const QString& file, QObject* parent)
    : QObject(parent),
      m_settings(file.isEmpty() ? std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope,
                                                              "farfield", "farfield")
                                : std::make_unique<QSettings>(file, QSettings::IniFormat)) {}

Settings::~Settings() = default;

std::uint64_t Settings::memoryBytes() const {
  const std::uint64_t bytes = m_settings->value(kMemory, qulonglong{0}).toULongLong();
  return bytes == 0 ? defaultMemoryBytes() : std::clamp(bytes, kLeastMemoryBytes, machineMemoryBytes());
}

void Settings::setMemoryBytes(std::uint64_t bytes) {
  m_settings->setValue(kMemory, static_cast<qulonglong>(bytes));
}

int Settings::processors() const {
  const int count = m_settings->value(kProcessors, 0).toInt();
  return count <= 0 ? availableProcessors() : std::min(count, 1024);
}

void Settings::setProcessors(int count) {
  m_settings->setValue(kProcessors, count);
}

Theme Settings::theme() const {
  return static_cast<Theme>(std::clamp(m_settings->value(kTheme, 0).toInt(), 0, 2));
}

void Settings::setTheme(Theme theme) {
  if (theme == this->theme()) return;
  m_settings->setValue(kTheme, static_cast<int>(theme));
  emit themeChanged();
}

std::vector<scene::MapChoice> Settings::colorMaps() const {
  std::vector<scene::MapChoice> maps;
  for (const QString& text : m_settings->value(kColorMaps).toStringList())
    if (auto map = mapFromText(text)) maps.push_back(std::move(*map));
  return maps;
}

bool Settings::hasColorMap(const scene::MapChoice& map) const {
  const std::vector<scene::MapChoice> maps = colorMaps();
  return std::any_of(maps.begin(), maps.end(), [&](const scene::MapChoice& each) {
    return each.name == map.name && each.points == map.points;
  });
}

void Settings::addColorMap(const scene::MapChoice& map) {
  std::vector<scene::MapChoice> maps = colorMaps();
  std::erase_if(maps, [&](const scene::MapChoice& other) { return other.name == map.name; });
  maps.push_back(map);
  while (maps.size() > kMostColorMaps) maps.erase(maps.begin());
  keepColorMaps(maps);
}

void Settings::renameColorMap(const std::string& name, const std::string& newName) {
  std::vector<scene::MapChoice> maps = colorMaps();
  for (scene::MapChoice& map : maps)
    if (map.name == name) map.name = newName;
  keepColorMaps(maps);
}

void Settings::removeColorMap(const std::string& name) {
  std::vector<scene::MapChoice> maps = colorMaps();
  if (std::erase_if(maps, [&](const scene::MapChoice& other) { return other.name == name; }) > 0)
    keepColorMaps(maps);
}

void Settings::keepColorMaps(const std::vector<scene::MapChoice>& maps) {
  QStringList texts;
  for (const scene::MapChoice& map : maps) texts.append(textOfMap(map));
  m_settings->setValue(kColorMaps, texts);
  emit colorMapsChanged();
}

QString Settings::lastFolder() const {
  const QString folder = m_settings->value(kLastFolder).toString();
  return folder.isEmpty() || !QDir(folder).exists() ? QDir::currentPath() : folder;
}

void Settings::setLastFolder(const QString& folder) {
  m_settings->setValue(kLastFolder, folder);
}

QByteArray Settings::windowLayout(const QString& part) const {
  return m_settings->value("window/" + part).toByteArray();
}

void Settings::setWindowLayout(const QString& part, const QByteArray& state) {
  m_settings->setValue("window/" + part, state);
}

QStringList Settings::places() const {
  return m_settings->value(kPlaces).toStringList();
}

void Settings::addPlace(const QString& url) {
  QStringList list = places();
  list.removeAll(url);
  list.prepend(url);
  while (list.size() > kMostPlaces) list.removeLast();
  m_settings->setValue(kPlaces, list);
  emit placesChanged();
}

void Settings::removePlace(const QString& url) {
  QStringList list = places();
  if (list.removeAll(url) == 0) return;
  m_settings->setValue(kPlaces, list);
  emit placesChanged();
}

QStringList Settings::recent() const {
  return m_settings->value(kRecent).toStringList();
}

void Settings::addRecent(const QString& what) {
  QStringList list = recent();
  list.removeAll(what);
  list.prepend(what);
  while (list.size() > kMostRecent) list.removeLast();
  m_settings->setValue(kRecent, list);
  emit recentChanged();
}

void Settings::removeRecent(const QString& what) {
  QStringList list = recent();
  if (list.removeAll(what) == 0) return;
  m_settings->setValue(kRecent, list);
  emit recentChanged();
}

void Settings::clearRecent() {
  m_settings->remove(kRecent);
  emit recentChanged();
}

}  // namespace farfield::app
