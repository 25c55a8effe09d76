#pragma once
// The order in which Tab goes through what is laid out: as it is seen, from above to below and from left to right, whatever was made
// first.

class QLayout;

namespace farfield::ui {

/// Of the widgets of `layout`, and of what is laid out in it; to be called once they are all there.
void tabAsLaidOut(const QLayout& layout);

}  // namespace farfield::ui
