#include "core/extract/face_walk.h"

#include <algorithm>
#include <cmath>

namespace farfield::extract::detail {
namespace {

using Place = FlowSheet::Place;

constexpr double kOnSide = 1e-12;   // what is nearer to a side is on it
constexpr double kOnCorner = 1e-9;  // of a side: what is nearer to its end is at the corner
constexpr int kMostAround = 256;    // faces around a corner that are looked at
constexpr int kMostTurns = 64;      // from face to face without a step
constexpr std::size_t kCorners = 4;
constexpr double kNoWay = -1;  // in place of a length: the vector comes together, and leads nowhere

/// A rate in space, of unit length.
Vec3 inSpace(const FlowFace& face, Place place, Place rate) {
  const FlowSheet::Here here = face.at(place);
  return rate.u * here.alongU + rate.v * here.alongV;
}

bool leadsInto(const FlowFace& face, int corner, Place rate) {
  return face.withinRate(corner, rate) >= 0 && face.withinRate(face.before(corner), rate) >= 0;
}

}  // namespace

FaceStock::FaceStock(const GridSurface& surface, const FaceLinks& links, fields::PagedData& data,
                     tasks::TaskContext& context, const fields::FunctionPlan& functions, std::int64_t step,
                     std::size_t capacity, Vec3 stretch)
    : m_links(links),
      m_context(context),
      m_first(surface.nodes().first[0]),
      m_width(static_cast<std::size_t>(functions.outputCount())),
      m_stretch(stretch),
      m_reader(surface.block(), data, context, functions, step),
      m_faces(capacity) {}

std::uint64_t FaceStock::bytesFor(const fields::FunctionPlan& functions, std::size_t capacity) {
  const auto outputs = static_cast<std::uint64_t>(functions.outputCount());
  // with the head of what is shared; walks may hold some more
  const std::uint64_t each = sizeof(FlowFace) + 64 + kCorners * outputs * sizeof(double);
  return (capacity + 8) * each + listedFacesBytes(functions, 1) +
         facePatchBytes(kCorners, 1, functions.outputCount());
}

std::shared_ptr<const FlowFace> FaceStock::at(std::int64_t number) {
  std::shared_ptr<const FlowFace>& place = m_faces[static_cast<std::size_t>(number) % m_faces.size()];
  if (place && place->number == number) return place;
  const FacePatch patch = m_reader.read({{m_first + number, 0, 0}, {1, 1, 1}});
  auto made = std::make_shared<FlowFace>();
  made->number = number;
  made->sides = static_cast<int>(patch.xyz.size() / 3);
  made->width = m_width;
  made->stretch = m_stretch;
  for (std::size_t c = 0; c < patch.xyz.size() / 3; ++c) made->points[c] = times(patch.point(c), m_stretch);
  made->values.assign(patch.values.begin(), patch.values.end());
  made->beyond = m_links.beyond(number);
  place = std::move(made);
  return place;
}

void FaceWalk::start(std::shared_ptr<const FlowFace> face, Place place) {
  m_face = std::move(face);
  m_place = place;
  m_side.reset();
  m_turns = 0;
  // what lies on a side may not go on into this face
  for (int side = 0; side < m_face->sides && !m_side; ++side)
    if (m_face->within(side, place) < kOnSide) {
      m_side = side;
      m_share = m_face->shareOn(side, place);
      if (m_share < kOnCorner) m_share = 0;
      if (m_share > 1 - kOnCorner) m_share = 1;
    }
}

std::optional<double> FaceWalk::goOn(double most) {
  m_stock.context().throwIfGivenUp();
  if (!(m_side ? setOffFromSide() : setOffInside())) return std::nullopt;
  const double gone = m_isAlongSide ? stepAlongSide(most) : stepInside(most);
  if (gone == kNoWay) {
    m_end = SheetLineEnd::Still;
    return std::nullopt;
  }
  if (gone > 0) {
    m_turns = 0;
    return gone;
  }
  if (++m_turns > kMostTurns) {
    m_end = SheetLineEnd::Still;
    return std::nullopt;
  }
  return 0;
}

std::optional<Place> FaceWalk::rateAt(const FlowFace& face, Place place) const {
  auto rate = FlowSheet::direction(face.at(place));
  if (rate) *rate = {m_direction * rate->u, m_direction * rate->v};
  return rate;
}

void FaceWalk::goInto(Place rate) {
  m_rate = rate;
  m_isAlongSide = false;
}

void FaceWalk::goAlong(int side, double share, bool isForward) {
  m_side = side;
  m_share = share;
  m_isAlongSide = true;
  m_isForward = isForward;
}

void FaceWalk::enter(std::shared_ptr<const FlowFace> face, int side, double share) {
  m_face = std::move(face);
  m_side = side;
  m_share = share;
  m_place = m_face->placeOn(side, share);
}

/// The face beyond a side; null where there is none, and where the two have nodes of their own that are no longer at the same places.
std::shared_ptr<const FlowFace> FaceWalk::beyond(const FlowFace& face, int side) const {
  const std::optional<FaceSide>& its = face.beyond[static_cast<std::size_t>(side)];
  if (!its) return nullptr;
  std::shared_ptr<const FlowFace> other = m_stock.at(its->face);
  const auto pointOf = [](const FlowFace& of, int corner) {
    return of.points[static_cast<std::size_t>(corner)];
  };
  const int begin = its->isTurned ? its->side : other->next(its->side),
            end = its->isTurned ? other->next(its->side) : its->side;
  const bool meets =
      pointOf(face, side) == pointOf(*other, begin) && pointOf(face, face.next(side)) == pointOf(*other, end);
  return meets ? other : nullptr;
}

bool FaceWalk::setOffInside() {
  const auto rate = rateAt(*m_face, m_place);
  if (!rate) return ends(SheetLineEnd::Still);
  goInto(*rate);
  return true;
}

bool FaceWalk::setOffFromSide() {
  const int side = *m_side;
  if (m_share == 0 || m_share == 1) return setOffFromCorner(m_share == 0 ? side : m_face->next(side));
  const auto own = rateAt(*m_face, m_place);
  if (!own) return ends(SheetLineEnd::Still);
  if (m_face->withinRate(side, *own) >= 0) {
    goInto(*own);
    return true;
  }
  const std::shared_ptr<const FlowFace> other = beyond(*m_face, side);
  if (!other) return ends(SheetLineEnd::Edge);
  const FaceSide there = *m_face->beyond[static_cast<std::size_t>(side)];
  const double share = there.isTurned ? m_share : 1 - m_share;
  const Place place = other->placeOn(there.side, share);
  const auto rate = rateAt(*other, place);
  if (!rate) return ends(SheetLineEnd::Still);
  if (other->withinRate(there.side, *rate) >= 0) {
    enter(other, there.side, share);
    goInto(*rate);
    return true;
  }
  // out of both: between them
  const double along =
      dot(inSpace(*m_face, m_place, *own) + inSpace(*other, place, *rate), m_face->alongSide(side));
  if (!(along > 0 || along < 0)) return ends(SheetLineEnd::Still);
  goAlong(side, m_share, along > 0);
  return true;
}

/// Looks around the corner, one way and then, if the surface ends there, the other.
bool FaceWalk::setOffFromCorner(int corner) {
  const auto own = rateAt(*m_face, m_face->placeOn(corner, 0));
  if (own && leadsInto(*m_face, corner, *own)) {
    m_place = m_face->placeOn(corner, 0);
    goInto(*own);
    return true;
  }
  for (const bool byFirst : {true, false}) {
    std::shared_ptr<const FlowFace> face = m_face;
    int at = corner, side = byFirst ? at : face->before(at);
    auto rate = own;
    for (int n = 0;; ++n) {
      if (n == kMostAround) return ends(SheetLineEnd::Still);
      m_stock.context().throwIfGivenUp();
      const std::shared_ptr<const FlowFace> other = beyond(*face, side);
      if (!other) break;
      const FaceSide met = *face->beyond[static_cast<std::size_t>(side)];
      // the corner is where the side begins or where it ends
      const bool begins = (at == side) == met.isTurned;
      const int there = begins ? met.side : other->next(met.side);
      const Place place = other->placeOn(there, 0);
      const auto its = rateAt(*other, place);
      if (its && leadsInto(*other, there, *its)) {
        enter(other, there, 0);
        goInto(*its);
        return true;
      }
      if (rate && its && face->withinRate(side, *rate) < 0 && other->withinRate(met.side, *its) < 0) {
        const double along = dot(inSpace(*face, face->placeOn(at, 0), *rate) + inSpace(*other, place, *its),
                                 other->alongSide(met.side));
        if (begins ? along > 0 : along < 0) {
          enter(other, met.side, begins ? 0 : 1);
          goAlong(met.side, begins ? 0 : 1, begins);
          return true;
        }
      }
      if (met.face == m_face->number) return ends(SheetLineEnd::Still);
      side = begins ? other->before(there) : there;
      at = there;
      face = other;
      rate = its;
    }
  }
  return ends(SheetLineEnd::Edge);
}

double FaceWalk::stepAlongSide(double most) {
  const double whole = length(m_face->alongSide(*m_side));
  if (!(whole > 0) || !std::isfinite(whole)) return 0;
  const double left = (m_isForward ? 1 - m_share : m_share) * whole;
  const double gone = std::min({m_step * whole, most, left});
  m_share = gone == left ? (m_isForward ? 1 : 0) : m_share + (m_isForward ? gone : -gone) / whole;
  m_place = m_face->placeOn(*m_side, m_share);
  return gone;
}

/// Where the midpoint rule ends; a straight step where the middle has no direction.
Place FaceWalk::reached(double size) const {
  const auto middle = rateAt(*m_face, {m_place.u + 0.5 * size * m_rate.u, m_place.v + 0.5 * size * m_rate.v});
  return straight(size, middle.value_or(m_rate));
}

/// Over which side it leaves the face first. `fromSides`: those that it is on, and set off from, are none.
FaceWalk::Exit FaceWalk::exitOn(Place to, bool fromSides) const {
  Exit first;
  for (int side = 0; side < m_face->sides; ++side) {
    const double before = m_face->within(side, m_place), after = m_face->within(side, to);
    if (!(after < -kOnSide)) continue;
    if (fromSides && before < kOnSide && m_face->withinRate(side, m_rate) >= 0) continue;
    const double share = before < kOnSide ? 0 : before / (before - after);
    if (first.side < 0 || share < first.share) first = {side, share};
  }
  return first;
}

/// Where the vector turns back on the way of a step to `to`, or there: the mean of both ways, and what part of a step's length that goes.
std::optional<FaceWalk::Mean> FaceWalk::betweenSides(double size, Place to) const {
  const FlowSheet::Here from = m_face->at(m_place);
  for (const Place turned : {straight(0.5 * size, m_rate), to}) {
    const auto back = rateAt(*m_face, turned);
    if (!back) continue;
    if (const auto part = FlowSheet::between(from, m_rate, m_face->at(turned), *back))
      return Mean{{0.5 * (m_rate.u + back->u), 0.5 * (m_rate.v + back->v)}, *part};
  }
  return std::nullopt;
}

double FaceWalk::stepInside(double most) {
  double size = std::min(m_step / std::max(std::abs(m_rate.u), std::abs(m_rate.v)), most);
  Place to = reached(size);
  std::optional<Mean> mean = betweenSides(size, to);
  if (mean && mean->part < FlowSheet::kStillBetween) return kNoWay;
  // It goes on from the side on which it is, and not back over that.
  if (mean && m_side && m_face->withinRate(*m_side, mean->rate) < 0) mean.reset();
  const double part = mean ? mean->part : 1;
  bool isStraight = mean.has_value();
  if (mean) {
    m_rate = mean->rate;
    to = straight(size, m_rate);
  }
  Exit exit = exitOn(to, isStraight);
  if (exit.side >= 0 && exit.share == 0 && m_face->withinRate(exit.side, m_rate) >= 0) {
    // It bends back over the side from which it set off, which a straight step does not.
    isStraight = true;
    to = straight(size, m_rate);
    exit = exitOn(to, true);
  }
  if (exit.side < 0) {
    m_place = to;
    m_side.reset();
    return part * size;
  }
  // to where it meets the side
  for (int n = 0; n < 3 && exit.share > 0; ++n) {
    const double before = m_face->within(exit.side, m_place), after = m_face->within(exit.side, to);
    if (!(before > after)) break;
    size = std::min(size * before / (before - after), most);
    to = isStraight ? straight(size, m_rate) : reached(size);
  }
  if (exit.share == 0) size = 0;
  m_side = exit.side;
  m_share = m_face->shareOn(exit.side, size > 0 ? to : m_place);
  if (m_share < kOnCorner) m_share = 0;
  if (m_share > 1 - kOnCorner) m_share = 1;
  m_place = m_face->placeOn(exit.side, m_share);
  return part * size;
}

}  // namespace farfield::extract::detail
