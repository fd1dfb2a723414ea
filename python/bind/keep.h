// keep(): a Python object that C++ holds, whatever thread lets go of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

namespace sluice::python {

/// A reference to the object, seen as `value`, which it owns.
template <class T>
std::shared_ptr<T> keep(nanobind::object object, T* value) {
    std::shared_ptr<void> const held(object.release().ptr(), [](void* p) {
        if (!Py_IsInitialized()) return;
        nanobind::gil_scoped_acquire const on;
        Py_DECREF(static_cast<PyObject*>(p));
    });
    return {held, value};
}

}  // namespace sluice::python
