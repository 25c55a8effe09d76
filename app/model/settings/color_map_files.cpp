#include "app/model/settings/color_map_files.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QXmlStreamReader>
#include <cmath>

#include "core/base/error.h"

namespace farfield::app {
namespace {

double numberOf(QStringView text) {
  bool good = false;
  const double value = text.toDouble(&good);
  if (!good || !std::isfinite(value))
    throw Invalid("\"" + text.left(40).toString().toStdString() + "\" is no number");
  return value;
}

std::array<double, 3> colorOf(const QXmlStreamAttributes& attributes) {
  return {numberOf(attributes.value("r")), numberOf(attributes.value("g")), numberOf(attributes.value("b"))};
}

// <ColorMap name= space=> <Point x= o= r= g= b=/> … <NaN r= g= b=/> </ColorMap>, under anything.
std::vector<color::MapDescription> fromXml(const QByteArray& bytes) {
  QXmlStreamReader xml(bytes);
  std::vector<color::MapDescription> maps;
  int depth = 0;
  bool inMap = false;
  while (!xml.atEnd()) {
    const auto token = xml.readNext();
    if (token == QXmlStreamReader::DTD) throw Invalid("it has a document type, which no colour map needs");
    if (token == QXmlStreamReader::EndElement) {
      --depth;
      if (xml.name() == u"ColorMap") inMap = false;
    }
    if (token != QXmlStreamReader::StartElement) continue;
    if (++depth > 32) throw Invalid("its elements are nested too deep");
    const QXmlStreamAttributes attributes = xml.attributes();
    if (xml.name() == u"ColorMap") {
      color::requireRoom(maps.size(), color::kMostImportedMaps, "colour maps");
      color::MapDescription& map = maps.emplace_back();
      map.name = attributes.value("name").toString().toStdString();
      map.space = attributes.value("space").toString().toStdString();
      inMap = true;
    } else if (inMap && xml.name() == u"Point") {
      color::requireRoom(maps.back().points.size(), color::kMostImportedPoints, "colours in a map");
      maps.back().points.push_back({numberOf(attributes.value("x")), colorOf(attributes)});
    } else if (inMap && xml.name() == u"NaN") {
      maps.back().nan = colorOf(attributes);
    }
  }
  if (xml.hasError())
    throw Invalid("line " + std::to_string(xml.lineNumber()) + ": " + xml.errorString().toStdString());
  return maps;
}

}  // namespace

std::vector<ImportedMap> readColorMaps(const QByteArray& bytes, const QString& nameless) {
  QByteArray plain = bytes;
  if (plain.startsWith("\xEF\xBB\xBF")) plain.remove(0, 3);
  const QByteArray begin = plain.left(4096).trimmed();
  const char first = begin.isEmpty() ? '\0' : begin[0];
  std::vector<color::MapDescription> raw;
  if (first == '<')
    raw = fromXml(plain);
  else if (first == '[' || first == '{')
    raw = color::mapsFromJson(std::string_view(plain.constData(), static_cast<std::size_t>(plain.size())));
  if (raw.empty())
    throw Invalid("there is no colour map in it", "choose a file that ParaView exported as XML or JSON");
  std::vector<ImportedMap> maps;
  maps.reserve(raw.size());
  for (color::MapDescription& map : raw)
    maps.push_back(color::importedMap(std::move(map), nameless.toStdString()));
  return maps;
}

std::vector<ImportedMap> readColorMapFile(const QString& path) {
  QFile file(path);
  try {
    if (!file.open(QIODevice::ReadOnly)) {
      if (!file.exists()) throw NotFound("there is no such file");
      throw Io("it cannot be read: " + file.errorString().toStdString());
    }
    constexpr auto kMost = static_cast<qint64>(kMostMapFileBytes);
    const QByteArray bytes = file.read(kMost + 1);
    if (bytes.size() > kMost)
      throw Invalid("it is larger than " + std::to_string(kMostMapFileBytes >> 20) +
                    " MiB, which no colour map is");
    return readColorMaps(bytes, QFileInfo(path).completeBaseName());
  } catch (Error& error) {
    error.at("file " + path.toStdString());
    throw;
  }
}

QString textOfMap(const scene::MapChoice& map) {
  QJsonArray points;
  for (const scene::MapPoint& point : map.points)
    points.append(QJsonArray{point.place, point.color[0], point.color[1], point.color[2]});
  const QJsonObject object{{"name", QString::fromStdString(map.name)}, {"points", points}};
  return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

std::optional<scene::MapChoice> mapFromText(const QString& text) {
  const QJsonObject object = QJsonDocument::fromJson(text.toUtf8()).object();
  const QJsonArray points = object.value("points").toArray();
  const auto count = static_cast<std::size_t>(points.size());
  if (count < 2 || count > static_cast<std::size_t>(scene::kMostMapPoints)) return std::nullopt;
  scene::MapChoice map(color::plainName(object.value("name").toString().toStdString(), "map"));
  double last = 0;
  for (const auto& value : points) {
    const QJsonArray point = value.toArray();
    scene::MapPoint& made = map.points.emplace_back();
    made.place = point.at(0).toDouble(-1);
    if (point.size() != 4 || !(made.place >= last && made.place <= 1)) return std::nullopt;
    last = made.place;
    for (int c = 0; c < 3; ++c) {
      const int part = point.at(c + 1).toInt(-1);
      if (part < 0 || part > 255) return std::nullopt;
      made.color[static_cast<std::size_t>(c)] = static_cast<std::uint8_t>(part);
    }
  }
  if (map.points.front().place != 0 || map.points.back().place != 1) return std::nullopt;
  return map;
}

}  // namespace farfield::app
