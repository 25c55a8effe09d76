#include "core/extract/face_lines.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/extract/flow_face.h"
#include "core/extract/listed_faces.h"

namespace farfield::extract {
namespace {

using Place = FlowSheet::Place;

constexpr double kStep = 0.125;     // of a face
constexpr double kOnSide = 1e-12;   // what is nearer to a side is on it
constexpr double kOnCorner = 1e-9;  // of a side: what is nearer to its end is at the corner
constexpr int kMostAround = 256;    // faces around a corner that are looked at
constexpr int kMostTurns = 64;      // from face to face without a step

class Walk {
 public:
  Walk(const GridSurface& surface, const FaceLinks& links, int direction, fields::PagedData& data,
       tasks::TaskContext& context, const fields::FunctionPlan& functions, std::int64_t step)
      : m_links(links),
        m_direction(direction),
        m_first(surface.nodes().first[0]),
        m_reader(surface.block(), data, context, functions, step),
        m_context(context) {
    for (FlowFace* const each : {&m_face, &m_other})
      each->width = static_cast<std::size_t>(functions.outputCount());
  }

  SheetLineEnd follow(const FacePlace& start, const SheetLineOptions& options, SheetLineSink& sink) {
    read(start.face, m_face);
    m_place = start.place;
    if (m_face.sides == 3 && m_place.u + m_place.v > 1) m_place = {1 - m_place.u, 1 - m_place.v};
    if (!isFinite(m_face.at(m_place).point)) return SheetLineEnd::NotThere;
    std::vector<double> values(m_face.width);
    double length = 0;
    std::int64_t steps = 0;
    for (int turns = 0;;) {
      m_context.throwIfGivenUp();
      if (turns == 0) {
        const FlowSheet::Here here = m_face.at(m_place);
        for (std::size_t n = 0; n < values.size(); ++n) values[n] = m_face.valueAt(here, n);
        sink.vertex(here.point, length, FlowFace::inwards(here), values);
      }
      if (length >= options.maxLength) return SheetLineEnd::Length;
      if (steps >= options.maxSteps) return SheetLineEnd::Steps;
      if (const auto end = m_side ? setOffFromSide() : setOffInside()) return *end;
      const double most = options.maxLength - length;
      const double gone = m_isAlongSide ? stepAlongSide(most) : stepInside(most);
      if (gone > 0) {
        length += gone;
        ++steps;
        turns = 0;
      } else if (++turns > kMostTurns) {
        return SheetLineEnd::Still;
      }
    }
  }

 private:
  void read(std::int64_t number, FlowFace& into) {
    const detail::FacePatch patch = m_reader.read({{m_first + number, 0, 0}, {1, 1, 1}});
    into.number = number;
    into.sides = static_cast<int>(patch.xyz.size() / 3);
    for (std::size_t c = 0; c < patch.xyz.size() / 3; ++c) into.points[c] = patch.point(c);
    into.values.assign(patch.values.begin(), patch.values.end());
  }

  std::optional<Place> rateAt(const FlowFace& face, Place place) const {
    auto rate = FlowSheet::direction(face.at(place));
    if (rate) *rate = {m_direction * rate->u, m_direction * rate->v};
    return rate;
  }
  /// The same in space, of unit length.
  static Vec3 inSpace(const FlowFace& face, Place place, Place rate) {
    const FlowSheet::Here here = face.at(place);
    return rate.u * here.alongU + rate.v * here.alongV;
  }

  std::optional<SheetLineEnd> setOffInside() {
    const auto rate = rateAt(m_face, m_place);
    if (!rate) return SheetLineEnd::Still;
    goInto(*rate);
    return std::nullopt;
  }
  void goInto(Place rate) {
    m_rate = rate;
    m_isAlongSide = false;
  }
  void goAlong(int side, double share, bool isForward) {
    m_side = side;
    m_share = share;
    m_isAlongSide = true;
    m_isForward = isForward;
  }
  /// On a side of `m_other`, which becomes the face of the line.
  void enter(int side, double share) {
    std::swap(m_face, m_other);
    m_side = side;
    m_share = share;
    m_place = m_face.placeOn(side, share);
  }

