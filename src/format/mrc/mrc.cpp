// From an MRC file to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/mrc/mrc.h"

#include <fmt/format.h>

#include <algorithm>

#include "format/mrc/info_file.h"
#include "format/mrc/packed.h"

namespace sluice::mrc {
namespace {

// MRCZ: what is packed lies anywhere.
Result<Dataset> open_packed(std::string const& path, Header const& h, FlatScan s,
                            OpenOptions const& options) {
    SLUICE_CHECK(check_frame(h.rows, h.cols));
    SLUICE_TRY(auto const file, open_source(path));
    SLUICE_TRY(PackedPlaces places, find_sections(*file, h));
    index const present = places.sections();
    if (present == 0 || (present < h.sections && !options.allow_incomplete))
        return Error{Code::truncated,
                     fmt::format("the file ends within its {} packed frames of {}x{} ({} are "
                                 "whole); copy it again, or open it with --allow-incomplete",
                                 h.sections, h.rows, h.cols, present),
                     path, file->size()};
    s.layout.pixels = h.rows * h.cols;
    SLUICE_TRY(Dataset d,
               open_frames(packed_frames(file, std::move(places), h), present, {path}, s, options));
    d.path = path;
    return d;
}

Result<Dataset> open_file(File file, OpenOptions const& options) {
    std::vector<std::byte> head(std::min<std::uint64_t>(file.size(), 4096));
    SLUICE_CHECK(file.read(0, head));
    SLUICE_TRY(Header const h, parse_header(head));
    SLUICE_TRY(InfoFile const info, find_info(file.path()));
    FlatScan s{.format = "mrc", .rows = h.rows, .cols = h.cols, .announced = h.sections};
    s.layout.stored = h.stored, s.layout.offset = h.data_at;
    s.scan = h.volumes, s.scan_from = "the header's volumes";
    if (info.scan) s.scan = info.scan, s.scan_from = "the info.txt of the camera";
    std::string const path = file.path();
    auto opened = h.packed ? open_packed(path, h, s, options)
                           : open_flat(std::move(file), std::move(s), options);
    if (!opened) return opened;
    Dataset d = *std::move(opened);
    if (!info.path.empty()) d.files.push_back(info.path);
    d.metadata = info.fields;
    if (h.pixel_angstrom)
        d.metadata.push_back(
            {"pixel in the header", fmt::format("{:.6g}", *h.pixel_angstrom), "A"});
    for (std::string const& label : h.labels) d.metadata.push_back({"label", label, ""});
    return d;
}

}  // namespace

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(File file, File::open(path));
    auto d = open_file(std::move(file), options);
    if (!d && d.error().file.empty()) d.error().file = path;
    return d;
}

}  // namespace sluice::mrc
