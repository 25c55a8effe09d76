#include "plugins/cf/cf_reader.h"

#include <algorithm>
#include <cmath>

#include "core/base/bytes.h"
#include "core/base/count_text.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/stoppable_waits.h"
#include "core/base/url.h"
#include "plugins/arrays/axes.h"
#include "plugins/cf/cf_axes.h"
#include "plugins/cf/cf_choices.h"
#include "plugins/cf/cf_file.h"
#include "plugins/cf/cf_grids.h"
#include "plugins/cf/cf_heights.h"
#include "plugins/cf/cf_masks.h"
#include "plugins/cf/cf_packing.h"
#include "plugins/cf/cf_places.h"
#include "plugins/cf/cf_plane.h"
#include "plugins/cf/cf_same_axes.h"
#include "plugins/cf/cf_series.h"
#include "plugins/cf/cf_times.h"
#include "plugins/cf/cf_turned.h"

namespace farfield::cf {
namespace {

constexpr std::int64_t kMostSteps = 1 << 20;

class Maker {
 public:
  Maker(std::vector<OpenedFile> files, std::string format, const arrays::Options& options,
        MemoryAccount& account)
      : m_options(options), m_account(account), m_format(std::move(format)), m_files(std::move(files)) {
    for (OpenedFile& opened : m_files) {
      inFile(opened.path, [&] { refuseOthers(opened.file); });
      takeUnsigned(opened.file);
      opened.file.sortNames();
    }
  }

  CfData make() {
    inFile(m_files.front().path, [&] {
      chooseGrid();
      m_data.description = arrays::describeBlock(m_format, m_dims);
    });
    addTimes();
    for (const Variable* const variable : m_shown.variables) addVariable(*variable, {});
    // what is between nodes says nothing of them, unless there is nothing else
    const bool isEmpty = m_shown.variables.empty();
    if (!isEmpty) inFile(m_files.front().path, [&] { addBlanks(); });
    for (const auto& staggered : m_shown.between) addVariable(*staggered.variable, staggered.between);
    requireSameAxes();
    inFile(m_files.front().path, [&] {
      if (isEmpty) addBlanks();
      arrays::makeVectors(m_options, m_data.description, m_data.places);
      addGrid();
      blankLand();
      addFlow(m_files, m_grid, m_series, m_names, m_used, m_data);
      describe();
      if (std::string left = leftOutText(m_shown.others, m_used); !left.empty())
        m_data.explain.push_back(std::move(left));
    });
    return std::move(m_data);
  }

 private:
  static void refuseOthers(const File& header) {
    const auto has = [&](const char* name) {
      return std::any_of(header.dimensions.begin(), header.dimensions.end(),
                         [&](const Dimension& dimension) { return dimension.name == name; });
    };
    if (has("num_nodes") && (has("num_el_blk") || has("num_elem")))
      throw Unsupported("is an Exodus II file, whose grid is unstructured", "convert it to another format");
  }

  const OpenedFile& first() const { return m_files.front(); }

  void chooseGrid() {
    const File& header = first().file;
    m_shown = shownGrid(header, m_options);
    m_grid = m_shown.grid;
    m_data.explain = m_shown.explain;
    if (m_shown.choice) m_data.choices.push_back(*m_shown.choice);
    for (std::size_t a = 0; a < 3; ++a) {
      if (m_grid.space[a] < 0) continue;
      m_dims[a] = header.dimensions[static_cast<std::size_t>(m_grid.space[a])].size;
      if (m_dims[a] < 1) throw Corrupt("has an axis without a node", "check the file");
    }
    checkedProduct({m_dims[0], m_dims[1], m_dims[2]});
  }

