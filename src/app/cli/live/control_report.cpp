// What a user hears of a detector that was armed.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/live/control_report.h"

#include <fmt/format.h>

#include "app/cli/live/record_report.h"
#include "base/utf8.h"

namespace sluice::cli {

void report_control(LiveCommand& c, stem4d::LiveScan const& live, JobReport& report) {
    auto const control = live.control();
    if (!control) return;
    ControlReport const& r = *control;
    Json json = {{"address", r.address},     {"software", r.software}, {"series", r.series},
                 {"changes", Json::array()}, {"notes", r.notes},       {"ended", r.ended}};
    for (DetectorChange const& change : r.changes) {
        json["changes"].push_back(
            {{"name", change.name}, {"before", change.before}, {"after", change.after}});
        report.lines.push_back(fmt::format("detector: {} was '{}', is '{}'", printable(change.name),
                                           printable(change.before), printable(change.after)));
    }
    if (!r.error.empty()) json["error"] = r.error;
    report.json["control"] = std::move(json);
    report.lines.push_back("detector: " + printable(r.ended));
    for (std::string const& note : r.notes) {
        report.notes.push_back(printable(note));
        warn_at_once(printable(note));
    }
    if (!r.error.empty() && !c.late_error) c.late_error = Error{Code::io, r.error};
}

}  // namespace sluice::cli
