// Reading the words of EMD, NeXus, MATLAB and Velox files about the axes of an array.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/axis_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "format/hdf5/object/value.h"

namespace sluice::hdf5 {
namespace {

enum class Side : std::uint8_t { unknown, scan, detector };
enum class Line : std::uint8_t { unknown, row, column };

struct Role {
    Side side = Side::unknown;
    Line line = Line::unknown;
    bool in_words = false;  ///< "row" or "column", which x and y are not sure to be
};

bool one_of(std::string const& text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

Side side_of(std::string const& name, std::string const& unit) {
    if (name.starts_with("scan") || name.starts_with("nav") || one_of(name, {"rx", "ry"}))
        return Side::scan;
    if (name.starts_with("det") || name.starts_with("sig") ||
        one_of(name, {"qx", "qy", "kx", "ky", "dx", "dy"}))
        return Side::detector;
    if (one_of(unit, {"1/nm", "nm^-1", "nm-1", "1/a", "a^-1", "a-1", "1/\u00e5", "1/\u00c5", "1/m",
                      "1/pm", "mrad", "rad", "deg"}))
        return Side::detector;
    if (one_of(unit, {"nm", "m", "um", "\u00b5m", "\u03bcm", "mm", "pm", "a", "angstrom", "\u00e5",
                      "\u00c5"}))
        return Side::scan;
    return Side::unknown;
}

Line line_of(std::string const& name) {
    // py4DSTEM's Rx, Ry, Qx, Qy number the dimensions and do not say which is horizontal.
    if (one_of(name, {"rx", "ry", "qx", "qy"})) return Line::unknown;
    if (name.ends_with("row") || name.ends_with("y")) return Line::row;
    if (name.ends_with("column") || name.ends_with("col") || name.ends_with("x"))
        return Line::column;
    return Line::unknown;
}

/// The two axes of a side as (row, column); nothing if their names do not say.
std::optional<std::array<std::size_t, 2>> rows_first(std::vector<std::size_t> const& axes,
                                                     std::vector<Role> const& roles) {
    Line const a = roles[axes[0]].line, b = roles[axes[1]].line;
    if (a == Line::row && b == Line::column) return std::array{axes[0], axes[1]};
    if (a == Line::column && b == Line::row) return std::array{axes[1], axes[0]};
    return {};
}

bool in_words(std::string const& name) {
    return name.ends_with("row") || name.ends_with("column") || name.ends_with("col");
}

/// Programs with the scan first call their first axis x as often as y, which is no reason to turn
/// it. Rows and columns are meant.
std::optional<boxes::FrameAxes> turned_in_words(std::vector<std::size_t> const& scan,
                                                std::vector<std::size_t> const& detector,
                                                std::vector<Role> const& roles) {
    boxes::FrameAxes const usual = boxes::usual_axes(roles.size());
    boxes::FrameAxes axes = usual;
    auto const named = [&](std::vector<std::size_t> const& side) {
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

std::string words_text(std::vector<AxisWords> const& words) {
    std::vector<std::string> text;
    for (AxisWords const& w : words)
        text.push_back(fmt::format("\"{}\"{}", w.name, w.unit.empty() ? "" : " in " + w.unit));
    return fmt::format("{}", fmt::join(text, ", "));
}

/// "name" in a group, whose path has no '/' at its end.
std::string inside(std::string const& group, std::string const& name) {
    return (group == "/" ? "" : group) + "/" + name;
}

/// The datasets dim1, dim2, ... beside an EMD array (dim0, dim1, ... in py4DSTEM's).
Result<std::vector<AxisWords>> emd_words(Home const& home, StoredDataset const& d) {
    SLUICE_TRY(auto const from_zero, home.root.find_link(inside(home.group(), "dim0")));
    std::vector<AxisWords> words;
    for (std::size_t i = 0; i < d.rank(); ++i) {
        std::string const beside = fmt::format("dim{}", i + (from_zero ? 0 : 1));
        SLUICE_TRY(auto const dim, home.root.find(inside(home.group(), beside)));
        if (!dim) return std::vector<AxisWords>{};
        SLUICE_TRY(auto const name, object::attribute_text(*dim, "name"));
        SLUICE_TRY(auto const unit, object::attribute_text(*dim, "units"));
        words.push_back({name.value_or(""), unit.value_or("")});
    }
    return words;
}

/// The labels of HDF5's own dimensions, or its dimension scales (as netCDF and xarray write them).
Result<std::vector<AxisWords>> dimension_words(Home const&, StoredDataset const& d) {
    std::vector<AxisWords> words;
    SLUICE_TRY(auto const scales, object::attribute_objects(d.object, "DIMENSION_LIST"));
    if (scales.size() == d.rank())
        for (object::Object const& scale : scales) {
            SLUICE_TRY(auto const name, object::attribute_text(scale, "NAME"));
            SLUICE_TRY(auto const unit, object::attribute_text(scale, "units"));
            words.push_back({name.value_or(""), unit.value_or("")});
        }
    SLUICE_TRY(auto const labels, object::attribute_texts(d.object, "DIMENSION_LABELS"));
    if (labels.size() != d.rank()) return words;
    words.resize(d.rank());
    for (std::size_t i = 0; i < d.rank(); ++i)
        if (!labels[i].empty()) words[i].name = labels[i];
    return words;
}

/// Old NeXus files have all names in one text.
std::vector<std::string> split(std::string const& text) {
    std::vector<std::string> names;
    std::size_t at = 0;
    for (std::size_t end = 0; end != text.npos; at = end + 1) {
        end = text.find_first_of(":,", at);
        names.push_back(text.substr(at, end - at));
    }
    return names;
}

/// The attribute `axes` of a NeXus group, or of the dataset; units stand at the axes themselves.
Result<std::vector<AxisWords>> nexus_words(Home const& home, StoredDataset const& d) {
    std::vector<AxisWords> words;
    for (std::string const& at : {home.path, home.group()}) {
        SLUICE_TRY(auto const o, home.root.find(at));
        if (!o) continue;
        SLUICE_TRY(auto names, object::attribute_texts(*o, "axes"));
        if (names.size() == 1) names = split(names[0]);
        if (names.size() != d.rank()) continue;
        for (std::string const& n : names) {
            std::string unit;
            if (auto const axis = home.root.find(inside(home.group(), n)); axis && *axis) {
                SLUICE_TRY(auto const text, object::attribute_text(**axis, "units"));
                unit = text.value_or("");
            }
            words.push_back({n, unit});
        }
        return words;
    }
    return words;
}

/// Whether at least one axis is named: four axes "." say nothing.
bool say_something(std::vector<AxisWords> const& words) {
    return std::ranges::any_of(
        words, [](AxisWords const& w) { return !w.unit.empty() || w.name.size() > 1; });
}

Result<bool> is_matlab(StoredDataset const& d) {
    SLUICE_TRY(auto const name, object::attribute_text(d.object, "MATLAB_class"));
    return name.has_value();
}

/// /Data/Image/NUMBER/Data with the metadata of the images beside it: the images come last.
Result<bool> is_velox(object::Object const& file, StoredDataset const& d) {
    if (d.rank() != 3 || !d.path.starts_with("/Data/Image/") || !d.path.ends_with("/Data"))
        return false;
    SLUICE_TRY(auto const metadata, file.find_link(Home{file, d.path}.group() + "/Metadata"));
    return metadata.has_value();
}

/// What the first one says that says something.
Result<std::vector<AxisWords>> words_of(object::Object const& file, StoredDataset const& d) {
    SLUICE_TRY(auto const homes, homes_of(file, d));
    for (Home const& home : homes)
        for (auto const& read : {emd_words, dimension_words, nexus_words}) {
            SLUICE_TRY(auto words, read(home, d));
            if (say_something(words)) return words;
        }
    return std::vector<AxisWords>{};
}

Error matlab_order(StoredDataset const& d) {
    return {Code::invalid_argument,
            fmt::format("the dataset {} of shape {} is an array of MATLAB, which stores the first "
                        "dimension last, and does not say which are the scan's; name what the "
                        "dimensions are in the order of this shape with --axis-order, for example "
                        "--axis-order {}",
                        d.path, shape_text(d.extent),
                        d.rank() == 3 ? "scan,detector_column,detector_row"
                                      : "scan_column,scan_row,detector_column,detector_row"),
            d.file};
}

}  // namespace

std::string plain_word(std::string const& text) {
    std::string out;
    for (char c : text)
        if (std::string_view("_[]() ").find(c) == std::string_view::npos)
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

std::string Home::group() const {
    std::size_t const slash = path.find_last_of('/');
    return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

Result<std::vector<Home>> homes_of(object::Object const& file, StoredDataset const& d) {
    SLUICE_TRY(object::Object own, object::Object::root_of(d.object.shared_source()));
    std::vector<Home> homes{{std::move(own), d.object.path()}};
    if (d.file != file.file() || d.asked != d.object.path()) homes.push_back({file, d.asked});
    return homes;
}

Result<std::optional<boxes::FrameAxes>> axes_named(std::vector<AxisWords> const& words) {
    using Named = std::optional<boxes::FrameAxes>;
    if (words.size() != 3 && words.size() != 4) return Named{};
    std::size_t const of_scan = words.size() - 2;
    std::vector<Role> roles;
    std::vector<std::size_t> scan, detector;
    for (AxisWords const& w : words) {
        std::string const name = plain_word(w.name);
        roles.push_back({side_of(name, plain_word(w.unit)), line_of(name), in_words(name)});
        if (roles.back().side == Side::scan) scan.push_back(roles.size() - 1);
        if (roles.back().side == Side::detector) detector.push_back(roles.size() - 1);
    }
    bool const usual_sides = std::ranges::all_of(scan, [&](auto d) { return d < of_scan; }) &&
                             std::ranges::all_of(detector, [&](auto d) { return d >= of_scan; });
    if (usual_sides) return turned_in_words(scan, detector, roles);
    auto const t = detector.size() == 2 ? rows_first(detector, roles) : std::nullopt;
    if (t && of_scan == 1 && scan.size() == 1) return Named{{{scan[0]}, (*t)[0], (*t)[1]}};
    auto const s = scan.size() == 2 ? rows_first(scan, roles) : std::nullopt;
    if (s && t) return Named{{{(*s)[0], (*s)[1]}, (*t)[0], (*t)[1]}};
    return Error{Code::invalid_argument,
                 fmt::format("the file names the axes {} (not the usual order, and not all of it); "
                             "name what the dimensions are with --axis-order, for example "
                             "--axis-order detector_column,detector_row,{}",
                             words_text(words), of_scan == 1 ? "scan" : "scan_column,scan_row")};
}

Result<ChosenAxes> choose_axes(object::Object const& file, StoredDataset const& d,
                               std::string const& axis_order) {
    ChosenAxes chosen{boxes::usual_axes(d.rank())};
    if (!axis_order.empty()) {
        SLUICE_TRY(chosen.axes, boxes::parse_axes(axis_order, d.rank()));
        chosen.from = "as the user says";
        return chosen;
    }
    SLUICE_TRY(bool const matlab, is_matlab(d));
    if (matlab) return matlab_order(d);
    SLUICE_TRY(bool const velox, is_velox(file, d));
    if (velox) return ChosenAxes{{{2}, 0, 1}, "as Velox stores images"};
    SLUICE_TRY(auto const words, words_of(file, d));
    SLUICE_TRY(auto named, axes_named(words));
    if (named) {
        chosen.axes = std::move(*named);
        chosen.from = "as the file names them: " + words_text(words);
    }
    return chosen;
}

}  // namespace sluice::hdf5
