#include "core/paging/pages/shuffle.h"

#include <cassert>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace farfield::paging {
namespace {

#ifdef __SSE2__

constexpr std::size_t kVectorElements = 16;

/// Separates the bytes of N vectors (16 elements of N bytes) into N planes of 16 bytes: even from odd bytes,
/// then the same within each half. `plane` and `stride` say which bytes of the element `vectors` still holds.
template <int N>
void split(const __m128i* vectors, __m128i* planes, int plane, int stride) {
  if constexpr (N == 1) {
    planes[plane] = vectors[0];
  } else {
    const __m128i low = _mm_set1_epi16(0x00ff);
    __m128i even[N / 2], odd[N / 2];
    for (int n = 0; n < N / 2; ++n) {
      const __m128i a = vectors[2 * n], b = vectors[2 * n + 1];
      even[n] = _mm_packus_epi16(_mm_and_si128(a, low), _mm_and_si128(b, low));
      odd[n] = _mm_packus_epi16(_mm_srli_epi16(a, 8), _mm_srli_epi16(b, 8));
    }
    split<N / 2>(even, planes, plane, 2 * stride);
    split<N / 2>(odd, planes, plane + stride, 2 * stride);
  }
}

/// The inverse of split().
template <int N>
void join(const __m128i* planes, __m128i* vectors, int plane, int stride) {
  if constexpr (N == 1) {
    vectors[0] = planes[plane];
  } else {
    __m128i even[N / 2], odd[N / 2];
    join<N / 2>(planes, even, plane, 2 * stride);
    join<N / 2>(planes, odd, plane + stride, 2 * stride);
    for (int n = 0; n < N / 2; ++n) {
      vectors[2 * n] = _mm_unpacklo_epi8(even[n], odd[n]);
      vectors[2 * n + 1] = _mm_unpackhi_epi8(even[n], odd[n]);
    }
  }
}

/// Shuffles as many elements as fill whole vectors; returns how many.
template <int N>
std::size_t shuffleVectors(const std::byte* from, std::byte* to, std::size_t elements) {
  std::size_t done = 0;
  for (; done + kVectorElements <= elements; done += kVectorElements) {
    __m128i vectors[N], planes[N];
    for (int n = 0; n < N; ++n)
      vectors[n] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + done * N + std::size_t(n) * 16));
    split<N>(vectors, planes, 0, 1);
    for (int n = 0; n < N; ++n)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + std::size_t(n) * elements + done), planes[n]);
  }
  return done;
}

template <int N>
std::size_t unshuffleVectors(const std::byte* from, std::byte* to, std::size_t elements) {
  std::size_t done = 0;
  for (; done + kVectorElements <= elements; done += kVectorElements) {
    __m128i vectors[N], planes[N];
    for (int n = 0; n < N; ++n)
      planes[n] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + std::size_t(n) * elements + done));
    join<N>(planes, vectors, 0, 1);
    for (int n = 0; n < N; ++n)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + done * N + std::size_t(n) * 16), vectors[n]);
  }
  return done;
}

#else

template <int N>
std::size_t shuffleVectors(const std::byte*, std::byte*, std::size_t) {
  return 0;
}
template <int N>
std::size_t unshuffleVectors(const std::byte*, std::byte*, std::size_t) {
  return 0;
}

#endif

enum class Way { Apart, Together };

template <Way kWay, int N>
std::size_t moveVectors(const std::byte* from, std::byte* to, std::size_t elements) {
  if constexpr (kWay == Way::Apart)
    return shuffleVectors<N>(from, to, elements);
  else
    return unshuffleVectors<N>(from, to, elements);
}

template <Way kWay>
void rearrange(int elementBytes, std::span<const std::byte> from, std::span<std::byte> to) {
  assert(elementBytes >= 1 && from.size() == to.size());
  if (from.empty()) return;
  const std::size_t width = static_cast<std::size_t>(elementBytes), elements = from.size() / width;
  std::size_t done = 0;
  switch (width) {
    case 1:
      std::memcpy(to.data(), from.data(), from.size());
      return;
    case 2:
      done = moveVectors<kWay, 2>(from.data(), to.data(), elements);
      break;
    case 4:
      done = moveVectors<kWay, 4>(from.data(), to.data(), elements);
      break;
    case 8:
      done = moveVectors<kWay, 8>(from.data(), to.data(), elements);
      break;
    default:
      break;
  }
  for (std::size_t b = 0; b < width; ++b)
    for (std::size_t n = done; n < elements; ++n) {
      const std::size_t apart = b * elements + n, together = n * width + b;
      if constexpr (kWay == Way::Apart)
        to[apart] = from[together];
      else
        to[together] = from[apart];
    }
  for (std::size_t n = elements * width; n < from.size(); ++n) to[n] = from[n];
}

}  // namespace

void shuffle(int elementBytes, std::span<const std::byte> from, std::span<std::byte> to) {
  rearrange<Way::Apart>(elementBytes, from, to);
}

void unshuffle(int elementBytes, std::span<const std::byte> from, std::span<std::byte> to) {
  rearrange<Way::Together>(elementBytes, from, to);
}

}  // namespace farfield::paging
