// The recording of a series beside its picture.
// SPDX-License-Identifier: Apache-2.0
#include "domain/live/record.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/plural.h"
#include "net/scan_path.h"

namespace sluice::live {
namespace {

std::string prefix_of(RecordOptions const& o, index number) {
    return o.numbered ? fmt::format("{}_{:04}", o.prefix, number + 1) : o.prefix;
}

std::string words_of(stem4d::LiveOptions const& o) {
    if (!o.positions.values.empty())
        return "positions" + (o.positions_file.empty() ? "" : " of " + o.positions_file);
    std::string text = o.order == ScanOrder::raster
                           ? "row by row"
                           : "row by row, every second one from right to left";
    if (o.flyback > 0) text += fmt::format(", {} after each row", plural(o.flyback, "image"));
    return text;
}

}  // namespace

Status check_record(RecordOptions const& o) {
    if (o.prefix.empty()) return {};
    SLUICE_CHECK(nxmx::check_recording_names(prefix_of(o, 0)));
    if (!o.numbered) return {};
    // A scan that comes later cannot be asked for another name.
    namespace fs = std::filesystem;
    fs::path const prefix(o.prefix);
    std::string const name = prefix.filename().string() + "_";
    fs::path const folder = prefix.has_parent_path() ? prefix.parent_path() : ".";
    std::error_code e;
    for (fs::directory_iterator entry(folder, e); !e && entry != fs::directory_iterator();
         entry.increment(e)) {
        std::string const other = entry->path().filename().string();
        if (other.starts_with(name) && other.find("_master.h5") != other.npos)
            return Error{Code::invalid_argument,
                         "is there already (what was measured is not replaced) choose another "
                         "name for the recordings, or move it away",
                         entry->path().string()};
    }
    return {};
}

Result<std::unique_ptr<net::Recorder>> make_recorder(stem4d::LiveOptions const& o,
                                                     net::Series const& series,
                                                     LivePath const& path, index number) {
    SLUICE_TRY(auto recording,
               nxmx::Recording::create({.prefix = prefix_of(o.record, number),
                                        .like = series.dataset,
                                        .images = series.images,
                                        .scan = path.path.scan,
                                        .frame_of = net::frame_of(path.path),
                                        .path = words_of(o),
                                        .description = series.description,
                                        .frames_per_file = o.record.images_per_file}));
    return std::make_unique<net::Recorder>(
        std::move(recording), series.dataset,
        net::RecorderOptions{.budget = o.memory / 2, .tell = o.record.tell});
}

}  // namespace sluice::live
