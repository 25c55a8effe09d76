#pragma once
// Functions that a user defines by expressions: kept with the data in the session, as options of theirs, and known wherever functions
// are from then on.

#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <string>

#include "app/model/document/document.h"
#include "app/model/workshop/workshop_types.h"

namespace farfield::app {

class AppModel;

/// What the session has of them, by name. Empty where there are no data of that name.
std::map<std::string, QString> ownFunctions(const session::Session& session, const std::string& dataName);

/// Why these data can have no functions of one's own, a sentence; empty: they can.
QString whyNoOwnFunctions(const DataSummary& data);
/// What is wrong with a name for a function of one's own, a sentence; empty: nothing. `data` may know it as that already: then it
/// takes the place of it.
QString problemOfOwnName(const DataSummary& data, const QString& name);
/// The same of its expression, whatever may be wrong with the name; and what would be wrong with others that are made of it.
QString problemOfOwnExpression(const DataSummary& data, const QString& name, const QString& expression);
/// Of an expression that has no name.
std::function<QString(const QString&)> checkOfExpression(std::shared_ptr<const DataSummary> data);

/// What uses a function of one's own, directly or because another one is made of it.
struct FunctionUsers {
  QStringList objects, functions;  ///< by their names
  bool plot = false;
  bool any() const { return plot || !objects.isEmpty() || !functions.isEmpty(); }
};
FunctionUsers usersOf(AppModel& model, const std::string& dataName, const QString& name);

/// Which of them `source` could not be opened for, as the problem says; empty: none.
QString functionInTheWay(const session::DataSource& source, const Problem& problem);

/// One step each; the data are opened anew with it.
void defineFunction(Document& document, const std::string& dataName, const QString& name,
                    const QString& expression);
/// With them those that are made of them must go (FunctionUsers::functions): data with a function that means nothing cannot be opened.
/// Probes and a plot that read others beside them go on with those.
void removeFunctions(AppModel& model, const std::string& dataName, const QStringList& names);

}  // namespace farfield::app
