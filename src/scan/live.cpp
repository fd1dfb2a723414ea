// What is different for a scan while it is measured.
// SPDX-License-Identifier: Apache-2.0
#include "scan/live.h"

#include <fmt/format.h>

#include "format/feed.h"

namespace sluice {

Status check_live(Dataset const& dataset, LoadOptions const& options, bool kept) {
    auto const refuse = [&](std::string_view what, std::string_view why, std::string_view instead) {
        return Error{Code::unsupported,
                     fmt::format("{} while the scan is measured ({}) {}", what, why, instead),
                     dataset.path};
    };
    if (options.hot_pixels)
        return refuse("hot pixels cannot be found", "frames of the whole scan tell them",
                      "give a mask, or find them in the finished scan");
    if (!kept && options.residency == Residency::memory)
        return refuse("the scan cannot be kept in memory", "it is streamed",
                      "load the finished scan");
    if (kept && options.residency == Residency::stream)
        return refuse("the scan cannot be streamed", "its frames come once",
                      "keep it in memory, or analyse it as it comes");
    if (options.layout == Layout::lines)
        return refuse("planes cannot be turned by frames", "frames come one by one",
                      "leave out --layout lines, or load the finished scan");
    if (options.det_bin == 0)
        return refuse("no binning can be chosen", "it is chosen by what memory holds",
                      "give a number");
    return {};
}

void settle(store::Plan& plan, Dataset& dataset, Feed const& feed) {
    dataset.missing_runs = feed.gaps();
    dataset.missing = 0;
    for (FrameRun const& run : dataset.missing_runs) dataset.missing += run.count;
    store::find_lost(plan, dataset, "their frames did not come");
}

}  // namespace sluice
