#include <cmath>
#include <cstdio>
#include <string>

#include "app/lifelines/canvas.h"
#include "core/base/file.h"

namespace farfield::lifelines {
namespace {

/// To a hundredth of a pixel, without trailing zeros.
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  std::string out = text;
  while (out.ends_with('0')) out.pop_back();
  if (out.ends_with('.')) out.pop_back();
  return out == "-0" ? "0" : out;
}

std::string hex(const scene::Rgba& color) {
  char text[8];
  const auto byte = [&](int n) {
    return static_cast<unsigned>(std::lround(255 * color[static_cast<std::size_t>(n)]));
  };
  std::snprintf(text, sizeof text, "#%02x%02x%02x", byte(0) & 255, byte(1) & 255, byte(2) & 255);
  return text;
}

/// What XML allows in a document's text; all else becomes a question mark.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += '?';
    else
      out += c;
  }
  return out;
}

class SvgCanvas final : public Canvas {
 public:
  SvgCanvas(int width, int height) {
    const std::string w = std::to_string(width), h = std::to_string(height);
    m_text = std::string(kSvgHead) + "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w +
             "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h + "\" font-family=\"sans-serif\">\n";
    fill(0, 0, width, height, {1, 1, 1, 1});
  }

  void fill(double left, double top, double right, double bottom, const scene::Rgba& color) override {
    const std::string paint = hex(color);
    // Neighbours of equal colour share a path: a tenth of the bytes.
    if (paint != m_paint) {
      endPath();
      m_text += "<path fill=\"" + paint + "\" d=\"";
      m_paint = paint;
    }
    m_text += "M" + number(left) + " " + number(top) + "H" + number(right) + "V" + number(bottom) + "H" +
              number(left) + "z";
  }

  void text(double x, double baseline, std::string_view text, TextSize size, TextAlign align,
            const scene::Rgba& color) override {
    endPath();
    const char* const anchor = align == TextAlign::Left     ? "start"
                               : align == TextAlign::Middle ? "middle"
                                                            : "end";
    m_text += "<text x=\"" + number(x) + "\" y=\"" + number(baseline) + "\" font-size=\"" +
              number(pixelsOf(size)) + "\"" + (size == TextSize::Title ? " font-weight=\"bold\"" : "") +
              " text-anchor=\"" + anchor + "\" fill=\"" + hex(color) + "\">" + escaped(text) + "</text>\n";
  }

  double textWidth(std::string_view text, TextSize size) const override {
    // Which face a viewer takes is not known; few are wider.
    constexpr double kWidthPerEm = 0.56;
    std::size_t letters = 0;
    for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return kWidthPerEm * pixelsOf(size) * static_cast<double>(letters);
  }

  void save(const std::filesystem::path& path) const override {
    NewFile file(path);
    file.write(m_text);
    file.write(m_paint.empty() ? "</svg>\n" : "\"/>\n</svg>\n");
    file.commit();
  }

 private:
  void endPath() {
    if (!m_paint.empty()) m_text += "\"/>\n";
    m_paint.clear();
  }
  std::string m_text;
  std::string m_paint;  ///< of the path that is open; empty where none is
};

}  // namespace

std::unique_ptr<Canvas> makeSvgCanvas(int width, int height) {
  return std::make_unique<SvgCanvas>(width, height);
}

}  // namespace farfield::lifelines