  void addTimes() {
    std::vector<double> times;
    const Variable* const wanted = timesOf(first().file, m_grid.time);
    bool areOfOneKind = true;
    for (const OpenedFile& file : m_files) {
      const std::int64_t steps = m_grid.time < 0 ? 1 : timeDimension(file).size;
      if (steps < 1 && m_files.size() == 1) {
        inFile(file.path, [] { throw Corrupt("has no records", "check that the copy is complete"); });
      }
      m_series.addFile(steps);
      if (m_series.steps() > kMostSteps)
        inFile(file.path, [] { throw Unsupported("has more than a million steps", "give a part of it"); });
      const Variable* const along = m_grid.time < 0 ? nullptr : timesOf(file.file, timeNumber(file));
      if (along)
        inFile(file.path, [&] {
          if (steps < 1) return;
          const arrays::PlacedArray axis = axisOf(file.file, *along, steps);
          std::vector<double> its = arrays::readAxis(axis, steps, m_account);
          areOfOneKind = areOfOneKind && wanted && timesIn(*wanted, *along, its);
          times.insert(times.end(), its.begin(), its.end());
        });
    }
    if (m_series.steps() < 1) throw Corrupt("the files have no records").at(saidOf(first().path));
    bool ascending = areOfOneKind && static_cast<std::int64_t>(times.size()) == m_series.steps();
    for (std::size_t n = 0; n < times.size(); ++n)
      ascending = ascending && std::isfinite(times[n]) && (n == 0 || times[n] > times[n - 1]);
    if (!ascending) {
      if (!times.empty())
        m_data.explain.emplace_back(
            areOfOneKind ? "its times do not ascend: steps are numbered"
                         : "the times of its files are in different units: steps are numbered");
      times.clear();
      m_isNumbered = true;
      for (std::int64_t n = 0; n < m_series.steps(); ++n) times.push_back(static_cast<double>(n));
    }
    m_data.description.times = std::move(times);
  }

  void requireSameAxes() {
    if (m_files.size() < 2) return;
    std::optional<KnownAxes> known;
    inFile(first().path, [&] { known.emplace(first().file, m_grid, m_account); });
    for (const OpenedFile& file : m_files) inFile(file.path, [&] { known->requireSame(file.file); });
  }

  /// The time dimension, found by name: each file numbers its own.
  int timeNumber(const OpenedFile& file) const {
    const std::string& name = first().file.dimensions[static_cast<std::size_t>(m_grid.time)].name;
    for (std::size_t n = 0; n < file.file.dimensions.size(); ++n)
      if (file.file.dimensions[n].name == name) return static_cast<int>(n);
    throw Invalid("has no dimension '" + printable(name) + "', as the first of the files has",
                  "give files of one kind")
        .at(saidOf(file.path));
  }
  const Dimension& timeDimension(const OpenedFile& file) const {
    return file.file.dimensions[static_cast<std::size_t>(timeNumber(file))];
  }

  void addVariable(const Variable& variable, const std::array<arrays::Between, 3>& between) {
    arrays::PlacedArray placed = plainArray(first().file, variable);
    placed.between = between;
    makeReal(placed);
    const bool moves = m_files.size() > 1 || timeStrideOf(variable, m_grid) != 0;
    for (std::size_t f = 0; f < m_files.size(); ++f)
      inFile(m_files[f].path, [&] { addPieces(m_files[f], f, variable, placed); });
    explainRecords(variable);
    settlePackings(placed);
    const std::int64_t steps = moves && m_series.steps() > 1 ? m_series.steps() : 1;
    auto description = arrays::describeArray(m_taken.usableName(variable.name, m_data.description), m_dims,
                                             placed.components, placed.valueType(), steps);
    if (const std::string units = variable.textOf("units"); !units.empty())
      m_data.description.attributes["units." + description.name] = printable(units);
    if (placed.isBetween())
      m_data.description.attributes["means." + description.name] = "of the values around each node";
    m_names[&variable] = description.name;
    if (!placed.unpacking && arrays::losesDigits(variable.type))
      m_data.explain.push_back(printable(variable.name) + ": 64-bit integers become f64, exact up to 2^53");
    m_data.description.arrays.push_back(std::move(description));
    m_data.places.emplace_back(std::move(placed));
  }

