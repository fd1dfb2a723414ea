// Dose volume histograms as tables, JSON and a picture.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/proton/picture_option.h"
#include "app/cli/shell/outputs.h"
#include "sluice/proton_structure_dvh.h"

namespace sluice::cli {

struct NamedDvh {
    std::string name;
    proton::StructureDvh of = {};
    bool solid = false;  ///< of contours, with volumes in cm3; else of a mask of pixels
    std::string type = {};

    proton::Dvh const& dvh() const { return of.dvh; }
};

/// What all of a report share.
struct DvhReport {
    std::string dose, unit = "Gy";
    double factor = 1;
    std::vector<double> at = {20};
    std::vector<NamedDvh> all = {};
    std::string structures = {};             ///< the file of contours, if they are of one
    std::optional<bool> same_coordinates{};  ///< false: a file does not tell its own
    std::vector<std::pair<std::string, std::string>> left_out = {};  ///< names and reasons
};

Json to_json(DvhReport const& r);
void print(DvhReport const& r);
/// dvh.csv, dvh.json and the picture.
Status save_dvh(std::string const& folder, DvhReport const& r, PictureOption const& pictures);

}  // namespace sluice::cli
