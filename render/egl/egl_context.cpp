#include "render/egl/egl_context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>

#include <mutex>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace farfield::egl {
namespace {

Unsupported noDriver(const std::string& what) {
  return Unsupported("pictures cannot be drawn: " + what,
                     "install an OpenGL driver, for example the packages libegl1 and libgl1-mesa-dri");
}

bool hasWord(const char* list, std::string_view word) {
  if (!list) return false;
  const std::string padded = " " + std::string(list) + " ";
  return padded.find(" " + std::string(word) + " ") != std::string::npos;
}

// The displays to try, best first: Mesa without any surface, then each graphics card (for drivers without the
// former), then the system's default.
std::vector<EGLDisplay> candidateDisplays() {
  std::vector<EGLDisplay> displays;
  const char* const extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto add = [&](EGLDisplay display) {
    if (display != EGL_NO_DISPLAY) displays.push_back(display);
  };
  if (hasWord(extensions, "EGL_MESA_platform_surfaceless"))
    add(eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
  if (hasWord(extensions, "EGL_EXT_platform_device") || hasWord(extensions, "EGL_EXT_platform_base")) {
    const auto queryDevices =
        reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (queryDevices && queryDevices(16, devices, &count))
      for (EGLint i = 0; i < count; ++i)
        add(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
  }
  add(eglGetDisplay(EGL_DEFAULT_DISPLAY));
  return displays;
}

// A 3.3 core context on an initialized display, or none.
EGLContext contextOn(EGLDisplay display) {
  const EGLint configWish[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                               EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(display, configWish, &config, 1, &count) || count == 0) {
    if (!hasWord(eglQueryString(display, EGL_EXTENSIONS), "EGL_KHR_no_config_context")) return EGL_NO_CONTEXT;
    config = EGL_NO_CONFIG_KHR;
  }
  const EGLint wish[] = {EGL_CONTEXT_MAJOR_VERSION,
                         3,
                         EGL_CONTEXT_MINOR_VERSION,
                         3,
                         EGL_CONTEXT_OPENGL_PROFILE_MASK,
                         EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                         EGL_NONE};
  if (!eglBindAPI(EGL_OPENGL_API)) return EGL_NO_CONTEXT;
  return eglCreateContext(display, config, EGL_NO_CONTEXT, wish);
}

}  // namespace

// EGL has one display per process, and terminating it destroys all its contexts. So all contexts share it,
// and the last one terminates it.
struct EglContext::Display {
  EGLDisplay handle;
  explicit Display(EGLDisplay display) : handle(display) {}
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;
  ~Display() {
#ifndef FARFIELD_SANITIZED
    // This unloads the driver. Memory that the driver allocated once for the process then looks like a leak
    // of an unknown module, which cannot be suppressed.
    eglTerminate(handle);
#endif
  }

  struct Shared {
    std::mutex mutex;
    std::weak_ptr<Display> display;
  };
  static Shared& shared() {
    static Shared shared;
    return shared;
  }
};

EglContext::EglContext() {
  Display::Shared& shared = Display::shared();
  {
    const std::lock_guard lock(shared.mutex);
    m_display = shared.display.lock();
    if (m_display) {
      m_context = contextOn(m_display->handle);
    } else {
      for (const EGLDisplay candidate : candidateDisplays()) {
        EGLint major = 0, minor = 0;
        if (!eglInitialize(candidate, &major, &minor)) continue;
        auto display = std::make_shared<Display>(candidate);
        m_context = contextOn(candidate);
        if (m_context == EGL_NO_CONTEXT) continue;
        m_display = std::move(display);
        shared.display = m_display;
        break;
      }
    }
  }
  if (m_context == EGL_NO_CONTEXT)
    throw noDriver("EGL offers no OpenGL 3.3 context that works without a display");
  try {
    const Current current(*this);
    const auto textOf = [](GLenum what) {
      const auto* const text = reinterpret_cast<const char*>(glGetString(what));
      return std::string(text ? text : "unknown");
    };
    m_driver = textOf(GL_RENDERER);
    m_version = textOf(GL_VERSION);
  } catch (...) {
    release();
    throw;
  }
}

EglContext::~EglContext() {
  release();
}

void EglContext::release() {
  eglDestroyContext(m_display->handle, m_context);
  // the display must not be handed out while it is being terminated
  const std::lock_guard lock(Display::shared().mutex);
  m_display.reset();
}

EglContext::Current::Current(const EglContext& context) : m_context(context) {
  if (!eglMakeCurrent(context.m_display->handle, EGL_NO_SURFACE, EGL_NO_SURFACE, context.m_context))
    throw noDriver("the OpenGL context cannot be used without a surface");
}

EglContext::Current::~Current() {
  eglMakeCurrent(m_context.m_display->handle, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

}  // namespace farfield::egl
