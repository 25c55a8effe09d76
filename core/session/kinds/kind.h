#pragma once
// What a kind of object is made of. Each has a folder here, beside this file, with
//
//   KIND_shape.h, .cpp    what the document says of it: a plain value, its keys, how they are read and written
//   KIND_run.h, .cpp      how it is computed (core/session/run/object_run.h)
//
// and a line in shapes.h, the list of all kinds. Files ending in _shape belong to core/session, as far as includes and
// linking go, all others to core/session/run. The shape is a struct with
//
//   static constexpr const char* kType      its name in documents
//   bool operator==                         defaulted
//   static constexpr Engine kEngine         where its engine is not Engine::Cpu by default
//   void forgetLooks()                      where some of it changes what is shown and not what is computed
//
// and these functions, which are found by its type:
//
//   void readKeys(const detail::View& view, Shape& out)        checks the keys, too (detail::checkKeys)
//   void writeKeys(detail::Keys& out, const Shape& shape)      without those that have their default
//   std::unique_ptr<ObjectRun> makeRun(const Shape& shape, const Object& object,
//                                      const paging::DatasetDescription& description)
//
// A kind that has no makeRun is read and written, and refused when it is to be computed.

namespace farfield::paging {
struct DatasetDescription;
}

namespace farfield::session {

struct Object;
class ObjectRun;

namespace detail {
class View;
class Keys;
}  // namespace detail

}  // namespace farfield::session
