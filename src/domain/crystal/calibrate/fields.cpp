// The tables of OriginOptions, OriginFitOptions and SizeOptions.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/calibrate/fields.h"

#include "domain/crystal/calibrate/words.h"

namespace sluice::stem4d {
namespace {

using config::field;

constexpr config::Field<OriginOptions> of_origins[] = {
    field<&OriginOptions::method>(
        "method",
        "the brightest disk, the middle of pairs of disks on opposite sides, or the centre of mass "
        "in a window that follows it, of a scan")
        .called("--origin-method"),
    field<&OriginOptions::radius>(
        "radius",
        "px about the expected origin within which it is looked for; 0: half the usual distance of "
        "neighbouring disks, and of centres of mass 1.5 radii of the disk",
        config::not_negative)
        .called("--origin-radius"),
};

constexpr config::Field<OriginFitOptions> of_surfaces[] = {
    field<&OriginFitOptions::surface>("surface", "of origins over the scan"),
    field<&OriginFitOptions::order>("order", "of a surface that is bezier", config::between(1, 6))
        .called("--surface-order"),
    field<&OriginFitOptions::cut>("cut",
                                  "robust standard deviations from which on an origin has no say",
                                  config::between(2, 1000))
        .called("--origin-cut"),
};

constexpr config::Field<SizeOptions> of_sizes[] = {
    field<&SizeOptions::distortion>("distortion", "what is fitted beside the pixel size"),
    field<&SizeOptions::stated>(
        "stated", "pixel size in 1/ångström that the measured one is compared with; 0: the scan's",
        config::not_negative)
        .called("--stated-pixel-size"),
    field<&SizeOptions::tolerance>(
        "tolerance", "of distortion and strain: what misses the crystal by more does not match",
        config::between(1e-6, 0.3))
        .called("--shape-tolerance"),
    field<&SizeOptions::most_zone>("most_zone", "largest index of the zone axes that are tried",
                                   config::between(1, 8)),
};

constexpr config::Field<CalibrateOptions> of_all[] = {
    field<&CalibrateOptions::pattern>("pattern",
                                      "what the patterns show: one crystal's lattice, or rings"),
};

}  // namespace

config::Fields<CalibrateOptions> calibrate_fields() {
    return of_all;
}
config::Fields<OriginOptions> origin_fields() {
    return of_origins;
}
config::Fields<OriginFitOptions> origin_fit_fields() {
    return of_surfaces;
}
config::Fields<SizeOptions> size_fields() {
    return of_sizes;
}

}  // namespace sluice::stem4d
