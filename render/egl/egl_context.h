#pragma once
// An OpenGL context with no display, no window and no surface: pictures are drawn into a framebuffer object.
// Works with Mesa's software driver on a machine without a graphics card, and with a card where one is.

#include <memory>
#include <string>

namespace farfield::egl {

/// OpenGL 3.3 core or later. Belongs to no thread until it is made current; then to that thread, until
/// the Current is gone. One at a time.
class EglContext {
 public:
  /// Throws Unsupported, naming what to install, where no driver gives such a context.
  EglContext();
  ~EglContext();
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

  /// While it lives, OpenGL calls of this thread go to the context.
  class Current {
   public:
    explicit Current(const EglContext& context);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

   private:
    const EglContext& m_context;
  };

  /// What the driver says of itself ("llvmpipe (LLVM 15.0.6, 256 bits)").
  const std::string& driver() const { return m_driver; }
  /// The version of OpenGL that it gives ("4.5 (Core Profile) Mesa 22.3.6").
  const std::string& version() const { return m_version; }

 private:
  struct Display;
  void release();

  std::shared_ptr<Display> m_display;
  void* m_context = nullptr;
  std::string m_driver, m_version;
};

}  // namespace farfield::egl
