#include "plugins/exodus/exodus_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "plugins/arrays/array_reader.h"
#include "plugins/exodus/displacement.h"
#include "plugins/exodus/element_types.h"
#include "plugins/exodus/header_names.h"
#include "plugins/netcdf3/nc_header.h"

namespace farfield::exodus {
namespace {

using cf::Variable;

constexpr std::int64_t kAtATime = 4096;
constexpr std::int64_t kMostListed = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostNames = 100000;
constexpr std::int64_t kMostNodesOfElement = 512;
constexpr std::int64_t kMostStepsOfHdf5 = 1 << 20;
const char* const kBlockVariable = "element_block";

/// A number of the file that is to be a whole one; 0 for others.
std::int64_t wholeOf(double number) {
  return std::abs(number) <= static_cast<double>(kMostListed) ? static_cast<std::int64_t>(number) : 0;
}

/// A variable of one component with `count` numbers in a row from number `skip` on, at each of `steps` steps, which are its first
/// dimension; 0: it has none.
arrays::PlacedArray placedRow(const Variable& variable, std::int64_t steps, std::int64_t skip,
                              std::int64_t count, std::int64_t first) {
  arrays::PlacedArray placed;
  placed.type = variable.type;
  placed.bigEndian = variable.bigEndian;
  if (count > 0) {
    arrays::Piece piece = arrays::densePiece(
        {count, 1, 1}, variable.type, 1, false, variable.bytes,
        variable.begin + static_cast<std::uint64_t>(skip * arrays::bytesOf(variable.type)));
    piece.nodes.first = {first, 0, 0};
    placed.steps.push_back({piece});
  } else {
    placed.steps.emplace_back();
  }
  placed.stepStride = steps > 0 ? variable.strides.front() : 0;
  arrays::checkPlaces(placed, std::max<std::int64_t>(1, steps));
  return placed;
}

/// Numbers in a row of the variable's dimensions, without the first `without`.
std::int64_t numbersOf(const cf::File& header, const Variable& variable, std::size_t without = 0) {
  std::int64_t numbers = 1;
  for (std::size_t n = without; n < variable.dims.size(); ++n) {
    const std::int64_t size = header.dimensions[static_cast<std::size_t>(variable.dims[n])].size;
    if (size > 0 && numbers > (std::int64_t{1} << 40) / size)
      throw Corrupt("has a variable of no possible size");
    numbers *= size;
  }
  return numbers;
}

std::vector<double> readNumbers(const arrays::PlacedArray& array, std::int64_t step, std::int64_t first,
                                std::int64_t count) {
  const ScalarType type = array.valueType();
  std::vector<std::byte> bytes(static_cast<std::size_t>(count * sizeOf(type)));
  std::vector<double> numbers(static_cast<std::size_t>(count));
  if (count == 0) return numbers;
  arrays::readBox(array, step, {{first, 0, 0}, {count, 1, 1}}, 0, 1, bytes);
  toDouble(bytes.data(), type, 0, count, numbers.data());
  return numbers;
}

/// Texts of a variable of letters with two dimensions.
std::vector<std::string> textsOf(const cf::File& header, const std::string& name) {
  const Variable* const variable = header.variable(name);
  std::vector<std::string> texts;
  if (!variable || !variable->isText || !variable->bytes || variable->dims.size() != 2 ||
      variable->hasRecords)
    return texts;
  const arrays::ByteSource& file = *variable->bytes;
  const std::int64_t count = header.dimensions[static_cast<std::size_t>(variable->dims[0])].size,
                     length = header.dimensions[static_cast<std::size_t>(variable->dims[1])].size;
  if (count > kMostNames || length > 4096 || variable->begin > file.size() ||
      static_cast<std::uint64_t>(count * length) > file.size() - variable->begin)
    throw Corrupt("its names " + name + " lie behind its end", "check that the copy is complete");
  for (std::int64_t n = 0; n < count; ++n) {
    std::string text(static_cast<std::size_t>(length), '\0');
    file.readAt(variable->begin + static_cast<std::uint64_t>(n * length),
                std::as_writable_bytes(std::span(text)));
    text.resize(std::min(text.size(), text.find('\0')));
    while (!text.empty() && text.back() == ' ') text.pop_back();
    texts.push_back(text);
  }
  return texts;
}

struct ElementBlock {
  std::string name, type;
  std::int64_t id = 0, first = 0, count = 0, perElement = 0;
  std::optional<paging::UnstructuredShape> shape;
  std::size_t flatCorners = 0;  ///< of triangles or quadrilaterals
  arrays::PlacedArray connect;
};

/// The values of one component, in a variable of the file or one for each element block; some may be missing.
using ComponentParts = std::vector<arrays::PlacedArray>;

struct ExodusVariable {
  std::vector<ComponentParts> components;
  bool isBlock = false;  ///< the number of the element block
};

/// The elements of a side set, and which side of each.
struct SideSet {
  std::int64_t count = 0;
  arrays::PlacedArray elements, sides;
};

class ExodusInput final : public paging::MeshInput {
 public:
  std::int64_t nodeCount = 0, elements = 0;
  std::array<arrays::PlacedArray, 3> coordinates;
  std::size_t axes = 3;  ///< coordinates of a node
  std::vector<arrays::PlacedArray>
      moved;  ///< by how far nodes have moved along each axis at each step; empty: they stay
  std::int64_t movedSteps = 1;
  bool isFlat = false;  ///< no element has a volume
  std::vector<ElementBlock> blocks;
  std::vector<paging::MeshVariable> named;
  std::vector<ExodusVariable> values;
  std::vector<paging::MeshSurface> sideSets;
  std::vector<SideSet> sides;  ///< of each of sideSets
  std::vector<MemoryClaim> claims;

