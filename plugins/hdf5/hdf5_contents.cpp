#include "plugins/hdf5/hdf5_contents.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "plugins/hdf5/outside.h"

namespace farfield::hdf5 {
namespace {

using arrays::NumberType;
using chunks::FilterKind;

constexpr std::size_t kMostObjects = 20000;
constexpr std::size_t kMostText = 4096, kMostNumbers = 4096;
constexpr unsigned kMostAttributes = 256;
constexpr std::size_t kMostTexts = 64;
/// An attribute of more bytes is none that is looked for.
constexpr hsize_t kMostAttributeBytes = 1 << 20;
/// No attribute has a name of so many letters: a file has two bytes for their number.
constexpr std::size_t kNoName = 1 << 16;

struct KnownType {
  hid_t id;
  NumberType type;
  bool bigEndian;
};

/// The type of numbers in the file; false for others.
bool numberType(hid_t type, NumberType& number, bool& bigEndian) {
  const KnownType known[] = {
      {H5T_STD_I8LE, NumberType::I8, false},    {H5T_STD_I8BE, NumberType::I8, false},
      {H5T_STD_U8LE, NumberType::U8, false},    {H5T_STD_U8BE, NumberType::U8, false},
      {H5T_STD_I16LE, NumberType::I16, false},  {H5T_STD_I16BE, NumberType::I16, true},
      {H5T_STD_U16LE, NumberType::U16, false},  {H5T_STD_U16BE, NumberType::U16, true},
      {H5T_STD_I32LE, NumberType::I32, false},  {H5T_STD_I32BE, NumberType::I32, true},
      {H5T_STD_U32LE, NumberType::U32, false},  {H5T_STD_U32BE, NumberType::U32, true},
      {H5T_STD_I64LE, NumberType::I64, false},  {H5T_STD_I64BE, NumberType::I64, true},
      {H5T_STD_U64LE, NumberType::U64, false},  {H5T_STD_U64BE, NumberType::U64, true},
      {H5T_IEEE_F32LE, NumberType::F32, false}, {H5T_IEEE_F32BE, NumberType::F32, true},
      {H5T_IEEE_F64LE, NumberType::F64, false}, {H5T_IEEE_F64BE, NumberType::F64, true},
  };
  for (const KnownType& its : known)
    if (H5Tequal(type, its.id) > 0) {
      number = its.type;
      bigEndian = its.bigEndian;
      return true;
    }
  return false;
}

std::string textIn(const char* text, std::size_t most) {
  return std::string(text, strnlen(text, std::min(most, kMostText)));
}

/// Text or numbers; others come without either.
cf::Attribute attributeOf(hid_t attribute, std::string name) {
  cf::Attribute result;
  result.name = std::move(name);
  const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  if (!type.isValid() || !space.isValid()) return result;
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count < 1 || H5Aget_storage_size(attribute) > kMostAttributeBytes ||
      static_cast<hsize_t>(count) > kMostAttributeBytes)
    return result;
  const H5T_class_t kind = H5Tget_class(type);
  const auto values = static_cast<std::size_t>(count);
  if (kind == H5T_STRING && H5Tis_variable_str(type) > 0) {
    // they may all be one large text of the file, which the library copies for each
    if (values > kMostTexts) return result;
    std::vector<char*> texts(values, nullptr);
    const Handle memory(H5Tcopy(type), H5Tclose);
    if (H5Aread(attribute, memory, texts.data()) < 0) return result;
    for (const char* const text : texts)
      if (text) result.text += (result.text.empty() ? "" : " ") + textIn(text, kMostText);
    H5Dvlen_reclaim(memory, space, H5P_DEFAULT, texts.data());
  } else if (kind == H5T_STRING) {
    const std::size_t each = H5Tget_size(type);
    if (each == 0 || each > kMostAttributeBytes || values > kMostAttributeBytes / each) return result;
    std::vector<char> texts(each * values);
    if (H5Aread(attribute, type, texts.data()) < 0) return result;
    for (std::size_t n = 0; n < values; ++n) {
      std::string text = textIn(texts.data() + n * each, each);
      while (!text.empty() && text.back() == ' ') text.pop_back();
      result.text += (result.text.empty() ? "" : " ") + text;
    }
  } else if (kind == H5T_INTEGER || kind == H5T_FLOAT) {
    std::vector<double> numbers(values);
    if (H5Aread(attribute, H5T_NATIVE_DOUBLE, numbers.data()) < 0) return result;
    result.numbers.assign(numbers.begin(),
                          numbers.begin() + static_cast<std::ptrdiff_t>(std::min(values, kMostNumbers)));
    result.isDouble = kind == H5T_FLOAT && H5Tget_size(type) == 8;
    result.isReal = kind == H5T_FLOAT;
  }
  if (result.text.size() > kMostText) result.text.resize(kMostText);
  return result;
}

/// Whether the library can read every attribute of an object. It makes a table of them to visit them, and where one cannot be read it
/// frees what the table does not have yet, which ends the program; to look for one by name it only reads one after the other.
bool hasWholeAttributes(hid_t object) {
  static const std::string none(kNoName, '?');
  return H5Aexists(object, none.c_str()) >= 0;
}

std::vector<cf::Attribute> attributesOf(hid_t object, const std::string& path) {
  if (!hasWholeAttributes(object))
    throw Corrupt("HDF5 cannot read the attributes of " + (path.empty() ? "/" : printable(path)) + " (" +
                      lastError() + ")",
                  "the file is damaged: take another copy of it");
  std::vector<cf::Attribute> attributes;
  hsize_t next = 0;
  const auto add = [](hid_t at, const char* name, const H5A_info_t*, void* data) -> herr_t {
    auto& found = *static_cast<std::vector<cf::Attribute>*>(data);
    if (found.size() >= kMostAttributes) return 1;
    const Handle attribute(H5Aopen(at, name, H5P_DEFAULT), H5Aclose);
    if (attribute.isValid()) try {
        found.push_back(attributeOf(attribute, name));
      } catch (...) {
        return -1;
      }
    return 0;
  };
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, &next, add, &attributes);
  return attributes;
}

