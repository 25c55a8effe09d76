#pragma once
// An OpenGL context without a display, window or surface: pictures are drawn into a framebuffer object. Works
// with Mesa's software driver on a machine without a graphics card, and with a card if there is one.

#include <memory>
#include <string>

namespace farfield::egl {

/// OpenGL 3.3 core or later. Belongs to no thread until it is made current, and then to that thread until the
/// Current is gone. One at a time.
class EglContext {
 public:
  /// Throws Unsupported, naming what to install, if no driver offers such a context.
  EglContext();
  ~EglContext();
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

  /// During its life OpenGL calls of this thread go to the context.
  class Current {
   public:
    explicit Current(const EglContext& context);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

   private:
    const EglContext& m_context;
  };

  /// The driver's name ("llvmpipe (LLVM 15.0.6, 256 bits)").
  const std::string& driver() const { return m_driver; }
  /// The version of OpenGL ("4.5 (Core Profile) Mesa 22.3.6").
  const std::string& version() const { return m_version; }

 private:
  struct Display;
  void release();

  std::shared_ptr<Display> m_display;
  void* m_context = nullptr;
  std::string m_driver, m_version;
};

}  // namespace farfield::egl
