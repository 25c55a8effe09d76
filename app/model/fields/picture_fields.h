#pragma once
// The properties of the picture as a whole, declared like those of objects: background, title, legend, size.

#include <vector>

#include "app/model/fields/object_fields.h"

namespace farfield::app {

struct PictureField {
  Field field;  ///< without get and set, which are of the session here
  std::function<QVariant(const session::Session&)> get;
  std::function<void(session::Session&, const QVariant&)> set;
};

/// Whether pictures that are written have a transparent background, and making it so; its colour is kept.
bool hasNothingBehind(const session::ImageSettings& image);
void putNothingBehind(session::ImageSettings& image, bool nothing);

/// `shown` are the bounds of what is shown, for what is cut away at first: by the plane and the box of `before`, which were there last,
/// where they still have something of that. `named` are the data whose attributes texts may name; null where none are open.
std::vector<PictureField> pictureFields(const session::Session& session, const Bounds& shown,
                                        const scene::Clip& before = {},
                                        const std::shared_ptr<const DataSummary>& named = nullptr);

}  // namespace farfield::app
