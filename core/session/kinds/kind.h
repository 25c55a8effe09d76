#pragma once
// What makes up a kind of object. Each has a folder beside this file, with
//
//   KIND_shape.h, .cpp    what the document says: a plain value, its keys, how they are read and written
//   KIND_run.h, .cpp      how it is computed (core/session/run/object_run.h)
//
// and a line in shapes.h, the list of all kinds. For includes and linking, files ending in _shape belong to
// core/session, all others to core/session/run. The shape is a struct with
//
//   static constexpr const char* kType      its name in documents
//   bool operator==                         defaulted
//   static constexpr Engine kEngine         if its default engine is not Engine::Cpu
//   void forgetLooks()                      if some keys change only how it is drawn, not what is computed
//
// and these functions, which are found by its type:
//
//   void readKeys(const detail::View& view, Shape& out)        also checks the keys (detail::checkKeys)
//   void writeKeys(detail::Keys& out, const Shape& shape)      leaves out keys that have their default
//   std::unique_ptr<ObjectRun> makeRun(const Shape& shape, const Object& object,
//                                      const paging::DatasetDescription& description)
//
// A kind without makeRun is read and written; running it is refused.

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
