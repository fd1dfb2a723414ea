// The options of disks and templates, a line each.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/fields.h"

#include "domain/crystal/words.h"

namespace sluice::stem4d {

config::Fields<DiskOptions> disk_fields() {
    using config::field;
    using config::not_negative;
    using O = DiskOptions;
    static constexpr config::Field<O> all[] = {
        field<&O::mode>("mode", "how disks are fitted; automatic: by a sample of patterns")
            .called("--disk-mode"),
        field<&O::least_snr>(
            "least_snr", "signal to noise that a candidate needs in the correlation", not_negative),
        field<&O::least_score>("least_score",
                               "twice the gain in log-likelihood over no disk that a disk needs",
                               not_negative),
        field<&O::least_distance>("least_distance",
                                  "between two disks of a pattern, in pixels; 0: a radius",
                                  not_negative),
        field<&O::fit_radius>("fit_radius",
                              "how far from its centre pixels have a say about a disk; 0: by the "
                              "template and the nearest neighbours",
                              not_negative),
        field<&O::most_disks>("most_disks", "of a pattern", config::between(1, 1e6)),
        field<&O::bin>("bin", "of patterns before they are correlated, 1 or 2; 0: by the radius",
                       config::between(0, 2))
            .called("--search-bin"),
        field<&O::gain>(
            "gain",
            "values of a pixel for each count; 0: by the noise of a sample; 1: they are "
            "counts",
            not_negative),
        field<&O::read_noise>("read_noise",
                              "standard deviation that electronics add to a pixel, in values",
                              not_negative),
    };
    return all;
}

config::Fields<TemplateOptions> template_fields() {
    using config::field;
    using O = TemplateOptions;
    static constexpr config::Field<O> all[] = {
        field<&O::harmonics>("harmonics",
                             "of the template's edge beside the circle, from the second on",
                             config::between(0, 16)),
        field<&O::profile>("profile",
                           "fit the template's radial profile instead of an edge of one width")
            .called("--radial-profile"),
    };
    return all;
}

}  // namespace sluice::stem4d
