// _core: the compiled part of the package `sluice`; each other file here adds what one header has.
// SPDX-License-Identifier: Apache-2.0
#include "bind/core.h"

#include "base/version.h"

NB_MODULE(_core, m) {
    namespace nb = nanobind;
    m.attr("__version__") = nb::str(sluice::version.data(), sluice::version.size());
    m.attr("__commit__") = nb::str(sluice::commit.data(), sluice::commit.size());
    sluice::python::add_dataset(m);
    sluice::python::add_scan(m);
    sluice::python::add_slide(m);
    sluice::python::add_stem4d(m);
    sluice::python::add_live(m);
    sluice::python::add_save(m);
    sluice::python::add_proton(m);
    sluice::python::add_music(m);
    sluice::python::add_doctor(m);
    sluice::python::add_view(m);
    sluice::python::add_options(m);
}
