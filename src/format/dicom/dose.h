// RT doses: frames of one file as a volume of Gy.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/dicom/grid.h"

namespace sluice::dicom {

struct DoseFile {
    std::string file;
    Frame frame;  ///< of the frame that is first along `frame.direction[2]`
    Stored stored;
    index frames = 0;
    bool backwards = false;  ///< frames are stored against `frame.direction[2]`
    double spacing = 0;      ///< mm between frames
    double scaling = 0;      ///< Gy = pixel * scaling
    std::string type, summation, frame_of_reference, plan_uid;
};

Result<DoseFile> read_dose(Dataset const& dataset, std::string const& file);
Result<DoseFile> find_dose(std::string const& path);
/// Gy as [z][y][x]. Fails before it takes any memory where `most_bytes` would be exceeded.
Result<Volume> load_dose(DoseFile const& dose, std::uint64_t most_bytes);

}  // namespace sluice::dicom
