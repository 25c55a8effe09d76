#pragma once
// A document holds nothing that no session file can have: what could neither be saved nor be found again after a crash would be lost.
// Whatever changes it, by hand, from the clipboard or from data, ends here.

#include <QString>

#include "app/model/document/document.h"

namespace farfield::app {

/// `text` on one line: blanks in the place of tabs, line breaks and other control characters, which come with what is pasted.
QString plainText(QString text);

/// In a change of the document: what was changed from `before` on is made such that it can be written and read.
void keepFitForFiles(const DocumentState& before, Draft& draft);

}  // namespace farfield::app