  std::int64_t nodes() const override { return nodeCount; }
  ScalarType pointType() const override { return coordinates[0].valueType(); }
  std::int64_t pointSteps() const override { return movedSteps; }
  void readPoints(std::int64_t step, std::int64_t first, std::span<double> out) const override {
    const auto count = static_cast<std::int64_t>(out.size() / 3);
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t a = 0; a < axes; ++a) {
      const std::vector<double> numbers = readNumbers(coordinates[a], 0, first, count);
      for (std::size_t n = 0; n < numbers.size(); ++n) out[3 * n + a] = numbers[n];
      if (moved.empty()) continue;
      // a node of which it is not known stays where it is
      const std::vector<double> ways = readNumbers(moved[a], step, first, count);
      for (std::size_t n = 0; n < ways.size(); ++n)
        if (std::isfinite(ways[n])) out[3 * n + a] += ways[n];
    }
  }

  /// Nodes of elements `first` … of a block, from 0.
  static std::vector<std::int32_t> elementNodes(const ElementBlock& block, std::int64_t first,
                                                std::int64_t count) {
    const std::vector<double> numbers =
        readNumbers(block.connect, 0, first * block.perElement, count * block.perElement);
    std::vector<std::int32_t> nodes(numbers.size());
    for (std::size_t n = 0; n < nodes.size(); ++n)
      nodes[n] = numbers[n] >= 1 && numbers[n] <= static_cast<double>(kMostListed)
                     ? static_cast<std::int32_t>(numbers[n] - 1)
                     : -1;
    return nodes;
  }

  bool hasVolumes() const override { return !isFlat; }
  void forEachCell(const VisitCell& visit) const override {
    for (const ElementBlock& block : blocks)
      if (block.shape && !isFlat)
        forEachElement(block, [&](std::int64_t number, std::span<const std::int32_t> nodes) {
          visit(number, cellOf(*block.shape, nodes));
        });
  }
  void forEachFlatCell(const VisitFlatCell& visit) const override {
    for (const ElementBlock& block : blocks)
      if (block.flatCorners > 0)
        forEachElement(block, [&](std::int64_t number, std::span<const std::int32_t> nodes) {
          visit(number, {nodes[0], nodes[1], nodes[2], nodes[block.flatCorners - 1]});
        });
  }

