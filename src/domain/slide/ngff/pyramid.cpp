// Axes and levels of OME-Zarr images.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/pyramid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "zarr/chunk_names.h"

namespace sluice::slide {
namespace {

// A canvas of more pixels along a side than any instrument makes.
constexpr index most_side = index{1} << 40;

std::optional<PixelType> pixel_type_of(DType e) {
    switch (e) {
        case DType::boolean:
        case DType::u8:
            return PixelType::gray8;
        case DType::u16:
            return PixelType::gray16;
        case DType::i8:
        case DType::i16:
        case DType::i32:
            return PixelType::gray32;
        case DType::f16:
        case DType::f32:
            return PixelType::gray32_float;
        case DType::u32:
        case DType::f64:
            return PixelType::gray64;
        default:
            break;
    }
    return {};
}

std::optional<Dimension> dimension_of(std::string const& axis) {
    if (axis == "c") return C;
    if (axis == "z") return Z;
    if (axis == "t") return slide::T;
    return {};
}

bool is_image_axis(std::string const& name) {
    return name == "x" || name == "y" || dimension_of(name);
}

// An array without metadata of OME has the axes that its dimensions are called, or else those that
// images usually have, from the last on.
std::vector<std::string> axes_of(ngff::Image const& image, ZarrPyramid& p) {
    std::vector<std::string> names;
    for (ngff::Axis const& a : image.axes) names.push_back(a.name);
    if (!names.empty()) return names;
    ngff::Stored const& array = image.levels.front().array;
    std::size_t const n = array.shape.size();
    if (array.names.size() == n && std::ranges::all_of(array.names, is_image_axis))
        return array.names;
    std::string_view const all = n == 4 ? "czyx" : "tczyx";
    if (n > all.size()) return names;
    for (char const c : all.substr(all.size() - n)) names.emplace_back(1, c);
    p.notes.push_back(
        array.names.empty()
            ? fmt::format("the array names no axes; they are taken as {}", fmt::join(names, ", "))
            : fmt::format("the array's axes are called {}; they are taken as {}",
                          fmt::join(array.names, ", "), fmt::join(names, ", ")));
    return names;
}

Status set_axes(ngff::Image const& image, std::string const& where, ZarrPyramid& p) {
    std::vector<index> const& shape = image.levels.front().array.shape;
    std::vector<std::string> const names = axes_of(image, p);
    p.counts.fill(1);
    p.dimensions.resize(shape.size());
    bool x = false, y = false;
    std::string all;
    for (std::string const& n : names) all += (all.empty() ? "" : ", ") + n;
    auto const refuse = [&](std::string const& why) {
        return Error{
            Code::unsupported,
            fmt::format("an image with the axes {} ({}); y and x are shown, of any t, c "
                        "and z",
                        all.empty() ? fmt::format("of {} dimensions", shape.size()) : all, why),
            where};
    };
    if (names.size() != shape.size()) return refuse("there are more dimensions than names");
    for (std::size_t d = 0; d < names.size(); ++d) {
        if (names[d] == "x" && !x) {
            p.x = d, x = true;
        } else if (names[d] == "y" && !y) {
            p.y = d, y = true;
        } else if (auto const found = dimension_of(names[d])) {
            if (std::ranges::count(names, names[d]) > 1) return refuse("a name comes twice");
            if (shape[d] > INT_MAX) return refuse("one has more than 2^31 elements");
            p.dimensions[d] = found;
            p.counts[*found] = static_cast<std::int32_t>(shape[d]);
        } else if (shape[d] != 1) {
            return refuse(fmt::format("'{}' has {} elements", names[d], shape[d]));
        }
    }
    if (!x || !y) return refuse("x or y is missing");
    for (index const n : shape)
        if (n == 0)
            return Error{Code::corrupt, "has an axis without elements; write it again", where};
    if (shape[p.x] > most_side || shape[p.y] > most_side)
        return Error{Code::corrupt, "has more pixels than can be counted; write it again", where};
    return {};
}

// A level is rounded up or down; one that is a row short repeats its last row.
bool fits(index whole, index level, index factor) {
    index const up = whole / factor + (whole % factor != 0);
    return level == up || (level == up - 1 && level > 0);
}

bool fits(ngff::Level const& first, ngff::Level const& level, ZarrPyramid const& p, double factor) {
    if (!(factor > 1.5 && factor < 1e9)) return false;
    auto const f = std::llround(factor);
    auto const &all = first.array.shape, &own = level.array.shape;
    return fits(all[p.x], own[p.x], f) && fits(all[p.y], own[p.y], f);
}

// The factor of a level's scale, or 0.
double told_factor(ngff::Level const& first, ngff::Level const& level, ZarrPyramid const& p) {
    std::size_t const n = first.array.shape.size();
    if (first.scale.size() != n || level.scale.size() != n || !(first.scale[p.x] > 0)) return 0;
    return level.scale[p.x] / first.scale[p.x];
}

// The factor of a level: that of its scale where it fits the pixels, else one that fits them. Of
// those, whole quotients and powers of two are likelier than others.
int factor_of(ngff::Level const& first, ngff::Level const& level, ZarrPyramid const& p) {
    auto const &all = first.array.shape, &own = level.array.shape;
    std::size_t const side = all[p.x] >= all[p.y] ? p.x : p.y;
    double const ratio =
        static_cast<double>(all[side]) / static_cast<double>(std::max<index>(1, own[side]));
    double const power = std::log2(ratio), whole = ratio == std::round(ratio) ? ratio : 0;
    for (double const t : {told_factor(first, level, p), whole, std::exp2(std::round(power)),
                           std::exp2(std::floor(power)), ratio, std::floor(ratio)})
        if (fits(first, level, p, t)) return static_cast<int>(std::llround(t));
    return 0;
}

// A factor that the metadata lack, or state wrongly.
void note_factor(ngff::Image const& image, std::size_t l, int factor, ZarrPyramid& p) {
    ngff::Level const& level = image.levels[l];
    double const told = told_factor(image.levels.front(), level, p);
    if (fits(image.levels.front(), level, p, told)) return;
    p.notes.push_back(fmt::format("level '{}' is taken as 1/{} by its size (its scale {})",
                                  level.path, factor,
                                  told > 0 ? fmt::format("says 1/{:g}", told) : "is not told"));
}

std::string why_not(ngff::Image const& image, std::size_t l, ZarrPyramid const& p,
                    zarr::Layout const& layout) {
    ngff::Level const& level = image.levels[l];
    ngff::Level const& first = image.levels.front();
    for (std::size_t d = 0; d < level.array.shape.size(); ++d)
        if (d != p.x && d != p.y && level.array.shape[d] != first.array.shape[d])
            return fmt::format("it is coarser along {}, too", image.axes[d].name);
    if (layout.dtype != p.levels.front().array.layout().dtype)
        return "its elements have another type";
    if (level.array.shape[p.x] >= first.array.shape[p.x] &&
        level.array.shape[p.y] >= first.array.shape[p.y])
        return "it is no coarser than the first";
    int const factor = factor_of(first, level, p);
    if (factor == 0)
        return fmt::format("its {} x {} pixels do not divide {} x {}", level.array.shape[p.x],
                           level.array.shape[p.y], first.array.shape[p.x], first.array.shape[p.y]);
    if (factor <= p.levels.back().factor) return "it is no coarser than the one before";
    return {};
}

double um_per(std::string const& unit) {
    constexpr std::pair<std::string_view, double> units[] = {
        {"micrometer", 1},  {"nanometer", 1e-3}, {"millimeter", 1e3}, {"meter", 1e6},
        {"angstrom", 1e-4}, {"centimeter", 1e4}, {"picometer", 1e-6}};
    for (auto const& [name, um] : units)
        if (unit == name) return um;
    return 0;
}

double seconds_per(std::string const& unit) {
    constexpr std::pair<std::string_view, double> units[] = {{"second", 1},
                                                             {"millisecond", 1e-3},
                                                             {"microsecond", 1e-6},
                                                             {"minute", 60},
                                                             {"hour", 3600}};
    for (auto const& [name, s] : units)
        if (unit == name) return s;
    return 0;
}

}  // namespace

Result<ZarrPyramid> open_pyramid(ngff::Folder const& folder) {
    ngff::Image const& image = folder.images.front();
    std::string const where = image.path.empty() ? folder.path : folder.path + "/" + image.path;
    ZarrPyramid p;
    SLUICE_CHECK(set_axes(image, where, p));
    for (std::size_t l = 0; l < image.levels.size(); ++l) {
        ngff::Level const& level = image.levels[l];
        std::string const at = level.path.empty() ? where : where + "/" + level.path;
        SLUICE_TRY(zarr::Reader array, zarr::Reader::open(at));
        zarr::Layout const& layout = array.layout();
        if (layout.shape != level.array.shape)
            return Error{Code::io, "changed while it was opened; try again", at};
        std::string const why = l == 0 ? "" : why_not(image, l, p, layout);
        if (!why.empty()) {
            p.notes.push_back(fmt::format("level '{}' is left out ({})", level.path, why));
            continue;
        }
        if (l == 0) {
            auto const type = pixel_type_of(layout.dtype);
            if (!type)
                return Error{Code::unsupported,
                             fmt::format("elements of {} (images here have up to 32 bits, or "
                                         "float64); save it with another type",
                                         name_of(layout.dtype)),
                             at};
            p.pixel_type = *type;
            std::string_view const read = name_of(format_of(*type).sample);
            if (read != name_of(layout.dtype))
                p.notes.push_back(fmt::format("the elements are {} and are read as {}",
                                              name_of(layout.dtype), read));
        }
        int const factor = l == 0 ? 1 : factor_of(image.levels.front(), level, p);
        if (l > 0) note_factor(image, l, factor, p);
        SLUICE_TRY(bool const chunks, zarr::has_chunks(at, layout));
        if (!chunks)
            p.notes.push_back(
                fmt::format("{} has no chunk; all its pixels have the fill value",
                            level.path.empty() ? "the array" : "level '" + level.path + "'"));
        index const width = layout.shape[p.x], height = layout.shape[p.y];
        p.levels.push_back({std::move(array), factor, width, height, l});
    }
    return p;
}

Metadata metadata_of(ngff::Image const& image, PixelType pixel_type,
                     std::vector<std::string>& notes) {
    Metadata m;
    m.title = image.name;
    std::vector<double> const& scale = image.levels.front().scale;
    for (std::size_t d = 0; scale.size() == image.axes.size() && d < scale.size(); ++d) {
        ngff::Axis const& axis = image.axes[d];
        double* const to = axis.name == "x"   ? &m.x_um
                           : axis.name == "y" ? &m.y_um
                           : axis.name == "z" ? &m.z_um
                           : axis.name == "t" ? &m.t_s
                                              : nullptr;
        // Without a unit a number is not a size.
        if (!to || axis.unit.empty()) continue;
        double const unit = axis.name == "t" ? seconds_per(axis.unit) : um_per(axis.unit);
        *to = scale[d] > 0 ? scale[d] * unit : 0;
        if (*to == 0)
            notes.push_back(fmt::format("the scale of {} is left out ({:g} {} is not understood)",
                                        axis.name, scale[d], axis.unit));
    }
    double const range = pixel_type == PixelType::gray8    ? 255
                         : pixel_type == PixelType::gray16 ? 65535
                                                           : 1;
    for (ngff::Channel const& c : image.channels) {
        Channel channel;
        channel.index = static_cast<int>(m.channels.size());
        channel.name = c.name;
        channel.color = c.color;
        if (c.start && c.end) {
            channel.low = *c.start / range;
            channel.high = *c.end / range;
        }
        m.channels.push_back(std::move(channel));
    }
    return m;
}

}  // namespace sluice::slide
