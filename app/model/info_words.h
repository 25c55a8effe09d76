#pragma once
// What `farfield info` says of data, in the words of a window: where the command line names an option, the window has a field, or
// nothing to say.

#include <QCoreApplication>
#include <QString>

namespace farfield::app {

class InfoWords {
  Q_DECLARE_TR_FUNCTIONS(InfoWords)
 public:
  static QString forWindow(const QString& info);
};

}  // namespace farfield::app
