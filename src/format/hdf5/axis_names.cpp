// From the words about each axis to an order of axes.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/axis_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "format/hdf5/axis_units.h"

namespace sluice::hdf5 {
namespace {

enum class Side : std::uint8_t { unknown, scan, detector };
enum class Line : std::uint8_t { unknown, row, column };

struct Role {
    Side side = Side::unknown;
    Line line = Line::unknown;  ///< by a name that is sure to mean it
    Line hint = Line::unknown;  ///< by any name
    bool in_words = false;      ///< "row" or "column", which x and y are not sure to be
};
using Roles = std::vector<Role>;
using Axes = std::vector<std::size_t>;

bool one_of(std::string const& text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

Side side_of(std::string const& name, std::string const& unit) {
    if (name.starts_with("scan") || name.starts_with("nav") || one_of(name, {"rx", "ry"}))
        return Side::scan;
    if (name.starts_with("det") || name.starts_with("sig") ||
        one_of(name, {"qx", "qy", "kx", "ky", "dx", "dy"}))
        return Side::detector;
    if (per_nm_of(unit) || mrad_of(unit)) return Side::detector;
    return nm_of(unit) ? Side::scan : Side::unknown;
}

bool in_words(std::string const& name) {
    return name.ends_with("row") || name.ends_with("column") || name.ends_with("col");
}

Role role_of(AxisWords const& w) {
    std::string const name = plain_word(w.name);
    Role r{side_of(name, plain_word(w.unit))};
    r.in_words = in_words(name);
    if (name.ends_with("row") || name.ends_with("y")) r.hint = Line::row;
    if (name.ends_with("column") || name.ends_with("col") || name.ends_with("x"))
        r.hint = Line::column;
    // py4DSTEM's Rx, Ry, Qx, Qy number the dimensions and do not say which is horizontal.
    if (!one_of(name, {"rx", "ry", "qx", "qy"})) r.line = r.hint;
    return r;
}

Axes axes_of(Roles const& roles, Side side) {
    Axes axes;
    for (std::size_t i = 0; i < roles.size(); ++i)
        if (roles[i].side == side) axes.push_back(i);
    return axes;
}

/// Sides from HyperSpy's flags, where names and units do not say all of them. Flags against a name
/// or a unit count only if these put all axes on one side, which no array has.
bool take_flags(std::vector<AxisWords> const& words, Roles& roles) {
    auto const n = static_cast<std::size_t>(
        std::ranges::count_if(words, [](auto const& w) { return w.navigate == true; }));
    bool const all =
        std::ranges::all_of(words, [](auto const& w) { return w.navigate.has_value(); });
    if (!all || n == 0 || n == words.size()) return false;
    Axes const scan = axes_of(roles, Side::scan), detector = axes_of(roles, Side::detector);
    if (scan.size() + 2 == roles.size() && detector.size() == 2) return false;
    auto const flag = [&](std::size_t i) {
        return *words[i].navigate ? Side::scan : Side::detector;
    };
    bool const one_side = scan.size() == roles.size() || detector.size() == roles.size();
    for (std::size_t i = 0; i < roles.size() && !one_side; ++i)
        if (roles[i].side != Side::unknown && roles[i].side != flag(i)) return false;
    for (std::size_t i = 0; i < roles.size(); ++i) roles[i].side = flag(i);
    return true;
}

/// The two axes of a side as (row, column); nothing if their names do not say.
std::optional<std::array<std::size_t, 2>> rows_first(Axes const& axes, Roles const& roles) {
    Line const a = roles[axes[0]].line, b = roles[axes[1]].line;
    if (a == Line::row && b == Line::column) return std::array{axes[0], axes[1]};
    if (a == Line::column && b == Line::row) return std::array{axes[1], axes[0]};
    return {};
}

/// Programs with the scan first call their first axis x as often as y, which is no reason to turn
/// it. Rows and columns are meant.
std::optional<boxes::FrameAxes> turned_in_words(Axes const& scan, Axes const& detector,
                                                Roles const& roles) {
    boxes::FrameAxes const usual = boxes::usual_axes(roles.size());
    boxes::FrameAxes axes = usual;
    auto const named = [&](Axes const& side) {
        return side.size() == 2 && roles[side[0]].in_words && roles[side[1]].in_words
                   ? rows_first(side, roles)
                   : std::nullopt;
    };
    if (auto const s = named(scan)) axes.scan = {(*s)[0], (*s)[1]};
    if (auto const d = named(detector)) {
        axes.row = (*d)[0];
        axes.col = (*d)[1];
    }
    return axes == usual ? std::nullopt : std::optional(axes);
}

/// (row, column) by what the names hint at, else in the order of the array.
std::array<std::size_t, 2> probable_rows_first(Axes const& axes, Roles const& roles) {
    Line const a = roles[axes[0]].hint, b = roles[axes[1]].hint;
    bool const turned = a != b && (a == Line::column || b == Line::row);
    return turned ? std::array{axes[1], axes[0]} : std::array{axes[0], axes[1]};
}

/// An order for --axis-order that agrees with the names, as far as they go; empty if none does.
/// Where one side has all its axes, the others are the other side's.
std::string example_of(Roles const& roles) {
    Axes scan = axes_of(roles, Side::scan), detector = axes_of(roles, Side::detector);
    Axes const rest = axes_of(roles, Side::unknown);
    Axes& filled = detector.size() == 2 ? scan : detector;
    filled.insert(filled.end(), rest.begin(), rest.end());
    if (detector.size() != 2) return {};
    std::ranges::sort(filled);
    boxes::FrameAxes axes{scan};
    if (scan.size() == 2) {
        auto const s = probable_rows_first(scan, roles);
        axes.scan = {s[0], s[1]};
    }
    auto const d = probable_rows_first(detector, roles);
    axes.row = d[0];
    axes.col = d[1];
    return boxes::axes_text(axes);
}

Error not_all_of_it(std::vector<AxisWords> const& words, Roles const& roles) {
    std::size_t const detector = axes_of(roles, Side::detector).size();
    bool const all = axes_of(roles, Side::unknown).empty();
    std::string const example = example_of(roles);
    return {Code::invalid_argument,
            fmt::format("the file names the axes {} ({}); name what the dimensions are with "
                        "--axis-order{}{}",
                        words_text(words),
                        all && detector != 2
                            ? fmt::format("a detector has two axes, and these name {}", detector)
                            : "not the usual order, and not all of it",
                        example.empty() ? "" : ", for example --axis-order ", example)};
}

}  // namespace

std::string words_text(std::vector<AxisWords> const& words) {
    std::vector<std::string> text;
    for (AxisWords const& w : words) {
        text.push_back(fmt::format("\"{}\"{}", w.name, w.unit.empty() ? "" : " in " + w.unit));
        if (w.navigate) text.back() += *w.navigate ? " (navigation)" : " (signal)";
    }
    return fmt::format("{}", fmt::join(text, ", "));
}

Result<std::optional<boxes::FrameAxes>> axes_named(std::vector<AxisWords> const& words) {
    using Named = std::optional<boxes::FrameAxes>;
    if (words.size() != 3 && words.size() != 4) return Named{};
    std::size_t const of_scan = words.size() - 2;
    Roles roles;
    for (AxisWords const& w : words) roles.push_back(role_of(w));
    bool const by_flags = take_flags(words, roles);
    Axes const scan = axes_of(roles, Side::scan), detector = axes_of(roles, Side::detector);
    bool const usual_sides = std::ranges::all_of(scan, [&](auto d) { return d < of_scan; }) &&
                             std::ranges::all_of(detector, [&](auto d) { return d >= of_scan; });
    if (usual_sides) return turned_in_words(scan, detector, roles);
    // HyperSpy has rows before columns; names may say another order.
    auto const lines = [&](Axes const& side) {
        bool const nameless =
            roles[side[0]].hint == Line::unknown && roles[side[1]].hint == Line::unknown;
        return by_flags && nameless ? std::optional(std::array{side[0], side[1]})
                                    : rows_first(side, roles);
    };
    auto const t = detector.size() == 2 ? lines(detector) : std::nullopt;
    if (t && of_scan == 1 && scan.size() == 1) return Named{{{scan[0]}, (*t)[0], (*t)[1]}};
    auto const s = scan.size() == 2 ? lines(scan) : std::nullopt;
    if (s && t) return Named{{{(*s)[0], (*s)[1]}, (*t)[0], (*t)[1]}};
    return not_all_of_it(words, roles);
}

}  // namespace sluice::hdf5
