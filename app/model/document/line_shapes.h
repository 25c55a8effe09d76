#pragma once
// What the kinds of objects that are made of lines have in common: streamlines, pathlines, streaklines.

#include <string>
#include <vector>

#include "core/session/session.h"

namespace farfield::app {

/// A part of the shape of an object made of lines; null in other kinds.
inline session::Seeds* seedsIn(session::Object& object) {
  return std::visit(
      [](auto& shape) -> session::Seeds* {
        if constexpr (requires { shape.seeds; }) return &shape.seeds;
        return nullptr;
      },
      object.shape);
}
inline session::Integrator* integratorIn(session::Object& object) {
  return std::visit(
      [](auto& shape) -> session::Integrator* {
        if constexpr (requires { shape.integrator; }) return &shape.integrator;
        return nullptr;
      },
      object.shape);
}
/// What lines follow, or arrows show: a vector function, or the names of its three components.
inline std::vector<std::string>* vectorIn(session::Object& object) {
  return std::visit(
      [](auto& shape) -> std::vector<std::string>* {
        if constexpr (requires { shape.vector; }) return &shape.vector;
        return nullptr;
      },
      object.shape);
}
/// For which view arrows and textures are even: how much longer its axes are seen.
inline Vec3* stretchIn(session::Object& object) {
  return std::visit(
      [](auto& shape) -> Vec3* {
        if constexpr (requires { shape.stretch; }) return &shape.stretch;
        return nullptr;
      },
      object.shape);
}
/// When particles are let go; null in streamlines, too.
inline session::Release* releaseIn(session::Object& object) {
  return std::visit(
      [](auto& shape) -> session::Release* {
        if constexpr (requires { shape.release; }) return &shape.release;
        return nullptr;
      },
      object.shape);
}

inline const session::Seeds* seedsIn(const session::Object& object) {
  return seedsIn(const_cast<session::Object&>(object));
}
inline const std::vector<std::string>* vectorIn(const session::Object& object) {
  return vectorIn(const_cast<session::Object&>(object));
}
inline const Vec3* stretchIn(const session::Object& object) {
  return stretchIn(const_cast<session::Object&>(object));
}

}  // namespace farfield::app
