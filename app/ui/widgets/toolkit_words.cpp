#include "app/ui/widgets/toolkit_words.h"

#include <QCoreApplication>
#include <string_view>

namespace farfield::ui {
namespace {

struct Word {
  std::string_view context, toolkits;
  const char* ours;
};
constexpr Word kWords[] = {
    {"QColorDialog", "&Basic colors", "&Basic colours"},
    {"QColorDialog", "&Custom colors", "&Custom colours"},
    {"QColorDialog", "&Add to Custom Colors", "&Add to the custom colours"},
    {"QColorDialog", "&Pick Screen Color", "&Pick a colour on the screen"},
    {"QColorDialog", "Cursor at %1, %2\nPress ESC to cancel",
     "At %1, %2\nEsc goes back to the colour of before"},
    {"QColorDialog", "Select Color", "Choose a colour"},
    {"QColorDialog", "Hu&e:", "Hu&e"},
    {"QColorDialog", "&Sat:", "&Saturation"},
    {"QColorDialog", "&Val:", "&Value"},
    {"QColorDialog", "&Red:", "&Red"},
    {"QColorDialog", "&Green:", "&Green"},
    {"QColorDialog", "Bl&ue:", "Bl&ue"},
    {"QColorDialog", "A&lpha channel:", "A&lpha channel"},
    {"QColorDialog", "&HTML:", "&HTML"},
    {"QFileDialog", "Directory:", "Folder:"},
    {"QFileDialog", "Directories", "Folders"},
    {"QFileDialog", "Parent Directory", "Folder above"},
    {"QFileDialog", "Go to the parent directory", "Go to the folder above"},
    {"QFileDialog", "Could not delete directory.", "The folder cannot be deleted."},
    {"QFileDialog", "%1\nDirectory not found.\nPlease verify the correct directory name was given.",
     "%1\nThere is no such folder. Check its name."},
    {"QFileDialog", "%1\nFile not found.\nPlease verify the correct file name was given.",
     "%1\nThere is no such file. Check its name."},
    {"QDockWidget", "Float", "Tear off"},
    {"QDockWidget", "Undocks and re-attaches the dock widget",
     "Makes the panel a window of its own, or puts it back"},
    {"QDockWidget", "Closes the dock widget", "Closes the panel"},
};

}  // namespace

ToolkitWords::ToolkitWords(QObject* parent) : QTranslator(parent) {
  QCoreApplication::installTranslator(this);
}

QString ToolkitWords::translate(const char* context, const char* text, const char*, int) const {
  for (const Word& word : kWords)
    if (word.context == context && word.toolkits == text) return QString::fromUtf8(word.ours);
  return {};
}

}  // namespace farfield::ui