  const std::vector<paging::MeshVariable>& variables() const override { return named; }
  void readVariable(std::size_t number, std::int64_t step, std::int64_t first,
                    std::span<std::byte> out) const override {
    const ExodusVariable& variable = values[number];
    const auto components = static_cast<std::size_t>(named[number].components);
    const auto each = static_cast<std::size_t>(sizeOf(named[number].type));
    const auto count = static_cast<std::int64_t>(out.size() / (each * components));
    if (variable.isBlock) return readBlocks(first, out);
    std::vector<std::byte> bytes;
    for (std::size_t c = 0; c < components; ++c) {
      bytes.assign(static_cast<std::size_t>(count) * each, std::byte{});
      fillMissing(named[number].type, bytes);
      for (const arrays::PlacedArray& array : variable.components[c]) {
        const arrays::Piece& piece = array.steps.front().front();
        const std::int64_t from = std::max(first, piece.nodes.first[0]),
                           end = std::min(first + count, piece.nodes.first[0] + piece.nodes.size[0]);
        if (from >= end) continue;
        arrays::readBox(array, step, {{from, 0, 0}, {end - from, 1, 1}}, 0, 1,
                        std::span(bytes).subspan(static_cast<std::size_t>(from - first) * each,
                                                 static_cast<std::size_t>(end - from) * each));
      }
      for (std::size_t n = 0; n < static_cast<std::size_t>(count); ++n)
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(n * each), each,
                    out.begin() + static_cast<std::ptrdiff_t>((n * components + c) * each));
    }
  }
  const std::vector<paging::MeshSurface>& surfaces() const override { return sideSets; }
  void forEachFace(std::size_t surface, const VisitFace& visit) const override {
    const SideSet& set = sides[surface];
    for (std::int64_t first = 0; first < set.count; first += kAtATime) {
      const std::int64_t some = std::min(kAtATime, set.count - first);
      const std::vector<double> its = readNumbers(set.elements, 0, first, some),
                                which = readNumbers(set.sides, 0, first, some);
      for (std::size_t n = 0; n < its.size(); ++n) {
        if (!(its[n] >= 1 && its[n] <= static_cast<double>(elements))) continue;
        const auto element = static_cast<std::int64_t>(its[n]) - 1;
        const ElementBlock& block = blockOf(element);
        if (!block.shape) continue;
        const auto side =
            sideOf(*block.shape, elementNodes(block, element - block.first, 1), wholeOf(which[n]));
        if (side) visit({element, *side});
      }
    }
  }

 private:
  template <class Visit>
  static void forEachElement(const ElementBlock& block, Visit visit) {
    for (std::int64_t first = 0; first < block.count; first += kAtATime) {
      const std::int64_t count = std::min(kAtATime, block.count - first);
      const std::vector<std::int32_t> its = elementNodes(block, first, count);
      for (std::int64_t n = 0; n < count; ++n)
        visit(block.first + first + n, std::span(its).subspan(static_cast<std::size_t>(n * block.perElement),
                                                              static_cast<std::size_t>(block.perElement)));
    }
  }
  /// Blocks follow one another in the order of their elements. `element` is one of them.
  const ElementBlock& blockOf(std::int64_t element) const {
    return *(std::upper_bound(
                 blocks.begin(), blocks.end(), element,
                 [](std::int64_t number, const ElementBlock& block) { return number < block.first; }) -
             1);
  }
  static void fillMissing(ScalarType type, std::span<std::byte> bytes) {
    const auto put = [&](auto missing) {
      for (std::size_t at = 0; at < bytes.size(); at += sizeof missing)
        std::copy_n(reinterpret_cast<const std::byte*>(&missing), sizeof missing,
                    bytes.begin() + static_cast<std::ptrdiff_t>(at));
    };
    if (type == ScalarType::F32) put(std::numeric_limits<float>::quiet_NaN());
    if (type == ScalarType::F64) put(std::numeric_limits<double>::quiet_NaN());
  }
  void readBlocks(std::int64_t first, std::span<std::byte> out) const {
    for (std::size_t n = 0; n < out.size() / sizeof(std::int32_t); ++n) {
      const auto id = static_cast<std::int32_t>(blockOf(first + static_cast<std::int64_t>(n)).id);
      std::copy_n(reinterpret_cast<const std::byte*>(&id), sizeof id,
                  out.begin() + static_cast<std::ptrdiff_t>(n * sizeof id));
    }
  }
};

