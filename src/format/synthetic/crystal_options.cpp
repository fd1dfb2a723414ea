// Reading and checking the options of synthetic crystals.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "format/synthetic/crystal.h"
#include "format/synthetic/keys.h"

namespace sluice::synthetic {
namespace {

using Options = CrystalOptions;
using Key = KeyOf<Options>;
using Text = std::string_view;

/// "20,3"
template <std::size_t N>
Status read_numbers(Text text, std::array<double, N>& out) {
    for (std::size_t i = 0; i < N; ++i) {
        auto const comma = i + 1 < N ? text.find(',') : text.size();
        if (comma > text.size())
            return wrong(fmt::format("there are not {} numbers with commas between them", N));
        SLUICE_CHECK(read_number(text.substr(0, comma), out[i]));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return {};
}

Status read_field(Text text, StrainField& out) {
    constexpr std::array<Text, 3> names{"uniform", "gradient", "step"};
    auto const found = std::ranges::find(names, text);
    if (found == names.end())
        return wrong(fmt::format("\"{}\" is no field; use {}", text, fmt::join(names, ", ")));
    out = static_cast<StrainField>(found - names.begin());
    return {};
}

template <class T>
Status set(Result<T> from, T& out) {
    SLUICE_TRY(out, std::move(from));
    return {};
}

constexpr std::array crystal_keys{
    Key{"scan", [](Text t, Options& o) { return set(parse_shape(t), o.common.scan); }},
    Key{"detector", [](Text t, Options& o) { return set(parse_shape(t), o.common.detector); }},
    Key{"dtype", [](Text t, Options& o) { return set(parse_dtype(t), o.common.dtype); }},
    Key{"dose", [](Text t, Options& o) { return read_number(t, o.common.dose); }},
    Key{"disk_radius", [](Text t, Options& o) { return read_number(t, o.common.disk_radius); }},
    Key{"wobble", [](Text t, Options& o) { return read_number(t, o.common.wobble); }},
    Key{"seed", [](Text t, Options& o) { return read_number(t, o.common.seed); }},
    Key{"masked", [](Text t, Options& o) { return read_number(t, o.common.masked); }},
    Key{"sentinel", [](Text t, Options& o) { return read_switch(t, o.common.sentinel); }},
    Key{"g1", [](Text t, Options& o) { return read_numbers(t, o.g1); }},
    Key{"g2", [](Text t, Options& o) { return read_numbers(t, o.g2); }},
    Key{"field", [](Text t, Options& o) { return read_field(t, o.field); }},
    Key{"strain", [](Text t, Options& o) { return read_numbers(t, o.strain); }},
    Key{"grains", [](Text t, Options& o) { return read_number(t, o.grains); }},
    Key{"grain_turn", [](Text t, Options& o) { return read_number(t, o.grain_turn); }},
    Key{"edge", [](Text t, Options& o) { return read_number(t, o.edge); }},
    Key{"decades", [](Text t, Options& o) { return read_number(t, o.decades); }},
    Key{"direct", [](Text t, Options& o) { return read_number(t, o.direct); }},
    Key{"background", [](Text t, Options& o) { return read_number(t, o.background); }},
    Key{"background_width", [](Text t, Options& o) { return read_number(t, o.background_width); }},
    Key{"stop", [](Text t, Options& o) { return read_number(t, o.stop); }},
};

Status check_lattice(Options const& o) {
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
    SLUICE_CHECK(read_keys(path, crystal_keys, options));
    SLUICE_CHECK(validate(options));
    return options;
}

}  // namespace sluice::synthetic
