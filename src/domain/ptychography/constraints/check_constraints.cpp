// The ranges of the constraints' numbers, and what they need to know.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/constraints/check_constraints.h"

#include <fmt/format.h>

#include <cmath>

#include "domain/ptychography/wrong.h"

namespace sluice::ptycho {

namespace {

struct Range {
    char const* name;
    double value, most;
    char const* why;
};

}  // namespace

Status check_constraints(stem4d::Patterns const& patterns,
                         stem4d::PtychographyOptions const& options,
                         stem4d::PtychographyStage const& stage) {
    for (Range const& r :
         {Range{"tv_weight", stage.tv_weight, 10, "more would erase the object"},
          Range{"tikhonov", stage.tikhonov, 0.125, "more would change the sign of fine waves"},
          Range{"slice_blur", stage.slice_blur, 1000, "it is in slices"},
          Range{"object_support", stage.object_support, 0.5,
                "it is a part of the largest illumination"},
          Range{"positive_phase", stage.positive_phase, 0.5, "it is a part of the lit pixels"},
          Range{"probe_support", stage.probe_support, 1, "it is a part of the window"},
          Range{"probe_aperture_mrad", stage.probe_aperture_mrad, 1000, "it is an angle"}})
        if (!(r.value >= 0 && r.value <= r.most))
            return wrong(fmt::format("{} is {} ({}) take 0 to {}", r.name, r.value, r.why, r.most));
    if (stage.tv_every < 1 || stage.tv_steps < 1)
        return wrong("tv_every and tv_steps must be whole numbers of at least 1");
    if (stage.slice_blur > 0 && options.slices < 2)
        return wrong(
            "slice_blur needs several slices (the object has one) leave it out or give more "
            "slices");
    if (stage.probe_support > 0 && stage.probe_support < 0.05)
        return wrong(
            fmt::format("probe_support is {} (so small a probe has too few pixels) "
                        "take 0.05 or more, such as 0.45",
                        stage.probe_support));
    if (stage.probe_aperture_mrad > 0) {
        if (!(patterns.wavelength_nm > 0 && patterns.pixel_nm > 0))
            return wrong(
                "probe_aperture_mrad needs the wavelength and the pixel's size (they give the mrad "
                "of a pattern's pixel) give both in nm");
        double const widest = 500 * patterns.wavelength_nm / patterns.pixel_nm;
        if (stage.probe_aperture_mrad >= widest)
            return wrong(
                fmt::format("probe_aperture_mrad is {} and patterns reach {:.3g} mrad "
                            "(the beam must lie inside) check both",
                            stage.probe_aperture_mrad, widest));
    }
    return {};
}

std::vector<std::string> notes_of_constraints(stem4d::PtychographyOptions const& options) {
    std::vector<std::string> notes;
    for (std::size_t s = 0; s < options.stages.size(); ++s) {
        auto const& stage = options.stages[s];
        if (stage.moduli == stem4d::PtychographyStage::Moduli::at_most_one && stage.probe_power &&
            !stage.fix_object && !stage.fix_probe)
            notes.push_back(
                fmt::format("stage {}: the probe's power is free, since moduli of at most 1 "
                            "already fix how object and probe share it",
                            s + 1));
    }
    return notes;
}

}  // namespace sluice::ptycho