class Maker {
 public:
  Maker(ExodusFile file, bool displaced)
      : m_header(std::move(file.header)),
        m_names(m_header),
        m_isHdf5(file.isHdf5),
        m_displaced(displaced),
        m_bytes(file.bytes),
        m_input(std::make_shared<ExodusInput>()) {
    m_input->claims = std::move(file.claims);
  }

  ExodusMesh make() {
    if (!isExodus(m_header)) throw Unsupported("is NetCDF, but not of Exodus II", "open it as netcdf");
    m_input->nodeCount = dimension("num_nodes");
    readCoordinates();
    readBlocks();
    readTimes();
    addNodeValues();
    addElementValues();
    if (!m_input->isFlat) addSideSets();
    m_mesh.input = m_input;
    return std::move(m_mesh);
  }

 private:
  std::int64_t dimension(const std::string& name) const {
    const auto size = m_names.sizeOf(name);
    if (!size || *size < 0 || *size > kMostListed)
      throw Corrupt("has no dimension " + name, "check that the copy is complete");
    return *size;
  }
  const Variable& needed(const std::string& name) {
    const Variable* const variable = m_names.variable(name);
    if (!variable) throw Corrupt("has no variable " + name, "check that the copy is complete");
    return *variable;
  }
  /// The variable of that name where it is one of `rank` dimensions of which the first are the steps; null if there is none.
  const Variable* stepped(const std::string& name, std::size_t rank) const {
    const Variable* const variable = m_names.variable(name);
    if (!variable || !variable->bytes || variable->dims.size() != rank) return nullptr;
    return variable->hasRecords || m_isHdf5 ? variable : nullptr;
  }
  /// Throws unless a variable has as many numbers (at each of `steps` steps; 0: it has none) as wanted.
  arrays::PlacedArray row(const Variable& variable, std::int64_t wanted, std::int64_t first = 0,
                          std::int64_t steps = 0) {
    if (!variable.bytes)
      throw Unsupported("its variable " + printable(variable.name) + " " + variable.why,
                        "write it with filters that are read (h5repack -f GZIP=4)");
    const std::int64_t numbers = numbersOf(m_header, variable, steps > 0 ? 1 : 0);
    if (numbers != wanted || (steps == 0 && variable.hasRecords) ||
        (steps > 0 && m_header.sizeOf(variable.dims.front()) < steps))
      throw Corrupt("its variable " + printable(variable.name) + " has " + std::to_string(numbers) +
                        " numbers where " + std::to_string(wanted) + " are needed",
                    "check the file");
    return placedRow(variable, steps, 0, wanted, first);
  }

  /// Elements without a volume are shown where no others are.
  bool isShown(const ElementBlock& block) const {
    return m_input->isFlat ? block.flatCorners > 0 : block.shape.has_value();
  }

  void readCoordinates() {
    const std::int64_t axes = m_names.sizeOf("num_dim").value_or(3), nodes = m_input->nodeCount;
    if (axes != 2 && axes != 3)
      throw Unsupported("has no cell with a volume or an area: it is a line", "give a grid with cells");
    m_input->axes = static_cast<std::size_t>(axes);
    for (std::size_t a = 0; a < m_input->axes; ++a) {
      if (const Variable* const whole = m_names.variable("coord")) {
        if (numbersOf(m_header, *whole) != axes * nodes || !whole->bytes || whole->hasRecords)
          throw Corrupt("its coordinates are not " + std::to_string(axes) + " for each node");
        m_input->coordinates[a] = placedRow(*whole, 0, static_cast<std::int64_t>(a) * nodes, nodes, 0);
        continue;
      }
      m_input->coordinates[a] = row(needed("coord" + std::string(1, "xyz"[a])), nodes);
    }
  }

