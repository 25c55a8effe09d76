#pragma once
// Sessions that come with the program. They are opened as files are, of a copy that is made anew each time, and are untitled then: what is
// made of one is saved where its user wants it.

#include <QString>

namespace farfield::app {

/// The copy of the session that is called `name` in the resources; empty if it cannot be written.
QString copyOfExample(const QString& name);
/// The folder of these copies.
QString placeOfExamples();
/// Whether it is such a copy.
bool isExample(const QString& path);

}  // namespace farfield::app
