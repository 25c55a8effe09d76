#include "plugins/vtkfile/vtk_list.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <tuple>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/url.h"
#include "plugins/vtkfile/xml_values.h"

namespace farfield::vtkfile {
namespace {

constexpr std::size_t kMostNamed = 65536;

struct PieceType {
  const char* name;
  VtkKind kind;
};
constexpr PieceType kPieceTypes[] = {{"PImageData", VtkKind::Image},
                                     {"PRectilinearGrid", VtkKind::Rectilinear},
                                     {"PStructuredGrid", VtkKind::Structured},
                                     {"PUnstructuredGrid", VtkKind::Unstructured},
                                     {"PPolyData", VtkKind::Unstructured}};

bool namesBlocks(const std::string& type) {
  for (const char* const known : {"vtkMultiBlockDataSet", "vtkMultiGroupDataSet", "vtkMultiPieceDataSet",
                                  "vtkPartitionedDataSet", "vtkPartitionedDataSetCollection"})
    if (type == known) return true;
  return false;
}

double numberIn(const XmlElement& element, const char* key) {
  const std::string_view text = element[key];
  const auto numbers = numbersIn<double>(text, key);
  if (numbers.size() != 1 || !std::isfinite(numbers[0]))
    throw Corrupt("its " + std::string(key) + " '" + printable(text) + "' is no number", "check the file");
  return numbers[0];
}

/// The elements from `first` on that are a file each, in the order of the document.
class Files {
 public:
  explicit Files(const std::vector<XmlElement>& elements) : m_elements(elements) {}

  void series(FileList& list) {
    // a restarted run lists a step once more: what comes later counts. Parts may have no numbers but a group or a name ("fluid", "solid")
    std::map<std::tuple<double, int, std::string, std::string>, ListedFile> steps;
    std::size_t again = 0;
    forEach([&](const XmlElement& element, const std::string& name) {
      ListedFile file{name};
      if (element.has("timestep")) file.time = numberIn(element, "timestep");
      if (!element["part"].empty()) {
        const double part = numberIn(element, "part");
        if (!(part >= 0 && part < kMostNamed))
          throw Corrupt("its part is no number of a part", "check the file");
        file.part = static_cast<int>(part);
      }
      const auto [at, isNew] = steps.insert_or_assign(
          {file.time, file.part, std::string(element["group"]), std::string(element["name"])}, file);
      if (!isNew) ++again;
    });
    for (auto& [key, file] : steps) list.files.push_back(std::move(file));
    if (again > 0)
      list.notes.push_back("left out: " + std::to_string(again) +
                           " files of times and parts that are listed again");
  }

  void pieces(FileList& list, const std::string& type) {
    const std::vector<int> heads = childrenOf(m_elements, 0, type);
    if (heads.empty()) throw Corrupt("has no element " + type, "check the file");
    const XmlElement& head = m_elements[static_cast<std::size_t>(heads.front())];
    if (list.pieces != VtkKind::Unstructured) list.whole = extentFrom(head["WholeExtent"]);
    for (const XmlElement& element : m_elements)
      if (element.name == "Piece" && element.parent == heads.front())
        add(list, {std::string(element["Source"])});
    if (list.files.empty()) throw Corrupt("names no pieces", "check that the copy is complete");
  }

  void blocks(FileList& list) {
    forEach([&](const XmlElement& element, const std::string& name) {
      ListedFile file{name};
      file.title = titleOf(element);
      add(list, std::move(file));
    });
    if (list.files.empty()) throw Unsupported("has no blocks with a file", "give a file with data");
  }

 private:
  template <class Visit>
  void forEach(Visit visit) {
    std::size_t count = 0;
    for (const XmlElement& element : m_elements) {
      // a block without data has no file
      if (element.name != "DataSet" || element["file"].empty()) continue;
      if (++count > kMostNamed) throw tooMany();
      visit(element, std::string(element["file"]));
    }
  }
  static Unsupported tooMany() {
    return Unsupported("names more than " + std::to_string(kMostNamed) + " files", "give a part of them");
  }
  static void add(FileList& list, ListedFile file) {
    if (list.files.size() == kMostNamed) throw tooMany();
    list.files.push_back(std::move(file));
  }

  /// The names of a block and of what it is in.
  std::string titleOf(const XmlElement& leaf) const {
    std::string title;
    for (const XmlElement* element = &leaf;;
         element = &m_elements[static_cast<std::size_t>(element->parent)]) {
      if (const std::string_view name = (*element)["name"]; !name.empty())
        title = title.empty() ? std::string(name) : std::string(name) + "/" + title;
      if (element->parent < 0) return title;
    }
  }

  const std::vector<XmlElement>& m_elements;
};

}  // namespace

bool isList(const std::string& type) {
  return type == "Collection" || namesBlocks(type) ||
         std::any_of(std::begin(kPieceTypes), std::end(kPieceTypes),
                     [&](const PieceType& its) { return type == its.name; });
}

FileList readList(const arrays::ByteSource& file) {
  const std::vector<XmlElement> elements = readElements(file);
  const std::string type(elements.front()["type"]);
  FileList list;
  Files files(elements);
  if (type == "Collection") {
    files.series(list);
    if (list.files.empty()) throw Unsupported("names no files", "give a series with steps");
    return list;
  }
  for (const PieceType& its : kPieceTypes) {
    if (type != its.name) continue;
    list.kind = ListKind::Pieces;
    list.pieces = its.kind;
    files.pieces(list, type);
    return list;
  }
  list.kind = ListKind::Blocks;
  files.blocks(list);
  return list;
}

std::string nameBeside(const std::string& written) {
  if (isUrl(written))
    throw Invalid("names a URL, which is not followed", "name files beside it").at(printable(written));
  std::string name = written;
  std::replace(name.begin(), name.end(), '\\', '/');
  const bool hasDrive = name.size() > 2 && name[1] == ':' && name[2] == '/';
  if (name.starts_with('/') || hasDrive) name.erase(0, name.rfind('/') + 1);
  name = std::filesystem::path(name).lexically_normal().generic_string();
  const bool isControl = std::any_of(name.begin(), name.end(),
                                     [](char letter) { return static_cast<unsigned char>(letter) < 0x20; });
  if (name.empty() || name == "." || name.ends_with('/') || isControl)
    throw Invalid("names no file", "check it").at(printable(written));
  if (name == ".." || name.starts_with("../"))
    throw Invalid("leads out of the folder of the file that names it", "put the files together")
        .at(printable(written));
  return name;
}

}  // namespace farfield::vtkfile
