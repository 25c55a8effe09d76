#include "plugins/vtkamr/amr_index.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/paging/pages/amr_boxes.h"
#include "plugins/vtkfile/xml_elements.h"

namespace farfield::vtkamr {
namespace {

using vtkfile::XmlElement;

const char* const kOverlapping = "vtkOverlappingAMR";
const char* const kHierarchical = "vtkHierarchicalBoxDataSet";

/// `most` numbers at most, between blanks. Throws Corrupt.
template <class T>
std::vector<T> numbersIn(std::string_view text, const char* what, std::size_t most) {
  std::vector<T> numbers;
  const char *at = text.data(), *const end = at + text.size();
  for (;;) {
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) ++at;
    if (at == end) return numbers;
    T value{};
    const auto [stop, status] = std::from_chars(at, end, value);
    if (status != std::errc() || numbers.size() == most)
      throw Corrupt("its " + std::string(what) + " '" + printable(text) + "' is wrong", "check the file");
    numbers.push_back(value);
    at = stop;
  }
}

std::int64_t countIn(const XmlElement& element, const char* key, std::int64_t most) {
  const auto numbers = numbersIn<std::int64_t>(element[key], key, 1);
  if (numbers.size() != 1 || numbers[0] < 0 || numbers[0] > most)
    throw Corrupt("the " + std::string(key) + " '" + printable(element[key]) + "' of a box or level is wrong",
                  "check the file");
  return numbers[0];
}

std::optional<Vec3> vectorIn(const XmlElement& element, const char* key) {
  if (!element.has(key)) return std::nullopt;
  const auto numbers = numbersIn<double>(element[key], key, 3);
  if (numbers.size() != 3) throw Corrupt("its " + std::string(key) + " is no vector", "check the file");
  return Vec3{numbers[0], numbers[1], numbers[2]};
}

class Reader {
 public:
  explicit Reader(const arrays::ByteSource& file) : m_elements(vtkfile::readElements(file)) {}

  AmrIndex read() {
    const std::string type(m_elements.front()["type"]);
    if (m_elements.front().name != "VTKFile" || (type != kOverlapping && type != kHierarchical))
      throw Unsupported(
          "is VTK's " + printable(type.empty() ? "file of no type" : type) + ", which is not read",
          "write it as vtkOverlappingAMR");
    const std::vector<int> data = vtkfile::childrenOf(m_elements, 0, type);
    if (data.empty()) throw Corrupt("has no element " + type, "check that the copy is complete");
    const XmlElement& top = element(data.front());
    m_index.origin = vectorIn(top, "origin");
    for (std::size_t n = 0; n < m_elements.size(); ++n) readElement(static_cast<int>(n), data.front());
    finish();
    return std::move(m_index);
  }

 private:
  const XmlElement& element(int number) const { return m_elements[static_cast<std::size_t>(number)]; }

  IndexedLevel& level(const XmlElement& its, const char* key) {
    const auto number = static_cast<std::size_t>(countIn(its, key, paging::kMostAmrLevels - 1));
    if (m_index.levels.size() <= number) {
      m_index.levels.resize(number + 1);
      m_boxes.resize(number + 1);
    }
    m_level = number;
    return m_index.levels[number];
  }

  void readElement(int number, int data) {
    const XmlElement& its = element(number);
    if (its.name == "RefinementRatio" && its.parent == data) {
      level(its, "level").ratio = countIn(its, "refinement", 1 << 20);
    } else if (its.name == "Block" && its.parent == data) {
      level(its, "level").spacing = vectorIn(its, "spacing");
      if (its.has("refinement_ratio"))
        m_index.levels[m_level].ratio = countIn(its, "refinement_ratio", 1 << 20);
    } else if (its.name == "DataSet" && its.parent == data) {
      level(its, "group");
      addBox(its, "dataset");
    } else if (its.name == "DataSet" && its.parent >= 0 && element(its.parent).name == "Block" &&
               element(its.parent).parent == data) {
      level(element(its.parent), "level");
      addBox(its, "index");
    }
  }

  void addBox(const XmlElement& its, const char* key) {
    const auto box = numbersIn<std::int64_t>(its["amr_box"], "amr_box", 6);
    if (box.size() != 6)
      throw Corrupt("a box of level " + std::to_string(m_level) + " has no amr_box of six numbers",
                    "check the file");
    IndexedBox added;
    added.file = its["file"];
    for (std::size_t a = 0; a < 3; ++a) {
      constexpr std::int64_t kFar = std::int64_t{1} << 40;
      const std::int64_t first = box[2 * a], last = box[2 * a + 1];
      // boxes in a plane end before they begin along its normal
      if (first < -kFar || last > kFar || last < first - 1)
        throw Corrupt("the amr_box '" + printable(its["amr_box"]) + "' is wrong", "check the file");
      if (last < first && a < 2)
        throw Unsupported("lies in a plane across x or y", "write it in the plane of x and y");
      if (last < first) ++m_flat;
      added.cells.first[a] = first;
      added.cells.size[a] = std::max<std::int64_t>(1, last - first + 1);
    }
    ++m_count;
    const auto number = countIn(its, key, INT32_MAX);
    if (!m_boxes[m_level].emplace(number, std::move(added)).second)
      throw Corrupt("level " + std::to_string(m_level) + " has two boxes " + std::to_string(number),
                    "check the file");
  }

  void finish() {
    if (m_count == 0) throw Corrupt("has no boxes", "check that the copy is complete");
    if (m_flat != 0 && m_flat != m_count) throw Corrupt("has boxes in a plane and others", "check the file");
    m_index.flat = m_flat > 0;
    for (std::size_t n = 0; n < m_index.levels.size(); ++n)
      for (auto& [number, box] : m_boxes[n]) m_index.levels[n].boxes.push_back(std::move(box));
    while (m_index.levels.back().boxes.empty()) m_index.levels.pop_back();
  }

  std::vector<XmlElement> m_elements;
  AmrIndex m_index;
  std::vector<std::map<std::int64_t, IndexedBox>> m_boxes;  ///< of each level, by number
  std::size_t m_level = 0, m_count = 0, m_flat = 0;
};

}  // namespace

bool isAmrType(const std::string& type) {
  return type == kOverlapping || type == kHierarchical || type == "vtkNonOverlappingAMR";
}

AmrIndex readIndex(const arrays::ByteSource& file) {
  return Reader(file).read();
}

}  // namespace farfield::vtkamr
