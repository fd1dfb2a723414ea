// Virtual images, centres of mass and patterns, each alone.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/stem4d.h"

namespace sluice::stem4d {

Result<VirtualImages> virtual_image(Scan const& scan, std::span<Detector const> detectors,
                                    Options const& options) {
    if (detectors.empty())
        return Error{Code::invalid_argument, "no detector given; try --detector bf"};
    SLUICE_TRY(Products p, products(scan, {.detectors = detectors}, options));
    return std::move(p.images);
}

Result<CenterOfMass> center_of_mass(Scan const& scan, std::optional<Detector> const& mask,
                                    Options const& options) {
    SLUICE_TRY(Products p, products(scan, {.center_of_mass = true, .within = mask}, options));
    return std::move(p.center_of_mass);
}

Result<DiffractionPattern> diffraction_pattern(Scan const& scan, Pattern kind,
                                               std::span<std::uint8_t const> take,
                                               Options const& options) {
    SLUICE_TRY(Products p, products(scan, {.patterns = {&kind, 1}, .take = take}, options));
    return std::move(p.patterns.front());
}

}  // namespace sluice::stem4d
