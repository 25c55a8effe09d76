#pragma once
// OpenGL objects that delete themselves. Everything here needs a current context, destructors included.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

namespace farfield::egl {

/// An OpenGL name, and the function that deletes it.
template <auto Delete>
class GlName {
 public:
  GlName() = default;
  explicit GlName(GLuint name) : m_name(name) {}
  GlName(GlName&& other) noexcept : m_name(std::exchange(other.m_name, 0)) {}
  GlName& operator=(GlName&& other) noexcept {
    std::swap(m_name, other.m_name);
    return *this;
  }
  ~GlName() {
    if (m_name) Delete(m_name);
  }
  operator GLuint() const { return m_name; }

 private:
  GLuint m_name = 0;
};

namespace detail {
inline void deleteBuffer(GLuint name) {
  glDeleteBuffers(1, &name);
}
inline void deleteVertexArray(GLuint name) {
  glDeleteVertexArrays(1, &name);
}
inline void deleteTexture(GLuint name) {
  glDeleteTextures(1, &name);
}
inline void deleteFramebuffer(GLuint name) {
  glDeleteFramebuffers(1, &name);
}
inline void deleteQuery(GLuint name) {
  glDeleteQueries(1, &name);
}
inline void deleteProgram(GLuint name) {
  glDeleteProgram(name);
}
inline void deleteShader(GLuint name) {
  glDeleteShader(name);
}
}  // namespace detail

using GlBuffer = GlName<detail::deleteBuffer>;
using GlVertexArray = GlName<detail::deleteVertexArray>;
using GlTexture = GlName<detail::deleteTexture>;
using GlFramebuffer = GlName<detail::deleteFramebuffer>;
using GlQuery = GlName<detail::deleteQuery>;
using GlShader = GlName<detail::deleteShader>;

GlBuffer makeBuffer();
GlVertexArray makeVertexArray();
GlTexture makeTexture();
GlFramebuffer makeFramebuffer();
GlQuery makeQuery();

/// Shaders of resources/shaders, compiled and linked; a file's ending gives its stage. Throws Unsupported
/// with the driver's message.
class Program {
 public:
  Program(std::initializer_list<const char*> files, const std::string& defines);
  void use() const { glUseProgram(m_name); }
  /// -1, which OpenGL ignores, for a uniform that the program does not use.
  GLint uniform(const char* name) const { return glGetUniformLocation(m_name, name); }

 private:
  GlName<detail::deleteProgram> m_name;
};

/// A render target: colour (RGBA8) and depth (32-bit float, so that a shader reads back exactly what was
/// written), or one of them; `samples` of each per pixel (0: one, in plain textures). Throws Unsupported if
/// the driver refuses.
class Target {
 public:
  enum class Parts { Both, Color, Depth };
  Target(int width, int height, int samples, Parts parts = Parts::Both);
  GLuint framebuffer() const { return m_framebuffer; }
  GLuint color() const { return m_color; }
  GLuint depth() const { return m_depth; }
  /// Exchanges the depths of two targets of the same size. Leaves `other` bound.
  void swapDepth(Target& other);

 private:
  GLenum m_kind;
  GlTexture m_color, m_depth;
  GlFramebuffer m_framebuffer;
};

}  // namespace farfield::egl