  void readBlocks() {
    const std::int64_t count = dimension("num_el_blk");
    if (count > kMostNames) throw Unsupported("has too many element blocks");
    const std::vector<std::string> names = textsOf(m_header, "eb_names");
    std::vector<double> ids;
    if (const Variable* const properties = m_names.variable("eb_prop1"))
      ids = readNumbers(row(*properties, count), 0, 0, count);
    std::map<std::string, std::int64_t> leftOut;
    for (std::int64_t n = 0; n < count; ++n) {
      const std::string number = std::to_string(n + 1);
      ElementBlock block;
      block.id =
          n < static_cast<std::int64_t>(ids.size()) ? wholeOf(ids[static_cast<std::size_t>(n)]) : n + 1;
      block.first = m_input->elements;
      if (n < static_cast<std::int64_t>(names.size())) block.name = names[static_cast<std::size_t>(n)];
      block.count = m_names.sizeOf("num_el_in_blk" + number).value_or(0);
      if (block.count < 0 || block.count > kMostListed - m_input->elements)
        throw Unsupported("has too many elements", "grids have up to 2^31 - 1");
      m_input->elements += block.count;
      const Variable* const connect = m_names.variable("connect" + number);
      if (block.count > 0 && connect) {
        block.type = connect->textOf("elem_type");
        block.perElement = m_names.sizeOf("num_nod_per_el" + number).value_or(0);
        block.shape = shapeOfElement(block.type);
        if (block.shape && (block.perElement < static_cast<std::int64_t>(cornersOf(*block.shape)) ||
                            block.perElement > kMostNodesOfElement))
          throw Corrupt("its elements " + printable(block.type) + " have " +
                            std::to_string(block.perElement) + " nodes",
                        "check the file");
        if (!block.shape && block.perElement <= kMostNodesOfElement)
          block.flatCorners = cornersOfFlat(block.type, block.perElement);
        if (block.shape || block.flatCorners > 0)
          block.connect = row(*connect, block.count * block.perElement);
      }
      m_input->blocks.push_back(std::move(block));
    }
    m_input->isFlat = std::none_of(m_input->blocks.begin(), m_input->blocks.end(),
                                   [](const ElementBlock& block) { return block.shape.has_value(); });
    for (const ElementBlock& block : m_input->blocks)
      if (!isShown(block) && block.count > 0) leftOut[block.type] += block.count;
    for (const auto& [type, elements] : leftOut)
      m_mesh.explain.push_back("left out: " + std::to_string(elements) + " elements without " +
                               (m_input->isFlat ? "an area, " : "a volume, ") +
                               printable(type.empty() ? "of no type" : type));
    std::string listed;
    for (const ElementBlock& block : m_input->blocks)
      if (isShown(block))
        listed += (listed.empty() ? "" : ", ") + std::to_string(block.id) +
                  (block.name.empty() ? "" : " (" + printable(block.name) + ")");
    if (!listed.empty()) m_mesh.explain.push_back("element blocks: " + listed);
  }

