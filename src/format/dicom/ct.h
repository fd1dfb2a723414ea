// CT series: images of one series as a volume of HU.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "format/dicom/grid.h"

namespace sluice::dicom {

struct Slice {
    std::string file;
    Frame frame;
    Stored stored;
    double slope = 1, intercept = 0;  ///< HU = pixel * slope + intercept
};

/// The images of one series in the order of their places, along the direction that is square to
/// them.
struct CtSeries {
    std::vector<Slice> slices;
    double spacing = 0;            ///< mm between slices
    std::string patient_position;  ///< HFS, HFP, FFS or FFP; empty: not told
    std::string description, study_uid, series_uid, frame_of_reference;
};

/// Of a folder with one series, or of the file of one of its images. The pixels are not read.
Result<CtSeries> find_ct(std::string const& path);
/// HU as [z][y][x]. Fails before it takes any memory where `most_bytes` would be exceeded.
Result<Volume> load_ct(CtSeries const& series, std::uint64_t most_bytes);

/// One image for each dataset of CT class, without the order and the checks between them.
struct Image {
    Slice slice;
    std::string instance_uid, study_uid, series_uid, frame_of_reference, patient_position,
        description;
    double thickness = 0;  ///< mm; 0: not told
};
Result<Image> read_image(Dataset const& dataset, std::string const& file);
/// Orders them and checks that they are one volume.
Result<CtSeries> series_of(std::vector<Image> images);

}  // namespace sluice::dicom