/// HDF5's filters as ours; sets `why` or leaves it to the library.
void takeFilters(hid_t creation, Dataset& data) {
  std::vector<chunks::Filter> filters;
  const int count = H5Pget_nfilters(creation);
  for (int n = 0; n < count; ++n) {
    unsigned flags = 0, config = 0, values[32]{};
    std::size_t valueCount = 32;
    char name[64]{};
    const H5Z_filter_t id = H5Pget_filter2(creation, static_cast<unsigned>(n), &flags, &valueCount, values,
                                           sizeof name, name, &config);
    const std::size_t element = valueCount > 0 ? values[0] : 1;
    switch (id) {
      case H5Z_FILTER_SHUFFLE:
        if (element < 1 || element > 64) throw Corrupt("its shuffle is of no number", "check the file");
        filters.push_back({FilterKind::Shuffle, static_cast<int>(element)});
        break;
      case H5Z_FILTER_DEFLATE:
        filters.push_back({FilterKind::Zlib});
        break;
      case H5Z_FILTER_FLETCHER32:
        filters.push_back({FilterKind::Fletcher32});
        break;
      case 32001:
        filters.push_back({FilterKind::Blosc});
        break;
      case 32004:
        filters.push_back({FilterKind::Lz4});
        break;
      case 32015:
        filters.push_back({FilterKind::Zstd});
        break;
      default:
        if (id > 0 && H5Zfilter_avail(id) > 0) {
          data.storage = Storage::Library;
          return;
        }
        data.why = "is filtered by " +
                   (name[0] ? textIn(name, sizeof name) : "HDF5's filter " + std::to_string(id)) +
                   ", which is not known here";
        return;
    }
  }
  try {
    data.filters = chunks::FilterChain(std::move(filters));
  } catch (const Unsupported&) {
    data.storage = Storage::Library;
  }
}

