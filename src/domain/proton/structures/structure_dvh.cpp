// Samples of a dose and the parts of their boxes that lie in a structure.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/structures/finer.h"
#include "sluice/proton_structure_dvh.h"

namespace sluice::proton {
namespace {

// A histogram of whole elements has steps: each is a layer of them where the dose falls along an
// axis. With `samples_across` the smallest side a step is less than 2 % of the volume; with
// `least_along` an element the dose of a part is right to an eighth of it. Structures with more
// samples than `usual_samples` are so large that theirs are fine with fewer.
constexpr double samples_across = 80;
constexpr int least_along = 4, most_along = 32;
constexpr index usual_samples = index{1} << 23, most_samples = index{1} << 27;

// Elements that the structure reaches over, along the axis where these are fewest.
double fewest_elements(dicom::Stack const& stack, dicom::Grid const& grid) {
    dicom::Box const box = box_of(stack, cut(grid, box_of(stack, grid), most_along));
    index least = box.last[0] - box.first[0];
    for (std::size_t a = 1; a < 3; ++a) least = std::min(least, box.last[a] - box.first[a]);
    return static_cast<double>(least) / most_along;
}

Result<int> samples_for(dicom::Stack const& stack, dicom::Grid const& grid, dicom::Box const& box,
                        int wanted) {
    auto const count = [&](int n) { return box.elements() * n * n * n; };
    if (wanted > 0) {
        if (wanted > most_along || count(wanted) > most_samples)
            return Error{Code::invalid_argument,
                         fmt::format("{} samples along each axis of an element are too many (up to "
                                     "{}, and {} of all elements that the structure reaches over "
                                     "are allowed) give fewer, or 0",
                                     wanted, most_along, most_samples)};
        return wanted;
    }
    double const n = std::ceil(samples_across / std::max(fewest_elements(stack, grid), 1e-3));
    int samples = static_cast<int>(std::clamp(n, double{least_along}, double{most_along}));
    while (samples > 1 && count(samples) > usual_samples) --samples;
    return samples;
}

}  // namespace

Result<StructureDvh> structure_dvh(Volume const& dose, Structure const& structure,
                                   StructureDvhOptions const& options) {
    SLUICE_TRY(dicom::Grid const grid, dicom::grid_of(dose));
    SLUICE_TRY(dicom::Stack const stack, dicom::solid_of(structure));
    dicom::Box const box = box_of(stack, grid);
    StructureDvh out;
    out.volume_cm3 = volume_cm3(structure);
    auto const outside = [&] {
        return Error{Code::invalid_argument,
                     fmt::format("'{}' ({:.4g} cm3) lies outside of the dose; give the dose of "
                                 "this patient and plan, or another structure",
                                 structure.name, out.volume_cm3)};
    };
    if (box.empty()) return outside();
    SLUICE_TRY(out.samples, samples_for(stack, grid, box, options.samples));
    dicom::Grid const fine = cut(grid, box, out.samples);
    SLUICE_TRY(Array<float> const parts, parts_in(stack, fine));
    if (std::ranges::all_of(parts.values, [](float part) { return part == 0; })) return outside();
    std::vector<float> const doses = finer_doses(dose, box, out.samples);
    for (std::size_t i = 0; i < doses.size(); ++i)
        if (parts.values[i] > 0 && !std::isfinite(doses[i]))
            return Error{Code::invalid_argument,
                         fmt::format("the dose in '{}' has values that are not finite; give a dose "
                                     "without them",
                                     structure.name)};
    SLUICE_TRY(out.dvh, dvh(doses, parts.values));
    out.dvh.area /= static_cast<double>(out.samples) * out.samples * out.samples;
    constexpr double mm3_in_cm3 = 1000;
    out.inside_cm3 =
        out.dvh.area * grid.spacing[0] * grid.spacing[1] * grid.spacing[2] / mm3_in_cm3;
    return out;
}

}  // namespace sluice::proton
