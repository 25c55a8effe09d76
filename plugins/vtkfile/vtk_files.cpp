#include "plugins/vtkfile/vtk_files.h"

#include <algorithm>
#include <charconv>

#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/printable.h"
#include "core/base/url.h"
#include "core/fields/words/bad_steps.h"
#include "plugins/vtkfile/step_option.h"
#include "plugins/vtkfile/vtk_joined.h"
#include "plugins/vtkfile/vtk_legacy.h"
#include "plugins/vtkfile/vtk_list.h"
#include "plugins/vtkfile/vtk_xml.h"

namespace farfield::vtkfile {
namespace {

/// Files that name files that name files …
constexpr std::size_t kDeepest = 8;
constexpr std::size_t kMostFiles = 65536;
constexpr std::size_t kMostTitles = 10;

/// Memory of what is known of a grid.
std::uint64_t bytesOf(const VtkGrid& grid) {
  std::uint64_t bytes = sizeof(VtkStep) + sizeof(VtkBlock);
  const auto add = [&](const VtkArray& array) {
    bytes += sizeof array + array.name.size() + array.pieces.size() * (sizeof(arrays::Piece) + 64);
  };
  for (const VtkArray& array : grid.arrays) add(array);
  for (const auto& axis : grid.axes)
    if (axis) add(*axis);
  if (grid.points) add(*grid.points);
  // of each list of cells up to ten arrays of a piece
  bytes += grid.lists.size() * (sizeof(VtkCells) + 10 * (sizeof(arrays::Piece) + 64));
  for (const std::string& note : grid.notes) bytes += sizeof note + note.size();
  return bytes;
}

class Reader {
 public:
  Reader(const fields::OpenRequest& request, const paging::ByteStores& stores, MemoryAccount& account,
         bool copy)
      : m_request(request),
        m_stores(stores),
        m_account(account),
        m_copy(copy),
        m_pool(arrays::makeFilePool()),
        m_shared(account),
        m_badSteps(
            request.options.contains(kBadStepsOption)
                ? fields::BadSteps::from(request.options.at(kBadStepsOption)).value_or(fields::BadSteps{})
                : fields::BadSteps{}) {}

  VtkFiles read() {
    for (const std::string& source : m_request.sources) {
      try {
        addSource(source);
      } catch (Error& error) {
        if (!arrays::namesFile(error)) error.at(saidOf(source));
        throw;
      }
    }
    if (m_files.steps.empty())
      throw Invalid("no step is good", "leave out badSteps=skip to see what is wrong with the first");
    for (VtkStep& step : m_files.steps) {
      choose(step);
      mustFit(step);
    }
    return std::move(m_files);
  }

 private:
  /// The bytes of a file that is not one of those which led to it.
  std::shared_ptr<const arrays::ByteSource> open(const std::string& name) {
    if (m_request.stop.stop_requested()) throw Cancelled();
    if (std::find(m_way.begin(), m_way.end(), name) != m_way.end())
      throw Corrupt("names itself, by way of others", "check the file").at(saidOf(name));
    if (m_files.names.size() >= kMostFiles)
      throw Unsupported("leads to more than " + std::to_string(kMostFiles) + " files", "give a part of them");
    m_files.memory.push_back(
        m_account.claimInEarnest(Purpose::Index, 256 + name.size(), "the names of files"));
    auto file = arrays::namedBytes(name, m_stores, m_pool, m_files.objects);
    m_files.names.push_back(name);
    m_files.storedBytes += file->size();
    return file;
  }

  /// Calls `use` while `name` is on the way that leads to files.
  template <class Use>
  void within(const std::string& name, Use use) {
    if (m_way.size() == kDeepest)
      throw Unsupported("is the last of " + std::to_string(kDeepest) + " files that name one another",
                        "check the files")
          .at(saidOf(name));
    m_way.push_back(name);
    try {
      use();
    } catch (Error& error) {
      if (!arrays::namesFile(error)) error.at(saidOf(name));
      throw;
    }
    m_way.pop_back();
  }

  std::string find(const std::string& from, const ListedFile& file) const {
    return fields::namedFile(m_request, from, nameBeside(file.name));
  }