void takeStorage(hid_t id, hid_t type, Dataset& data) {
  const Handle creation(H5Dget_create_plist(id), H5Pclose);
  if (!creation.isValid()) {
    data.why = "cannot be read";
    return;
  }
  // The library would open them, wherever they are and whatever the layout: also for others, in a server.
  if (H5Pget_external_count(creation) != 0) {
    data.why = "has its numbers in other files";
    return;
  }
  const H5D_layout_t layout = H5Pget_layout(creation);
  // of chunks the library goes through all of its index for it, and in a damaged one around in circles
  if (layout != H5D_CHUNKED) data.storedBytes = H5Dget_storage_size(id);
  H5D_fill_value_t fill = H5D_FILL_VALUE_UNDEFINED;
  if (H5Pfill_value_defined(creation, &fill) >= 0 && fill == H5D_FILL_VALUE_USER_DEFINED) {
    data.fill.resize(static_cast<std::size_t>(arrays::bytesOf(data.type)));
    if (H5Pget_fill_value(creation, type, data.fill.data()) < 0) data.fill.clear();
  }
  if (layout == H5D_CHUNKED) {
    hsize_t chunks[H5S_MAX_RANK]{};
    if (H5Pget_chunk(creation, H5S_MAX_RANK, chunks) != static_cast<int>(data.dims.size())) {
      data.why = "has chunks of another rank";
      return;
    }
    if (std::find(chunks, chunks + data.dims.size(), hsize_t{0}) != chunks + data.dims.size()) {
      data.why = "has chunks without extent";
      return;
    }
    for (std::size_t d = 0; d < data.dims.size(); ++d)
      data.chunks.push_back(static_cast<std::int64_t>(std::min<hsize_t>(chunks[d], hsize_t{1} << 62)));
    data.storage = Storage::Chunks;
    unsigned options = 0;
    data.wholeChunksOnly =
        H5Pget_chunk_opts(creation, &options) >= 0 && (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
    takeFilters(creation, data);
  } else if (layout == H5D_CONTIGUOUS) {
    const haddr_t address = H5Dget_offset(id);
    data.storage = address == HADDR_UNDEF ? Storage::None : Storage::Row;
    data.offset = address == HADDR_UNDEF ? 0 : address;
  } else if (layout == H5D_COMPACT) {
    data.storage = Storage::Library;
    data.chunks = data.dims;
  } else {
    data.why = "is put together from other datasets";
  }
}

std::string versionText() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return "HDF5 " + std::to_string(major) + "." + std::to_string(minor);
}

class Lister {
 public:
  explicit Lister(File& file) : m_file(file) {}

  Contents list() {
    if (H5Ovisit2(m_file.id(), H5_INDEX_NAME, H5_ITER_NATIVE, visit, this, H5O_INFO_BASIC) < 0 && !m_error) {
      m_file.throwFailure();
      throw Corrupt("HDF5 cannot list it (" + lastError() + ")",
                    "check that the copy is complete (h5dump -H)");
    }
    if (m_error) std::rethrow_exception(m_error);
    m_file.throwFailure();
    for (std::size_t n = 0; n < m_contents.datasets.size(); ++n) findScales(m_contents.datasets[n]);
    return std::move(m_contents);
  }

 private:
  static herr_t visit(hid_t root, const char* name, const H5O_info_t* info, void* data) {
    auto& self = *static_cast<Lister*>(data);
    try {
      if (self.m_contents.groups.size() + self.m_contents.datasets.size() + self.m_contents.unopened.size() >=
          kMostObjects) {
        self.m_contents.all = false;
        return 1;
      }
      const bool isRoot = std::strcmp(name, ".") == 0;
      const std::string path = isRoot ? "" : "/" + std::string(name);
      const Handle object(H5Oopen(root, name, H5P_DEFAULT), H5Oclose);
      if (!object.isValid()) {
        // newer versions of the library write what older ones cannot open
        if (info->type == H5O_TYPE_DATASET)
          self.m_contents.unopened.push_back({path, versionText() + " cannot open (" + lastError() + ")"});
        return 0;
      }
      if (info->type == H5O_TYPE_GROUP) {
        self.m_contents.groups.push_back({path, attributesOf(object, path)});
      } else if (info->type == H5O_TYPE_DATASET) {
        self.m_byAddress[info->addr] = static_cast<std::int64_t>(self.m_contents.datasets.size());
        self.addDataset(object, path, info->addr);
      }
      return 0;
    } catch (...) {
      self.m_error = std::current_exception();
      return -1;
    }
  }

  void addDataset(hid_t id, const std::string& path, haddr_t address) {
    Dataset data;
    data.path = path;
    data.address = address;
    const Handle type(H5Dget_type(id), H5Tclose), space(H5Dget_space(id), H5Sclose);
    hsize_t dims[H5S_MAX_RANK]{}, most[H5S_MAX_RANK]{};
    const int rank = space.isValid() ? H5Sget_simple_extent_ndims(space) : -1;
    const bool hasTooMany = rank > static_cast<int>(kMostDims);
    if (!type.isValid() || rank < 0 || hasTooMany) {
      data.why = hasTooMany ? "has more than " + std::to_string(kMostDims) + " dimensions" : "cannot be read";
    } else {
      H5Sget_simple_extent_dims(space, dims, most);
      data.grows = rank > 0 && most[0] == H5S_UNLIMITED;
      data.hasFixedDims = std::equal(dims, dims + rank, most);
      for (int d = 0; d < rank; ++d)
        data.dims.push_back(static_cast<std::int64_t>(std::min<hsize_t>(dims[d], hsize_t{1} << 62)));
      takeType(id, type, data);
    }
    if (data.storage == Storage::Chunks) data.storedBytes = m_file.object()->size();
    data.attributes = attributesOf(id, path);
    if (const cf::Attribute* const kind = data.find("CLASS")) data.isScale = kind->text == "DIMENSION_SCALE";
    if (const cf::Attribute* const name = data.find("NAME"))
      data.onlyNames =
          data.isScale && name->text.starts_with("This is a netCDF dimension but not a netCDF variable");
    m_contents.datasets.push_back(std::move(data));
  }

