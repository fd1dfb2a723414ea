// Scenes to images, in the layouts that OME-Zarr knows.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/scenes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace sluice::slide::ome {
namespace {

bool wanted(std::vector<std::int32_t> const& list, std::int32_t v) {
    return list.empty() || std::find(list.begin(), list.end(), v) != list.end();
}

template <class Get>
std::set<std::int32_t> values(Slide const& slide, Get const& get) {
    std::set<std::int32_t> out;
    for (Tile const& t : slide.tiles()) out.insert(get(t));
    return out;
}

Result<PlaneIndex> fixed_position(Slide const& slide, ConvertOptions const& options) {
    PlaneIndex at = slide.first();
    for (auto const& [letter, value] : options.plane) {
        auto const d = dimension_letters.find(letter);
        if (std::string_view("RIHVB").find(letter) == std::string_view::npos)
            return Error{Code::invalid_argument,
                         fmt::format("dimension '{}' cannot be chosen (only R, I, H, V and B can) "
                                     "give one such as H=2",
                                     letter)};
        index const end = index{at[d]} + slide.counts()[d];
        if (value < at[d] || value >= end)
            return Error{Code::invalid_argument, fmt::format("there is no {}={}; give {} to {}",
                                                             letter, value, at[d], end - 1)};
        at[d] = value;
    }
    for (char const letter : std::string_view("RIHVB")) {
        auto const d = dimension_letters.find(letter);
        if (slide.counts()[d] > 1 && !options.plane.contains(letter))
            return Error{Code::unsupported,
                         fmt::format("dimension {} has {} indices (OME-Zarr knows t, c, z, y and "
                                     "x only) choose one with --plane {}={}",
                                     letter, slide.counts()[d], letter, slide.first()[d])};
    }
    return at;
}

Result<std::vector<std::int32_t>> chosen(std::set<std::int32_t> const& there,
                                         std::vector<std::int32_t> const& list,
                                         std::string_view what) {
    for (std::int32_t const v : list)
        if (!there.contains(v))
            return Error{Code::invalid_argument, fmt::format("there is no {} {}; the file has {}",
                                                             what, v, fmt::join(there, ", "))};
    std::vector<std::int32_t> out;
    for (std::int32_t const v : there)
        if (wanted(list, v)) out.push_back(v);
    return out;
}

// A, B, ... Z, AA, ...
std::string row_name(int row) {
    std::string out;
    for (int n = row; n > 0; n = (n - 1) / 26)
        out.insert(out.begin(), static_cast<char>('A' + (n - 1) % 26));
    return out;
}

std::optional<WellPlan> well_of(SceneInfo const& s, bool by_name) {
    std::string const name = row_name(s.row) + std::to_string(s.column);
    // Slides in a holder have rows and columns too, but other names.
    if (s.row > 0 && s.column > 0 && (by_name || s.well.empty() || s.well == name))
        return WellPlan{row_name(s.row), std::to_string(s.column)};
    auto const letters = std::min(s.well.find_first_of("0123456789"), s.well.size());
    bool const letters_then_digits =
        letters > 0 && letters < s.well.size() &&
        s.well.find_first_not_of("0123456789", letters) == std::string::npos &&
        std::all_of(s.well.begin(), s.well.begin() + static_cast<std::ptrdiff_t>(letters),
                    [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!by_name || !letters_then_digits) return {};
    return WellPlan{s.well.substr(0, letters), s.well.substr(letters)};
}

SceneInfo const* info_of(Plan const& plan, std::int32_t scene) {
    for (SceneInfo const& s : plan.metadata.scenes)
        if (s.index == scene) return &s;
    return nullptr;
}

constexpr std::array<std::string_view, 4> sample_names{"Red", "Green", "Blue", "Alpha"};
constexpr std::array<std::string_view, 4> sample_colors{"FF0000", "00FF00", "0000FF", "FFFFFF"};

std::vector<ComponentPlan> components_of(Plan const& plan, std::vector<std::int32_t> const& cs) {
    constexpr std::array<std::string_view, 6> colors{"FF0000", "00FF00", "0000FF",
                                                     "FFFF00", "FF00FF", "00FFFF"};
    std::vector<ComponentPlan> out;
    for (std::size_t i = 0; i < cs.size(); ++i)
        for (int s = 0; s < plan.samples; ++s) {
            ComponentPlan p;
            p.c = cs[i];
            p.sample = s;
            auto const at = static_cast<std::size_t>(cs[i]);
            if (cs[i] >= 0 && at < plan.metadata.channels.size()) {
                Channel const& c = plan.metadata.channels[at];
                p.name = c.name.empty() ? c.fluor : c.name;
                p.color = c.color;
                p.low = c.low, p.high = c.high;
                p.excitation_nm = c.excitation_nm, p.emission_nm = c.emission_nm;
            }
            if (p.name.empty()) p.name = fmt::format("Channel {}", cs[i]);
            if (plan.samples > 1) {
                auto const k = static_cast<std::size_t>(s);
                p.name = cs.size() == 1 ? std::string(sample_names[k])
                                        : fmt::format("{} {}", p.name, sample_names[k]);
                p.color = sample_colors[k];
            }
            if (p.color.empty()) p.color = cs.size() == 1 ? "FFFFFF" : colors[i % colors.size()];
            out.push_back(std::move(p));
        }
    return out;
}

// The extent of a scene's tiles in level 0.
struct Extent {
    std::int32_t t0 = INT_MAX, t1 = INT_MIN, z0 = INT_MAX, z1 = INT_MIN;
    std::set<std::int32_t> channels;

    void add(PlaneIndex const& at) {
        t0 = std::min(t0, at[T]), t1 = std::max(t1, at[T]);
        z0 = std::min(z0, at[Z]), z1 = std::max(z1, at[Z]);
        channels.insert(at[C]);
    }
};

// By scene, or all of them under `none`.
std::map<std::int32_t, Extent> extents_of(Slide const& slide,
                                          std::vector<std::int32_t> const& channels, bool merged) {
    std::map<std::int32_t, Extent> out;
    for (Tile const& tile : slide.tiles())
        if (tile.level == 0 && std::ranges::binary_search(channels, tile.at[C]))
            out[merged ? none : tile.scene].add(tile.at);
    return out;
}

// All scenes have all channels, as a plate's fields must; unless that were more than any
// instrument's, and nearly all of them without a tile.
std::vector<std::int32_t> channels_of(Extent const& scene, std::vector<std::int32_t> const& all,
                                      std::size_t scenes) {
    constexpr std::size_t most = 1 << 16;
    if (all.size() <= most / std::max<std::size_t>(1, scenes)) return all;
    return {scene.channels.begin(), scene.channels.end()};
}

std::string stem_of(Slide const& slide) {
    return std::filesystem::path(slide.path()).stem();
}

void place_in_wells(Plan& plan) {
    std::map<std::pair<std::string, std::string>, int> fields;
    for (ImagePlan& image : plan.images) {
        WellPlan& w = *image.well;
        w.field = fields[{w.row, w.column}]++;
        image.group = fmt::format("{}/{}/{}", w.row, w.column, w.field);
    }
}

// Every image has a well, or the layout is not for plates.
Status choose_layout(Plan& plan, ImageLayout asked) {
    plan.layout = asked == ImageLayout::automatic ? ImageLayout::scenes : asked;
    if (asked == ImageLayout::scenes || asked == ImageLayout::merged) return {};
    for (ImagePlan& image : plan.images) {
        SceneInfo const* const info = image.scene ? info_of(plan, *image.scene) : nullptr;
        if (info) image.well = well_of(*info, asked == ImageLayout::plate);
        if (image.well) continue;
        if (asked == ImageLayout::automatic) {
            for (ImagePlan& other : plan.images) other.well.reset();
            return {};
        }
        return Error{Code::unsupported,
                     fmt::format("scene '{}' names no well (its metadata has neither row and "
                                 "column nor a name like D6) use --arrange scenes",
                                 image.name)};
    }
    plan.layout = ImageLayout::plate;
    place_in_wells(plan);
    return {};
}

}  // namespace

Status choose_type(Slide const& slide, ConvertOptions const& options, Plan& plan) {
    std::set<PixelType> types;
    for (Tile const& t : slide.tiles())
        if (t.level == 0 && wanted(options.channels, t.at[C])) types.insert(t.pixel_type);
    if (types.empty())
        return Error{Code::not_found, "no tile can be converted (none has these channels)"};
    if (types.size() > 1) {
        std::vector<std::string_view> names;
        for (PixelType const t : types) names.push_back(name_of(t));
        return Error{Code::unsupported,
                     fmt::format("channels have different pixel types ({}; an array has one type) "
                                 "convert them one by one with --channels",
                                 fmt::join(names, ", "))};
    }
    auto const format = format_of(*types.begin());
    plan.samples = format.samples;
    plan.dtype = format.sample;
    if (plan.dtype != DType::c64) return {};
    return Error{Code::unsupported,
                 fmt::format("pixels of type {} (OME-Zarr has no complex numbers) cannot be "
                             "converted",
                             name_of(*types.begin()))};
}

Status choose_images(Slide const& slide, ConvertOptions const& options, Plan& plan) {
    SLUICE_TRY(PlaneIndex const fixed, fixed_position(slide, options));
    SLUICE_TRY(auto const channels, chosen(values(slide, [](Tile const& t) { return t.at[C]; }),
                                           options.channels, "channel"));
    std::set<std::int32_t> there;
    for (Scene const& s : slide.scenes()) there.insert(s.id);
    SLUICE_TRY(auto const scenes, chosen(there, options.scenes, "scene"));
    bool const merged = options.layout == ImageLayout::merged;
    auto const extents = extents_of(slide, channels, merged);
    for (Scene const& s : slide.scenes()) {
        if (!std::ranges::binary_search(scenes, s.id) || s.bounds.empty()) continue;
        if (merged && !plan.images.empty()) break;
        ImagePlan image;
        image.first = fixed;
        image.rect = s.bounds;
        if (s.id != none) image.scene = s.id;
        if (merged) {
            if (!options.scenes.empty())
                return Error{Code::invalid_argument,
                             "--arrange merged puts all scenes together; leave out --scenes"};
            image.scene.reset();
            image.rect = slide.bounds();
        }
        auto const extent = extents.find(image.scene.value_or(none));
        if (extent == extents.end()) continue;
        Extent const& e = extent->second;
        image.first[T] = e.t0, image.first[Z] = e.z0;
        image.t = index{e.t1} - e.t0 + 1, image.z = index{e.z1} - e.z0 + 1;
        image.channels = channels_of(e, channels, extents.size());
        image.components = components_of(plan, image.channels);
        image.group = std::to_string(plan.images.size());
        SceneInfo const* const info = image.scene ? info_of(plan, *image.scene) : nullptr;
        image.name = info && !info->name.empty() ? info->name : stem_of(slide);
        if (there.size() > 1 && image.scene && !(info && !info->name.empty()))
            image.name += fmt::format(" #{}", *image.scene);
        plan.images.push_back(std::move(image));
    }
    if (plan.images.empty())
        return Error{Code::not_found, "no scene can be converted (none has these channels)"};
    return choose_layout(plan, options.layout);
}

}  // namespace sluice::slide::ome
