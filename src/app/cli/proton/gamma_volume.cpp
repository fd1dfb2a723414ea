// `sluice proton gamma` of two doses in space.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/proton/gamma_criterion.h"
#include "app/cli/proton/structures.h"
#include "app/cli/shell/terminal.h"
#include "figure/field.h"
#include "figure/render.h"
#include "sluice/dicom.h"
#include "sluice/save.h"

namespace sluice::cli {
namespace {

/// The element with the largest gamma.
index worst_of(proton::VolumeGamma const& g) {
    auto const& v = g.gamma.image.values;
    // NaN is no number, so it is less than any.
    return std::ranges::max_element(v, {}, [](float x) { return std::isnan(x) ? -1.0F : x; }) -
           v.begin();
}

/// The plane of z in which gamma is largest.
figure::Drawing picture(proton::VolumeGamma const& g, std::string const& title, double most) {
    Volume const& v = g.gamma;
    index const rows = v.image.shape[1], columns = v.image.shape[2],
                plane = worst_of(g) / (rows * columns);
    float const* const first = v.image.values.data() + plane * rows * columns;
    figure::Field f{fmt::format("{}; plane {}, with the largest", title, plane), "along x, mm",
                    "against y, mm", rows, columns};
    for (index r = rows; r-- > 0;)
        f.values.insert(f.values.end(), first + r * columns, first + (r + 1) * columns);
    double const wide = v.spacing[0] * static_cast<double>(columns),
                 high = v.spacing[1] * static_cast<double>(rows);
    f.x = {0, wide};
    f.y = {-high, 0};
    f.unit = "gamma";
    f.limits = {{0, most}};
    f.map = figure::Map::balance;
    f.contours = {{1, "", {20, 20, 20}}};
    return figure::draw_field(
        f, static_cast<index>(std::clamp(high / wide * 730.0, 240.0, 1200.0)) + 90, 900);
}

bool is_volume_file(std::string const& path) {
    return path.ends_with(".nrrd") || path.ends_with(".mha") || path.ends_with(".mhd");
}

Status save_values(std::string const& path, Volume const& v, Provenance const& provenance) {
    return path.ends_with(".nrrd") ? save_nrrd(path, v, provenance) : save_metaimage(path, v);
}

}  // namespace

Json to_json(proton::VolumeGamma const& found, double most) {
    index const worst = worst_of(found);
    return {{"points", found.points},
            {"passed", found.passed},
            {"mean", found.mean},
            {"outside", found.outside},
            {"largest", found.gamma.image.values[static_cast<std::size_t>(worst)]},
            {"largest_at_mm", place_of_element(found.gamma, worst)},
            {"largest_told", most}};
}

std::string words_of(proton::VolumeGamma const& found, double most) {
    index const worst = worst_of(found);
    auto const largest =
        static_cast<double>(found.gamma.image.values[static_cast<std::size_t>(worst)]);
    auto const at = place_of_element(found.gamma, worst);
    std::string text = fmt::format(
        "{:.2f} % of {} points passed; mean {:.3f}, largest {}{:.3f} at ({:.1f}, {:.1f}, {:.1f}) "
        "mm",
        100 * found.passed, found.points, found.mean, largest >= most ? "at least " : "", largest,
        at[0], at[1], at[2]);
    if (found.outside > 0)
        text += fmt::format("; {} points lie outside of the evaluated image", found.outside);
    return text;
}

Status volume_gamma(VolumeGammaFiles const& files, GammaCriterion const& criterion,
                    CommonOptions const& common) {
    if (!files.values.empty() && !is_volume_file(files.values))
        return Error{Code::invalid_argument,
                     "--values of doses in space is .nrrd, .mha or .mhd: it has their place"};
    SLUICE_TRY(InCoordinates const place, in_coordinates(files.reference));
    SLUICE_TRY(InCoordinates const other_place, in_coordinates(files.evaluated));
    SLUICE_CHECK(same_coordinates(other_place, place));
    SLUICE_TRY(Volume const reference, load_dose_volume(files.reference));
    SLUICE_TRY(Volume evaluated, load_dose_volume(files.evaluated));
    for (float& v : evaluated.image.values)
        v = static_cast<float>(static_cast<double>(v) * files.factor);
    proton::GammaOptions o = criterion.options(common.threads);
    ProgressBar progress("gamma", ProgressBar::Counts::steps);
    o.progress = progress.callback();
    SLUICE_TRY(proton::VolumeGamma const found, proton::gamma_index(reference, evaluated, o));
    progress.clear();
    if (found.points == 0)
        return Error{Code::invalid_argument, "no point has a dose above the cut-off",
                     files.reference};
    std::string const words = words_of(found, o.most);
    Provenance provenance = provenance_of({files.reference, files.evaluated});
    provenance.add("criterion", criterion.words());
    provenance.add("result", words);
    if (!files.out.empty())
        SLUICE_CHECK(figure::save_drawing(
            files.out,
            picture(found,
                    fmt::format("{}: {:.2f} % passed", criterion.words(), 100 * found.passed),
                    o.most),
            provenance));
    if (!files.values.empty()) SLUICE_CHECK(save_values(files.values, found.gamma, provenance));
    if (common.json) {
        Json j = {{"reference", files.reference}, {"evaluated", files.evaluated}};
        j.update(criterion.json());
        j["highest_dose"] = found.highest_dose;
        j.update(to_json(found, o.most));
        say("{}\n", text_of(j));
        return {};
    }
    say("{}: {}\n", criterion.words(), words);
    return {};
}

}  // namespace sluice::cli
