// Reading the words of EMD, HyperSpy, NeXus and Velox files about the axes of an array.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/axis_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "format/hdf5/axis_names.h"
#include "format/hdf5/column_order.h"
#include "format/hdf5/object/dataset.h"
#include "format/hdf5/object/value.h"

namespace sluice::hdf5 {
namespace {

/// "name" in a group, whose path has no '/' at its end.
std::string inside(std::string const& group, std::string const& name) {
    return (group == "/" ? "" : group) + "/" + name;
}

/// Labels instead of coordinates are those of the images of a stack, as emdfile writes it.
Result<bool> has_labels(object::Object const& dim, std::optional<std::string> const& name) {
    if (name == "_labels_") return true;
    if (!dim.is_dataset()) return false;
    SLUICE_TRY(auto const info, object::dataset_info(dim));
    return info.type.is_text();
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
        SLUICE_TRY(bool const labels, has_labels(*dim, name));
        words.push_back({name.value_or(""), unit.value_or(""), {}, labels});
    }
    return words;
}

/// What HyperSpy writes where nobody gave a name or a unit.
std::string told(std::optional<std::string> const& text) {
    bool const none = !text || *text == "<undefined>" || *text == "_None_";
    return none ? "" : *text;
}

/// The groups axis-0, axis-1, ... beside an array of HyperSpy, in the order of its dimensions.
Result<std::vector<AxisWords>> hyperspy_words(Home const& home, StoredDataset const& d) {
    std::vector<AxisWords> words;
    for (std::size_t i = 0; i < d.rank(); ++i) {
        SLUICE_TRY(auto const axis,
                   home.root.find(inside(home.group(), fmt::format("axis-{}", i))));
        if (!axis) return std::vector<AxisWords>{};
        SLUICE_TRY(auto const name, object::attribute_text(*axis, "name"));
        SLUICE_TRY(auto const unit, object::attribute_text(*axis, "units"));
        SLUICE_TRY(auto const navigate, object::attribute_number(*axis, "navigate"));
        words.push_back({told(name), told(unit), {}, false});
        if (navigate) words.back().navigate = *navigate != 0;
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
    return std::ranges::any_of(words, [](AxisWords const& w) {
        return !w.unit.empty() || w.name.size() > 1 || w.navigate || w.labels;
    });
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
        for (auto const& read : {emd_words, dimension_words, nexus_words, hyperspy_words}) {
            SLUICE_TRY(auto words, read(home, d));
            if (say_something(words)) return words;
        }
    return std::vector<AxisWords>{};
}

Error column_order(StoredDataset const& d, std::string const& program) {
    return {Code::invalid_argument,
            fmt::format("the dataset {} of shape {} is an array of {}, which stores the first "
                        "dimension last, and does not say which are the scan's; name what the "
                        "dimensions are in the order of this shape with --axis-order, for example "
                        "--axis-order {}",
                        d.path, shape_text(d.extent), program,
                        d.rank() == 3 ? "scan,detector_column,detector_row"
                                      : "scan_column,scan_row,detector_column,detector_row"),
            d.file};
}

/// Classes of py4DSTEM whose arrays are images; with one dimension more they are stacks of them.
Result<bool> is_image_class(object::Object const& file, StoredDataset const& d) {
    SLUICE_TRY(auto const group, file.find(Home{file, d.asked}.group()));
    if (!group) return false;
    SLUICE_TRY(auto const name, object::attribute_text(*group, "python_class"));
    constexpr std::string_view classes[] = {"RealSlice", "DiffractionSlice", "VirtualImage",
                                            "VirtualDiffraction", "Probe"};
    return name && std::ranges::find(classes, *name) != std::end(classes);
}

/// An error if the dataset is a stack of images.
Status check_no_stack(object::Object const& file, StoredDataset const& d,
                      std::vector<AxisWords> const& words) {
    auto axis = std::ranges::find_if(words, [](auto const& w) { return w.labels; });
    SLUICE_TRY(bool const images, is_image_class(file, d));
    if (axis == words.end() && !(images && d.rank() == 3)) return {};
    std::size_t const last = d.rank() - 1;
    auto const at = axis == words.end() ? last : static_cast<std::size_t>(axis - words.begin());
    std::string const name = axis == words.end() ? "" : axis->name;
    return Error{Code::unsupported,
                 fmt::format("the dataset {} of shape {} is a stack of {} images along its "
                             "dimension {}{}, not a scan; choose another with --dataset "
                             "PATH{}",
                             d.path, shape_text(d.extent), d.extent[at], at,
                             name.empty() ? "" : fmt::format(" (\"{}\")", name),
                             d.rank() == 3 && at == last
                                 ? ", or read the images as frames with --axis-order "
                                   "detector_row,detector_column,scan"
                                 : ""),
                 d.file};
}

}  // namespace

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

Result<ChosenAxes> choose_axes(object::Object const& file, StoredDataset const& d,
                               std::string const& axis_order) {
    ChosenAxes chosen{boxes::usual_axes(d.rank())};
    if (!axis_order.empty()) {
        SLUICE_TRY(chosen.axes, boxes::parse_axes(axis_order, d.rank()));
        chosen.from = "as the user says";
        return chosen;
    }
    SLUICE_TRY(auto const program, column_order_program(d));
    if (program) return column_order(d, *program);
    SLUICE_TRY(bool const velox, is_velox(file, d));
    if (velox) return ChosenAxes{{{2}, 0, 1}, "as Velox stores images"};
    SLUICE_TRY(auto const words, words_of(file, d));
    SLUICE_CHECK(check_no_stack(file, d, words));
    SLUICE_TRY(auto named, axes_named(words));
    if (named) {
        chosen.axes = std::move(*named);
        chosen.from = "as the file names them: " + words_text(words);
    }
    return chosen;
}

}  // namespace sluice::hdf5
