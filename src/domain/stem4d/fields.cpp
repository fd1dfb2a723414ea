// The options of virtual images, patterns and centres of mass, a line each.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/fields.h"

#include "domain/stem4d/words.h"

namespace sluice::stem4d {
namespace {

using config::field;

Status read_detectors(config::Shown const& /*shown*/, std::string_view text,
                      std::vector<std::string>& out) {
    // Detectors have commas of their own.
    return config::read_list(
        text, out,
        [](std::string_view one, std::string& to) -> Status {
            to = one;
            return {};
        },
        '\n');
}

std::string detectors_text(std::vector<std::string> const& detectors) {
    return config::list_text(
        detectors, [](std::string const& one) { return one; }, '\n');
}

}  // namespace

config::Fields<ImagesWish> images_fields() {
    static constexpr config::Field<ImagesWish> all[] = {
        config::custom_field<&ImagesWish::detectors, read_detectors, detectors_text>(
            "detector",
            "bf, abf, adf, haadf, adf:60..200mrad, disk:r=20, annulus:r=40..90, ...; any number, "
            "one pass")
            .listed('\n'),
        field<&ImagesWish::mean>(
            "mean",
            "divide by the number of valid pixels of the detector (of weights: those not 0); "
            "full, unbinned pixels, whatever --det-bin is"),
    };
    return all;
}

config::Fields<PatternsWish> patterns_fields() {
    static constexpr config::Field<PatternsWish> all[] = {
        field<&PatternsWish::kinds>("kind", "over the points; several with commas"),
        field<&PatternsWish::at>("at", "one scan point, ROW:COL of the full scan"),
        field<&PatternsWish::where>("where", "NPY file of the full scan's shape: not 0 takes part"),
    };
    return all;
}

config::Fields<MomentsWish> moments_fields() {
    static constexpr config::Field<MomentsWish> all[] = {
        field<&MomentsWish::within>(
            "within",
            "take it over this detector only, as in disk:r=40, in pixels of the full, unbinned "
            "detector, or disk:r=20mrad [everything]"),
    };
    return all;
}

config::Fields<PhaseWish> phase_fields() {
    static constexpr config::Field<PhaseWish> all[] = {
        field<&PhaseWish::rotation>(
            "rotation",
            "of the detector against the scan: auto finds it, DEGREES or DEGREES,transpose give "
            "it, file takes what the file says; adds the turned field, divergence, curl and icom "
            "[file, where it says one, else none]"),
        field<&PhaseWish::periodic>(
            "periodic",
            "the scan repeats at its edges: icom is exact there; without it nothing is assumed "
            "beyond the edges"),
        field<&PhaseWish::descan>(
            "descan",
            "what is subtracted before: mean, or plane, the part that is linear in the scan "
            "position [mean]"),
    };
    return all;
}

config::Fields<ReferencesWish> reference_fields() {
    static constexpr config::Field<ReferencesWish> all[] = {
        field<&ReferencesWish::dark>(
            "dark", "NPY file of the full detector's shape, subtracted from each pixel's value"),
        field<&ReferencesWish::gain>(
            "gain", "NPY file of that shape, which multiplies what is left; 0 leaves a pixel out"),
    };
    return all;
}

}  // namespace sluice::stem4d
