// DICOM files for tests: one image of a CT, and files out of datasets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "format/dicom/dataset.h"

namespace sluice::dicom {

/// Sets or replaces a value.
void set(Dataset& d, Tag tag, std::string text);
void set(Dataset& d, Tag tag, std::vector<double> numbers);
void set(Dataset& d, Tag tag, std::vector<Dataset> items);
void remove(Dataset& d, Tag tag);

/// An image of 4 columns and 3 rows, 2 mm and 1.5 mm apart, at `z`; signed 16 bits, HU = pixel * 2
/// - 1000.
Dataset ct_dataset(double z, std::string const& series = "1.2.3");

/// Writes a dataset with pixels of 16 bits, an even number.
void write_file(std::string const& path, Dataset const& d,
                std::vector<std::int16_t> const& pixels = {});

}  // namespace sluice::dicom