  static std::string typeOf(const arrays::ByteSource& file) {
    char head[5] = {};
    file.readAt(0, std::as_writable_bytes(std::span(head)).first(std::min<std::uint64_t>(5, file.size())));
    return std::string_view(head, 5) == "# vtk" ? std::string() : xmlTypeOf(file);
  }

  void addSource(const std::string& source) {
    auto file = open(source);
    const std::string type = typeOf(*file);
    if (type != "Collection") {
      m_files.steps.push_back({source, {}});
      return addBlocks(source, std::move(file), type, {});
    }
    const FileList list = readList(*file);
    m_files.notes.insert(m_files.notes.end(), list.notes.begin(), list.notes.end());
    within(source, [&] {
      std::size_t number = 0;
      for (std::size_t first = 0, end = 0; first < list.files.size(); first = end, ++number) {
        while (end < list.files.size() && list.files[end].time == list.files[first].time) ++end;
        addStep(source, std::span(list.files).subspan(first, end - first), number);
      }
    });
  }

  /// The files of one time of a list, which are step `number` of it.
  void addStep(const std::string& source, std::span<const ListedFile> files, std::size_t number) {
    const std::size_t steps = m_files.steps.size(), way = m_way.size();
    const std::string said = "step " + std::to_string(number);
    const auto leaveOut = [&](const std::string& why) {
      const std::string what = said + " is left out: " + why;
      log::warning(what);
      m_files.notes.push_back(what);
    };
    if (m_badSteps.names(number)) return leaveOut(fields::BadSteps::kWhyNamed);
    try {
      for (const ListedFile& its : files) {
        const std::string name = find(source, its);
        if (m_files.steps.size() == steps) m_files.steps.push_back({name, {}});
        VtkStep& step = m_files.steps.back();
        const std::size_t before = step.blocks.size();
        auto part = open(name);
        const std::string type = typeOf(*part);
        addBlocks(name, std::move(part), type, {});
        for (std::size_t b = before; b < step.blocks.size(); ++b) step.blocks[b].grid.time = its.time;
      }
      if (steps > 0) mustGoOn(m_files.steps[steps - 1], m_files.steps.back());
    } catch (const Cancelled&) {
      throw;
    } catch (const OverBudget&) {
      throw;
    } catch (Error& error) {
      if (!m_badSteps.skipped) {
        error.at(said).advise(m_badSteps.mayBeLeftOut()
                                  ? fields::BadSteps::kNameAsWell
                                  : (error.action().empty() ? "" : error.action() + ", or ") +
                                        "leave such steps out with the option badSteps=skip");
        throw;
      }
      leaveOut(error.what());
      m_files.steps.resize(steps);
      m_way.resize(way);
    }
  }

  /// Structured grids stay what they are; cells of others may change.
  static void mustGoOn(const VtkStep& before, const VtkStep& now) {
    if (before.blocks.size() != now.blocks.size()) return;  // said where they are put together
    for (std::size_t b = 0; b < now.blocks.size(); ++b) {
      const VtkGrid &a = before.blocks[b].grid, &its = now.blocks[b].grid;
      if (a.kind == VtkKind::Unstructured && its.kind == VtkKind::Unstructured) continue;
      if (a.kind != its.kind || a.nodes != its.nodes)
        throw Invalid("has another grid than the step before it").at(saidOf(now.file));
    }
  }

  /// Adds the blocks of a file to the last step.
  void addBlocks(const std::string& name, std::shared_ptr<const arrays::ByteSource> file,
                 const std::string& type, const std::string& title) {
    if (!isList(type)) return keep(title, readGrid(name, std::move(file), nullptr));
    if (type == "Collection")
      throw Unsupported("is a series, and another file names it", "open it by itself").at(saidOf(name));
    within(name, [&] {
      const FileList list = readList(*file);
      if (list.kind == ListKind::Pieces) return keep(title, readPieces(name, list));
      for (const ListedFile& its : list.files) {
        const std::string block = find(name, its);
        auto bytes = open(block);
        const std::string blockType = typeOf(*bytes);
        const std::string between = title.empty() || its.title.empty() ? "" : "/";
        addBlocks(block, std::move(bytes), blockType, title + between + its.title);
      }
    });
  }