  std::optional<SheetLineEnd> setOffFromSide() {
    const int side = *m_side;
    if (m_share == 0 || m_share == 1) return setOffFromCorner(m_share == 0 ? side : m_face.next(side));
    const auto own = rateAt(m_face, m_place);
    if (!own) return SheetLineEnd::Still;
    if (m_face.withinRate(side, *own) >= 0) {
      goInto(*own);
      return std::nullopt;
    }
    const auto beyond = m_links.beyond(m_face.number, side);
    if (!beyond) return SheetLineEnd::Edge;
    read(beyond->face, m_other);
    const double share = beyond->isTurned ? m_share : 1 - m_share;
    const Place place = m_other.placeOn(beyond->side, share);
    const auto rate = rateAt(m_other, place);
    if (!rate) return SheetLineEnd::Still;
    if (m_other.withinRate(beyond->side, *rate) >= 0) {
      enter(beyond->side, share);
      goInto(*rate);
      return std::nullopt;
    }
    // out of both: between them
    const double along =
        dot(inSpace(m_face, m_place, *own) + inSpace(m_other, place, *rate), m_face.alongSide(side));
    if (!(along > 0 || along < 0)) return SheetLineEnd::Still;
    goAlong(side, m_share, along > 0);
    return std::nullopt;
  }

  bool leadsInto(const FlowFace& face, int corner, Place rate) const {
    return face.withinRate(corner, rate) >= 0 && face.withinRate(face.before(corner), rate) >= 0;
  }

  /// Looks around the corner, one way and then, if the surface ends there, the other.
  std::optional<SheetLineEnd> setOffFromCorner(int corner) {
    const auto own = rateAt(m_face, m_face.placeOn(corner, 0));
    if (own && leadsInto(m_face, corner, *own)) {
      goInto(*own);
      return std::nullopt;
    }
    const FlowFace start = m_face;
    for (const bool byFirst : {true, false}) {
      m_face = start;
      int at = corner, side = byFirst ? at : m_face.before(at);
      auto rate = own;
      for (int n = 0;; ++n) {
        if (n == kMostAround) return SheetLineEnd::Still;
        m_context.throwIfGivenUp();
        const auto beyond = m_links.beyond(m_face.number, side);
        if (!beyond) break;
        read(beyond->face, m_other);
        // the corner is where the side begins or where it ends
        const bool begins = (at == side) == beyond->isTurned;
        const int there = begins ? beyond->side : m_other.next(beyond->side);
        const Place place = m_other.placeOn(there, 0);
        const auto its = rateAt(m_other, place);
        if (its && leadsInto(m_other, there, *its)) {
          enter(there, 0);
          goInto(*its);
          return std::nullopt;
        }
        if (rate && its && m_face.withinRate(side, *rate) < 0 && m_other.withinRate(beyond->side, *its) < 0) {
          const double along =
              dot(inSpace(m_face, m_face.placeOn(at, 0), *rate) + inSpace(m_other, place, *its),
                  m_other.alongSide(beyond->side));
          if (begins ? along > 0 : along < 0) {
            enter(beyond->side, begins ? 0 : 1);
            goAlong(beyond->side, begins ? 0 : 1, begins);
            return std::nullopt;
          }
        }
        if (beyond->face == start.number) return SheetLineEnd::Still;
        std::swap(m_face, m_other);
        at = there;
        side = begins ? m_face.before(at) : at;
        rate = its;
      }
    }
    return SheetLineEnd::Edge;
  }

  double stepAlongSide(double most) {
    const double whole = length(m_face.alongSide(*m_side));
    if (!(whole > 0) || !std::isfinite(whole)) return 0;
    const double left = (m_isForward ? 1 - m_share : m_share) * whole;
    const double gone = std::min({kStep * whole, most, left});
    m_share = gone == left ? (m_isForward ? 1 : 0) : m_share + (m_isForward ? gone : -gone) / whole;
    m_place = m_face.placeOn(*m_side, m_share);
    return gone;
  }

  /// Where the midpoint rule ends; one of Euler's steps where the middle has no direction.
  Place reached(double size) const {
    const auto middle =
        rateAt(m_face, {m_place.u + 0.5 * size * m_rate.u, m_place.v + 0.5 * size * m_rate.v});
    return straight(size, middle.value_or(m_rate));
  }
  Place straight(double size, Place rate) const {
    return {m_place.u + size * rate.u, m_place.v + size * rate.v};
  }

