// [ct]: its keys and files.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/ct.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "domain/proton/config/image_values.h"
#include "domain/proton/config/phantom_fields.h"
#include "domain/proton/words.h"
#include "sluice/load_volume.h"

namespace sluice::proton {
namespace {

Status check_tables(Table const& t, CtKeys const& k, ImageQuantity quantity) {
    if (quantity == ImageQuantity::hu || (k.table.empty() && k.density_table.empty())) return {};
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

Status check_values(Table const& t, Ct const& ct, bool told) {
    ImageValues const values = image_values(ct.plane.values);
    if (!told)
        if (std::string const why = untold(values, "ct.quantity"); !why.empty())
            return t.error(why);
    if (ct.quantity == ImageQuantity::hu) {
        if (std::string const why = not_hu(values, told, "ct.quantity"); !why.empty())
            return t.error(why);
        return {};
    }
    bool const density = ct.quantity == ImageQuantity::density;
    if (values.least >= 0 && values.most <= 30) return {};
    return t.error(fmt::format(
        "the image goes from {:g} to {:g}, and cannot be a {} (0 to 30); is it HU?", values.least,
        values.most, density ? "density in g/cm3" : "relative stopping power"));
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
    if (ct.quantity == ImageQuantity::hu)
        ct.assumed.push_back(fmt::format(
            "tissues: stopping power by {}, density by {}; all else as in {} of that density",
            ct.stopping.name, ct.density.name, mixtures));
    else
        ct.assumed.push_back("tissues: " + mixtures +
                             (ct.quantity == ImageQuantity::density ? " of the image's density"
                                                                    : " of the image's stopping "
                                                                      "power"));
}

}  // namespace

Result<Ct> read_ct(Table& t, std::string const& folder) {
    CtKeys k;
    SLUICE_CHECK(read_fields(t, ct_fields(), k));
    SLUICE_CHECK(t.nothing_else());
    Ct ct;
    ct.quantity = k.quantity.value_or(ImageQuantity::hu);
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
