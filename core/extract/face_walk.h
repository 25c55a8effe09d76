#pragma once
// Following a vector over the faces of a surface of an unstructured block (face_lines.h has the rules). A stock keeps the faces that were read
// last, and a walk is at one place of one of them. Private to the folder.

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/extract/face_lines.h"
#include "core/extract/flow_face.h"
#include "core/extract/listed_faces.h"

namespace farfield::extract::detail {

/// Belongs to one task, as do the walks over it.
class FaceStock {
 public:
  /// Of the faces of `surface`; up to `capacity` are kept. With `stretch` other than 1 they are of a space that is stretched so. What is
  /// given outlives it.
  FaceStock(const GridSurface& surface, const FaceLinks& links, fields::PagedData& data,
            tasks::TaskContext& context, const fields::FunctionPlan& functions, std::int64_t step,
            std::size_t capacity, Vec3 stretch = {1, 1, 1});
  static std::uint64_t bytesFor(const fields::FunctionPlan& functions, std::size_t capacity);

  /// A face, counted from the surface's first. Throws what gathering throws, Corrupt, Io.
  std::shared_ptr<const FlowFace> at(std::int64_t number);
  tasks::TaskContext& context() const { return m_context; }

 private:
  const FaceLinks& m_links;
  tasks::TaskContext& m_context;
  const std::int64_t m_first;  ///< face of the surface, in the block
  const std::size_t m_width;
  const Vec3 m_stretch;
  FaceReader m_reader;
  std::vector<std::shared_ptr<const FlowFace>> m_faces;  ///< each at the place that its number leaves
};

class FaceWalk {
 public:
  using Place = FlowSheet::Place;

  /// With the vector, or against it if `direction` is -1. `step`: the longest, in faces.
  FaceWalk(FaceStock& stock, int direction, double step)
      : m_stock(stock), m_direction(direction), m_step(step) {}

  void start(std::shared_ptr<const FlowFace> face, Place place);
  const FlowFace& face() const { return *m_face; }
  FlowSheet::Here here() const { return m_face->at(m_place); }

  /// How far it went on: one step, which is no longer than `most`; 0: to another face at the same place. Nothing where
  /// the line ends, which `end` then says.
  std::optional<double> goOn(double most);
  SheetLineEnd end() const { return m_end; }

 private:
  struct Exit {
    int side = -1;
    double share = 1;  ///< of the way there
  };
  struct Mean {
    Place rate;
    double part = 1;  ///< of the length of a step
  };

  std::optional<Place> rateAt(const FlowFace& face, Place place) const;
  bool ends(SheetLineEnd end) {
    m_end = end;
    return false;
  }
  bool setOffInside();
  bool setOffFromSide();
  bool setOffFromCorner(int corner);
  void goInto(Place rate);
  void goAlong(int side, double share, bool isForward);
  void enter(std::shared_ptr<const FlowFace> face, int side, double share);
  std::shared_ptr<const FlowFace> beyond(const FlowFace& face, int side) const;
  double stepAlongSide(double most);
  double stepInside(double most);
  std::optional<Mean> betweenSides(double size, Place to) const;
  Place reached(double size) const;
  Place straight(double size, Place rate) const {
    return {m_place.u + size * rate.u, m_place.v + size * rate.v};
  }
  Exit exitOn(Place to, bool fromSides) const;

  FaceStock& m_stock;
  const int m_direction;
  const double m_step;

  std::shared_ptr<const FlowFace> m_face;
  Place m_place;
  std::optional<int> m_side;  ///< that it is on, at `m_share` of its length
  double m_share = 0;
  int m_turns = 0;  ///< from face to face since the last step
  SheetLineEnd m_end = SheetLineEnd::Still;
  // how it goes on
  bool m_isAlongSide = false, m_isForward = false;
  Place m_rate;
};

}  // namespace farfield::extract::detail
