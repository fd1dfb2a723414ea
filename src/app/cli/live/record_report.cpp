// What a user hears of a recording.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/live/record_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/plural.h"

namespace sluice::cli {
namespace {

Json to_json(RecordReport const& r) {
    Json json = {{"recorded", r.recorded},
                 {"damaged", r.damaged},
                 {"not_recorded", r.not_recorded},
                 {"outside", r.outside},
                 {"bytes", r.bytes},
                 {"most_bytes_waiting", r.most_bytes_waiting},
                 {"waited_s", r.waited_s},
                 {"processor_s", r.write_s},
                 {"files", r.files}};
    if (!r.error.empty()) json["error"] = r.error;
    return json;
}

}  // namespace

// A line of the terminal shows how far the scan is.
void warn_at_once(std::string const& text) {
    bool const terminal = ::isatty(STDERR_FILENO) != 0;
    if (terminal) fmt::print(stderr, "\r\033[K");
    say(stderr, "sluice: warning: {}\n", text);
}

void report_record(LiveCommand& c, stem4d::LiveScan const& live, JobReport& report) {
    auto const recorded = live.record();
    if (!recorded) return;
    RecordReport const& r = *recorded;
    report.json["record"] = to_json(r);
    auto const told = [&](std::string const& text) {
        report.notes.push_back(text);
        warn_at_once(text);
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
    if ((!r.error.empty() || r.not_recorded > 0) && !c.late_error)
        c.late_error =
            Error{Code::io, fmt::format("the recording is not complete ({})",
                                        r.error.empty() ? "the disk stood still" : r.error)};
}

}  // namespace sluice::cli
