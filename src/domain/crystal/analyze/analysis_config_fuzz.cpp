// Fuzz target: any text as the configuration of an analysis.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/stem4d_analyze.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    std::string const text(reinterpret_cast<char const*>(data), size);
    auto const c = stem4d::parse_analysis(text, "fuzz.toml", "/proc/there/is/none");
    if (!c) {
        expects(!c.error().message.empty());
        return 0;
    }
    for (auto const& part : c->plan.images) expects(!part.detectors.empty());
    for (auto const& part : c->plan.patterns) expects(!part.kinds.empty());
    // What disks are found with is read from files, of which there is none, or made of a radius.
    for (auto const& part : c->plan.disks)
        expects(!part.probe || (part.probe->radius > 0 && part.vacuum.empty()));
    return 0;
}
