// The options of matches, a line each.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/fields.h"

namespace sluice::stem4d {

config::Fields<MatchOptions> match_fields() {
    using config::between;
    using config::field;
    using O = MatchOptions;
    static constexpr config::Field<O> all[] = {
        field<&O::least_disks>("least_disks",
                               "patterns with fewer, but for the direct beam, are not indexed",
                               config::Bounds{.least = 3}),
        field<&O::grains>("grains", "crystals that may overlap in a pattern, at most",
                          between(1, 8)),
        field<&O::exhaustive>("exhaustive",
                              "look at all zones, not only where a coarse search finds something"),
        field<&O::refine>("refine", "keep the zones and azimuths of the library"),
        field<&O::candidates>("candidates",
                              "orientations of a pattern that are refined and compared",
                              between(1, 16)),
        field<&O::tolerance>("tolerance", "1/angstrom within which a disk is a reflection's",
                             between(0.001, 0.2))
            .called("--match-tolerance"),
        field<&O::place_error>(
            "place_error",
            "1/angstrom that places miss theory by, beside their own errors; 0: measured",
            between(0, 0.1)),
        field<&O::intensity_error>(
            "intensity_error",
            "part that roots of intensities miss theory by, beside their own errors; 0: measured",
            between(0, 10)),
        field<&O::fit_sigma>("fit_sigma",
                             "1/angstrom over which intensities fall off Ewald's sphere, in the "
                             "fit; 0: measured",
                             between(0, 0.2)),
        field<&O::least_probability>(
            "least_probability", "probability of being right below which a match is not indexed",
            between(0, 1)),
    };
    return all;
}

}  // namespace sluice::stem4d