  VtkGrid readPieces(const std::string& name, const FileList& list) {
    std::vector<VtkGrid> pieces;
    const PieceOf piece{list.whole};
    for (const ListedFile& its : list.files) {
      const std::string file = find(name, its);
      auto bytes = open(file);
      if (isList(typeOf(*bytes)))
        throw Unsupported("is a piece, and names others", "name files with values").at(saidOf(file));
      VtkGrid grid = readGrid(file, std::move(bytes), &piece);
      if (grid.kind != list.pieces)
        throw Corrupt("is a piece of another kind than the whole", "check the file").at(saidOf(file));
      pieces.push_back(std::move(grid));
    }
    const std::size_t count = pieces.size();
    VtkGrid grid = joined(std::move(pieces));
    grid.notes.insert(grid.notes.begin(),
                      std::to_string(count) + (count == 1 ? " piece" : " pieces, joined"));
    return grid;
  }

  VtkGrid readGrid(const std::string& name, std::shared_ptr<const arrays::ByteSource> file,
                   const PieceOf* piece) {
    try {
      char first = 0;
      if (file->size() > 0) file->readAt(0, std::as_writable_bytes(std::span(&first, 1)));
      VtkGrid grid = first == '#' ? readLegacyGrid(std::move(file), m_copy, m_shared)
                                  : readXmlGrid(std::move(file), m_copy, m_shared, piece);
      m_files.memory.push_back(m_account.claimInEarnest(Purpose::Index, bytesOf(grid), "what files say"));
      return grid;
    } catch (Error& error) {
      if (!arrays::namesFile(error)) error.at(saidOf(name));
      throw;
    }
  }

  void keep(const std::string& title, VtkGrid grid) {
    m_files.steps.back().blocks.push_back({title, std::move(grid)});
  }

  static std::string nameOf(const VtkStep& step, std::size_t block) {
    const std::string& title = step.blocks[block].title;
    return std::to_string(block) + (title.empty() ? "" : " (" + printable(title) + ")");
  }
  static std::string listOf(const VtkStep& step) {
    std::string list;
    for (std::size_t b = 0; b < std::min(step.blocks.size(), kMostTitles); ++b)
      list += (list.empty() ? "" : ", ") + nameOf(step, b);
    return list + (step.blocks.size() > kMostTitles ? ", …" : "");
  }

  void choose(VtkStep& step) const {
    const auto option = m_request.options.find("block");
    if (option == m_request.options.end()) return;
    const std::string& wanted = option->second;
    std::size_t number = 0;
    const auto [end, status] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    const bool isNumber = status == std::errc() && end == wanted.data() + wanted.size();
    for (std::size_t b = 0; b < step.blocks.size(); ++b) {
      if (isNumber ? b != number : step.blocks[b].title != wanted) continue;
      VtkBlock block = std::move(step.blocks[b]);
      step.blocks.clear();
      step.blocks.push_back(std::move(block));
      return;
    }
    throw Invalid("there is no block '" + printable(wanted) + "'", "choose from " + listOf(step))
        .at("option block")
        .at(saidOf(step.file));
  }

  static void mustFit(const VtkStep& step) {
    const auto isListed = [](const VtkBlock& block) { return block.grid.kind == VtkKind::Unstructured; };
    const auto listed = std::count_if(step.blocks.begin(), step.blocks.end(), isListed);
    if (listed == 0 || listed == static_cast<std::ptrdiff_t>(step.blocks.size())) return;
    throw Unsupported("has blocks of structured and of unstructured grids, which are not shown together",
                      "--option block=N shows one: " + listOf(step))
        .at(saidOf(step.file));
  }

  const fields::OpenRequest& m_request;
  const paging::ByteStores& m_stores;
  MemoryAccount& m_account;
  const bool m_copy;
  std::shared_ptr<arrays::FilePool> m_pool;
  SharedArrays m_shared;
  const fields::BadSteps m_badSteps;
  std::vector<std::string> m_way;  ///< the files that lead to the one that is looked at
  VtkFiles m_files;
};

}  // namespace

VtkFiles readFiles(const fields::OpenRequest& request, const paging::ByteStores& stores,
                   MemoryAccount& account, bool copy) {
  return Reader(request, stores, account, copy).read();
}

}  // namespace farfield::vtkfile
