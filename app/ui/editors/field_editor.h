#pragma once
// The widget for one property: a check box, a list, one or several numbers, a colour. What all of them have; field_editors.h
// makes the right one from the property's declaration, whatever it belongs to.

#include <QVariant>
#include <QWidget>

#include "app/model/fields/object_fields.h"

namespace farfield::ui {

class FieldEditor : public QWidget {
  Q_OBJECT
 public:
  /// Shows a value. Emits nothing.
  virtual void setValue(const QVariant& value) = 0;
  /// What is there while the property is left to the program ("0.2 … 1.3").
  virtual void setAutomaticText(const QString& /*text*/) {}
  /// What the chosen one of several colour maps looks like, which may be known to the session alone.
  virtual void showMap(const scene::MapChoice& /*map*/) {}
  /// The page that this is on is about to be made anew: that the keyboard goes is not the end of typing until dropTyping().
  virtual void holdTyping() {}
  /// `next` is for the same property on the new page: what is being typed goes on there.
  virtual void handTypingTo(FieldEditor& /*next*/) {}
  /// What is still being typed here is none any more.
  virtual void dropTyping() {}
  /// What was edited is not taken: `why` is said, and where typing has ended what was there before comes back.
  virtual void refuse(const QString& /*why*/, bool /*final*/) {}
  /// The property is another object's now, declared alike: what it may be is checked anew.
  virtual void setField(const app::Field& /*field*/) {}

 signals:
  /// The user set it. `final`: nothing more is coming of this movement.
  void edited(const QVariant& value, bool final);
  /// What was being typed, and had taken effect, is no more: undone, or changed elsewhere.
  void interrupted();

 protected:
  using QWidget::QWidget;
};

}  // namespace farfield::ui
