#include "app/lifelines/canvas.h"
#include "core/base/error.h"
#ifdef FARFIELD_PICTURES
#include "render/color/image.h"
#include "render/color/png_writer.h"
#include "render/color/text.h"
#endif

namespace farfield::lifelines {
#ifdef FARFIELD_PICTURES
namespace {

class PngCanvas final : public Canvas {
 public:
  PngCanvas(int width, int height) : m_image(width, height) { fill(0, 0, width, height, {1, 1, 1, 1}); }

  void fill(double left, double top, double right, double bottom, const scene::Rgba& color) override {
    m_image.fill(left, top, right, bottom, color);
  }
  void text(double x, double baseline, std::string_view text, TextSize size, TextAlign align,
            const scene::Rgba& color) override {
    const double width = textWidth(text, size);
    const double left = align == TextAlign::Left ? x : align == TextAlign::Middle ? x - width / 2 : x - width;
    fontOf(size).draw(m_image, left, baseline, text, color);
  }
  double textWidth(std::string_view text, TextSize size) const override { return fontOf(size).width(text); }
  void save(const std::filesystem::path& path) const override {
    color::writePng(m_image, path, {{"Software", "Farfield"}});
  }

 private:
  const color::Font& fontOf(TextSize size) const {
    return size == TextSize::Small ? m_small : size == TextSize::Normal ? m_normal : m_title;
  }
  color::Image m_image;
  color::Font m_small{pixelsOf(TextSize::Small)}, m_normal{pixelsOf(TextSize::Normal)},
      m_title{pixelsOf(TextSize::Title), true};
};

}  // namespace

std::unique_ptr<Canvas> makePngCanvas(int width, int height) {
  return std::make_unique<PngCanvas>(width, height);
}
#else
std::unique_ptr<Canvas> makePngCanvas(int, int) {
  throw Unsupported("this build makes no PNG (FARFIELD_EGL=OFF)", "name a file that ends in .svg");
}
#endif

}  // namespace farfield::lifelines
