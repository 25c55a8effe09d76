#include "core/paging/pages/inflate.h"

#ifdef FARFIELD_LIBDEFLATE
#include <libdeflate.h>

#include <memory>
#endif

namespace farfield::paging {

bool inflateAtOnce([[maybe_unused]] std::span<const std::byte> stored,
                   [[maybe_unused]] std::span<std::byte> out) noexcept {
#ifdef FARFIELD_LIBDEFLATE
  if (stored.size() < 2) return false;
  // 11 KB, which cost nothing beside a page; kept nowhere, because a task may go on in another thread
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> work(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (!work) return false;
  const bool gzip = stored[0] == std::byte{0x1f} && stored[1] == std::byte{0x8b};
  const auto unpack = gzip ? libdeflate_gzip_decompress_ex : libdeflate_zlib_decompress_ex;
  std::size_t read = 0, written = 0;
  return unpack(work.get(), stored.data(), stored.size(), out.data(), out.size(), &read, &written) ==
             LIBDEFLATE_SUCCESS &&
         read == stored.size() && written == out.size();
#else
  return false;
#endif
}

}  // namespace farfield::paging