  void addPieces(const OpenedFile& file, std::size_t number, const Variable& variable,
                 arrays::PlacedArray& placed) {
    const Variable* const same = file.file.variable(variable.name);
    CfGrid grid;
    if (!same || !gridOf(file.file, *same, grid) || same->type != variable.type)
      throw Invalid("has not the variable " + printable(variable.name) + " as the first of the files has it",
                    "give files of one kind");
    Index3 dims = m_dims;
    for (std::size_t a = 0; a < 3; ++a) {
      if (placed.between[a].numbers > 0) dims[a] = placed.between[a].numbers;
      const std::int64_t nodes =
          grid.space[a] < 0 ? 1 : file.file.dimensions[static_cast<std::size_t>(grid.space[a])].size;
      if (nodes != dims[a])
        throw Invalid(
            "has another number of nodes for " + printable(variable.name) + " than the first of the files",
            "give files of one kind");
    }
    arrays::PlacedArray its = plainArray(file.file, *same);
    its.between = placed.between;
    makeReal(its);
    requireStoredAlike(variable, its, placed);
    m_series.add(number, pieceOf(*same, grid, dims), grid.time < 0 ? 0 : timeStrideOf(*same, grid), its,
                 placed, same->records);
  }

  /// Of a series that is being written it is the last file that has fewer: the first that has is named.
  void explainRecords(const Variable& variable) {
    for (const OpenedFile& file : m_files)
      if (const std::int64_t records = file.file.variable(variable.name)->records; records >= 0)
        return m_data.explain.push_back(printable(variable.name) + " has no values after its " +
                                        countText(records, "record", "records") +
                                        (m_files.size() > 1 ? " of " + saidOf(file.path) : ""));
  }

  /// Means of whole numbers are real ones.
  static void makeReal(arrays::PlacedArray& placed) {
    if (placed.isBetween() && !placed.unpacking && placed.type != arrays::NumberType::F32 &&
        placed.type != arrays::NumberType::F64)
      placed.unpacking = std::make_shared<const arrays::Unpacking>();
  }

  /// A node is blank at a step where all variables have fill values.
  void addBlanks() {
    std::vector<arrays::PlacedArray> variables;
    std::int64_t steps = 1;
    for (std::size_t n = 0; n < m_data.places.size(); ++n) {
      const auto& placed = std::get<arrays::PlacedArray>(m_data.places[n]);
      if (!mayBeFilled(placed)) return;
      steps = std::max(steps, m_data.description.arrays[n].steps);
      if (m_files.size() > 1) m_series.claim(placed.steps.size());
      variables.push_back(placed);
    }
    auto description = arrays::describeBlanking(m_dims, steps);
    m_data.description.blocks.front().hasIblank = true;
    m_hasBlanks = true;
    m_data.description.arrays.push_back(std::move(description));
    m_data.places.emplace_back(blanksOf(std::move(variables)));
    m_data.explain.push_back("nodes at which every variable has its fill value are blank");
  }

  void addGrid() {
    const File& header = first().file;
    bool hasAxes = m_grid.plane[0] != nullptr;
    for (const int dimension : m_grid.space) hasAxes = hasAxes || coordinatesOf(header, dimension);
    const auto origin = arrays::vectorOption(m_options, "origin"),
               spacing = arrays::vectorOption(m_options, "spacing");
    if (hasAxes && (origin || spacing))
      throw Invalid("has axes of its own", "leave out the options origin and spacing");
    if (!hasAxes) {
      const Vec3 step = spacing.value_or(Vec3{1, 1, 1});
      return arrays::placeNodes(origin.value_or(Vec3{}), {{{step.x, 0, 0}, {0, step.y, 0}, {0, 0, step.z}}},
                                m_data.description, m_data.places);
    }
    const Vertical vertical = verticalWanted();
    const Variable* const along = coordinatesOf(header, m_grid.space[2]);
    if (auto choice = verticalChoice(along, vertical, along && isSigma(*along) && !whyNoHeights(*along)))
      m_data.choices.push_back(std::move(*choice));
    if (vertical == Vertical::Computed) return addHeights();
    if (m_grid.plane[0]) return addPlane();
    paging::GridAxes axes;
    for (std::size_t a = 0; a < 3; ++a) axes[a] = axisAlong(header, a);
    // blanking is computed from variables whose axes may be reversed, so it is made after that
    arrays::placeAxes(std::move(axes), m_data.description, m_data.places, m_account, m_data.claims);
    if (m_hasBlanks) {
      const auto isBlanking = [&](std::size_t n) {
        return m_data.description.arrays[n].role == paging::ArrayRole::Blanking;
      };
      // what it was made of goes before it is made again: memory for one of them is claimed
      for (std::size_t n = 0; n < m_data.places.size(); ++n)
        if (isBlanking(n)) m_data.places[n] = arrays::ComputedArray();
      std::vector<arrays::PlacedArray> variables;
      const auto add = [&](const arrays::PlacedArray& placed) {
        if (placed.isBetween() == m_shown.variables.empty()) variables.push_back(placed);
      };
      for (const arrays::ArrayPlace& place : m_data.places) {
        if (const auto* placed = std::get_if<arrays::PlacedArray>(&place)) add(*placed);
        if (const auto* gathered = std::get_if<arrays::GatheredArray>(&place))
          std::for_each(gathered->begin(), gathered->end(), add);
      }
      for (std::size_t n = 0; n < m_data.places.size(); ++n)
        if (isBlanking(n)) m_data.places[n] = blanksOf(std::move(variables));
    }
  }

