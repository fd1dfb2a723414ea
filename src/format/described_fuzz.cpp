// Fuzz target: any text as the description of a scan.
// SPDX-License-Identifier: Apache-2.0
#include "format/described.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    Dataset d;
    d.rows = 6, d.cols = 7, d.scan = {3, 4}, d.frames = 12;
    take_description({reinterpret_cast<char const*>(data), size}, d);
    expects(d.pixel_mask.empty() || d.pixel_mask.size() == 42);
    expects(d.missing <= d.frames && d.metadata.size() <= 1000);
    // What was taken can be said again, and says the same.
    Dataset again;
    again.rows = 6, again.cols = 7, again.scan = {3, 4}, again.frames = 12;
    take_description(described(d), again);
    expects(again.missing_runs == d.missing_runs && again.energy_kv == d.energy_kv);
    return 0;
}
