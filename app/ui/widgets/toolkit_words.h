#pragma once
// Words of the toolkit's own dialogs that are not those of the window: spelt otherwise, cut short, or of what is called
// something else everywhere else. One table, whichever dialog they are in.

#include <QTranslator>

namespace farfield::ui {

/// Puts its words in place of the toolkit's as long as it lives.
class ToolkitWords final : public QTranslator {
 public:
  explicit ToolkitWords(QObject* parent);
  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* text, const char* disambiguation,
                    int count) const override;
};

}  // namespace farfield::ui
