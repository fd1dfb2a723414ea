// The recording of a series beside its picture.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/live/record.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "base/plural.h"

namespace sluice::cli {
namespace {

// A line of the terminal shows how far the scan is.
void warn(std::string const& text) {
    bool const terminal = ::isatty(STDERR_FILENO) != 0;
    fmt::print(stderr, "{}sluice: warning: {}\n", terminal ? "\r\033[K" : "", text);
}

std::string words_of(LiveCommand const& c) {
    if (!c.positions.empty()) return "positions of " + c.positions;
    std::string text = c.order == net::Order::raster
                           ? "row by row"
                           : "row by row, every second one from right to left";
    if (c.flyback > 0) text += fmt::format(", {} after each row", plural(c.flyback, "image"));
    return text;
}

}  // namespace

Status check_record(LiveCommand const& c) {
    if (c.record.empty()) return {};
    SLUICE_CHECK(nxmx::check_recording_names(record_prefix(c, 0)));
    if (c.scans == 1) return {};
    namespace fs = std::filesystem;
    fs::path const prefix(c.record);
    std::string const name = prefix.filename().string() + "_";
    fs::path const folder = prefix.has_parent_path() ? prefix.parent_path() : ".";
    std::error_code e;
    for (fs::directory_iterator entry(folder, e); !e && entry != fs::directory_iterator();
         entry.increment(e)) {
        std::string const other = entry->path().filename().string();
        if (other.starts_with(name) && other.find("_master.h5") != other.npos)
            return Error{Code::invalid_argument,
                         "is there already (what was measured is not replaced) choose another "
                         "--record, or move it away",
                         entry->path().string()};
    }
    return {};
}

std::string record_prefix(LiveCommand const& c, index number) {
    return c.scans == 1 ? c.record : fmt::format("{}_{:04}", c.record, number + 1);
}

std::unique_ptr<net::Recorder> make_recorder(LiveCommand& c, net::Series const& series,
                                             LivePath const& path, std::string const& prefix) {
    if (c.record.empty()) return {};
    nxmx::RecordedSeries what{.prefix = prefix,
                              .like = series.dataset,
                              .images = series.images,
                              .scan = path.path.scan,
                              .frame_of = frame_of(path.path),
                              .path = words_of(c),
                              .description = series.description,
                              .frames_per_file = c.images_per_file};
    auto recording = nxmx::Recording::create(std::move(what));
    if (!recording) {
        warn(fmt::format("this scan is not recorded: {}", recording.error().text()));
        if (!c.record_error) c.record_error = recording.error();
        return {};
    }
    return std::make_unique<net::Recorder>(
        *std::move(recording), series.dataset,
        net::RecorderOptions{.budget = budget_of(c), .tell = warn});
}

void finish_record(LiveCommand& c, net::Recorder& recorder, std::string const& how,
                   JobReport& report) {
    net::RecorderReport const r = recorder.finish(how);
    report.json["record"] = {{"recorded", r.recorded},
                             {"damaged", r.damaged},
                             {"not_recorded", r.not_recorded},
                             {"outside", r.outside},
                             {"bytes", r.bytes},
                             {"most_bytes_waiting", r.most_bytes_waiting},
                             {"waited_s", r.waited_s},
                             {"processor_s", r.write_s},
                             {"files", r.files}};
    auto const told = [&](std::string const& text) {
        report.notes.push_back(text);
        warn(text);
    };
    if (r.damaged > 0)
        told(fmt::format("{} cannot be decompressed, and {} not recorded",
                         plural(r.damaged, "image"), r.damaged == 1 ? "is" : "are"));
    if (r.not_recorded > 0)
        told(fmt::format("{} not recorded", plural(r.not_recorded, "image is", "images are")));
    if (r.waited_s > 0)
        told(fmt::format("reading the stream waited {:.1f} s for the disk", r.waited_s));
    if (r.files.empty() && r.error.empty()) told("nothing came that can be recorded");
    if (!r.files.empty())
        report.lines.push_back(
            fmt::format("recorded {} in {}", plural(r.recorded, "image"), r.files.back()));
    if (!r.error.empty()) report.json["record"]["error"] = r.error;
    if ((!r.error.empty() || r.not_recorded > 0) && !c.record_error)
        c.record_error =
            Error{Code::io, fmt::format("the recording is not complete ({})",
                                        r.error.empty() ? "the disk stood still" : r.error)};
}

}  // namespace sluice::cli