  void readTimes() {
    const Variable* const times = stepped("time_whole", 1);
    // nothing may depend on a number of steps that the file has no room for
    std::int64_t records = m_header.records;
    if (m_isHdf5) {
      records = times ? m_header.sizeOf(times->dims.front()) : 0;
      if (records > kMostStepsOfHdf5)
        throw Unsupported("has " + std::to_string(records) + " time steps", "write several files");
      const std::int64_t said = records;
      // a program that still runs writes one after the other
      for (const Variable& variable : m_header.variables)
        if (variable.records >= 0 && variable.name.starts_with("vals_"))
          records = std::min(records, variable.records);
      if (records < said)
        m_mesh.explain.push_back("left out: steps after the first " + std::to_string(records) +
                                 ", at which not all variables have values");
    } else if (records > 0 && m_header.recordBytes > 0 &&
               static_cast<std::uint64_t>(records) >
                   m_bytes / static_cast<std::uint64_t>(m_header.recordBytes)) {
      throw Corrupt("has " + std::to_string(records) + " time steps, for which it is too short",
                    "check that the copy is complete");
    }
    m_hasSteps = records > 0 && (m_isHdf5 || m_header.recordBytes > 0);
    m_steps = m_hasSteps ? records : 1;
    if (times && m_hasSteps) {
      const arrays::PlacedArray array = row(*times, 1, 0, m_steps);
      for (std::int64_t step = 0; step < m_steps; ++step)
        m_mesh.times.push_back(readNumbers(array, step, 0, 1).front());
    }
    for (std::size_t n = 0; n < m_mesh.times.size(); ++n)
      if (!std::isfinite(m_mesh.times[n]) || (n > 0 && m_mesh.times[n] <= m_mesh.times[n - 1])) {
        m_mesh.explain.emplace_back("its times do not ascend: steps are counted");
        m_mesh.times.clear();
        break;
      }
    for (std::int64_t n = static_cast<std::int64_t>(m_mesh.times.size()); n < m_steps; ++n)
      m_mesh.times.push_back(static_cast<double>(n));
  }

  /// Adds variables, those named alike but for x, y, z as vectors. `find(n)`: the places of variable n.
  template <class Find>
  void addValues(const std::vector<std::string>& names, bool onCells, std::int64_t count, const Find& find) {
    for (std::size_t n = 0; n < names.size(); ++n) {
      ExodusVariable variable;
      std::vector<std::string> parts{names[n]};
      std::string name = names[n];
      const std::string stem = stemOf(names[n], 'x');
      if (!stem.empty() && n + 2 < names.size() && stemOf(names[n + 1], 'y') == stem &&
          stemOf(names[n + 2], 'z') == stem) {
        parts = {names[n], names[n + 1], names[n + 2]};
        name = stem;
      }
      bool all = true;
      for (std::size_t c = 0; c < parts.size(); ++c) {
        ComponentParts places = find(n + c);
        std::erase_if(places, [](const arrays::PlacedArray& part) { return part.steps.front().empty(); });
        // numbers of another type than the first are missing
        std::erase_if(places, [type = places.empty() ? arrays::NumberType::F32 : places.front().type](
                                  const arrays::PlacedArray& part) { return part.type != type; });
        all = all && !places.empty() &&
              (c == 0 || places.front().type == variable.components.front().front().type);
        variable.components.push_back(std::move(places));
      }
      n += parts.size() - 1;
      if (!all) {
        m_mesh.explain.push_back("left out: " + printable(name) + ", which has no values");
        continue;
      }
      paging::MeshVariable made;
      made.name = arrays::usableNameInMesh(name, m_taken);
      made.components = static_cast<int>(parts.size());
      if (parts.size() > 1) made.componentNames = parts;
      made.type = variable.components.front().front().valueType();
      made.onCells = onCells;
      made.steps = m_steps;
      m_taken.arrays.push_back(
          arrays::describeArray(made.name, {count, 1, 1}, made.components, made.type, m_steps));
      m_input->named.push_back(std::move(made));
      m_input->values.push_back(std::move(variable));
    }
  }

  void addNodeValues() {
    const std::vector<std::string> names = textsOf(m_header, "name_nod_var");
    const auto valuesOf = [&](std::size_t n) -> ComponentParts {
      const Variable* const values = stepped("vals_nod_var" + std::to_string(n + 1), 2);
      if (!values || !m_hasSteps) return {};
      return {row(*values, m_input->nodeCount, 0, m_steps)};
    };
    addValues(names, false, m_input->nodeCount, valuesOf);
    const auto displacement = displacementAmong(names, m_input->axes);
    if (!displacement) return;
    std::vector<arrays::PlacedArray> moved;
    for (std::size_t a = 0; a < m_input->axes; ++a)
      for (arrays::PlacedArray& values : valuesOf(displacement->first + a))
        moved.push_back(std::move(values));
    if (moved.size() != m_input->axes) return;
    m_mesh.displacement = displacement->name;
    if (!m_displaced) return;
    m_input->moved = std::move(moved);
    m_input->movedSteps = m_steps;
    m_mesh.explain.push_back("nodes are moved by " + printable(displacement->name));
  }

