#include "app/model/color_map_files.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QXmlStreamReader>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "render/color/interpolated_map.h"

namespace farfield::app {
namespace {

constexpr std::size_t kMostMaps = 1000, kMostPoints = 4096;
constexpr int kMostNameLength = 60;

struct RawMap {
  QString name, space;
  std::vector<color::MixingPoint> points;
  std::optional<std::array<double, 3>> nan;
  std::vector<std::array<double, 4>> opacity;  // value, opacity, midpoint, sharpness of what follows
};

/// Between the ends of a piece of vtkPiecewiseFunction, whose documentation has the formula.
double curveAt(double part, double from, double to, double midpoint, double sharpness) {
  double s = part < midpoint ? 0.5 * part / midpoint : 0.5 + 0.5 * (part - midpoint) / (1 - midpoint);
  if (sharpness < 0.01) return from + (to - from) * s;
  s = s < 0.5 ? 0.5 * std::pow(2 * s, 1 + 10 * sharpness)
              : 1 - 0.5 * std::pow(2 * (1 - s), 1 + 10 * sharpness);
  const double ss = s * s, sss = s * ss, slope = (1 - sharpness) * (to - from);
  const double curve = (2 * sss - 3 * ss + 1) * from + (3 * ss - 2 * sss) * to + (sss - 2 * ss + s) * slope +
                       (sss - ss) * slope;
  return std::clamp(curve, std::min(from, to), std::max(from, to));
}

std::vector<scene::OpacityPoint> opacityOf(std::vector<std::array<double, 4>> nodes) {
  constexpr int kPieces = 16;
  std::vector<scene::OpacityPoint> points;
  std::stable_sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; });
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const auto& [value, opacity, middle, sharpness] = nodes[n];
    if (!(opacity >= 0 && opacity <= 1)) throw Invalid("an opacity is outside of 0 to 1");
    points.push_back({value, opacity});
    if (n + 1 == nodes.size() || opacity == nodes[n + 1][1]) continue;
    const double width = nodes[n + 1][0] - value, next = nodes[n + 1][1];
    const double midpoint = std::clamp(middle, 1e-5, 1 - 1e-5);
    if (sharpness > 0.99) {
      points.push_back({value + midpoint * width, opacity});
      points.push_back({value + midpoint * width, next});
    } else if (sharpness >= 0.01) {
      for (int piece = 1; piece < kPieces; ++piece) {
        const double part = static_cast<double>(piece) / kPieces;
        points.push_back({value + part * width, curveAt(part, opacity, next, midpoint, sharpness)});
      }
    } else if (std::abs(midpoint - 0.5) > 1e-3) {
      points.push_back({value + midpoint * width, 0.5 * (opacity + next)});
    }
  }
  return points;
}

std::string nameOf(const QString& written, const QString& otherwise) {
  QString name;
  for (const QChar c : written) name += c.isPrint() ? c : QChar(' ');
  name = name.simplified().left(kMostNameLength);
  return (name.isEmpty() ? otherwise : name).toStdString();
}

color::MixingSpace spaceOf(const QString& name) {
  const QString plain = name.trimmed().toLower();
  if (plain == "rgb") return color::MixingSpace::Rgb;
  if (plain == "hsv" || plain.isEmpty()) return color::MixingSpace::Hsv;  // as in ParaView
  if (plain == "hsvnowrap" || plain == "wrapped hsv") return color::MixingSpace::HsvNoWrap;
  if (plain == "lab" || plain == "cielab" || plain == "lab/ciede2000") return color::MixingSpace::Lab;
  if (plain == "diverging") return color::MixingSpace::Diverging;
  if (plain == "step") return color::MixingSpace::Step;
  throw Invalid("its colour space \"" + name.left(40).toStdString() + "\" is not known",
                "convert it to RGB, HSV, Lab, Diverging or Step in ParaView");
}

double numberOf(QStringView text) {
  bool good = false;
  const double value = text.toDouble(&good);
  if (!good || !std::isfinite(value))
    throw Invalid("\"" + text.left(40).toString().toStdString() + "\" is no number");
  return value;
}

double numberOf(const QJsonValue& value) {
  if (!value.isDouble() || !std::isfinite(value.toDouble()))
    throw Invalid("something among its numbers is none");
  return value.toDouble();
}

ImportedMap finished(RawMap raw, const QString& nameless) {
  const std::string name = nameOf(raw.name, nameless);
  try {
    // ParaView sorts, too; two colours at one place keep their order.
    std::stable_sort(raw.points.begin(), raw.points.end(),
                     [](const auto& a, const auto& b) { return a.place < b.place; });
    ImportedMap map;
    map.choice.name = name;
    if (!raw.points.empty() && raw.points.front().place < raw.points.back().place)
      map.range = {{raw.points.front().place, raw.points.back().place}};
    map.opacity = opacityOf(std::move(raw.opacity));
    map.choice.points = color::writtenOut(spaceOf(raw.space), raw.points);
    if (raw.nan) {
      for (const double part : *raw.nan)
        if (!(part >= 0 && part <= 1)) throw Invalid("its colour of NaN has a part outside of 0 to 1");
      map.nan = scene::Rgba{static_cast<float>((*raw.nan)[0]), static_cast<float>((*raw.nan)[1]),
                            static_cast<float>((*raw.nan)[2]), 1};
    }
    return map;
  } catch (Error& error) {
    error.at("colour map \"" + name + "\"");
    throw;
  }
}

