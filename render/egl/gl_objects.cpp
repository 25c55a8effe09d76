#include "render/egl/gl_objects.h"

#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "render/color/shader_source.h"

namespace farfield::egl {
namespace {

Unsupported refused(const std::string& what, std::string words) {
  for (char& c : words)
    if (c == '\n') c = ' ';
  return Unsupported("the OpenGL driver refuses " + what + ": " + words,
                     "use a newer driver, for example Mesa 20 or later");
}

GLenum stageOf(std::string_view file) {
  if (file.ends_with(".vert")) return GL_VERTEX_SHADER;
  return file.ends_with(".geom") ? GL_GEOMETRY_SHADER : GL_FRAGMENT_SHADER;
}

}  // namespace

GlBuffer makeBuffer() {
  GLuint name = 0;
  glGenBuffers(1, &name);
  return GlBuffer(name);
}
GlVertexArray makeVertexArray() {
  GLuint name = 0;
  glGenVertexArrays(1, &name);
  return GlVertexArray(name);
}
GlTexture makeTexture() {
  GLuint name = 0;
  glGenTextures(1, &name);
  return GlTexture(name);
}
GlFramebuffer makeFramebuffer() {
  GLuint name = 0;
  glGenFramebuffers(1, &name);
  return GlFramebuffer(name);
}
GlQuery makeQuery() {
  GLuint name = 0;
  glGenQueries(1, &name);
  return GlQuery(name);
}

Program::Program(std::initializer_list<const char*> files, const std::string& defines)
    : m_name(glCreateProgram()) {
  std::vector<GlShader> shaders;
  GLint good = 0;
  char words[2000] = "";
  for (const char* file : files) {
    const std::string source = color::shaderSource(file, defines);
    const char* const text = source.c_str();
    shaders.emplace_back(glCreateShader(stageOf(file)));
    glShaderSource(shaders.back(), 1, &text, nullptr);
    glCompileShader(shaders.back());
    glGetShaderiv(shaders.back(), GL_COMPILE_STATUS, &good);
    if (!good) {
      glGetShaderInfoLog(shaders.back(), sizeof words, nullptr, words);
      throw refused(std::string("the shader ") + file, words);
    }
    glAttachShader(m_name, shaders.back());
  }
  glLinkProgram(m_name);
  glGetProgramiv(m_name, GL_LINK_STATUS, &good);
  if (!good) {
    glGetProgramInfoLog(m_name, sizeof words, nullptr, words);
    throw refused(std::string("the program of ") + *files.begin(), words);
  }
}

Target::Target(int width, int height, int samples, Parts parts)
    : m_kind(samples > 0 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D), m_framebuffer(makeFramebuffer()) {
  glBindFramebuffer(GL_FRAMEBUFFER, m_framebuffer);
  const auto attach = [&](GLenum point, GLenum stored, GLenum format, GLenum type) {
    GlTexture texture = makeTexture();
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(m_kind, texture);
    if (samples > 0) {
      glTexImage2DMultisample(m_kind, samples, stored, width, height, GL_TRUE);
    } else {
      glTexImage2D(m_kind, 0, static_cast<GLint>(stored), width, height, 0, format, type, nullptr);
      glTexParameteri(m_kind, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      glTexParameteri(m_kind, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    glFramebufferTexture2D(GL_FRAMEBUFFER, point, m_kind, texture, 0);
    return texture;
  };
  if (parts != Parts::Depth) m_color = attach(GL_COLOR_ATTACHMENT0, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE);
  if (parts != Parts::Color)
    m_depth = attach(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT);
  if (parts == Parts::Depth) {
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
  }
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE || glGetError() != GL_NO_ERROR)
    throw refused("a picture of " + std::to_string(width) + " x " + std::to_string(height) + " pixels",
                  "no memory for it, or no such format");
}

void Target::swapDepth(Target& other) {
  std::swap(m_depth, other.m_depth);
  for (const Target* target : {static_cast<const Target*>(this), static_cast<const Target*>(&other)}) {
    glBindFramebuffer(GL_FRAMEBUFFER, target->m_framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, m_kind, target->m_depth, 0);
  }
}

}  // namespace farfield::egl
