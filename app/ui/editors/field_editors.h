#pragma once
// Which editor a property gets: one for each kind of field.

#include "app/model/fields/object_fields.h"

class QWidget;

namespace farfield::ui {

class FieldEditor;

/// The right editor for `field`, a child of `parent`. It has the property's name, tip and explanation.
FieldEditor* makeFieldEditor(const app::Field& field, QWidget* parent);

}  // namespace farfield::ui
