#pragma once
// Looks at files on other machines, for what watches files of a window.

#include <QObject>

#include "app/looks/far_looks.h"

namespace farfield::app {

/// A child of whoever asks; add() is for one thread at a time, which must have ended when this goes.
class ServerLooks : public QObject, public FarLooks {
 public:
  explicit ServerLooks(QObject* parent);
  /// That of `parent`.
  static ServerLooks& of(const QObject& parent);
};

}  // namespace farfield::app
