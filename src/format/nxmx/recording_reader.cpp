// Images of a recording, put in the order of the scan: points without an image are missing.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/recording_reader.h"

#include <algorithm>

#include "format/nxmx/recording_master.h"

namespace sluice::nxmx {
namespace {

using hdf5::FrameParts;
using hdf5::PlacedPart;

constexpr index most_side = index{1} << 20;
std::string const recorded = recording_group;

// Numbers of a recording that are told with its metadata.
constexpr char const* counts[] = {"images_recorded", "images_damaged", "images_not_recorded"};

std::vector<MetaField> metadata_of(Values& file) {
    std::vector<MetaField> fields;
    if (auto const texts = file.object(recorded + "/metadata"))
        if (auto const links = texts->links())
            for (auto const& link : *links) {
                std::string const path = recorded + "/metadata/" + link.name;
                if (auto const text = file.text(path); text && !text->empty())
                    fields.push_back(
                        {link.name, *text, file.attribute_text(path, "units").value_or("")});
            }
    if (auto const how = file.text(recorded + "/ended"))
        fields.push_back({"recording ended", *how, ""});
    for (std::string const name : counts)
        if (auto const n = file.count(recorded + "/" + name)) {
            std::string words = name;
            std::ranges::replace(words, '_', ' ');
            fields.push_back({words, std::to_string(*n), ""});
        }
    return fields;
}

// [image][row, column].
Result<std::vector<index>> frames_at(hdf5::object::Object const& places, ScanGrid scan) {
    std::vector<index> frames;
    SLUICE_TRY(auto const info, hdf5::object::dataset_info(places));
    auto const& extent = info.space.extent;
    bool const pairs = extent.size() == 2 && extent[1] == 2 && extent[0] <= std::uint64_t{1} << 31;
    auto const wrong = [&](std::string what) {
        return Error{Code::corrupt, std::move(what) + "; is the recording damaged?", places.file()};
    };
    if (!pairs) return wrong("positions of a recording that are not [image][row, column]");
    SLUICE_TRY(auto const values,
               hdf5::object::read_image(places, static_cast<index>(extent[0]), 2));
    if (!values) return wrong("positions of a recording that are no whole numbers");
    for (std::size_t i = 0; i + 1 < values->size(); i += 2) {
        auto const row = static_cast<std::int32_t>((*values)[i]);
        auto const col = static_cast<std::int32_t>((*values)[i + 1]);
        bool const none = row < 0 || col < 0;
        if (!none && (row >= scan[0] || col >= scan[1]))
            return wrong("positions of a recording outside of its scan");
        frames.push_back(none ? -1 : row * scan[1] + col);
    }
    return frames;
}

/// An image that is there, and where it belongs.
struct Placed {
    index frame, image;
    PlacedPart const* part;
};

std::vector<Placed> placed(FrameParts const& images, RecordedPath const& path) {
    std::vector<Placed> all;
    auto missing = images.missing.begin();
    for (PlacedPart const& part : images.parts)
        for (index i = part.first; i < part.first + part.count; ++i) {
            while (missing != images.missing.end() && missing->first + missing->count <= i)
                ++missing;
            if (missing != images.missing.end() && missing->first <= i) {
                i = std::min(part.first + part.count, missing->first + missing->count) - 1;
                continue;
            }
            bool const within = path.frame_of.empty() || i < std::ssize(path.frame_of);
            index const frame = !within ? -1
                                : path.frame_of.empty()
                                    ? i
                                    : path.frame_of[static_cast<std::size_t>(i)];
            if (frame >= 0 && frame < path.scan[0] * path.scan[1]) all.push_back({frame, i, &part});
        }
    std::ranges::sort(all, {}, [](Placed const& p) { return std::pair(p.frame, p.image); });
    return all;
}

}  // namespace

Result<std::optional<RecordedPath>> read_recorded_path(Values& file) {
    auto const rows = file.count(recorded + "/scan_rows"),
               cols = file.count(recorded + "/scan_columns");
    auto const side = [](std::optional<std::uint64_t> n) {
        return n && *n > 0 && *n <= static_cast<std::uint64_t>(most_side);
    };
    if (!side(rows) || !side(cols)) return std::optional<RecordedPath>();
    RecordedPath path;
    path.scan = {static_cast<index>(*rows), static_cast<index>(*cols)};
    path.words = file.text(recorded + "/path").value_or("");
    path.metadata = metadata_of(file);
    if (auto const places = file.object(recorded + "/positions"); places && places->is_dataset()) {
        SLUICE_TRY(path.frame_of, frames_at(*places, path.scan));
    }
    return std::optional(std::move(path));
}

FrameParts along_path(FrameParts const& images, RecordedPath const& path) {
    FrameParts out;
    out.count = path.scan[0] * path.scan[1];
    out.fill = images.fill;
    index next = 0;
    for (Placed const& p : placed(images, path)) {
        if (p.frame < next) continue;  // of two images for one point the first counts
        add_run(out.missing, {next, p.frame - next});
        next = p.frame + 1;
        index const local = p.part->local + p.image - p.part->first;
        PlacedPart* const last = out.parts.empty() ? nullptr : &out.parts.back();
        if (last && last->part == p.part->part && last->first + last->count == p.frame &&
            last->local + last->count == local)
            ++last->count;
        else
            out.parts.push_back({p.frame, 1, p.part->part, local});
    }
    add_run(out.missing, {next, out.count - next});
    return out;
}

}  // namespace sluice::nxmx
