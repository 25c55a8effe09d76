#include "core/extract/cell_contour.h"

namespace farfield::extract {
namespace {

constexpr int edgeBetween(int a, int b) {
  const int low = a < b ? a : b, axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
  for (int edge = 4 * axis; edge < 4 * axis + 4; ++edge)
    if (cellEdge(edge).corner == low) return edge;
  return -1;
}

/// Corner number `n` on a walk around a face, counter-clockwise seen from outside the cell.
constexpr int faceCorner(int axis, bool high, int n) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const int turn = high ? n % 4 : 3 - n % 4;
  const int alongU = turn == 1 || turn == 2, alongV = turn >= 2;
  return (high ? 1 << axis : 0) | alongU << u | alongV << v;
}

constexpr CellPolygons polygonsOf(unsigned above) {
  const auto isAbove = [above](int corner) { return (above >> corner & 1) != 0; };
  // On every face, each run of corners above is cut off by a segment from the edge where the walk leaves the
  // run to the edge where it entered it. Each crossed edge is left on one of its faces and entered on the
  // other.
  int next[kCellEdges] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2;
    const auto corner = [axis, high = face % 2 == 1](int n) { return faceCorner(axis, high, n); };
    for (int n = 0; n < 4; ++n) {
      if (isAbove(corner(n)) || !isAbove(corner(n + 1))) continue;
      int last = n + 1;
      while (isAbove(corner(last + 1))) ++last;
      next[edgeBetween(corner(last), corner(last + 1))] = edgeBetween(corner(n), corner(n + 1));
    }
  }
  CellPolygons polygons;
  int total = 0;
  for (int first = 0; first < kCellEdges; ++first) {
    if (next[first] < 0) continue;
    std::uint8_t size = 0;
    for (int edge = first; next[edge] >= 0; ++size) {
      polygons.edges[static_cast<std::size_t>(total++)] = static_cast<std::uint8_t>(edge);
      const int following = next[edge];
      next[edge] = -1;
      edge = following;
    }
    polygons.sizes[polygons.count++] = size;
  }
  return polygons;
}

