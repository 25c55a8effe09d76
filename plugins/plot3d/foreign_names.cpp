#include "plugins/plot3d/foreign_names.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

namespace farfield::plot3d {
namespace {

/// All of these begin with a mark, or with text that says what they are.
constexpr std::pair<const char*, const char*> kMarked[] = {
    {".h5", "HDF5"},    {".hdf5", "HDF5"},  {".he5", "HDF5"},    {".cgns", "CGNS"},  {".nc", "NetCDF"},
    {".nc4", "NetCDF"}, {".cdf", "NetCDF"}, {".exo", "Exodus"},  {".ex2", "Exodus"}, {".vtk", "VTK"},
    {".vtu", "VTK"},    {".vtp", "VTK"},    {".vti", "VTK"},     {".vts", "VTK"},    {".vtr", "VTK"},
    {".vtm", "VTK"},    {".pvd", "VTK"},    {".vtkhdf", "HDF5"}, {".nrrd", "NRRD"},  {".nhdr", "NRRD"}};
/// Kinds of surfaces and cases that have no reader here.
constexpr const char* kOfVtk[] = {".stl", ".ply", ".obj", ".case", ".foam",
                                  ".cas", ".neu", ".mhd", ".mha",  ".nii"};

}  // namespace

std::optional<ForeignName> foreignName(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  for (const auto& [its, format] : kMarked)
    if (ending == its)
      return ForeignName{std::string("is named as ") + format + ", and does not begin as such a file does",
                         "check that the copy is complete"};
  for (const char* const its : kOfVtk)
    if (ending == its)
      return ForeignName{"is named as a kind of file that VTK's own readers read",
                         "make a store of it: farfield convert FILE --reader vtk-readers -o STORE.h5"};
  return std::nullopt;
}

}  // namespace farfield::plot3d
