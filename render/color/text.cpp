#include "render/color/text.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include "core/base/error.h"

namespace farfield::color {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr const char* kEllipsis = "\u2026";

// The code points of UTF-8; each invalid byte becomes one replacement mark.
std::u32string decoded(std::string_view text) {
  std::u32string points;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const int length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
    bool good = length > 0 && i + length <= text.size();
    char32_t point = length == 1 ? lead : lead & (0xFF >> (length + 1));
    for (int k = 1; good && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      good = next >> 6 == 2;
      point = point << 6 | (next & 0x3F);
    }
    points += good ? point : kReplacement;
    i += good ? length : 1;
  }
  return points;
}

/// Where `text` can be broken next, behind `from`; its end if nowhere.
std::size_t nextBreak(std::string_view text, std::size_t from) {
  constexpr std::string_view kBreaks = " _-*/+,()";
  for (std::size_t at = text.find_first_of(kBreaks, from); at != std::string_view::npos;
       at = text.find_first_of(kBreaks, at + 1)) {
    // "second-1" is one word: the minus is its exponent's.
    const bool isExponent =
        text[at] == '-' && at + 1 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '9';
    if (isExponent) continue;
    const std::size_t stop = text[at] == ' ' ? at : at + 1;
    if (stop > from) return stop;
  }
  return text.size();
}

/// Within "[…]", as units are.
bool isInBrackets(std::string_view text, std::size_t at) {
  const std::size_t open = text.substr(0, at).rfind('[');
  return open != std::string_view::npos && text.substr(open, at - open).find(']') == std::string_view::npos &&
         text.find(']', at) != std::string_view::npos;
}

struct FontFile {
  std::string path;
  int index = 0;
};

// fontconfig's choice of a sans-serif font file; with `needed`, one that has that character.
std::optional<FontFile> findFont(bool bold, std::optional<char32_t> needed) {
  FcPattern* const pattern = FcPatternCreate();
  if (!pattern) return std::nullopt;
  for (const char* family : {"DejaVu Sans", "Noto Sans", "Liberation Sans", "sans-serif"})
    FcPatternAddString(pattern, FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
  FcPatternAddInteger(pattern, FC_WEIGHT, bold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR);
  FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN);
  FcPatternAddBool(pattern, FC_SCALABLE, FcTrue);
  if (needed) {
    FcCharSet* const set = FcCharSetCreate();
    FcCharSetAddChar(set, *needed);
    FcPatternAddCharSet(pattern, FC_CHARSET, set);
    FcCharSetDestroy(set);
  }
  FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
  FcDefaultSubstitute(pattern);
  FcResult result = FcResultMatch;
  FcPattern* const match = FcFontMatch(nullptr, pattern, &result);
  FcPatternDestroy(pattern);
  if (!match) return std::nullopt;
  std::optional<FontFile> found;
  FcChar8* path = nullptr;
  int index = 0;
  FcBool scalable = FcFalse;
  if (FcPatternGetString(match, FC_FILE, 0, &path) == FcResultMatch &&
      FcPatternGetBool(match, FC_SCALABLE, 0, &scalable) == FcResultMatch && scalable) {
    if (FcPatternGetInteger(match, FC_INDEX, 0, &index) != FcResultMatch) index = 0;
    found = FontFile{reinterpret_cast<const char*>(path), index};
  }
  FcPatternDestroy(match);
  return found;
}

Unsupported noFont(const std::string& what) {
  return Unsupported(what, "install a font, for example the package fonts-dejavu-core");
}

}  // namespace

struct Font::Face {
  FT_Face face = nullptr;
  std::unordered_map<FT_UInt, double> advances = {};  // of glyphs that were measured, in pixels
  Face(FT_Library library, const FontFile& file, double pixels) {
    if (FT_New_Face(library, file.path.c_str(), file.index, &face) != 0)
      throw noFont("the font cannot be read").at("file " + file.path);
    if (FT_Set_Char_Size(face, 0, static_cast<FT_F26Dot6>(std::lround(pixels * 64)), 72, 72) != 0) {
      FT_Done_Face(face);
      throw noFont("the font has no outlines").at("file " + file.path);
    }
  }
  Face(const Face&) = delete;
  Face& operator=(const Face&) = delete;
  ~Face() { FT_Done_Face(face); }
};

