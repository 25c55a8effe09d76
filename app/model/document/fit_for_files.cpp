#include "app/model/document/fit_for_files.h"

#include <algorithm>

#include "app/model/document/line_shapes.h"
#include "core/session/json/names.h"

namespace farfield::app {
namespace {

void makePlain(std::string& text) {
  text = session::withoutControls(std::move(text));
}

session::Coloring fitting(session::Coloring color) {
  makePlain(color.by);
  makePlain(color.map.name);
  if (color.logarithmic) {
    if (color.rangeOf == session::RangeOf::Symmetric) color.rangeOf = session::RangeOf::Shown;
    // Nothing of it would have a logarithm.
    if (color.range && !((*color.range)[1] > 0)) color.range.reset();
  }
  if (color.map.bands == 0) color.bandLines = false;  // they lie between bands
  return color;
}

session::Object fitting(session::Object object) {
  object.color = fitting(std::move(object.color));
  if (std::vector<std::string>* const vector = vectorIn(object))
    for (std::string& part : *vector) makePlain(part);
  if (session::Integrator* const its = integratorIn(object)) {
    // Each method has one of these.
    if (its->method == session::IntegratorMethod::Rk4)
      its->tolerance.reset();
    else
      its->stepCells = session::Integrator{}.stepCells;
  }
  return object;
}

session::Session fitting(session::Session frame) {
  makePlain(frame.image.title);
  for (scene::TextNote& note : frame.image.notes.texts) makePlain(note.text);
  for (auto& [function, look] : frame.image.legends) makePlain(look.title);
  for (session::NamedView& view : frame.views) makePlain(view.name);
  if (frame.plot) makePlain(frame.plot->by);
  return frame;
}

}  // namespace

QString plainText(QString text) {
  for (QChar& letter : text)
    if (letter.unicode() < 0x20 || letter.unicode() == 0x7f) letter = ' ';
  return text;
}

void keepFitForFiles(const DocumentState& before, Draft& draft) {
  if (const auto& frame = draft.state().frame; frame != before.frame)
    if (session::Session fit = fitting(*frame); fit != *frame) draft.frame() = std::move(fit);
  for (const DocumentState::Entry& entry : std::vector(draft.objects())) {
    const bool isAsBefore =
        std::any_of(before.objects.begin(), before.objects.end(),
                    [&](const DocumentState::Entry& was) { return was.object == entry.object; });
    if (isAsBefore) continue;
    if (session::Object fit = fitting(*entry.object); fit != *entry.object)
      draft.object(entry.id) = std::move(fit);
  }
}

}  // namespace farfield::app