  static void takeType(hid_t id, hid_t type, Dataset& data) {
    const H5T_class_t kind = H5Tget_class(type);
    // flags of Python are numbers with names
    const Handle base(kind == H5T_ENUM ? H5Tget_super(type) : H5Tcopy(type), H5Tclose);
    data.isText = kind == H5T_STRING;
    if (std::find(data.dims.begin(), data.dims.end(), 0) != data.dims.end()) {
      data.why = "has no numbers";
    } else if (data.isText) {
      takeLetters(id, type, data);
      data.why = "is text";
    } else if (!numberType(base, data.type, data.bigEndian)) {
      data.why = "has numbers of a kind that is not read";
    } else {
      takeStorage(id, base, data);
    }
  }

  static void takeLetters(hid_t id, hid_t type, Dataset& data) {
    if (H5Tis_variable_str(type) != 0 || H5Tget_size(type) != 1) return;
    data.type = arrays::NumberType::U8;
    takeStorage(id, type, data);
    data.isLetters = data.why.empty();
  }

  /// Which datasets give coordinates along its dimensions.
  void findScales(Dataset& data) {
    const cf::Attribute* const list = data.find("DIMENSION_LIST");
    if (!list || data.dims.empty()) return;
    const Handle dataset(H5Dopen2(m_file.id(), data.path.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle attribute(H5Aopen(dataset, "DIMENSION_LIST", H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
    if (!type.isValid() || !space.isValid() || H5Tget_class(type) != H5T_VLEN ||
        H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(data.dims.size()))
      return;
    const Handle element(H5Tget_super(type), H5Tclose);
    if (H5Tequal(element, H5T_STD_REF_OBJ) <= 0) return;
    std::vector<hvl_t> lists(data.dims.size());
    if (H5Aread(attribute, type, lists.data()) < 0) return;
    data.scales.assign(data.dims.size(), -1);
    for (std::size_t d = 0; d < lists.size(); ++d) {
      if (lists[d].len == 0 || !lists[d].p) continue;
      const Handle scale(H5Rdereference2(dataset, H5P_DEFAULT, H5R_OBJECT, lists[d].p), H5Oclose);
      H5O_info_t info;
      if (!scale.isValid() || H5Oget_info2(scale, &info, H5O_INFO_BASIC) < 0) continue;
      const auto found = m_byAddress.find(info.addr);
      if (found != m_byAddress.end()) data.scales[d] = found->second;
    }
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, lists.data());
  }

  File& m_file;
  Contents m_contents;
  std::map<haddr_t, std::int64_t> m_byAddress;
  std::exception_ptr m_error;
};

}  // namespace

const Group* Contents::group(const std::string& path) const {
  const auto found =
      std::find_if(groups.begin(), groups.end(), [&](const Group& its) { return its.path == path; });
  return found == groups.end() ? nullptr : &*found;
}

const Dataset* Contents::dataset(const std::string& path) const {
  const auto found =
      std::find_if(datasets.begin(), datasets.end(), [&](const Dataset& its) { return its.path == path; });
  return found == datasets.end() ? nullptr : &*found;
}

Contents contentsOf(File& file, MemoryAccount& account, MemoryClaim& claim) {
  if (Outside* const outside = file.outside()) {
    MemoryClaim all;
    const auto claimAnswer = [&](std::uint64_t bytes) {
      all.release();
      all = account.claimInEarnest(Purpose::Index, (1 + kDecodedTimes) * bytes,
                                   "the list of what a file holds");
    };
    if (const auto bytes = outside->look(LookJob(LookKind::Contents), *file.object(), {claimAnswer})) {
      Contents contents = decodedContents(*bytes);
      all.shrink(kDecodedTimes * bytes->size());
      claim = std::move(all);
      return contents;
    }
  }
  return contentsHere(file);
}

Contents contentsHere(File& file) {
  const Quiet quiet;
  const std::lock_guard lock(file.mutex());
  return Lister(file).list();
}

}  // namespace farfield::hdf5