/// Of each triangle the edges on which its corners lie: one letter each, 'a' being edge 0.
constexpr std::array<const char*, 256> kTriangles = {"",
                                                     "aie",
                                                     "afj",
                                                     "fiejif",
                                                     "ekb",
                                                     "akbika",
                                                     "fjabek",
                                                     "fkbfjkjik",
                                                     "fbl",
                                                     "aiefbl",
                                                     "jblabj",
                                                     "bieblilji",
                                                     "elfkle",
                                                     "alfailikl",
                                                     "ejaekjklj",
                                                     "jillik",
                                                     "cgi",
                                                     "ceagec",
                                                     "afjicg",
                                                     "cfjcgfgef",
                                                     "icgekb",
                                                     "kcgkbcbac",
                                                     "jaficgbek",
                                                     "cgkjckjkbjbf",
                                                     "fblicg",
                                                     "ecgeacfbl",
                                                     "jbljabicg",
                                                     "bljbjgbgegjc",
                                                     "elfeklgic",
                                                     "fklfckfacgkc",
                                                     "cgijakjklkae",
                                                     "cgkckjjkl",
                                                     "jhc",
                                                     "jhcaie",
                                                     "ahcfha",
                                                     "ihciehefh",
                                                     "jhcbek",
                                                     "akbaikcjh",
                                                     "ahcafhbek",
                                                     "bfhbhibikcih",
                                                     "fbljhc",
                                                     "eaifblcjh",
                                                     "hblhcbcab",
                                                     "blhebhehceci",
                                                     "leklfejhc",
                                                     "cjhaifilfikl",
                                                     "hcahakhklkae",
                                                     "hcihillik",
                                                     "jgihgj",
                                                     "jeajhehge",
                                                     "agiafgfhg",
                                                     "fheehg",
                                                     "gjhgijekb",
                                                     "jhgjgbjbabgk",
                                                     "bekafifgifhg",
                                                     "kbfkfggfh",
                                                     "jgijhglfb",
                                                     "lfbjhaheahge",
                                                     "iabibhihglhb",
                                                     "blhbheehg",
                                                     "jhiihglfelek",
                                                     "hgahajgkafalkla",
                                                     "klakaelhaiaghga",
                                                     "klhgkh",
                                                     "gdk",
                                                     "eaikgd",
                                                     "afjkgd",
                                                     "ifjiefkgd",
                                                     "gbedbg",
                                                     "gaigdadba",
                                                     "bgdbegafj",
                                                     "fdbfidfjiigd",
                                                     "lfbdkg",
                                                     "fbleaidkg",
                                                     "bjabljdkg",
                                                     "dkgblelielji",
                                                     "lgdlfgfeg",
                                                     "lgdfglfigfai",
                                                     "aegaglaljdlg",
                                                     "gdlgliilj",
                                                     "dickid",
                                                     "edkeadacd",
                                                     "idkicdjaf",
                                                     "jcdjdejefked",
                                                     "ibeicbcdb",
                                                     "acbcdb",
                                                     "fjabecbcdcei",
                                                     "fjcfcbbcd",
                                                     "dicdkiblf",
                                                     "fbleakadkacd",
                                                     "ckicdkabjblj",
                                                     "ljelebjcekedcde",
                                                     "ifeidficddlf",
                                                     "lfaladdac",
                                                     "cdeceidleaejlje",
                                                     "ljcdlc",
                                                     "cjhgdk",
                                                     "aiecjhkgd",
                                                     "hafhcagdk",
                                                     "kgdiecehcefh",
                                                     "gbegdbhcj",
                                                     "jhcaidadbdig",
                                                     "edbegdfhahca",
                                                     "dbidigbficihfhi",
                                                     "jhclfbgdk",
                                                     "dkgfblaiecjh",
                                                     "gdkhclcblcab",
                                                     "eciehcebhlhbkgd",
                                                     "jhclfdfgdfeg",
                                                     "fdlfgdfagigajhc",
                                                     "calclhaeldlgegl",
                                                     "gdlglihclcil",
                                                     "djhdkjkij",
                                                     "edkadeahdajh",
                                                     "akiahkafhhdk",
                                                     "dkedehhef",
                                                     "hijhbihdbeib",
                                                     "jhdjdaadb",
                                                     "fhifiahdieibdbi",
                                                     "fhdbfd",
                                                     "fbljhkjkikhd",
                                                     "akeadkajdhdjfbl",
                                                     "kihkhdiahlhbabh",
                                                     "dkedehblelhe",
                                                     "fedfdleidhdjijd",
                                                     "lfaladjhahda",
                                                     "aeihdl",
                                                     "lhd",
                                                     "ldh",
                                                     "aiehld",
                                                     "jafhld",
                                                     "fiefjihld",
                                                     "bekldh",
                                                     "kaikbaldh",
                                                     "afjbekhld",
                                                     "hldfjbjkbjik",
                                                     "fdhbdf",
                                                     "fdhfbdeai",
                                                     "jdhjadabd",
                                                     "hjihibhbdebi",
                                                     "dekdhehfe",
                                                     "aikakhahfhkd",
                                                     "ekdaedadhahj",
                                                     "dhjdjkkji",
                                                     "hldcgi",
                                                     "ceacgedhl",
                                                     "fjahldicg",
                                                     "ldhfjgfgegjc",
                                                     "ekbgicldh",
                                                     "hldcgbcbabgk",
                                                     "afjcgibekhld",
                                                     "jbfjkbjckgkchld",
                                                     "dfbdhfcgi",
                                                     "fbhhbdeacecg",
                                                     "icgjahadhabd",
                                                     "gejgjcebjhjdbdj",
                                                     "icgekhehfhkd",
                                                     "hfkhkdfakgkcack",
                                                     "ahjadhaedkdeicg",
                                                     "dhjdjkcgjgkj",
                                                     "lcjdcl",
                                                     "cldcjlaie",
                                                     "lafldadca",
                                                     "iefifdidcdfl",
                                                     "lcjldckbe",
                                                     "aibbikcjlcld",
                                                     "ekbafdadcdfl",
                                                     "dcfdflcifbfkikf",
                                                     "fcjfbcbdc",
                                                     "eaifbjbcjbdc",
                                                     "abccbd",
                                                     "iebibccbd",
                                                     "jdcjedjfekde",
                                                     "ikfifakdfjfcdcf",
                                                     "ekdedaadc",
                                                     "dcikdi",
                                                     "gldgilijl",
                                                     "agealgajldgl",
                                                     "ldgflgfgifia",
                                                     "ldglgffge",
                                                     "bekldilijidg",
                                                     "bagbgkajgdgljlg",
                                                     "fiafgiflgdglbek",
                                                     "kbfkfgldfdgf",
                                                     "fbdfdifijidg",
                                                     "bdjbjfdgjajegej",
                                                     "giagaddab",
                                                     "gebdgb",
                                                     "ijdidgjfdkdefed",
                                                     "ajfkdg",
                                                     "giagadekakda",
                                                     "gkd",
                                                     "khlghk",
                                                     "khlkghiea",
                                                     "hkghlkfja",
                                                     "lghlkgjifief",
                                                     "bhlbehegh",
                                                     "ibaihbighlbh",
                                                     "jafhlehegelb",
                                                     "jibjbfigblbhghb",
                                                     "kfbkgfghf",
                                                     "aiefbgfghgbk",
                                                     "jghjbgjabbkg",
                                                     "ghbgbkhjbebijib",
                                                     "fehegh",
                                                     "aigagffgh",
                                                     "jaejehheg",
                                                     "jighjg",
                                                     "hichlilki",
                                                     "hachkahlkkea",
                                                     "afjiclilklch",
                                                     "lkclchkecjcfefc",
                                                     "bhlehbecheic",
                                                     "hlbhbccba",
                                                     "elbehleihchiafj",
                                                     "hlbhbcfjbjcb",
                                                     "bhfbihbkichi",
                                                     "ackakechkbkfhfk",
                                                     "abhahjbkhchikih",
                                                     "jchbke",
                                                     "ichiheehf",
                                                     "achfah",
                                                     "ichihejahaeh",
                                                     "jch",
                                                     "ckgcjkjlk",
                                                     "aiecjgjkgjlk",
                                                     "flkfkcfcagck",
                                                     "efceciflcgcklkc",
                                                     "bjlbgjbeggcj",
                                                     "jlgjgclbgigabag",
                                                     "eglelbgclflacal",
                                                     "flbigc",
                                                     "ckgjkcjbkjfb",
                                                     "jgcjkgjfkbkfaie",
                                                     "kgckcbbca",
                                                     "kgckcbiecebc",
                                                     "cjfcfggfe",
                                                     "cjfcfgaifigf",
                                                     "caegce",
                                                     "cig",
                                                     "jlilki",
                                                     "eajejkkjl",
                                                     "aflaliilk",
                                                     "eflkel",
                                                     "beibillij",
                                                     "jlbajb",
                                                     "beibilafifli",
                                                     "flb",
                                                     "fbkfkjjki",
                                                     "eajejkfbjbkj",
                                                     "abkiak",
                                                     "ebk",
                                                     "feijfi",
                                                     "ajf",
                                                     "aei",
                                                     ""};

