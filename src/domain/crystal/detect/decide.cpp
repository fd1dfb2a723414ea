// Decides the options of detection that depend on the template alone.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/decide.h"

#include <fmt/format.h>

#include <cmath>

#include "domain/crystal/probe/tables.h"

namespace sluice::crystal {
namespace {

using stem4d::DiskMode;
using stem4d::DiskOptions;
using stem4d::ProbeTemplate;

// Tables of larger crops would take more than 60 MB.
constexpr index largest_crop = 256;

Error wrong(std::string message) {
    return {Code::invalid_argument, std::move(message)};
}

Status check(DiskOptions const& o) {
    for (auto const& [name, value] : {std::pair{"least_snr", o.least_snr},
                                      {"least_score", o.least_score},
                                      {"least_distance", o.least_distance},
                                      {"fit_radius", o.fit_radius},
                                      {"gain", o.gain},
                                      {"read_noise", o.read_noise}})
        if (!std::isfinite(value) || value < 0)
            return wrong(
                fmt::format("{} is {} (it is a size) give a finite number from 0 on", name, value));
    if (o.most_disks < 1)
        return wrong(fmt::format("most_disks is {} (it counts those of a pattern) give 1 or more",
                                 o.most_disks));
    if (o.bin < 0 || o.bin > 2)
        return wrong(
            fmt::format("bin is {} (patterns are binned by 1 or 2) give one of these, or "
                        "0 to have it decided",
                        o.bin));
    return {};
}

Status check(ProbeTemplate const& probe) {
    bool finite = std::isfinite(probe.radius) && std::isfinite(probe.edge_width) &&
                  std::isfinite(probe.profile_step);
    for (double v : probe.profile) finite = finite && std::isfinite(v);
    for (auto const& h : probe.harmonics)
        finite = finite && std::isfinite(h[0]) && std::isfinite(h[1]);
    if (finite && probe.radius > 0 && probe.edge_width > 0 && probe.profile_step > 0) return {};
    return wrong(
        "the template has a length that is not above 0 and finite (it describes a disk) "
        "make it by synthetic_template() or fit_template()");
}

}  // namespace

Result<DiskOptions> decided(DiskOptions o, ProbeTemplate const& probe, double detector_bin,
                            std::vector<std::string>* why) {
    auto const say = [&](std::string sentence) {
        if (why) why->push_back(std::move(sentence));
    };
    SLUICE_CHECK(check(o));
    SLUICE_CHECK(check(probe));
    double const radius = probe.radius / detector_bin;
    if (o.bin == 0) {
        o.bin = radius >= 5 ? 2 : 1;
        say(o.bin == 2 ? fmt::format("Patterns are binned 2x2 before they are correlated, since a "
                                     "disk's radius of {:.1f} pixels allows it.",
                                     radius)
                       : fmt::format("Patterns are not binned before they are correlated, since "
                                     "a disk's radius is {:.1f} pixels only.",
                                     radius));
    }
    if (o.gain == 0) o.gain = 1;
    if (o.mode == DiskMode::automatic) o.mode = DiskMode::isolated;
    if (o.least_distance == 0) {
        bool const split = o.mode == DiskMode::fringes;
        o.least_distance = probe.radius * (split ? 2 : 1);
        say(fmt::format("Two disks are at least {:.1f} px apart, which is a {}.", o.least_distance,
                        split ? "diameter: fringes split disks into several maxima" : "radius"));
    }
    if (o.fit_radius == 0) {
        o.fit_radius =
            std::max(probe.radius + 3.9 * detector_bin, probe.reach() + 2.2 * detector_bin);
        say(fmt::format("A disk is fitted to the pixels within {:.1f} px of its centre.",
                        o.fit_radius));
    }
    if (o.fit_radius <= probe.radius)
        return wrong(
            fmt::format("fit_radius is {:g} px (a disk has the radius {:g} px) give more, "
                        "so that the edge and some background are seen",
                        o.fit_radius, probe.radius));
    if (crop_side(o.fit_radius / detector_bin) > largest_crop)
        return wrong(
            fmt::format("cannot fit disks of radius {:.0f} pixels (crops would have more "
                        "than {} pixels a side) bin the detector when the scan is loaded",
                        radius, largest_crop));
    return o;
}

}  // namespace sluice::crystal
