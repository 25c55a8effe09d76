#pragma once
// The line along which functions are plotted: a probe of its two ends.

#include <string>

#include "app/model/document/document.h"

namespace farfield::app {

/// Key of its steps, to which what belongs to them is added (Document::editFurther()).
inline constexpr const char* kPlotLineKey = "plot.line";

/// Whether it is the line that a plot is made along: a probe of its two ends, without texts. Like all probes it is kept in the
/// session, moved and undone.
bool isPlotLine(const session::Object& object);
/// Puts it there, in space: what is plotted along it lies where its ends are, at all steps.
void putEnds(session::Probe& line, Vec3 from, Vec3 to);
/// The last one of these data; 0 where there is none.
ObjectId plotLineOf(const Document& document, const std::string& dataName);
/// Puts it there, or adds it; of two ends that go with a body one goes on where the other alone is put elsewhere. As one step, or as a part
/// of one that goes on (Document::endMerge()).
ObjectId putPlotLine(Document& document, const std::string& dataName, Vec3 from, Vec3 to);
/// To a better place, as a part of the step that put it where it is.
void movePlotLine(Document& document, ObjectId line, Vec3 from, Vec3 to);

}  // namespace farfield::app
