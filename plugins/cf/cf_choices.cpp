#include "plugins/cf/cf_choices.h"

#include <algorithm>
#include <cctype>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "plugins/cf/cf_heights.h"

namespace farfield::cf {
namespace {

/// More are no help to choose.
constexpr std::size_t kMostGrids = 24;
constexpr std::size_t kMostNames = 5;

/// "temp, salt: 31 x 21 x 35".
std::string textOf(const File& file, const CfGrid& grid, const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t n = 0; n < std::min(names.size(), kMostNames); ++n)
    text += (n ? ", " : "") + printable(names[n]);
  if (names.size() > kMostNames) text += " and " + std::to_string(names.size() - kMostNames) + " more";
  std::string dims;
  for (const int dimension : grid.space)
    if (dimension >= 0) dims += (dims.empty() ? ": " : " x ") + std::to_string(file.sizeOf(dimension));
  return text + dims;
}

}  // namespace

std::optional<fields::ReadingChoice> gridChoice(const File& file, const std::vector<const Variable*>& values,
                                                const std::vector<CfGrid>& grids, std::size_t now,
                                                std::size_t byDefault,
                                                const std::optional<CentresChoice>& centres) {
  struct Group {
    std::size_t first = 0;  ///< of its values
    std::vector<std::string> names;
  };
  std::vector<Group> groups;
  for (std::size_t n = 0; n < values.size(); ++n) {
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return grids[group.first].sameSpace(grids[n]);
    });
    Group& group = found == groups.end() ? groups.emplace_back(Group{n, {}}) : *found;
    group.names.push_back(values[n]->name);
  }
  if (groups.size() < 2 && !centres) return std::nullopt;
  const auto axesOf = [&](const Group& group) {
    const auto& space = grids[group.first].space;
    return std::count_if(space.begin(), space.end(),
                         [&](int dimension) { return dimension >= 0 && file.sizeOf(dimension) > 1; });
  };
  const auto holds = [&](const Group& group, std::size_t value) {
    return grids[group.first].sameSpace(grids[value]);
  };
  std::stable_sort(groups.begin(), groups.end(), [&](const Group& a, const Group& b) {
    // those that are shown are never left out
    const bool isFirst = holds(a, now) || holds(a, byDefault),
               isSecond = holds(b, now) || holds(b, byDefault);
    if (isFirst != isSecond) return isFirst;
    return std::pair(axesOf(a), a.names.size()) > std::pair(axesOf(b), b.names.size());
  });
  if (groups.size() > kMostGrids) groups.resize(kMostGrids);
  fields::ReadingChoice choice{"variable", "Grid", {}};
  for (const Group& group : groups) {
    if (holds(group, now)) choice.now = choice.values.size();
    if (holds(group, byDefault)) choice.byDefault = choice.values.size();
    choice.values.push_back({group.names.front(), textOf(file, grids[group.first], group.names)});
  }
  if (centres) {
    choice.values.insert(choice.values.begin(),
                         {centres->value, textOf(file, centres->grid, centres->names) + ", at the centres"});
    choice.byDefault = 0;
    choice.now = centres->isNow ? 0 : choice.now + 1;
  }
  return choice;
}

Vertical verticalNamed(const std::string& text) {
  if (text == "stored") return Vertical::Stored;
  if (text == "upright") return Vertical::Upright;
  if (text == "computed") return Vertical::Computed;
  throw Invalid("is '" + printable(text) + "'", "use stored, upright or computed").at("option vertical");
}

bool isPositiveDown(const Variable* axis) {
  if (!axis) return false;
  std::string positive = axis->textOf("positive");
  std::transform(positive.begin(), positive.end(), positive.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return positive == "down";
}

std::optional<fields::ReadingChoice> verticalChoice(const Variable* axis, Vertical now, bool hasHeights) {
  if (!axis) return std::nullopt;
  fields::ReadingChoice choice{
      "vertical", "Vertical axis", {{"stored", printable(axis->name) + ", as it is"}}};
  const auto add = [&](Vertical what, const char* value, const std::string& text) {
    if (now == what) choice.now = choice.values.size();
    choice.values.push_back({value, text});
  };
  if (isPositiveDown(axis)) {
    choice.atFirst = choice.values.size();
    add(Vertical::Upright, "upright", "upwards: " + printable(axis->name) + " negated");
  }
  if (hasHeights)
    add(Vertical::Computed, "computed",
        std::string(formulaOf(*axis).givesPressure() ? "pressure" : "height") + " by its formula");
  if (choice.values.size() < 2) return std::nullopt;
  return choice;
}

}  // namespace farfield::cf
