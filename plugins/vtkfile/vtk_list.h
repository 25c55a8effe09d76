#pragma once
// VTK's XML files that name other files: series (.pvd), the heads of files in pieces (.pvti, .pvtr, .pvts, .pvtu, .pvtp) and of several
// blocks (.vtm). What they say, before any named file is looked at. Names in them may have been written by anyone.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "plugins/vtkfile/vtk_grid.h"
#include "plugins/vtkfile/xml_elements.h"

namespace farfield::vtkfile {

struct ListedFile {
  std::string name;        ///< as written
  double time = 0;         ///< in a series
  int part = 0;            ///< of a step of a series: several are shown together
  std::string title = {};  ///< of a block: its name and those of the groups around it, "wing/flap"
};

enum class ListKind { Series, Pieces, Blocks };

struct FileList {
  ListKind kind = ListKind::Series;
  std::vector<ListedFile> files;  ///< of a series by time, then by part, group and name
  VtkKind pieces = VtkKind::Unstructured;
  std::optional<IndexBox> whole = {};  ///< of structured pieces together: the first node and their counts
  std::vector<std::string> notes = {};
};

/// Whether files of that type name others, and those are read.
bool isList(const std::string& type);

/// Throws Corrupt, Unsupported (too many files).
FileList readList(const arrays::ByteSource& file);

/// The name to look for, relative to the file that names it: of an absolute one, which was true where it was written, the last
/// part. Throws Invalid, naming it, if it is none, is a URL or leads out of the folder.
std::string nameBeside(const std::string& written);

}  // namespace farfield::vtkfile