constexpr CellTriangles trianglesOf(const char* letters) {
  CellTriangles triangles;
  std::size_t corners = 0;
  for (; letters[corners] != '\0'; ++corners) {
    const auto edge = static_cast<std::uint8_t>(letters[corners] - 'a');
    std::uint8_t at = 0;
    while (at < triangles.edgeCount && triangles.edges[at] != edge) ++at;
    if (at == triangles.edgeCount) triangles.edges[triangles.edgeCount++] = edge;
    triangles.corners[corners] = at;
  }
  triangles.count = static_cast<std::uint8_t>(corners / 3);
  for (std::size_t own = 0; own < triangles.count; ++own)
    for (std::size_t n = 0; n < 3; ++n) {
      bool isShared = false;
      for (std::size_t other = 0; other < triangles.count; ++other)
        for (std::size_t m = 0; m < 3; ++m)
          isShared = isShared || (other != own && letters[3 * other + m] == letters[3 * own + (n + 1) % 3] &&
                                  letters[3 * other + (m + 1) % 3] == letters[3 * own + n]);
      if (!isShared) triangles.outerSides[own] |= static_cast<std::uint8_t>(1U << n);
    }
  return triangles;
}

constexpr CellContours hexahedron() {
  CellContours shape{8, kCellEdges, {}, {}, {}};
  for (int n = 0; n < kCellEdges; ++n) {
    const CellEdge edge = cellEdge(n);
    shape.edges[static_cast<std::size_t>(n)] = {static_cast<std::uint8_t>(edge.corner),
                                                static_cast<std::uint8_t>(edge.corner | 1 << edge.axis)};
  }
  for (unsigned above = 0; above < 256; ++above) {
    shape.polygons[above] = polygonsOf(above);
    shape.triangles[above] = trianglesOf(kTriangles[above]);
  }
  return shape;
}

}  // namespace

constexpr std::array<CellContours, 1> kCellContours = {hexahedron()};

}  // namespace farfield::extract
