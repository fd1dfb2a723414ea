// The parts of the module _core, a file each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace sluice::python {

void add_dataset(nanobind::module_& m);
void add_scan(nanobind::module_& m);
void add_slide(nanobind::module_& m);
void add_stem4d(nanobind::module_& m);
void add_phase(nanobind::module_& m);
void add_fold(nanobind::module_& m);
void add_bragg_vectors(nanobind::module_& m);
void add_calibration(nanobind::module_& m);
void add_crystal(nanobind::module_& m);
void add_orientation(nanobind::module_& m);
void add_orientation_maps(nanobind::module_& m);
void add_analyze(nanobind::module_& m);
void add_live(nanobind::module_& m);
void add_ptychography(nanobind::module_& m);
void add_ptychography_judge(nanobind::module_& m);
void add_save(nanobind::module_& m);
void add_proton(nanobind::module_& m);
void add_music(nanobind::module_& m);
void add_doctor(nanobind::module_& m);
void add_view(nanobind::module_& m);
void add_options(nanobind::module_& m);

}  // namespace sluice::python