void requireRoom(std::size_t count, std::size_t most, const char* what) {
  if (count >= most) throw Invalid("more than " + std::to_string(most) + " " + what);
}

std::array<double, 3> colorOf(const QXmlStreamAttributes& attributes) {
  return {numberOf(attributes.value("r")), numberOf(attributes.value("g")), numberOf(attributes.value("b"))};
}

// <ColorMap name= space=> <Point x= o= r= g= b=/> … <NaN r= g= b=/> </ColorMap>, under anything.
std::vector<RawMap> fromXml(const QByteArray& bytes) {
  QXmlStreamReader xml(bytes);
  std::vector<RawMap> maps;
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
      requireRoom(maps.size(), kMostMaps, "colour maps");
      RawMap& map = maps.emplace_back();
      map.name = attributes.value("name").toString();
      map.space = attributes.value("space").toString();
      inMap = true;
    } else if (inMap && xml.name() == u"Point") {
      requireRoom(maps.back().points.size(), kMostPoints, "colours in a map");
      maps.back().points.push_back({numberOf(attributes.value("x")), colorOf(attributes)});
    } else if (inMap && xml.name() == u"NaN") {
      maps.back().nan = colorOf(attributes);
    }
  }
  if (xml.hasError())
    throw Invalid("line " + std::to_string(xml.lineNumber()) + ": " + xml.errorString().toStdString());
  return maps;
}

// [ { "Name", "ColorSpace", "RGBPoints": [x, r, g, b, …], "NanColor": [r, g, b],
//     "Points": [x, opacity, midpoint, sharpness, …] }, … ]
std::vector<RawMap> fromJson(const QByteArray& bytes) {
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(bytes, &error);
  if (document.isNull())
    throw Invalid("at byte " + std::to_string(error.offset) + ": " + error.errorString().toStdString());
  const QJsonArray list = document.isArray() ? document.array() : QJsonArray{document.object()};
  std::vector<RawMap> maps;
  for (const auto& element : list) {
    const QJsonObject object = element.toObject();
    const QJsonArray numbers = object.value("RGBPoints").toArray();
    if (numbers.isEmpty()) continue;  // opacities or annotations alone
    requireRoom(maps.size(), kMostMaps, "colour maps");
    RawMap& map = maps.emplace_back();
    map.name = object.value("Name").toString();
    map.space = object.value("ColorSpace").toString();
    if (numbers.size() % 4 != 0) throw Invalid("RGBPoints is no list of four numbers each");
    requireRoom(static_cast<std::size_t>(numbers.size() / 4), kMostPoints + 1, "colours in a map");
    for (qsizetype i = 0; i < numbers.size(); i += 4)
      map.points.push_back({numberOf(numbers[i]),
                            {numberOf(numbers[i + 1]), numberOf(numbers[i + 2]), numberOf(numbers[i + 3])}});
    const QJsonArray nan = object.value("NanColor").toArray();
    const QJsonArray opacities = object.value("Points").toArray();
    if (opacities.size() % 4 != 0) throw Invalid("Points is no list of four numbers each");
    requireRoom(static_cast<std::size_t>(opacities.size() / 4), kMostPoints + 1, "opacities in a map");
    for (qsizetype i = 0; i < opacities.size(); i += 4)
      map.opacity.push_back({numberOf(opacities[i]), numberOf(opacities[i + 1]), numberOf(opacities[i + 2]),
                             numberOf(opacities[i + 3])});
    if (nan.size() >= 3) map.nan = {numberOf(nan[0]), numberOf(nan[1]), numberOf(nan[2])};
  }
  return maps;
}

}  // namespace

std::vector<ImportedMap> readColorMaps(const QByteArray& bytes, const QString& nameless) {
  QByteArray plain = bytes;
  if (plain.startsWith("\xEF\xBB\xBF")) plain.remove(0, 3);
  const QByteArray begin = plain.left(4096).trimmed();
  const char first = begin.isEmpty() ? '\0' : begin[0];
  std::vector<RawMap> raw;
  if (first == '<')
    raw = fromXml(plain);
  else if (first == '[' || first == '{')
    raw = fromJson(plain);
  if (raw.empty())
    throw Invalid("there is no colour map in it", "choose a file that ParaView exported as XML or JSON");
  std::vector<ImportedMap> maps;
  maps.reserve(raw.size());
  for (RawMap& map : raw) maps.push_back(finished(std::move(map), nameless));
  return maps;
}

std::vector<ImportedMap> readColorMapFile(const QString& path) {
  QFile file(path);
  try {
    if (!file.open(QIODevice::ReadOnly)) {
      if (!file.exists()) throw NotFound("there is no such file");
      throw Io("it cannot be read: " + file.errorString().toStdString());
    }
    const QByteArray bytes = file.read(kMostMapFileBytes + 1);
    if (bytes.size() > kMostMapFileBytes)
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
  scene::MapChoice map(nameOf(object.value("name").toString(), "map"));
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
