#include "core/session/kinds/shapes.h"

#include <array>
#include <utility>

namespace farfield::session {
namespace {

struct Kind {
  const char* name;
  Shape (*make)();
};

template <std::size_t... N>
constexpr std::array<Kind, kTypeCount> kindsOf(std::index_sequence<N...>) {
  return {Kind{std::variant_alternative_t<N, Shape>::kType, [] { return Shape(std::in_place_index<N>); }}...};
}
constexpr std::array<Kind, kTypeCount> kKinds = kindsOf(std::make_index_sequence<kTypeCount>());

}  // namespace

const char* nameOf(ObjectType type) {
  return kKinds[static_cast<std::size_t>(type)].name;
}

Shape shapeOf(ObjectType type) {
  return kKinds[static_cast<std::size_t>(type)].make();
}

Engine usualEngine(const Shape& shape) {
  return std::visit(
      []<class S>(const S&) {
        if constexpr (requires { S::kEngine; })
          return S::kEngine;
        else
          return Engine::Cpu;
      },
      shape);
}

scene::Lighting usualLighting(const Shape& shape) {
  return std::visit(
      []<class S>(const S&) {
        if constexpr (requires { S::kLighting; })
          return S::kLighting;
        else
          return scene::Lighting::Soft;
      },
      shape);
}

Shape withoutLooks(Shape shape) {
  std::visit(
      [](auto& its) {
        if constexpr (requires { its.forgetLooks(); }) its.forgetLooks();
      },
      shape);
  return shape;
}

}  // namespace farfield::session
