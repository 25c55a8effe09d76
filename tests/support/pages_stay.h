#pragma once
// Whether pages stay in memory as long as there is room for them: the bytes that a run reads are those
// foretold only then.

namespace farfield::test {

#ifdef FARFIELD_HOSTILE
constexpr bool kPagesStay = false;
#else
constexpr bool kPagesStay = true;
#endif

}  // namespace farfield::test
