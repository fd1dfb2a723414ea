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
#include "domain/proton/config/tissues.h"
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
    ct.assumed.push_back(tissues_note(ct.quantity, ct.stopping, ct.density));
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
    std::string const why = why_not(image_values(ct.plane.values), k.quantity, "ct.quantity");
    if (!why.empty()) return t.error(why);
    describe(k, v, ct);
    return ct;
}

}  // namespace sluice::proton
