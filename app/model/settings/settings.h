#pragma once
// What the application remembers between runs, beside documents: every value is declared once, with its key,
// its default and its bounds. The layout of the window is the window's own affair and is kept here as bytes.

#include <QByteArray>
#include <QObject>
#include <QSettings>
#include <QStringList>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/scene/color_choice.h"

namespace farfield::app {

enum class Theme { System, Light, Dark };

/// Lives on the UI thread. Written to disk by QSettings, now and then and at the end.
class Settings : public QObject {
  Q_OBJECT
 public:
  /// Kept in the user's configuration; in `file` where one is named.
  explicit Settings(const QString& file = {}, QObject* parent = nullptr);
  ~Settings() override;

  std::uint64_t memoryBytes() const;
  void setMemoryBytes(std::uint64_t bytes);
  int processors() const;
  void setProcessors(int count);
  Theme theme() const;
  void setTheme(Theme theme);

  /// Colour maps from elsewhere, in the order in which they came; one of each name.
  std::vector<scene::MapChoice> colorMaps() const;
  /// By its name and its points.
  bool hasColorMap(const scene::MapChoice& map) const;
  /// In place of one of the same name. The oldest goes where there are very many.
  void addColorMap(const scene::MapChoice& map);
  /// It stays where it is in the list.
  void renameColorMap(const std::string& name, const std::string& newName);
  void removeColorMap(const std::string& name);

  /// From which files were opened last; the user's own folder before any was.
  QString lastFolder() const;
  void setLastFolder(const QString& folder);

  QByteArray windowLayout(const QString& part) const;
  void setWindowLayout(const QString& part, const QByteArray& state);

  /// Places on other machines that the user keeps, the latest first: URLs without anything secret.
  QStringList places() const;
  void addPlace(const QString& url);
  void removePlace(const QString& url);

  /// Session files and data that were opened last, the latest first. Data are grid and solution, joined by
  /// '\n'.
  QStringList recent() const;
  void addRecent(const QString& what);
  void removeRecent(const QString& what);
  void clearRecent();

 signals:
  void recentChanged();
  void placesChanged();
  void themeChanged();
  void colorMapsChanged();

 private:
  void keepColorMaps(const std::vector<scene::MapChoice>& maps);

  std::unique_ptr<QSettings> m_settings;
};

/// A quarter of the machine's memory, at least 256 MiB and at most 8 GiB.
std::uint64_t defaultMemoryBytes();
constexpr std::uint64_t kLeastMemoryBytes = std::uint64_t{16} << 20;

}  // namespace farfield::app
