#pragma once
// What errands of a workshop draw, and the data that they draw it from: those that are closed meanwhile, or that others take the place of,
// are kept under a key of their own until nothing is drawn from them any more. Nothing else is computed of these, and nobody has asked to
// open them: they have no request.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/model/workshop/workshop.h"

namespace farfield::app {

/// An object as it was shown when its picture was asked for. The functions are called with the workshop's lock.
struct Workshop::DrawnPart {
  ObjectId id = 0;
  session::Object look;
  std::shared_ptr<Computed> computed;  ///< null: it was there, and is to be made again
  /// Of what reads its data while it is drawn; else null.
  std::shared_ptr<DrawnFromData> fromData;
  std::shared_ptr<VolumeLeases> leases;
  std::string key;
  std::int64_t step = 0;
  int timesReadAgain = 0;
  /// How it was drawn first: what is looked through with other memory has another range and other opacities of its own.
  std::optional<scene::ColorScale> scale = {};
  std::vector<scene::OpacityPoint> opacity = {};

  scene::SceneItem item();
  bool isGone() const { return !computed || (leases && leases->hasEnded()); }
  /// Its key is that of the data that it was of, also where these are kept by now.
  void followData(const Workshop& workshop);

  /// Whether something is still to be drawn from these data, which are there.
  static bool isAnyOf(const DataSet& set);
  /// What is under that key, which nobody computes of now, stays for errands alone: the key is free for what takes its place.
  static void keepData(Workshop& workshop, const std::string& key);
  /// Of data without a request.
  static bool isKept(const DataSet& set) { return !set.request; }
  /// Those that nothing is drawn from any more are to be closed.
  static void closeKept(Workshop& workshop);
  /// Nobody waits for it any more: no data stay for it.
  static void forget(Workshop& workshop, const std::shared_ptr<DrawnFromData>& drawn);
};

}  // namespace farfield::app
