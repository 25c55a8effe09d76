#include "plugins/nrrd/nrrd_axes.h"

#include <algorithm>
#include <cmath>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"

namespace farfield::nrrd {
namespace {

constexpr std::int64_t kMostComponents = 1024;
constexpr std::int64_t kMostSteps = 1 << 20;

/// Kinds of axes that are neither space nor time (the format's definition, section "kinds").
bool isOfComponents(const std::string& kind) {
  static constexpr const char* kKinds[] = {"vector",
                                           "covariant-vector",
                                           "normal",
                                           "stub",
                                           "scalar",
                                           "complex",
                                           "2-vector",
                                           "3-color",
                                           "rgb-color",
                                           "hsv-color",
                                           "xyz-color",
                                           "4-color",
                                           "rgba-color",
                                           "3-vector",
                                           "3-gradient",
                                           "3-normal",
                                           "4-vector",
                                           "quaternion",
                                           "2d-symmetric-matrix",
                                           "2d-masked-symmetric-matrix",
                                           "2d-matrix",
                                           "2d-masked-matrix",
                                           "3d-symmetric-matrix",
                                           "3d-masked-symmetric-matrix",
                                           "3d-matrix",
                                           "3d-masked-matrix",
                                           "point"};
  return std::find(std::begin(kKinds), std::end(kKinds), kind) != std::end(kKinds);
}

/// A letter for each axis.
std::string lettersFor(const std::vector<NrrdAxis>& axes) {
  std::string letters(axes.size(), '?');
  const bool directed =
      std::any_of(axes.begin(), axes.end(), [](const NrrdAxis& a) { return !a.direction.empty(); });
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (directed && axes[a].direction.empty())
      letters[a] = '-';
    else if (isOfComponents(axes[a].kind))
      letters[a] = 'c';
    else if (axes[a].kind == "time")
      letters[a] = 't';
    else if (axes[a].kind == "list" || axes[a].kind == "parameter")
      letters[a] = '-';
  }
  // axes without a direction and a telling kind are components at the front and steps at the end
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (letters[a] != '-') continue;
    if (isOfComponents(axes[a].kind))
      letters[a] = 'c';
    else if (axes[a].kind == "time")
      letters[a] = 't';
    else
      letters[a] = a == 0 && letters.find('c') == std::string::npos ? 'c' : 't';
  }
  std::size_t space = 0;
  for (char& letter : letters)
    if (letter == '?') letter = space < 3 ? "ijk"[space++] : 't';
  return letters;
}

/// As a vector of three dimensions; missing ones are 0.
Vec3 inSpace(const std::vector<double>& numbers) {
  if (numbers.size() > 3)
    throw Unsupported("lies in a space of " + std::to_string(numbers.size()) + " dimensions");
  Vec3 result;
  for (std::size_t a = 0; a < numbers.size(); ++a) result[static_cast<int>(a)] = numbers[a];
  return result;
}

/// Directions for axes that the file does not have, perpendicular to those that it has.
void completeDirections(AxisRoles& roles, const std::array<bool, 3>& known) {
  for (int a = 0; a < 3; ++a) {
    if (known[static_cast<std::size_t>(a)]) continue;
    const auto next = static_cast<std::size_t>((a + 1) % 3), after = static_cast<std::size_t>((a + 2) % 3);
    Vec3 normal = cross(roles.directions[next], roles.directions[after]);
    if (known[next] && known[after] && length(normal) > 0)
      roles.directions[static_cast<std::size_t>(a)] = (1 / length(normal)) * normal;
  }
}

void place(const NrrdHeader& header, AxisRoles& roles) {
  std::array<bool, 3> known{};
  bool directed = false;
  for (std::size_t a = 0; a < 3; ++a) {
    if (roles.space[a] < 0) continue;
    const NrrdAxis& axis = header.axes[static_cast<std::size_t>(roles.space[a])];
    if (!axis.direction.empty()) {
      roles.directions[a] = inSpace(axis.direction);
      known[a] = directed = true;
      continue;
    }
    const bool cells = axis.center == "cell";
    const auto count = static_cast<double>(axis.size);
    double spacing = axis.spacing.value_or(1);
    if (!axis.spacing && axis.min && axis.max && count > (cells ? 0 : 1))
      spacing = (*axis.max - *axis.min) / (cells ? count : count - 1);
    roles.directions[a] = {};
    roles.directions[a][static_cast<int>(a)] = spacing;
    if (axis.min) roles.origin[static_cast<int>(a)] = *axis.min + (cells ? 0.5 * spacing : 0);
  }
  if (directed) completeDirections(roles, known);
  if (!header.spaceOrigin.empty()) roles.origin = inSpace(header.spaceOrigin);
}

}  // namespace

AxisRoles rolesOf(const NrrdHeader& header, const std::string& letters) {
  AxisRoles roles;
  const std::size_t count = header.axes.size();
  const std::string used = letters.empty() ? lettersFor(header.axes) : letters;
  if (used.size() != count || used.find_first_not_of("cijkt") != std::string::npos)
    throw Invalid("'" + printable(used) + "' does not say what each of " + std::to_string(count) + " axes is",
                  "give a letter for each, the fastest first: c, i, j, k or t")
        .at("option axes");
  std::int64_t stride = arrays::bytesOf(header.type);
  for (std::size_t a = 0; a < count; ++a) {
    const std::int64_t size = header.axes[a].size;
    roles.strides.push_back(stride);
    stride = checkedProduct({stride, size});
    int& role = used[a] == 'c'   ? roles.components
                : used[a] == 't' ? roles.steps
                                 : roles.space[static_cast<std::size_t>(used[a] - 'i')];
    if (role >= 0)
      throw Unsupported("has several axes that would be " + std::string(1, used[a]) + " (as " + used + ")",
                        "say by the option axes what each is: c, i, j, k or t, the fastest first");
    role = static_cast<int>(a);
    if (used[a] == 'c')
      roles.componentCount = size;
    else if (used[a] == 't')
      roles.stepCount = size;
    else
      roles.dims[static_cast<std::size_t>(used[a] - 'i')] = size;
  }
  if (roles.componentCount > kMostComponents || roles.stepCount > kMostSteps)
    throw Unsupported("has " + std::to_string(roles.componentCount) + " components and " +
                          std::to_string(roles.stepCount) + " steps",
                      "say by the option axes which axes are i, j and k");
  place(header, roles);
  roles.said = "axes, the fastest first: " + used;
  return roles;
}

}  // namespace farfield::nrrd