  /// Only of grids with coordinates of two dimensions, as oceans have them: rows of others may be in another order than those of the mask.
  void blankLand() {
    const auto mask = m_grid.plane[0] ? landMaskOf(first().file, m_grid) : std::nullopt;
    const auto said = m_options.find("land");
    const bool isBlank = said != m_options.end() && isLandBlank(said->second);
    if (!mask) return;
    m_data.choices.push_back(landChoice(*mask, isBlank));
    if (!isBlank) return;
    m_used.push_back(mask->variable);
    arrays::PlacedArray placed = onPlane(*mask->variable);
    auto& arrays = m_data.description.arrays;
    const auto found = std::find_if(arrays.begin(), arrays.end(), [](const paging::ArrayDescription& array) {
      return array.role == paging::ArrayRole::Blanking;
    });
    m_data.explain.push_back("land is blank, by " + printable(mask->variable->name));
    if (found != arrays.end()) {
      arrays::ArrayPlace& place = m_data.places[static_cast<std::size_t>(found - arrays.begin())];
      place =
          blanksWithLand(std::get<arrays::ComputedArray>(std::move(place)), std::move(placed), mask->land);
      return;
    }
    m_data.description.blocks.front().hasIblank = true;
    arrays.push_back(arrays::describeBlanking(m_dims, 1));
    m_data.places.emplace_back(blanksWithLand({}, std::move(placed), mask->land));
  }

  std::vector<double> axisAlong(const File& header, std::size_t a) {
    const Variable* const along = coordinatesOf(header, m_grid.space[a]);
    if (!along) {
      const auto bytes = std::uint64_t(checkedProduct({m_dims[a], std::int64_t{sizeof(double)}}));
      m_data.claims.push_back(m_account.claimInEarnest(Purpose::Index, bytes, "the axes of the grid"));
      std::vector<double> numbers(static_cast<std::size_t>(m_dims[a]));
      for (std::size_t n = 0; n < numbers.size(); ++n) numbers[n] = static_cast<double>(n);
      return numbers;
    }
    const std::string name(1, "xyz"[a]);
    std::string said = printable(along->name);
    if (const std::string units = along->textOf("units"); !units.empty())
      said += " (" + printable(units) + ")";
    const bool isTurned = a == 2 && isPositiveDown(along) && verticalWanted() == Vertical::Upright;
    if (isTurned)
      said += ", with the opposite sign: positive up";
    else if (const std::string positive = along->textOf("positive"); !positive.empty())
      said += ", positive " + printable(positive);
    m_data.description.attributes["axis." + name] = said;
    keepUnits(a, *along);
    if (isSigma(*along)) {
      std::string how;
      if (const auto why = whyNoHeights(*along))
        how = "its heights cannot be computed: " + *why;
      else
        how = std::string("--option vertical=computed shows ") +
              (formulaOf(*along).givesPressure() ? "pressures" : "heights");
      m_data.explain.push_back(printable(along->name) + " is a sigma coordinate, shown as it is; " + how);
    }
    std::vector<double> numbers = arrays::readAxis(axisOf(header, *along, m_dims[a]), m_dims[a], m_account);
    if (isTurned)
      for (double& number : numbers) number = 0 - number;  // and 0 remains 0
    return numbers;
  }

