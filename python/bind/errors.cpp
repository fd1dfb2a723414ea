// Errors of the library as Python's exceptions.
// SPDX-License-Identifier: Apache-2.0
#include "bind/errors.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace sluice::python {

nb::object exception_of(Error const& error) {
    constexpr char const* names[] = {"InvalidArgument", "NotFound",   "Unsupported", "Corrupt",
                                     "Truncated",       "Incomplete", "OutOfMemory", "IoError",
                                     "Cancelled",       "Unavailable"};
    nb::object const type =
        nb::module_::import_("sluice._errors").attr(names[static_cast<int>(error.code)]);
    return type(error.text(), error.file, error.at);
}

void raise(Error const& error) {
    nb::object const made = exception_of(error);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
    throw nb::python_error();
}

}  // namespace sluice::python