  void addElementValues() {
    addValues(textsOf(m_header, "name_elem_var"), true, m_input->elements, [&](std::size_t n) {
      ComponentParts all;
      if (!m_hasSteps || !m_names.hasElementValues(n + 1)) return all;
      for (std::size_t b = 0; b < m_input->blocks.size(); ++b) {
        const ElementBlock& block = m_input->blocks[b];
        if (!isShown(block)) continue;
        const Variable* const values =
            stepped("vals_elem_var" + std::to_string(n + 1) + "eb" + std::to_string(b + 1), 2);
        if (!values) continue;
        all.push_back(row(*values, block.count, block.first, m_steps));
      }
      return all;
    });
    if (m_input->blocks.size() < 2) return;
    paging::MeshVariable ids;
    ids.name = arrays::usableNameInMesh(kBlockVariable, m_taken);
    ids.type = ScalarType::I32;
    ids.onCells = true;
    m_input->named.push_back(std::move(ids));
    m_input->values.push_back({{}, true});
  }

  void addSideSets() {
    const std::int64_t sets = m_names.sizeOf("num_side_sets").value_or(0);
    if (sets < 0 || sets > kMostNames) throw Corrupt("has a wrong number of side sets");
    const std::vector<std::string> names = textsOf(m_header, "ss_names");
    std::vector<double> ids;
    if (const Variable* const properties = m_names.variable("ss_prop1"))
      if (numbersOf(m_header, *properties) == sets) ids = readNumbers(row(*properties, sets), 0, 0, sets);
    for (std::int64_t s = 0; s < sets; ++s) {
      const std::string number = std::to_string(s + 1);
      const Variable *const elements = m_names.variable("elem_ss" + number), *const sides =
                                                                                  m_names.variable(
                                                                                      "side_ss" + number);
      if (!elements || !sides) continue;
      const std::int64_t count = numbersOf(m_header, *elements);
      if (count > kMostListed || numbersOf(m_header, *sides) != count) throw Corrupt("a side set is wrong");
      const auto at = static_cast<std::size_t>(s);
      paging::MeshSurface surface;
      if (at < names.size()) surface.name = names[at];
      if (surface.name.empty())
        surface.name = "sideset " + std::to_string(at < ids.size() ? wholeOf(ids[at]) : s + 1);
      surface.kind = "side set";
      surface.from = "side sets";
      m_input->sides.push_back({count, row(*elements, count), row(*sides, count)});
      m_input->sideSets.push_back(std::move(surface));
    }
  }

  cf::File m_header;
  const HeaderNames m_names;
  bool m_isHdf5, m_displaced, m_hasSteps = false;
  std::uint64_t m_bytes;
  std::shared_ptr<ExodusInput> m_input;
  ExodusMesh m_mesh;
  paging::DatasetDescription m_taken;
  std::int64_t m_steps = 1;
};

}  // namespace

bool isExodus(const cf::File& header) {
  const auto has = [&](const char* name) {
    return std::any_of(header.dimensions.begin(), header.dimensions.end(),
                       [&](const cf::Dimension& dimension) { return dimension.name == name; });
  };
  return has("num_nodes") && has("num_el_blk") && (header.variable("coordx") || header.variable("coord"));
}

ExodusMesh readExodus(ExodusFile file, bool displaced) {
  return Maker(std::move(file), displaced).make();
}

ExodusMesh readExodus(std::shared_ptr<const arrays::ByteSource> file, bool displaced) {
  cf::File header = netcdf3::readHeader(file);
  return readExodus(ExodusFile{std::move(header), false, file->size(), {}}, displaced);
}

}  // namespace farfield::exodus
