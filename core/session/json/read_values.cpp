#include "core/session/json/read_values.h"

#include <array>
#include <set>

#include "core/session/json/names.h"
#include "core/session/json/range_order.h"

namespace farfield::session::detail {

bool readColor(const View& view, scene::Rgba& out) {
  std::string text;
  if (!view.present()) return false;
  if (!view.isText()) {
    view.mustBe("a colour \"#rrggbb\"");
    return false;
  }
  text = view.json().get<std::string>();
  const bool good = (text.size() == 7 || text.size() == 9) && text[0] == '#' &&
                    text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
  if (!good) {
    view.mustBe("a colour \"#rrggbb\" or \"#rrggbbaa\"");
    return false;
  }
  out[3] = 1;
  for (std::size_t i = 0; 2 * i + 1 < text.size(); ++i)
    out[i] = static_cast<float>(std::stoi(text.substr(2 * i + 1, 2), nullptr, 16)) / 255.0f;
  return true;
}

bool readName(const View& view, std::string& out) {
  std::string name;
  if (!view.read(name)) return false;
  // it becomes a file name, and appears in messages and in the list of objects
  if (const std::string fault = nameFault(name); !fault.empty()) {
    view.wrong(shown(view.json()) + " cannot be a name: it " + fault, "use letters, digits, spaces, - and _");
    return false;
  }
  out = name;
  return true;
}

void readRange(const View& view, IndexRange& out) {
  if (!view.present()) return;
  if (view.isNumber()) {
    if (view.read(out.first, -kAnyInteger, kAnyInteger)) out.last = out.first;
    return;
  }
  std::array<std::int64_t, 2> ends{};
  if (!view.readIntegers(ends, -kAnyInteger, kAnyInteger)) return;
  if (runsBackwards({ends[0], ends[1]})) return view.wrong("the last is before the first");
  out = {ends[0], ends[1]};
}

bool readNumbers(const View& view, std::vector<double>& out) {
  constexpr std::size_t kMost = 1000;
  if (!view.isList()) {
    double number = 0;
    if (!view.read(number)) return false;
    out = {number};
    return true;
  }
  if (view.json().empty() || view.json().size() > kMost) {
    view.wrong("has no value, or more than " + std::to_string(kMost), "give some, such as [0.5, 1]");
    return false;
  }
  std::vector<double> numbers(view.json().size());
  bool good = true;
  for (std::size_t n = 0; n < numbers.size(); ++n) good = view.element(n).read(numbers[n]) && good;
  if (good) out = std::move(numbers);
  return good;
}

void readFunction(const View& view, std::string& out) {
  std::int64_t number = 0;
  if (view.isNumber()) {
    if (view.read(number, 1, 999)) out = std::to_string(number);
  } else {
    view.read(out);
  }
}

void readRange3(const View& view, IndexRange3& out) {
  if (!view.object({"i", "j", "k"})) return;
  readRange(view["i"], out[0]);
  readRange(view["j"], out[1]);
  readRange(view["k"], out[2]);
}

void readBlocks(const View& view, std::vector<std::int64_t>& out) {
  const View one = view["block"], many = view["blocks"];
  if (one.present() && many.present())
    return many.wrong("cannot be combined with block", "give one of the two");
  if (one.present()) {
    std::int64_t block = 0;
    if (one.read(block, 0, kMaxSeeds)) out = {block};
  } else if (many.present() && !many.isText("all")) {
    if (!many.isList() || many.json().empty()) return many.mustBe("\"all\" or a list of block numbers");
    std::vector<std::int64_t> blocks(many.json().size());
    if (!many.readIntegers(blocks, 0, kMaxSeeds)) return;
    if (std::set<std::int64_t>(blocks.begin(), blocks.end()).size() != blocks.size())
      return many.wrong("names a block twice");
    out = std::move(blocks);
  }
}

void readOverlaps(const View& view, bool& resolves) {
  if (const auto chosen = view["overlaps"].choice({"all", "resolved"})) resolves = *chosen == 1;
}

bool checkKeys(const View& view, std::initializer_list<const char*> more) {
  std::vector<std::string> keys{"name",     "type",   "data",   "visible", "opacity", "color",
                                "lighting", "engine", "budget", "edges",   "clipped"};
  keys.insert(keys.end(), more.begin(), more.end());
  return view.object(keys);
}

void readPoints(const View& view, std::vector<Vec3>& out) {
  view.require();
  if (view.present() && !view.isList()) view.mustBe("a list of points [[x, y, z], …]");
  if (!view.isList()) return;
  out.resize(view.json().size());
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!view.element(i).read(out[i])) break;
}

void readClip(const View& view, scene::Clip& out, std::size_t mostPlanes) {
  if (!view.present() || !view.object({"box", "planes"})) return;
  if (const View box = view["box"]; box.present()) {
    std::array<Vec3, 2> corners;
    if (!box.isList() || box.json().size() != 2)
      box.mustBe("the least and the greatest corner, [[x, y, z], [x, y, z]]");
    else if (box.element(0).read(corners[0]) && box.element(1).read(corners[1])) {
      if (corners[0].x < corners[1].x && corners[0].y < corners[1].y && corners[0].z < corners[1].z)
        out.box = corners;
      else
        box.wrong("must ascend along every axis");
    }
  }
  const View planes = view["planes"];
  if (!planes.present()) return;
  if (!planes.isList() || planes.json().size() > mostPlanes)
    return planes.mustBe("a list of up to " + std::to_string(mostPlanes) + " planes");
  for (const View& plane : planes.elements()) {
    if (!plane.object({"origin", "normal"})) return;
    scene::ClipPlane clip;
    readRequired(plane["origin"], clip.origin);
    readRequired(plane["normal"], clip.normal);
    if (clip.normal == Vec3{0, 0, 0}) plane["normal"].wrong("has no direction", "give one such as [0, 0, 1]");
    out.planes.push_back(clip);
  }
}

void readRequired(const View& view, Vec3& out) {
  view.require();
  view.read(out);
}

}  // namespace farfield::session::detail
