// Errors of the library as Python's exceptions: one class per code, with the same message.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <utility>

#include "sluice/result.h"

namespace sluice::python {

namespace nb = nanobind;

/// The exception of sluice/_errors.py that stands for the error. Needs the GIL.
nb::object exception_of(Error const& error);
/// Raises the class of sluice/_errors.py that stands for the error's code. Needs the GIL.
[[noreturn]] void raise(Error const& error);

/// The value, or the exception.
template <class T>
T unwrap(Result<T> result) {
    if (!result) raise(result.error());
    return *std::move(result);
}
inline void unwrap(Status const& status) {
    if (!status) raise(status.error());
}

}  // namespace sluice::python
