// Reading and checking the options of synthetic crystals.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "format/synthetic/crystal.h"
#include "format/synthetic/keys.h"

namespace sluice::synthetic {
namespace {

using Crystal = CrystalOptions;
using config::Shown;

/// "20,3"
template <std::size_t N>
Status read_numbers(Shown const& shown, std::string_view text, std::array<double, N>& out) {
    std::vector<double> numbers;
    SLUICE_CHECK(config::read_value(shown, text, numbers));
    if (numbers.size() != N)
        return wrong(fmt::format("{} has {} values (it takes {}) give {} numbers with commas",
                                 shown.name, numbers.size(), N, N));
    std::ranges::copy(numbers, out.begin());
    return {};
}

template <std::size_t N>
std::string numbers_text(std::array<double, N> const& numbers) {
    return config::value_text(std::vector(numbers.begin(), numbers.end()));
}

/// Names and values of the common options that a crystal has, too.
constexpr std::array<std::string_view, 9> common_names{
    "scan", "detector", "dtype", "dose", "disk_radius", "wobble", "seed", "masked", "sentinel"};

using config::custom_field;
using config::field;
constexpr config::Field<Crystal> crystal_fields[] = {
    custom_field<&Crystal::g1, read_numbers<2>, numbers_text<2>>("g1", "row, column in pixels"),
    custom_field<&Crystal::g2, read_numbers<2>, numbers_text<2>>("g2", "row, column in pixels"),
    field<&Crystal::field>("field", "how the strain goes over the scan"),
    custom_field<&Crystal::strain, read_numbers<4>, numbers_text<4>>(
        "strain", "e_row_row, e_col_col, e_row_col, rotation in degrees"),
    field<&Crystal::grains>("grains", "crystals"),
    field<&Crystal::grain_turn>("grain_turn", "degrees at most"),
    field<&Crystal::edge>("edge", "pixels"),
    field<&Crystal::decades>("decades", "of the disks' intensities"),
    field<&Crystal::direct>("direct", "the direct beam, of the strongest disk"),
    field<&Crystal::background>("background", "share of the electrons"),
    field<&Crystal::background_width>("background_width", "pixels"),
    field<&Crystal::stop>("stop", "radius of a beam stop in pixels"),
};

Status check_lattice(Crystal const& o) {
    double const area = std::fabs(o.g1[0] * o.g2[1] - o.g1[1] * o.g2[0]);
    double const lengths = std::hypot(o.g1[0], o.g1[1]) * std::hypot(o.g2[0], o.g2[1]);
    if (!(area > 0.2 * lengths))
        return wrong("g1 and g2 lie in one direction; give two that are at least 12 degrees apart");
    auto const rows = static_cast<double>(o.common.detector[0]);
    auto const cols = static_cast<double>(o.common.detector[1]);
    constexpr double most_disks = 4000;
    if (!(area * most_disks > rows * rows + cols * cols))
        return wrong(
            "over 4000 disks fit on the detector; give longer g1 and g2, or a smaller detector");
    for (double const e : {o.strain[0], o.strain[1], o.strain[2]})
        if (!within(e, -0.2, 0.2)) return wrong(fmt::format("a strain of {} (-0.2 to 0.2)", e));
    if (!within(o.strain[3], -45, 45))
        return wrong(fmt::format("a rotation of {} degrees (-45 to 45)", o.strain[3]));
    return {};
}

}  // namespace

Status validate(CrystalOptions const& o) {
    SLUICE_CHECK(validate(o.common));
    SLUICE_CHECK(check_lattice(o));
    struct Range {
        std::string_view name;
        double value, low, high;
    };
    auto const side = static_cast<double>(std::max(o.common.detector[0], o.common.detector[1]));
    for (Range const& r :
         {Range{"grains", static_cast<double>(o.grains), 1, 1000},
          Range{"grain_turn", o.grain_turn, 0, 180}, Range{"edge", o.edge, 0.05, 20},
          Range{"decades", o.decades, 0, 8}, Range{"direct", o.direct, 0, 1000},
          Range{"background", o.background, 0, 1},
          Range{"background_width", o.background_width, 0.5, 1e5}, Range{"stop", o.stop, 0, side}})
        if (!within(r.value, r.low, r.high))
            return wrong(
                fmt::format("{} is {} ({} to {} can be made)", r.name, r.value, r.low, r.high));
    return {};
}

Result<CrystalOptions> parse_crystal(std::string_view path) {
    CrystalOptions options;
    config::Fields<Crystal> const own = crystal_fields;
    std::vector<std::string_view> names(common_names.begin(), common_names.end());
    for (auto const& field : own) names.push_back(field.name);
    SLUICE_CHECK(read_pairs(path, names, [&](std::string_view name, std::string_view text) {
        if (auto const* const field = config::find_field(own, name))
            return read_from_path(*field, text, options);
        return read_from_path(*config::find_field(fields(), name), text, options.common);
    }));
    SLUICE_CHECK(validate(options));
    return options;
}

}  // namespace sluice::synthetic
