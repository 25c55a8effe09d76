#include "plugins/cgns/cgns_elements.h"

#include <vector>

namespace farfield::cgns {
namespace {

enum Shape : std::uint8_t { Other, Point, Bar, Tri, Quad, Tetra, Pyra, Penta, Hexa };
struct Element {
  std::uint8_t nodes = 0;
  Shape shape = Other;
};

/// By type; the standard numbers them as they came.
constexpr Element kElements[] = {
    {},          {},         {1, Point},  {2, Bar},    {3, Bar},    {3, Tri},    {6, Tri},    {4, Quad},
    {8, Quad},   {9, Quad},  {4, Tetra},  {10, Tetra}, {5, Pyra},   {14, Pyra},  {6, Penta},  {15, Penta},
    {18, Penta}, {8, Hexa},  {20, Hexa},  {27, Hexa},  {},          {13, Pyra},  {},          {},
    {4, Bar},    {9, Tri},   {10, Tri},   {12, Quad},  {16, Quad},  {16, Tetra}, {20, Tetra}, {21, Pyra},
    {29, Pyra},  {30, Pyra}, {24, Penta}, {38, Penta}, {40, Penta}, {32, Hexa},  {56, Hexa},  {64, Hexa},
    {5, Bar},    {12, Tri},  {15, Tri},   {16, Quad},  {25, Quad},  {22, Tetra}, {34, Tetra}, {35, Tetra},
    {29, Pyra},  {50, Pyra}, {55, Pyra},  {33, Penta}, {66, Penta}, {75, Penta}, {44, Hexa},  {98, Hexa},
    {125, Hexa}};

Element elementOf(std::int64_t type) {
  constexpr auto kTypes = static_cast<std::int64_t>(sizeof kElements / sizeof kElements[0]);
  return type >= 0 && type < kTypes ? kElements[type] : Element{};
}

}  // namespace

std::int64_t nodesOfElement(std::int64_t type) {
  return elementOf(type).nodes;
}

std::int64_t vtkType(std::int64_t type) {
  switch (elementOf(type).shape) {
    case Tri:
      return 5;
    case Quad:
      return 9;
    case Tetra:
      return 10;
    case Hexa:
      return 12;
    case Penta:
      return 13;
    case Pyra:
      return 14;
    case Point:
    case Bar:
    case Other:
      break;
  }
  return 0;
}

std::optional<std::array<std::uint8_t, 4>> cornersOfFace(std::int64_t vtkType, std::int64_t face) {
  using Faces = std::vector<std::array<std::uint8_t, 4>>;
  static const Faces kTetra{{1, 3, 2, 2}, {1, 2, 4, 4}, {2, 3, 4, 4}, {3, 1, 4, 4}};
  static const Faces kPyra{{1, 4, 3, 2}, {1, 2, 5, 5}, {2, 3, 5, 5}, {3, 4, 5, 5}, {4, 1, 5, 5}};
  static const Faces kPenta{{1, 2, 5, 4}, {2, 3, 6, 5}, {3, 1, 4, 6}, {1, 3, 2, 2}, {4, 5, 6, 6}};
  static const Faces kHexa{{1, 4, 3, 2}, {1, 2, 6, 5}, {2, 3, 7, 6},
                           {3, 4, 8, 7}, {1, 5, 8, 4}, {5, 6, 7, 8}};
  const Faces* const faces = vtkType == 10   ? &kTetra
                             : vtkType == 12 ? &kHexa
                             : vtkType == 13 ? &kPenta
                             : vtkType == 14 ? &kPyra
                                             : nullptr;
  if (!faces || face < 1 || face > static_cast<std::int64_t>(faces->size())) return std::nullopt;
  return (*faces)[static_cast<std::size_t>(face - 1)];
}

int dimsOfElement(std::int64_t type) {
  if (type == kNgon) return 2;
  if (type == kNface) return 3;
  switch (elementOf(type).shape) {
    case Point:
      return 0;
    case Bar:
      return 1;
    case Tri:
    case Quad:
      return 2;
    case Tetra:
    case Pyra:
    case Penta:
    case Hexa:
      return 3;
    case Other:
      break;
  }
  return -1;
}

}  // namespace farfield::cgns