  /// For who compares axes with each other; "axis.x" is for people.
  void keepUnits(std::size_t a, const Variable& coordinate) {
    if (const std::string units = coordinate.textOf("units"); !units.empty())
      m_data.description.attributes["axisUnits." + std::string(1, "xyz"[a])] = printable(units);
  }

  /// The numbers of a variable along y and x.
  arrays::PlacedArray onPlane(const Variable& variable) const {
    arrays::PlacedArray placed = plainArray(first().file, variable);
    placed.steps.push_back({arrays::Piece{{{0, 0, 0}, {m_dims[0], m_dims[1], 1}},
                                          variable.bytes,
                                          variable.begin,
                                          {variable.strides[1], variable.strides[0], 0},
                                          0}});
    arrays::checkPlaces(placed, 1);
    return placed;
  }

  /// Two-dimensional coordinates along x or y.
  arrays::PlacedArray planeOf(std::size_t a) {
    const Variable& coordinate = *m_grid.plane[a];
    const std::string time =
        m_grid.time < 0 ? std::string() : first().file.dimensions[static_cast<std::size_t>(m_grid.time)].name;
    m_data.description.attributes["axis." + std::string(1, "xy"[a])] =
        printable(coordinate.name) + " (" + printable(coordinate.textOf("units")) + ")";
    keepUnits(a, coordinate);
    return planeCoordinate(m_files, coordinate, time, m_dims, m_series);
  }

  void addCoordinates(std::int64_t steps, arrays::ComputedArray nodes) {
    m_data.description.blocks.front().kind = paging::GridKind::Curvilinear;
    m_data.description.arrays.push_back(arrays::describeCoordinates(m_dims, ScalarType::F64, steps));
    m_data.places.emplace_back(std::move(nodes));
  }

  void claimForGrid(std::size_t numbers) {
    m_data.claims.push_back(
        m_account.claimInEarnest(Purpose::Index, numbers * sizeof(double), "the axes of the grid"));
  }

  /// Two-dimensional coordinates: a curvilinear block, whose layers lie at the heights of the vertical axis.
  void addPlane() {
    std::array<arrays::PlacedArray, 2> plane{planeOf(0), planeOf(1)};
    const bool moves = plane[0].hasSteps() || plane[1].hasSteps();
    if (moves) m_data.explain.emplace_back("the grid moves from step to step");
    std::vector<double> heights = axisAlong(first().file, 2);
    claimForGrid(heights.size());
    addCoordinates(moves ? m_series.steps() : 1, nodesOf(std::move(plane), std::move(heights)));
  }

  Vertical verticalWanted() const {
    const auto said = m_options.find("vertical");
    const Vertical wanted = said == m_options.end() ? Vertical::Stored : verticalNamed(said->second);
    if (wanted != Vertical::Computed) return wanted;
    const File& header = first().file;
    const Variable* const along = coordinatesOf(header, m_grid.space[2]);
    if (along && isSigma(*along)) {
      // Who chose another grid of the file keeps the heights of those that have them.
      const bool isAnother = m_options.contains("variable") && whyNoHeights(*along);
      return isAnother ? Vertical::Stored : wanted;
    }
    if (std::none_of(header.variables.begin(), header.variables.end(), isSigma))
      throw Invalid("the vertical axis has no formula that heights follow from", "leave out the option")
          .at("option vertical");
    return Vertical::Stored;
  }

  /// Of a sigma coordinate along z; by what the headers say alone: no numbers are read.
  std::optional<std::string> whyNoHeights(const Variable& along) const {
    const File& header = first().file;
    try {
      const HeightFormula formula = formulaOf(along);
      for (const std::string& term : formula.layerTerms())
        requireCount(termOf(header, formula, term), term, m_dims[2]);
      for (const std::string& term : formula.planeTerms()) {
        std::int64_t timeStride = 0;
        std::array<bool, 2> between{};
        planePiece(first(), termOf(header, formula, term), term, timeStride, between);
      }
    } catch (const Error& error) {
      return error.message();
    }
    return std::nullopt;
  }