struct Font::State {
  FT_Library library = nullptr;
  double pixels = 0;
  bool bold = false;
  std::vector<std::unique_ptr<Face>> faces;
  std::u32string missing;  // characters that no installed face has

  State() {
    if (FT_Init_FreeType(&library) != 0) throw Unsupported("FreeType could not be started");
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    faces.clear();
    FT_Done_FreeType(library);
  }

  // A face that has `point`, and its glyph there; glyph 0 of the first face if none has.
  std::pair<Face*, FT_UInt> glyphOf(char32_t point) {
    for (const auto& candidate : faces)
      if (const FT_UInt glyph = FT_Get_Char_Index(candidate->face, point)) return {candidate.get(), glyph};
    if (missing.find(point) == std::u32string::npos) {
      if (const auto file = findFont(bold, point)) {
        try {
          auto other = std::make_unique<Face>(library, *file, pixels);
          if (const FT_UInt glyph = FT_Get_Char_Index(other->face, point)) {
            faces.push_back(std::move(other));
            return {faces.back().get(), glyph};
          }
        } catch (const Unsupported&) {
          // an unreadable substitute is ignored: the character shows as a box
        }
      }
      missing += point;
    }
    return {faces.front().get(), 0};
  }

  // Calls place(face, glyph, pen) for each character, which returns how far the pen goes, until the pen is beyond `room`. Returns the
  // pen at the end.
  template <class Place>
  double walk(std::string_view text, double room, Place&& place) {
    double pen = 0;
    const Face* last = nullptr;
    FT_UInt lastGlyph = 0;
    for (const char32_t point : decoded(text)) {
      if (pen > room) break;
      const auto [face, glyph] = glyphOf(point);
      FT_Vector kerning{0, 0};
      if (face == last && FT_HAS_KERNING(face->face) &&
          FT_Get_Kerning(face->face, lastGlyph, glyph, FT_KERNING_UNFITTED, &kerning) == 0)
        pen += kerning.x / 64.0;
      pen += place(*face, glyph, pen);
      last = face, lastGlyph = glyph;
    }
    return pen;
  }

  // The width of `text`, or more than `room` where it is wider than that.
  double measure(std::string_view text, double room) {
    // by the pen's unhinted widths, so no hinting is needed
    return walk(text, room, [](Face& face, FT_UInt glyph, double) {
      const auto [known, isNew] = face.advances.try_emplace(glyph, 0.0);
      if (isNew && FT_Load_Glyph(face.face, glyph, FT_LOAD_NO_BITMAP | FT_LOAD_NO_HINTING) == 0)
        known->second = face.face->glyph->linearHoriAdvance / 65536.0;
      return known->second;
    });
  }

  // What does not fit is not looked at to its end: a text may be very long. A pair of letters that stand closer takes back less than an em.
  bool fits(std::string_view text, double room) { return measure(text, room + 2 * pixels) <= room; }
};

Font::Font(double pixels, bool bold) : m_state(std::make_unique<State>()) {
  m_state->pixels = std::clamp(pixels, 4.0, 1000.0);
  m_state->bold = bold;
  const auto file = findFont(bold, std::nullopt);
  if (!file) throw noFont("no outline font is installed");
  m_state->faces.push_back(std::make_unique<Face>(m_state->library, *file, m_state->pixels));
}
Font::Font(Font&&) noexcept = default;
Font& Font::operator=(Font&&) noexcept = default;
Font::~Font() = default;

double Font::pixels() const {
  return m_state->pixels;
}
double Font::ascent() const {
  return m_state->faces.front()->face->size->metrics.ascender / 64.0;
}
double Font::descent() const {
  return -m_state->faces.front()->face->size->metrics.descender / 64.0;
}
double Font::lineHeight() const {
  return std::max(ascent() + descent(), 1.2 * pixels());
}

double Font::capHeight() const {
  const FT_Face face = m_state->faces.front()->face;
  if (FT_Load_Char(face, 'H', FT_LOAD_NO_BITMAP | FT_LOAD_TARGET_LIGHT) != 0) return 0.7 * pixels();
  return face->glyph->metrics.horiBearingY / 64.0;
}

double Font::width(std::string_view text) const {
  return m_state->measure(text, std::numeric_limits<double>::infinity());
}

