#pragma once
// Signals that end a program (a session that ends, `kill`, Ctrl-C in the terminal that it was started from) end this one, too, but first
// something is done: unsaved work is written down as it is now, not as it was some seconds ago. A handler must not touch any of that, so
// it only wakes the event loop.

#include <functional>

class QObject;

namespace farfield::ui {

/// `last` is called once, on the thread of `parent`, which is the UI thread; then the signal ends the program as it would have. A second
/// signal does not wait. What the program was started to ignore stays ignored. Once in a program, which `parent` lives as long as.
void doBeforeEndingSignals(QObject* parent, std::function<void()> last);

}  // namespace farfield::ui
