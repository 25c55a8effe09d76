#include "plugins/hdf5/hdf5_records.h"

#include <utility>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "plugins/hdf5/outside.h"

namespace farfield::hdf5 {
namespace {

/// A compound in memory with these members of `type`, each of eight bytes; not valid where the file's type lacks one.
Handle memoryType(hid_t fileType, const std::vector<std::string>& members, hid_t type) {
  if (H5Tget_class(fileType) != H5T_COMPOUND) return {};
  Handle memory(H5Tcreate(H5T_COMPOUND, 8 * members.size()), H5Tclose);
  for (std::size_t n = 0; n < members.size(); ++n) {
    const int number = H5Tget_member_index(fileType, members[n].c_str());
    if (number < 0) return {};
    const H5T_class_t kind = H5Tget_member_class(fileType, static_cast<unsigned>(number));
    if (kind != H5T_INTEGER && kind != H5T_FLOAT) return {};
    if (H5Tinsert(memory, members[n].c_str(), 8 * n, type) < 0) return {};
  }
  return memory;
}

}  // namespace

std::vector<std::int64_t> recordsOf(const File& file, const std::string& dataset,
                                    const std::vector<std::string>& members, std::size_t most,
                                    MemoryAccount& account) {
  if (Outside* const outside = file.outside()) {
    MemoryClaim claim;
    const auto claimAnswer = [&](std::uint64_t bytes) {
      claim.release();
      claim = account.claimInEarnest(Purpose::Work, 2 * bytes, "a list of records");
    };
    LookJob job(LookKind::Records);
    job.object = dataset;
    job.members = members;
    job.most = most;
    if (const auto bytes = outside->look(std::move(job), *file.object(), {claimAnswer}))
      return decodedIntegers(*bytes);
  }
  const Quiet quiet;
  const std::lock_guard lock(file.mutex());
  const auto wrong = [&](const std::string& why) {
    return Corrupt("its list " + printable(dataset) + " " + why, "check that the copy is complete");
  };
  const Handle data(H5Dopen2(file.id(), dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (!data.isValid()) throw wrong("is missing");
  const Handle type(H5Dget_type(data), H5Tclose), space(H5Dget_space(data), H5Sclose);
  const hssize_t count = space.isValid() ? H5Sget_simple_extent_npoints(space) : -1;
  if (!type.isValid() || count < 0) throw wrong("cannot be read");
  if (static_cast<std::uint64_t>(count) > most)
    throw Unsupported("has more than " + std::to_string(most) + " records in " + printable(dataset));
  const Handle memory = memoryType(type, members, H5T_NATIVE_INT64);
  if (!memory.isValid()) throw wrong("has not the members that it must have");
  const std::size_t numbers = static_cast<std::size_t>(count) * members.size();
  const MemoryClaim claim =
      account.claimInEarnest(Purpose::Work, 2 * numbers * sizeof(std::int64_t), "a list of records");
  std::vector<std::int64_t> values(numbers);
  if (numbers > 0 && H5Dread(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    throw wrong("cannot be read (" + lastError() + ")");
  return values;
}

std::vector<double> recordOf(const File& file, const std::string& object, const std::string& attribute,
                             const std::vector<std::string>& members) {
  if (Outside* const outside = file.outside()) {
    LookJob job(LookKind::Record);
    job.object = object;
    job.attribute = attribute;
    job.members = members;
    if (const auto bytes = outside->look(std::move(job), *file.object())) return decodedReals(*bytes);
  }
  const Quiet quiet;
  const std::lock_guard lock(file.mutex());
  if (H5Aexists_by_name(file.id(), object.c_str(), attribute.c_str(), H5P_DEFAULT) <= 0) return {};
  const Handle found(H5Aopen_by_name(file.id(), object.c_str(), attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                     H5Aclose);
  if (!found.isValid()) return {};
  const Handle type(H5Aget_type(found), H5Tclose), space(H5Aget_space(found), H5Sclose);
  if (!type.isValid() || !space.isValid() || H5Sget_simple_extent_npoints(space) != 1) return {};
  const Handle memory = memoryType(type, members, H5T_NATIVE_DOUBLE);
  if (!memory.isValid()) return {};
  std::vector<double> values(members.size());
  if (H5Aread(found, memory, values.data()) < 0) return {};
  return values;
}

}  // namespace farfield::hdf5
