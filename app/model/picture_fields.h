#pragma once
// The properties of the picture as a whole, declared like those of objects: background, title, legend, size.

#include <vector>

#include "app/model/object_fields.h"

namespace farfield::app {

struct PictureField {
  Field field;  ///< without get and set, which are of the session here
  std::function<QVariant(const session::Session&)> get;
  std::function<void(session::Session&, const QVariant&)> set;
};

std::vector<PictureField> pictureFields();

}  // namespace farfield::app
