// [ct]: its keys and files.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/ct.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "domain/proton/config/phantom_fields.h"
#include "sluice/load_volume.h"

namespace sluice::proton {
namespace {

Status check_tables(Table const& t, CtKeys const& k, Ct::Quantity quantity) {
    if (quantity == Ct::Quantity::hu || (k.table.empty() && k.density_table.empty())) return {};
    return t.error(
        fmt::format("ct.table and ct.density_table are for HU; an image of {} "
                    "needs none",
                    config::word_of(quantity)));
}

// One for all axes, or one each.
Status complete_spacing(Table const& t, CtKeys const& k, Volume& v) {
    std::size_t const axes = v.image.shape.size();
    if (v.spacing.empty() && k.spacing.empty())
        return t.error(
            fmt::format("{} does not state its spacing; give ct.spacing, as in "
                        "spacing = \"1 mm\"",
                        k.image));
    if (!v.spacing.empty() && !k.spacing.empty())
        return t.error(fmt::format("{} has a spacing of its own ({} mm); leave ct.spacing out",
                                   k.image, fmt::join(v.spacing, " x ")));
    if (v.spacing.empty()) v.spacing = k.spacing;
    if (v.spacing.size() == 1) v.spacing.resize(axes, v.spacing[0]);
    if (v.spacing.size() != axes)
        return t.error(fmt::format("{} spacings for an image of {} axes", v.spacing.size(), axes));
    for (double const s : v.spacing)
        if (!(s > 0 && s < 1e6))
            return t.error(fmt::format("pixels of {} mm; give a spacing above 0", s));
    return {};
}

// As HU, an image of stopping powers or densities would be water everywhere. Most of its pixels
// tell: a few may be metal, or below 0 after it was resampled.
Status check_untold(Table const& t, Ct const& ct) {
    auto const& values = ct.plane.values;
    auto const [least, most] = std::minmax_element(values.begin(), values.end());
    auto const small = std::ranges::count_if(values, [](double v) { return v > -1 && v <= 30; });
    double const part = static_cast<double>(small) / static_cast<double>(values.size());
    constexpr double bulk = 0.9, air = -200;
    if (part < bulk || *least < air || (*least == 0 && *most == 0)) return {};
    return t.error(fmt::format(
        "the image goes from {:g} to {:g}, and {:.3g} % of its values are small: they may be "
        "stopping powers, densities or HU; give ct.quantity = \"rsp\", \"density\" or \"HU\"",
        *least, *most, 100 * part));
}

// HU of tissue lie around 0, and air below -200. Values around 1000 without any air are those of a
// scanner whose intercept (-1024, say) was lost, kg/m3, or stopping powers times 1000. What lies
// outside the image's field has one value, often the least, and tells nothing.
Status check_hu(Table const& t, Ct const& ct, bool told) {
    auto const& values = ct.plane.values;
    auto const [least, most] = std::minmax_element(values.begin(), values.end());
    // Below HU of air it is padding; air itself may have one value, too. 0 is what other units
    // have outside, unless it is said to be water.
    constexpr double padding = -1015;
    bool const padded = *least < padding || (*least == 0 && !told);
    index air = 0, dense = 0, all = 0;
    for (double const v : values) {
        if (v == *least && padded && *least != *most) continue;
        ++all;
        air += v < -200;
        dense += v > 500;
    }
    auto const of_all = [&](double part) { return part * static_cast<double>(all); };
    // Bone and metal fill half of no slice; a tenth may be those of a head.
    double const limit = told ? 0.5 : 0.1;
    if (static_cast<double>(air) >= of_all(1e-3) || static_cast<double>(dense) <= of_all(limit))
        return {};
    return t.error(fmt::format(
        "the image goes from {:g} to {:g}: {:.3g} % of its values{} are above 500 and hardly any "
        "are "
        "air (below -200), so they are no HU, but may be HU plus 1024 (its rescale intercept was "
        "lost: add it), kg/m3 (divide by 1000 and give ct.quantity = \"density\") or stopping "
        "powers times 1000 (divide by 1000 and give \"rsp\"){}",
        *least, *most, 100.0 * static_cast<double>(dense) / static_cast<double>(all),
        padded ? " but the least" : "",
        told ? "; lay dense parts of a phantom by [[medium]]"
             : "; if they are HU, give ct.quantity = \"HU\""));
}

Status check_values(Table const& t, Ct const& ct, bool told) {
    if (!told) SLUICE_CHECK(check_untold(t, ct));
    if (ct.quantity == Ct::Quantity::hu) return check_hu(t, ct, told);
    bool const density = ct.quantity == Ct::Quantity::density;
    auto const [least, most] = std::minmax_element(ct.plane.values.begin(), ct.plane.values.end());
    if (*least >= 0 && *most <= 30) return {};
    return t.error(
        fmt::format("the image goes from {:g} to {:g}, and cannot be a {} (0 to 30); is it HU?",
                    *least, *most, density ? "density in g/cm3" : "relative stopping power"));
}

void describe(CtKeys const& k, Volume const& v, Ct& ct) {
    CtPlane const& p = ct.plane;
    auto const [least, most] = std::minmax_element(p.values.begin(), p.values.end());
    ct.assumed.push_back(fmt::format(
        "image: {}{}, {} of {:g} to {:g}; depth along {}, {} pixels of {:g} mm; across along {}, "
        "{} of {:g} mm",
        k.image, k.slice ? fmt::format(", slice {}", *k.slice) : "", config::word_of(ct.quantity),
        *least, *most, axis_text(k.depth), p.rows, p.dz, axis_text(k.across), p.columns, p.dx));
    if (!is_straight(v.direction))
        ct.assumed.push_back(
            fmt::format("image: its axes are mirrored or exchanged in space ({}); they are taken "
                        "as they are stored",
                        sluice::describe(v.direction, v.image.shape.size())));
    std::string const mixtures =
        "mixtures by volume of air, lung, adipose tissue, muscle and cortical bone";
    if (ct.quantity == Ct::Quantity::hu)
        ct.assumed.push_back(fmt::format(
            "tissues: stopping power by {}, density by {}; all else as in {} of that density",
            ct.stopping.name, ct.density.name, mixtures));
    else
        ct.assumed.push_back("tissues: " + mixtures +
                             (ct.quantity == Ct::Quantity::density ? " of the image's density"
                                                                   : " of the image's stopping "
                                                                     "power"));
}

}  // namespace

Result<Ct> read_ct(Table& t, std::string const& folder) {
    CtKeys k;
    SLUICE_CHECK(read_fields(t, ct_fields(), k));
    SLUICE_CHECK(t.nothing_else());
    Ct ct;
    ct.quantity = k.quantity.value_or(Ct::Quantity::hu);
    SLUICE_CHECK(check_tables(t, k, ct.quantity));
    if (folder.empty())
        return t.error(
            fmt::format("ct.image '{}' lies beside the configuration's file, and this "
                        "configuration has none; write it into a file",
                        k.image));
    std::filesystem::path const base(folder);
    ct.stopping = default_stopping_table();
    ct.density = default_density_table();
    if (!k.table.empty()) {
        SLUICE_TRY(ct.stopping, read_hu_table(base / k.table));
    }
    if (!k.density_table.empty()) {
        SLUICE_TRY(ct.density, read_hu_table(base / k.density_table));
    }
    SLUICE_TRY(Volume v, load_volume(base / k.image));
    if (is_oblique(v.direction))
        return t.error(fmt::format(
            "the axes of {} lie obliquely in space ({}), and a beam goes along an axis of space; "
            "resample the image to straight axes",
            k.image, sluice::describe(v.direction, v.image.shape.size())));
    SLUICE_CHECK(complete_spacing(t, k, v));
    auto plane = ct_plane(v, k.depth, k.across, k.slice);
    if (!plane) return t.error(fmt::format("{}: {}", k.image, plane.error().message));
    ct.plane = *std::move(plane);
    SLUICE_CHECK(check_values(t, ct, k.quantity.has_value()));
    describe(k, v, ct);
    return ct;
}

}  // namespace sluice::proton
