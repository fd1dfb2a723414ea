// Errors of the library as Python's exceptions.
// SPDX-License-Identifier: Apache-2.0
#include "bind/errors.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace sluice::python {

void raise(Error const& error) {
    constexpr char const* names[] = {"InvalidArgument", "NotFound",   "Unsupported", "Corrupt",
                                     "Truncated",       "Incomplete", "OutOfMemory", "IoError",
                                     "Cancelled",       "Unavailable"};
    nb::object const type =
        nb::module_::import_("sluice._errors").attr(names[static_cast<int>(error.code)]);
    nb::object const made = type(error.text(), error.file, error.at);
    PyErr_SetObject(type.ptr(), made.ptr());
    throw nb::python_error();
}

}  // namespace sluice::python
