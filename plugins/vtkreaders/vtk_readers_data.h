#pragma once
// Files that VTK alone reads (EnSight, OpenFOAM, STL, PLY, Fluent, MetaImage, …): a program of its own lets VTK's readers write them as VTK's own files into a private
// folder, where they are read in place. Only where it is named as the reader: VTK holds a step of the data in memory, outside of the budget.

#include <memory>
#include <string>
#include <utility>

#include "core/fields/functions/open_data.h"

namespace farfield::vtkreaders {

class VtkReadersDataReader final : public fields::DataReader {
 public:
  /// `files` reads what is written, VTK's files. The program is FARFIELD_PYTHON of the environment, `python3` without it, and needs the
  /// package vtk.
  explicit VtkReadersDataReader(std::unique_ptr<fields::DataReader> files) : m_files(std::move(files)) {}
  std::string name() const override { return "vtk-readers"; }
  /// Never: it must be named.
  bool recognizes(const std::string&) const override { return false; }
  /// Options are those of VTK's files. Waits for the program; a stop request ends it. What is written takes as much room in the folder for temporary files as
  /// the data, until they are closed.
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::unique_ptr<fields::DataReader> m_files;
};

}  // namespace farfield::vtkreaders