  struct Exit {
    int side = -1;
    double share = 1;  ///< of the way there
  };
  /// Over which side it leaves the face first. `fromSides`: those that it is on, and set off from, are none.
  Exit exitOn(Place to, bool fromSides) const {
    Exit first;
    for (int side = 0; side < m_face.sides; ++side) {
      const double before = m_face.within(side, m_place), after = m_face.within(side, to);
      if (!(after < -kOnSide)) continue;
      if (fromSides && before < kOnSide && m_face.withinRate(side, m_rate) >= 0) continue;
      const double share = before < kOnSide ? 0 : before / (before - after);
      if (first.side < 0 || share < first.share) first = {side, share};
    }
    return first;
  }

  double stepInside(double most) {
    double size = std::min(kStep / std::max(std::abs(m_rate.u), std::abs(m_rate.v)), most);
    Place to = reached(size);
    Exit exit = exitOn(to, false);
    bool isStraight = false;
    if (exit.side >= 0 && exit.share == 0 && m_face.withinRate(exit.side, m_rate) >= 0) {
      // It bends back over the side from which it set off, which a straight step does not.
      isStraight = true;
      to = straight(size, m_rate);
      exit = exitOn(to, true);
    }
    if (exit.side < 0) {
      m_place = to;
      m_side.reset();
      return size;
    }
    // to where it meets the side
    for (int n = 0; n < 3 && exit.share > 0; ++n) {
      const double before = m_face.within(exit.side, m_place), after = m_face.within(exit.side, to);
      if (!(before > after)) break;
      size = std::min(size * before / (before - after), most);
      to = isStraight ? straight(size, m_rate) : reached(size);
    }
    if (exit.share == 0) size = 0;
    m_side = exit.side;
    m_share = m_face.shareOn(exit.side, size > 0 ? to : m_place);
    if (m_share < kOnCorner) m_share = 0;
    if (m_share > 1 - kOnCorner) m_share = 1;
    m_place = m_face.placeOn(exit.side, m_share);
    return size;
  }

  const FaceLinks& m_links;
  const int m_direction;
  const std::int64_t m_first;  ///< face of the surface, in the block
  detail::FaceReader m_reader;
  tasks::TaskContext& m_context;

  FlowFace m_face, m_other;  ///< where the line is, and one beside it
  Place m_place;
  std::optional<int> m_side;  ///< that it is on, at `m_share` of its length
  double m_share = 0;
  // how it goes on
  bool m_isAlongSide = false, m_isForward = false;
  Place m_rate;
};

}  // namespace

void addFaces(const GridSurface& surface, std::size_t number, fields::PagedData& data,
              tasks::TaskContext& context, const fields::FunctionPlan& functions, std::int64_t step,
              FaceLinker& linker) {
  IndexBox part = surface.nodes();
  const std::int64_t before = static_cast<std::int64_t>(number) * kLinkedFaces;
  part.first[0] += before;
  part.size[0] = std::min(kLinkedFaces, part.size[0] - before);
  detail::FaceReader reader(surface.block(), data, context, functions, step);
  const std::vector<FaceCorners> faces = reader.corners(part);
  for (std::size_t n = 0; n < faces.size(); ++n) linker.add(before + static_cast<std::int64_t>(n), faces[n]);
}

SheetLineEnd followOnFaces(const GridSurface& surface, const FaceLinks& links, const FacePlace& start,
                           int direction, const SheetLineOptions& options, fields::PagedData& data,
                           tasks::TaskContext& context, const fields::FunctionPlan& functions,
                           std::int64_t step, SheetLineSink& sink) {
  return Walk(surface, links, direction, data, context, functions, step).follow(start, options, sink);
}

std::uint64_t faceLineBytes(const fields::FunctionPlan& functions) {
  constexpr std::uint64_t kCorners = 4;
  const std::uint64_t linked = kLinkedFaces * (5 * sizeof(double) + sizeof(FaceCorners));
  const std::uint64_t followed =
      detail::facePatchBytes(kCorners, 1, functions.outputCount()) +
      (3 * kCorners + 1) * static_cast<std::uint64_t>(functions.outputCount()) * sizeof(double) +
      3 * sizeof(FlowFace);
  return detail::listedFacesBytes(functions, 1) + std::max(linked, followed);
}

}  // namespace farfield::extract
