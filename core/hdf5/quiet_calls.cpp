#include "core/hdf5/quiet_calls.h"

namespace farfield::hdf5 {
namespace {

herr_t keepInnermost(unsigned, const H5E_error2_t* error, void* words) {
  if (error->desc && static_cast<std::string*>(words)->empty())
    *static_cast<std::string*>(words) = error->desc;
  return 0;
}

}  // namespace

Quiet::Quiet() {
  // only before anything else is asked of the library can it be said
  [[maybe_unused]] static const herr_t s_noCleanUp = H5dont_atexit();
  H5Eget_auto2(H5E_DEFAULT, &m_function, &m_data);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() {
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, m_function, m_data);
}

std::string lastError() {
  std::string words;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepInnermost, &words);
  H5Eclear2(H5E_DEFAULT);
  return words;
}

}  // namespace farfield::hdf5
