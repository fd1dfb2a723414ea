// The tables of a march's options: keys of TOML files, and options of the command line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/proton_base_data.h"
#include "sluice/proton_batch.h"
#include "sluice/proton_config.h"
#include "sluice/proton_rbe.h"
#include "sluice/proton_structure_dvh.h"

namespace sluice::proton {

/// Of [grid]: how far apart planes and columns are.
config::Fields<Phantom> cell_fields();
/// Of [grid]: the steps of the march.
config::Fields<MarchOptions> step_fields();
/// Of [physics].
config::Fields<MarchOptions> physics_fields();
config::Fields<Config> water_fields();
/// Of [dense].
config::Fields<DenseOptions> dense_fields();
/// Of `proton base-data`.
config::Fields<BaseDataOptions> base_data_fields();
/// Of `proton batch`.
config::Fields<BatchOptions> batch_fields();
/// Of `proton rbe`.
config::Fields<RbeOptions> rbe_fields();
/// Of `proton dvh` with contours.
config::Fields<StructureDvhOptions> structure_dvh_fields();

}  // namespace sluice::proton