void Font::draw(Image& image, double x, double baseline, std::string_view text, const scene::Rgba& color,
                Upon upon) const {
  const int base = static_cast<int>(std::lround(baseline));
  const auto blend = upon == Upon::All ? &Image::blend : &Image::blendAtop;
  const double room = image.width() + 2 * pixels() - x;  // what follows is beside the picture
  m_state->walk(text, room, [&](Face& its, FT_UInt letter, double pen) {
    const FT_Face face = its.face;
    if (FT_Load_Glyph(face, letter, FT_LOAD_NO_BITMAP | FT_LOAD_TARGET_LIGHT) != 0) return 0.0;
    const double advance = face->glyph->linearHoriAdvance / 65536.0;
    const double left = x + pen;
    const auto whole = static_cast<int>(std::floor(left));
    FT_Outline_Translate(&face->glyph->outline, std::lround((left - whole) * 64), 0);
    if (FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) != 0) return advance;
    const FT_Bitmap& bitmap = face->glyph->bitmap;
    if (bitmap.pixel_mode != FT_PIXEL_MODE_GRAY) return advance;
    for (unsigned row = 0; row < bitmap.rows; ++row) {
      const unsigned char* const from = bitmap.buffer + std::ptrdiff_t(row) * bitmap.pitch;
      for (unsigned column = 0; column < bitmap.width; ++column)
        (image.*blend)(whole + face->glyph->bitmap_left + int(column),
                       base - face->glyph->bitmap_top + int(row), color, from[column] / 255.0f);
    }
    return advance;
  });
}

std::string Font::elided(std::string_view text, double room) const {
  if (m_state->fits(text, room)) return std::string(text);
  std::string best = kEllipsis;
  for (std::size_t end = 1; end < text.size(); ++end) {
    if ((static_cast<unsigned char>(text[end]) >> 6) == 2) continue;  // within a character
    std::string kept(text.substr(0, end));
    if (!m_state->fits(kept, room)) break;
    if (kept.back() == ' ') continue;
    if (m_state->fits(kept += kEllipsis, room)) best = std::move(kept);
  }
  return best;
}

std::string Font::elidedInMiddle(std::string_view text, double room) const {
  if (m_state->fits(text, room)) return std::string(text);
  const auto continues = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) >> 6) == 2;
  };
  std::string best = kEllipsis;
  for (std::size_t head = 0, tail = text.size(); head < tail;) {
    // a character at the beginning and one at the end by turns
    if (head <= text.size() - tail) {
      do ++head;
      while (continues(head));
    } else {
      do --tail;
      while (continues(tail));
    }
    if (head >= tail) break;
    const std::string cut = std::string(text.substr(0, head)) + kEllipsis + std::string(text.substr(tail));
    if (width(cut) > room) break;
    best = cut;
  }
  return best;
}

std::vector<std::string> Font::wrapped(std::string_view text, double room, int lines, LongWords words) const {
  std::vector<std::string> result;
  std::string_view rest = text;
  while (!rest.empty() && int(result.size()) < lines) {
    std::size_t end = rest.size();
    if (!m_state->fits(rest, room) && int(result.size()) + 1 < lines) {
      // the last possible break before which the text fits
      std::size_t best = std::string_view::npos, inUnit = best;
      for (std::size_t stop = nextBreak(rest, 0);
           stop < rest.size() && m_state->fits(rest.substr(0, stop), room); stop = nextBreak(rest, stop))
        (isInBrackets(rest, stop) ? inUnit : best) = stop;
      if (best == std::string_view::npos) best = inUnit;
      if (best == std::string_view::npos && words == LongWords::Elide) best = nextBreak(rest, 0);
      if (best == std::string_view::npos) {
        // a single word that is too long
        best = 1;
        for (std::size_t at = 1; at < rest.size(); ++at) {
          if ((static_cast<unsigned char>(rest[at]) >> 6) == 2) continue;
          if (width(rest.substr(0, at)) > room) break;
          best = at;
        }
        while (best < rest.size() && (static_cast<unsigned char>(rest[best]) >> 6) == 2) ++best;
      }
      end = best;
    }
    result.push_back(elidedInMiddle(rest.substr(0, end), room));
    rest.remove_prefix(end);
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  }
  return result;
}

double Font::widestWord(std::string_view text) const {
  double widest = 0;
  while (!text.empty()) {
    const std::size_t end = nextBreak(text, 0);
    widest = std::max(widest, width(text.substr(0, end)));
    text.remove_prefix(end);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  return widest;
}

}  // namespace farfield::color
