// Watcher: what a reconstruction shows to a callable of Python.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <exception>

#include "sluice/ptychography.h"

namespace sluice::python {

namespace nb = nanobind;

class Watcher {
  public:
    explicit Watcher(nb::handle callable) : callable_(callable) {}

    /// Lets the callable look after every iteration of `options`, if there is one.
    void attach(stem4d::PtychographyOptions& options);
    /// Raises what the callable raised. Needs the GIL.
    void rethrow();

  private:
    void look(stem4d::PtychographyView const& view);

    nb::handle callable_;
    std::exception_ptr raised_ = {};
};

void add_ptychography_view(nb::module_& m);

}  // namespace sluice::python
