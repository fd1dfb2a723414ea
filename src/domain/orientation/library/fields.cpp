// The options of libraries, a line each.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/library/fields.h"

namespace sluice::stem4d {

config::Fields<LibraryOptions> library_fields() {
    using config::field;
    using O = LibraryOptions;
    static constexpr config::Field<O> all[] = {
        field<&O::kilovolts>("kilovolts", "of the electrons, in kV, as 200",
                             config::between(1, 10000))
            .called("--energy")
            .required(),
        field<&O::zone_step>("zone_step", "degrees between neighbouring zone axes",
                             config::between(0.2, 30)),
        field<&O::most_frequency>(
            "most_frequency",
            "reflections and disks up to so many 1/angstrom from the direct beam have a say",
            config::between(0.05, 4)),
        field<&O::excitation_sigma>(
            "excitation_sigma",
            "1/angstrom off Ewald's sphere at which an intensity has fallen to 61 %",
            config::between(1e-4, 0.2)),
        field<&O::precession_mrad>(
            "precession_mrad",
            "half angle of the cone of a precessing beam; 0: it does not precess",
            config::between(0, 100)),
        field<&O::match_width>(
            "match_width", "1/angstrom by which disks may miss their places in the coarse match",
            config::between(0.01, 0.5)),
        field<&O::radius_power>("radius_power",
                                "a disk weighs its distance from the direct beam to this power",
                                config::between(0, 4)),
        field<&O::intensity_power>("intensity_power", "a disk weighs its intensity to this power",
                                   config::between(0, 2)),
        field<&O::least_intensity>("least_intensity",
                                   "reflections below this part of a zone's strongest do not show",
                                   config::between(0, 0.5)),
    };
    return all;
}

}  // namespace sluice::stem4d
