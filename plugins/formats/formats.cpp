#include "plugins/formats/formats.h"

#include <utility>

#include "plugins/amrex/amrex_data.h"
#include "plugins/carpet/carpet_data.h"
#include "plugins/cgns/cgns_data.h"
#include "plugins/chombo/chombo_data.h"
#include "plugins/enzo/enzo_data.h"
#include "plugins/exodus/exodus_data.h"
#include "plugins/formats/reader_list.h"
#include "plugins/formats/steps_of_files.h"
#include "plugins/hdf5/hdf5_data.h"
#include "plugins/netcdf3/nc_data.h"
#include "plugins/nrrd/nrrd_data.h"
#include "plugins/plot3d/plot3d_data.h"
#include "plugins/raw/raw_data.h"
#include "plugins/vtkamr/vtkamr_data.h"
#include "plugins/vtkfile/vtk_data.h"
#include "plugins/vtkhdf/vtkhdf_data.h"
#include "plugins/vtkreaders/vtk_readers_data.h"
#include "plugins/zarr/zarr_data.h"

namespace farfield::formats {

Readers allReaders(const FormatOptions& options) {
  Readers readers;
  const auto add = [&](std::unique_ptr<fields::DataReader> reader, bool knowsLists = false) {
    readers.push_back(std::make_unique<StepsOfFiles>(std::move(reader), knowsLists));
  };
  add(std::make_unique<nrrd::NrrdDataReader>(options.stores));
  add(std::make_unique<exodus::ExodusDataReader>(options.stores));  // before netcdf, which it is as well
  add(std::make_unique<netcdf3::NetcdfDataReader>(options.stores));
  add(std::make_unique<vtkhdf::VtkHdfDataReader>(options.stores));  // before hdf5, which it is as well
  add(std::make_unique<cgns::CgnsDataReader>(options.stores));      // the same
  add(std::make_unique<carpet::CarpetDataReader>(options.stores));  // the same
  add(std::make_unique<chombo::ChomboDataReader>(options.stores));  // the same
  add(std::make_unique<hdf5::Hdf5DataReader>(options.stores));
  add(std::make_unique<enzo::EnzoDataReader>(options.stores));
  add(std::make_unique<amrex::AmrexDataReader>(options.stores));
  add(std::make_unique<zarr::ZarrDataReader>(options.stores));
  add(std::make_unique<raw::RawDataReader>(options.stores));
  add(std::make_unique<vtkamr::VtkAmrDataReader>(options.stores));  // before vtk, which it is as well
  add(std::make_unique<vtkfile::VtkDataReader>(options.kept, options.stores), true);
  readers.push_back(
      std::make_unique<vtkreaders::VtkReadersDataReader>(std::make_unique<vtkfile::VtkDataReader>()));
  // last: PLOT3D has no signature
  readers.push_back(std::make_unique<plot3d::Plot3dDataReader>(options.kept, options.stores));
  return readers;
}

void addFormats(fields::ReaderRegistry& readers, const FormatOptions& options) {
  for (auto& reader : allReaders(options)) readers.add(std::move(reader));
}

}  // namespace farfield::formats
