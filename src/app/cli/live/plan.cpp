// What a live scan is analysed for.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/live/command.h"
#include "app/cli/stem4d/image_output.h"

namespace sluice::cli {

Result<stem4d::AnalysisPlan> live_plan(LiveCommand const& c) {
    stem4d::AnalysisPlan plan;
    stem4d::ImagesPart images{.mean = c.images.mean};
    std::vector<std::string> names;
    for (std::string const& text : c.images.detectors) {
        SLUICE_TRY(stem4d::Detector d, stem4d::parse_detector(text));
        names.push_back(d.name);
        images.detectors.push_back(std::move(d));
    }
    SLUICE_CHECK(check_file_names(names));
    plan.images.push_back(std::move(images));
    plan.patterns.push_back({.kinds = {stem4d::Pattern::sum}});
    SLUICE_CHECK(stem4d::check(c.phase));
    stem4d::MomentsPart moments{
        .rotation = c.phase.rotation, .periodic = c.phase.periodic, .descan = c.phase.descan};
    if (!c.moments.within.empty()) {
        SLUICE_TRY(moments.within, stem4d::parse_detector(c.moments.within));
    }
    plan.moments.push_back(std::move(moments));
    return plan;
}

}  // namespace sluice::cli