  /// Layers that follow the sea floor or the ground: a curvilinear block, which moves if they do.
  void addHeights() {
    const File& header = first().file;
    const Variable& along = *coordinatesOf(header, m_grid.space[2]);
    const HeightFormula formula = formulaOf(along);
    HeightNumbers numbers;
    for (const std::string& term : formula.layerTerms())
      numbers.layers.push_back(numbersOfTerm(formula, term, m_dims[2]));
    for (const std::string& term : formula.singleTerms())
      numbers.singles.push_back(numbersOfTerm(formula, term, 1).front());
    std::vector<PlaneTerm> terms;
    for (const std::string& term : formula.planeTerms()) terms.push_back(planeTerm(formula, term));
    bool moves =
        std::any_of(terms.begin(), terms.end(), [](const PlaneTerm& term) { return term.array.hasSteps(); });
    std::array<PlaneCoordinate, 2> plane;
    for (std::size_t a = 0; a < 2; ++a) {
      if (m_grid.plane[0]) {
        arrays::PlacedArray coordinate = planeOf(a);
        moves = moves || coordinate.hasSteps();
        plane[a] = std::move(coordinate);
      } else {
        std::vector<double> axis = axisAlong(header, a);
        claimForGrid(axis.size());
        plane[a] = std::move(axis);
      }
    }
    claimForGrid(3 * static_cast<std::size_t>(m_dims[2]));
    const Variable& last = termOf(header, formula, formula.planeTerms().back());
    const std::string units = last.textOf("units");
    keepUnits(2, last);
    m_data.description.attributes["axis.z"] = std::string(formula.givesPressure() ? "pressure" : "height") +
                                              " computed from " + printable(along.name) +
                                              (units.empty() ? "" : " (" + printable(units) + ")") +
                                              (formula.givesPressure() ? ", positive down" : ", positive up");
    addCoordinates(moves ? m_series.steps() : 1,
                   nodesAtHeights(std::move(plane), formula, std::move(numbers), std::move(terms)));
  }

  static const Variable& termOf(const File& header, const HeightFormula& formula, const std::string& term) {
    const std::string& name = formula.terms.at(term);
    const Variable* const found = header.variable(name);
    if (!found || !found->hasNumbers())
      throw Unsupported(
          "has no numbers of '" + printable(name) + "', from which heights follow ('" + term + ":')",
          "leave out the option vertical");
    return *found;
  }

  void requireCount(const Variable& variable, const std::string& term, std::int64_t count) const {
    std::int64_t stored = 1;
    for (const int dimension : variable.dims)
      stored = checkedProduct({stored, first().file.sizeOf(dimension)});
    if (stored != count || variable.dims.size() > 1)
      throw Unsupported(printable(variable.name) + " ('" + term + ":') has " + std::to_string(stored) +
                            " numbers where heights need " + std::to_string(count),
                        "leave out the option vertical");
  }

