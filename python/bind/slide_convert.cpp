// Slides to OME-Zarr.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>

#include "bind/choices.h"
#include "bind/device.h"
#include "bind/slide.h"
#include "bind/work.h"
#include "domain/slide/words.h"
#include "sluice/convert.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using slide::ChunkCodec, slide::ConvertOptions;

nb::dict dict_of(slide::ConvertReport const& r) {
    nb::list images;
    for (slide::ConvertedImage const& i : r.images) {
        nb::dict one;
        one["path"] = i.path;
        one["name"] = i.name;
        one["shape"] = nb::make_tuple(i.shape[0], i.shape[1], i.shape[2], i.shape[3], i.shape[4]);
        one["dtype"] = i.dtype;
        one["levels"] = i.levels;
        images.append(one);
    }
    nb::dict out;
    out["path"] = r.path;
    out["images"] = images;
    out["pixels"] = r.pixels;
    out["bytes"] = r.bytes;
    out["bytes_written"] = r.bytes_written;
    out["chunks"] = r.chunks;
    out["chunks_empty"] = r.chunks_empty;
    out["chunks_verified"] = r.chunks_verified;
    out["band_memory"] = r.band_memory;
    out["peak_memory"] = r.peak_memory;
    out["seconds"] = r.seconds;
    out["verify_seconds"] = r.verify_seconds;
    out["resumed"] = r.resumed;
    out["files_made_again"] = r.files_made_again;
    out["tiles_filled"] = r.tiles_filled;
    out["notes"] = r.notes;
    return out;
}

nb::dict convert(slide::Slide const& slide, std::string const& path, std::string const& ngff,
                 index chunk, index shard, std::string const& codec, int codec_level,
                 std::string const& layout, std::vector<std::int32_t> scenes,
                 std::vector<std::int32_t> channels,
                 std::map<std::string, std::int32_t> const& plane, index min_size, double fill,
                 std::optional<double> fill_bad, bool resume, bool overwrite, bool verify,
                 int threads, std::string const& device, std::uint64_t memory_limit,
                 std::vector<std::pair<std::string, std::string>> const& provenance,
                 nb::object progress) {
    check_czi(slide, "it is not converted");
    ConvertOptions options{.ngff = ngff,
                           .chunk = chunk,
                           .shard = shard,
                           .codec = choice<ChunkCodec>("codec", codec),
                           .codec_level = codec_level,
                           .layout = choice<slide::ImageLayout>("layout", layout),
                           .scenes = std::move(scenes),
                           .channels = std::move(channels),
                           .min_size = min_size,
                           .fill = fill,
                           .fill_bad = fill_bad,
                           .resume = resume,
                           .overwrite = overwrite,
                           .verify = verify,
                           .threads = checked_threads(threads),
                           .device = device_named(device, threads),
                           .memory_limit = memory_limit};
    for (auto const& [letter, at] : plane) {
        if (letter.size() != 1)
            raise({Code::invalid_argument, "plane has '" + letter + "'; its names are letters of " +
                                               std::string(slide::dimension_letters)});
        options.plane[letter[0]] = at;
    }
    if (!provenance.empty()) options.provenance = {provenance};
    return dict_of(work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return slide::convert(slide, path, options);
    }));
}

}  // namespace

void add_slide_convert(nb::module_& m) {
    m.def("slide_convert", convert, "slide"_a, "path"_a, "ngff"_a, "chunk"_a, "shard"_a, "codec"_a,
          "codec_level"_a, "layout"_a, "scenes"_a, "channels"_a, "plane"_a, "min_size"_a, "fill"_a,
          "fill_bad"_a.none(), "resume"_a, "overwrite"_a, "verify"_a, "threads"_a, "device"_a,
          "memory_limit"_a, "provenance"_a, "progress"_a.none());
}

}  // namespace sluice::python
