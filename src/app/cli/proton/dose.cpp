// Doses in the formats that the command line asks for.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/dose.h"

#include <fmt/format.h>

#include "base/version.h"
#include "sluice/save.h"

namespace sluice::cli {

std::vector<std::string> const& dose_formats() {
    static std::vector<std::string> const names = {"npy", "mhd", "mha", "nrrd"};
    return names;
}

Result<std::vector<std::string>> save_dose(std::string const& folder, DoseFiles const& how,
                                           proton::Config const& config,
                                           proton::MarchResult const& r, double protons,
                                           Provenance const& provenance) {
    Volume dose{dose_of(config, r, protons), {r.dx, r.dz}, {r.x0 + r.dx / 2, r.dz / 2}};
    // Some readers of MetaImage take no more than 255 characters.
    dose.content = fmt::format("dose, Gy mm a proton; sluice {} ({})", version, commit);
    if (!how.warned.empty()) dose.content += ("; warnings: " + how.warned).substr(0, 200);
    std::vector<std::string> names;
    for (std::string const& format : how.formats) {
        std::string const path = folder + "/dose." + format;
        if (format == "npy") SLUICE_CHECK(save_npy(path, dose.image));
        if (format == "nrrd") SLUICE_CHECK(save_nrrd(path, dose, provenance));
        if (format == "mhd" || format == "mha") SLUICE_CHECK(save_metaimage(path, dose));
        names.push_back("dose." + format);
        if (format == "mhd") names.emplace_back("dose.raw");
    }
    return names;
}

}  // namespace sluice::cli
