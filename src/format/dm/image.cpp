// Images out of tags, and which of their dimensions are the scan's.
// SPDX-License-Identifier: Apache-2.0
#include "format/dm/image.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sluice::dm {
namespace {

constexpr int most_images = 64, most_dimensions = 8;
constexpr index most_values = index{1} << 48;

std::optional<StoredType> type_of(int code) {
    using Kind = StoredType::Kind;
    switch (code) {
        case 1:
            return StoredType{Kind::signed_int, 2};
        case 2:
            return StoredType{Kind::floating, 4};
        case 6:
        case 14:
            return StoredType{Kind::unsigned_int, 1};
        case 7:
            return StoredType{Kind::signed_int, 4};
        case 9:
            return StoredType{Kind::signed_int, 1};
        case 10:
            return StoredType{Kind::unsigned_int, 2};
        case 11:
            return StoredType{Kind::unsigned_int, 4};
        case 12:
            return StoredType{Kind::floating, 8};
        case 39:
            return StoredType{Kind::signed_int, 8};
        case 40:
            return StoredType{Kind::unsigned_int, 8};
        default:
            return {};
    }
}

Status read_shape(Tree const& tree, Image& image) {
    index values = 1;
    for (int i = 0; i < most_dimensions; ++i) {
        auto const n = tree.number(fmt::format("{}.ImageData.Dimensions.{}", image.path, i));
        if (!n) break;
        if (!(*n >= 1) || *n > static_cast<double>(most_values) ||
            values > most_values / static_cast<index>(*n))
            return Error{
                Code::corrupt,
                fmt::format("dimension {} of {} is {:g}; the file is damaged", i, image.path, *n)};
        image.shape.push_back(static_cast<index>(*n));
        values *= image.shape.back();
        std::string const at = fmt::format("{}.ImageData.Calibrations.Dimension.{}", image.path, i);
        image.axes.push_back(
            {tree.number(at + ".Scale").value_or(0), tree.text(at + ".Units").value_or("")});
    }
    // The file has the fastest first.
    std::ranges::reverse(image.shape);
    std::ranges::reverse(image.axes);
    return {};
}

// The values must be as many as the dimensions say.
Status check_values(Tree const& tree, Image& image) {
    Tag const* const data = tree.find(image.path + ".ImageData.Data");
    std::uint64_t const wanted = static_cast<std::uint64_t>(image.values());
    std::uint64_t const bytes = static_cast<std::uint64_t>(image.stored.bytes);
    std::uint64_t const held = data->count * static_cast<std::uint64_t>(bytes_of(data->type));
    if (!data->array || held / bytes != wanted || held % bytes != 0)
        return Error{
            Code::corrupt,
            fmt::format("{} has {} bytes of values, and its dimensions {} of {} bytes need "
                        "others; the file is damaged",
                        image.path, held, fmt::join(image.shape, "x"), bytes),
            {},
            data->at};
    image.at = data->at;
    return {};
}

bool is_detector(Calibration const& c) {
    return c.units.starts_with("1/") || c.units.ends_with("rad") || c.units.ends_with("^-1") ||
           c.units == "deg";
}

bool is_length(Calibration const& c) {
    return c.units == "nm" || c.units == "pm" || c.units == "mm" || c.units == "A" ||
           c.units == "um" || c.units.ends_with("\xC3\x85") || c.units == "\xC2\xB5m" ||
           c.units == "\xCE\xBCm";
}

}  // namespace

index Image::values() const {
    index n = 1;
    for (index side : shape) n *= side;
    return n;
}

Result<std::vector<Image>> find_images(Tree const& tree, std::vector<std::string>& left_out) {
    std::vector<Image> found;
    std::vector<std::string> thumbnails;
    for (int i = 0; i < most_images; ++i)
        if (auto const n = tree.number(fmt::format("Thumbnails.{}.ImageIndex", i)))
            thumbnails.push_back(
                fmt::format("ImageList.{}", static_cast<index>(std::clamp(*n, 0., 1e6))));
    for (int i = 0; i < most_images; ++i) {
        Image image{.listed = i, .path = fmt::format("ImageList.{}", i)};
        if (!tree.find(image.path + ".ImageData.Data")) continue;
        if (std::ranges::find(thumbnails, image.path) != thumbnails.end()) continue;
        SLUICE_CHECK(read_shape(tree, image));
        auto const code = tree.number(image.path + ".ImageData.DataType").value_or(0);
        auto const type = type_of(static_cast<int>(std::clamp(code, 0., 255.)));
        if (!type || image.shape.size() < 2 || image.shape.size() > 4) {
            left_out.push_back(fmt::format("{}: {} dimensions of type {:g}", image.path,
                                           image.shape.size(), code));
            continue;
        }
        image.stored = *type;
        image.stored.big_endian = tree.big_endian() && type->bytes > 1;
        SLUICE_CHECK(check_values(tree, image));
        std::string const meta = image.path + ".ImageTags.Meta Data.";
        image.format = tree.text(meta + "Format").value_or("");
        if (auto const n = tree.number(meta + "Data Order Swapped")) image.swapped = *n != 0;
        found.push_back(std::move(image));
    }
    return found;
}

Axes axes_of(Image& image) {
    if (image.shape.size() == 2) {
        image.shape.insert(image.shape.begin(), 1);
        image.axes.insert(image.axes.begin(), Calibration{});
        return {boxes::usual_axes(3), "one image"};
    }
    if (image.shape.size() == 3 && image.format == "Spectrum image" &&
        !image.swapped.value_or(false)) {
        image.shape.insert(image.shape.begin() + 1, 1);
        image.axes.insert(image.axes.begin() + 1, Calibration{});
        return {{.scan = {2, 3}, .row = 1, .col = 0}, "the tags (a spectrum image)"};
    }
    if (image.shape.size() == 3) return {boxes::usual_axes(3), "a stack of images"};
    boxes::FrameAxes const detector_first{.scan = {2, 3}, .row = 0, .col = 1};
    if (image.swapped)
        return {*image.swapped ? boxes::usual_axes(4) : detector_first,
                "the tag Data Order Swapped"};
    if (is_detector(image.axes[3]) && is_length(image.axes[1]))
        return {boxes::usual_axes(4), "the units of the dimensions"};
    if (is_detector(image.axes[0]) && is_length(image.axes[3]))
        return {detector_first, "the units of the dimensions"};
    return {detector_first, "no tag: older files have the detector's first"};
}

}  // namespace sluice::dm
