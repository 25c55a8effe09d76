#pragma once
// What `farfield info` says of data, in the words of a window: where the command line names an option, the window has a field, or
// nothing to say.

#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <string>
#include <vector>

namespace farfield::app {

class InfoWords {
  Q_DECLARE_TR_FUNCTIONS(InfoWords)
 public:
  static QString forWindow(const QString& info);
  /// What of the file is not there, and why, one line each, of what is said of opened data.
  static QStringList leftOut(const std::vector<std::string>& explanation);
};

}  // namespace farfield::app