  /// Numbers along the vertical axis, or a single one, which may also be an attribute of the file.
  std::vector<double> numbersOfTerm(const HeightFormula& formula, const std::string& term,
                                    std::int64_t count) {
    const File& header = first().file;
    if (count == 1 && !header.variable(formula.terms.at(term)))
      if (const Attribute* const said = findAttribute(header.attributes, formula.terms.at(term));
          said && !said->numbers.empty())
        return {said->numbers.front()};
    const Variable& variable = termOf(header, formula, term);
    m_used.push_back(&variable);
    requireCount(variable, term, count);
    arrays::PlacedArray placed = plainArray(header, variable);
    placed.steps.push_back({arrays::Piece{{{0, 0, 0}, {count, 1, 1}},
                                          variable.bytes,
                                          variable.begin,
                                          {variable.dims.empty() ? 0 : variable.strides[0], 0, 0},
                                          0}});
    arrays::checkPlaces(placed, 1);
    std::vector<double> numbers = arrays::readAxis(placed, count, m_account);
    if (!std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); }))
      throw Corrupt(printable(variable.name) + " ('" + term + ":') has numbers without a value",
                    "leave out the option vertical");
    return numbers;
  }

  PlaneTerm planeTerm(const HeightFormula& formula, const std::string& term) {
    PlaneTerm result;
    m_used.push_back(&termOf(first().file, formula, term));
    result.array = plainArray(first().file, *m_used.back());
    for (std::size_t f = 0; f < m_files.size(); ++f)
      inFile(m_files[f].path, [&] {
        const File& header = m_files[f].file;
        const Variable& variable = termOf(header, formula, term);
        const arrays::PlacedArray its = plainArray(header, variable);
        requireStoredAlike(variable, its, result.array);
        std::int64_t timeStride = 0;
        const arrays::Piece piece = planePiece(m_files[f], variable, term, timeStride, result.between);
        m_series.add(f, piece, timeStride, its, result.array, variable.records);
      });
    settlePackings(result.array);
    return result;
  }

  const std::string& nameOfAxis(std::size_t a) const {
    return first().file.dimensions[static_cast<std::size_t>(m_grid.space[a])].name;
  }

  /// The term's values at the file's first time.
  arrays::Piece planePiece(const OpenedFile& opened, const Variable& variable, const std::string& term,
                           std::int64_t& timeStride, std::array<bool, 2>& between) const {
    const File& header = opened.file;
    const int time = m_grid.time < 0 ? -1 : timeNumber(opened);
    arrays::Piece piece{{{0, 0, 0}, {1, 1, 1}}, variable.bytes, variable.begin, {}, 0};
    std::size_t axis = 2;  // of the slowest dimension that is not time, and one
    for (std::size_t d = 0; d < variable.dims.size(); ++d) {
      const int dimension = variable.dims[d];
      if (dimension == time) {
        timeStride = variable.strides[d];
        continue;
      }
      const std::int64_t size = header.sizeOf(dimension);
      const bool same = axis > 0 && m_grid.space[axis - 1] >= 0 &&
                        header.dimensions[static_cast<std::size_t>(dimension)].name == nameOfAxis(axis - 1);
      if (axis == 0 || (!same && size != m_dims[axis - 1] + 1)) {
        axis = 3;
        break;
      }
      --axis;
      between[axis] = !same;
      piece.nodes.size[axis] = size;
      piece.strides[axis] = variable.strides[d];
    }
    if (axis != 0)
      throw Unsupported(
          printable(variable.name) + " ('" + term +
              ":') does not lie on the nodes of the grid, nor around them",
          "leave out the option vertical, or choose variables on its nodes by the option variable");
    return piece;
  }

  void describe() {
    for (const Attribute& attribute : first().file.attributes)
      if ((attribute.name == "title" || attribute.name == "institution" || attribute.name == "Conventions") &&
          !attribute.text.empty())
        m_data.description.attributes[attribute.name] = printable(attribute.text);
    if (m_grid.time >= 0 && !m_isNumbered)
      if (const Variable* const time = timesOf(first().file, m_grid.time))
        for (const char* const name : {"units", "calendar"})
          if (const std::string text = time->textOf(name); !text.empty())
            m_data.description.attributes["time." + std::string(name)] = printable(text);
    m_data.description.attributes["source"] = lastPartOf(first().path);
    for (const OpenedFile& file : m_files) m_data.description.storedBytes += file.storedBytes;
  }

  const arrays::Options& m_options;
  MemoryAccount& m_account;
  std::string m_format;
  std::vector<OpenedFile> m_files;
  CfGrid m_grid;
  std::vector<const Variable*> m_used;  ///< that are part of the grid, where they are not values on it
  VariableNames m_names;                ///< of those that are in the data
  arrays::TakenNames m_taken;
  Index3 m_dims{1, 1, 1};
  ShownGrid m_shown;
  bool m_isNumbered = false, m_hasBlanks = false;  ///< steps have no times; nodes are blanked
  CfData m_data;
  Series m_series{m_account, m_data.claims};
};

}  // namespace

CfData describe(std::vector<OpenedFile> files, const std::string& format, const arrays::Options& options,
                MemoryAccount& account) {
  return Maker(std::move(files), format, options, account).make();
}

}  // namespace farfield::cf
