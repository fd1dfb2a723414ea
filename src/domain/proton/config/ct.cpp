// [ct]: its keys and files.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/ct.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sluice/load_volume.h"

namespace sluice::proton {
namespace {

struct Keys {
    bool told = false;  ///< what the values are
    std::string image, quantity = "HU", table, density_table, depth = "y", across = "x";
    std::vector<double> spacing;
    std::optional<index> slice;
};

Result<Keys> read_keys(Table& t) {
    Keys k;
    SLUICE_CHECK(t.need("image"));
    SLUICE_CHECK(t.text("image", k.image));
    SLUICE_CHECK(t.text("quantity", k.quantity));
    SLUICE_CHECK(t.text("table", k.table));
    SLUICE_CHECK(t.text("density_table", k.density_table));
    SLUICE_CHECK(t.text("depth_axis", k.depth));
    SLUICE_CHECK(t.text("across_axis", k.across));
    SLUICE_CHECK(t.quantities("spacing", Dimension::length, k.spacing));
    double slice = 0;
    SLUICE_CHECK(t.number("slice", slice));
    if (!(std::abs(slice) < 1e9) || slice != std::floor(slice))
        return t.error(fmt::format("a slice of {}; give a number from 0 on", slice));
    k.told = t.find("quantity") != nullptr;
    if (t.find("slice")) k.slice = static_cast<index>(slice);
    SLUICE_CHECK(t.nothing_else());
    return k;
}

Result<Ct::Quantity> quantity_of(Table const& t, Keys const& k) {
    if (k.quantity == "HU") return Ct::Quantity::hu;
    if (k.quantity != "density" && k.quantity != "rsp")
        return t.error(
            fmt::format("an image of '{}'; give HU, density (g/cm3) or rsp (stopping "
                        "power relative to water)",
                        k.quantity));
    if (!k.table.empty() || !k.density_table.empty())
        return t.error(
            fmt::format("ct.table and ct.density_table are for HU; an image of {} "
                        "needs none",
                        k.quantity));
    return k.quantity == "rsp" ? Ct::Quantity::stopping : Ct::Quantity::density;
}

// One for all axes, or one each.
Status complete_spacing(Table const& t, Keys const& k, Volume& v) {
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

Status check_values(Table const& t, Ct const& ct, bool told) {
    if (!told) return check_untold(t, ct);
    if (ct.quantity == Ct::Quantity::hu) return {};
    bool const density = ct.quantity == Ct::Quantity::density;
    auto const [least, most] = std::minmax_element(ct.plane.values.begin(), ct.plane.values.end());
    if (*least >= 0 && *most <= 30) return {};
    return t.error(
        fmt::format("the image goes from {:g} to {:g}, and cannot be a {} (0 to 30); is it HU?",
                    *least, *most, density ? "density in g/cm3" : "relative stopping power"));
}

void describe(Keys const& k, Volume const& v, Ct& ct) {
    CtPlane const& p = ct.plane;
    auto const [least, most] = std::minmax_element(p.values.begin(), p.values.end());
    ct.assumed.push_back(fmt::format(
        "image: {}{}, {} of {:g} to {:g}; depth along {}, {} pixels of {:g} mm; across along {}, "
        "{} of {:g} mm",
        k.image, k.slice ? fmt::format(", slice {}", *k.slice) : "", k.quantity, *least, *most,
        k.depth, p.rows, p.dz, k.across, p.columns, p.dx));
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
    SLUICE_TRY(Keys const k, read_keys(t));
    Ct ct;
    SLUICE_TRY(ct.quantity, quantity_of(t, k));
    auto const depth = parse_axis(k.depth), across = parse_axis(k.across);
    if (!depth) return t.error("ct.depth_axis: " + depth.error().message);
    if (!across) return t.error("ct.across_axis: " + across.error().message);
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
    auto plane = ct_plane(v, *depth, *across, k.slice);
    if (!plane) return t.error(fmt::format("{}: {}", k.image, plane.error().message));
    ct.plane = *std::move(plane);
    SLUICE_CHECK(check_values(t, ct, k.told));
    describe(k, v, ct);
    return ct;
}

}  // namespace sluice::proton
