// The master file in both layouts, and the microscope's companion file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/nxmx/writer_data.h"

namespace sluice::nxmx {

/// Fills in a master file for these data files.
void write_master(H5Writer& h5, Acquisition const& acquisition, std::vector<DataPlan> const& data);

/// What every master begins with.
void write_root(H5Writer& h5);
/// Link `number`, from 1, to a data file beside the master.
void write_link(H5Writer& h5, std::size_t number, std::string const& file);

/// Fills in "STEM Metadata", from which readers learn the scan's shape.
void write_companion(H5Writer& h5, Acquisition const& acquisition);

}  // namespace sluice::nxmx
