// Fuzzes files of hits: the pass over them, and the frames of the images that it finds. How a scan
// lies in time is made of the first bytes.
// SPDX-License-Identifier: Apache-2.0
#include "format/decode_frame.h"
#include "format/tpx3/event_frames.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    if (size < 4) return 0;
    auto const bytes = std::as_bytes(std::span(data, size)).subspan(4);
    auto const file = memory_source("fuzz", {bytes.begin(), bytes.end()});
    sluice::index const lines = 1 + data[0] % 8, per_line = 1 + data[1] % 16;
    auto const layout =
        tpx3::ChipLayout::parse((data[2] & 1) != 0 ? "0:0:0,1:0:256:180" : "").value();
    tpx3::ScanPlan const plan{.images = lines * per_line,
                              .per_line = (data[2] & 2) != 0 ? 0 : per_line,
                              .dwell = (data[2] & 6) != 0 ? 16.0 * (1 + data[3]) : 0,
                              .window = 1 << (data[2] >> 4),
                              .wide = layout.cols() > 256};
    auto found = tpx3::index_events(*file, layout, TdcEdge::tdc1_rise, plan);
    if (!found) return 0;
    for (std::size_t i = 1; i < found->runs.size(); ++i)
        expects(found->runs[i].first >= found->runs[i - 1].first + found->runs[i - 1].images);
    auto const frames =
        tpx3::event_frames(file, layout, {per_line, per_line}, lines, *std::move(found));
    std::vector<EncodedFrame> out(static_cast<std::size_t>(lines * per_line));
    FetchScratch scratch;
    expects(frames->fetch(0, out, scratch).has_value());
    FrameSize const frame{.rows = layout.rows(), .cols = layout.cols(), .pixel_bytes = 2};
    // Frames are large beside what is fuzzed: two of them are decoded.
    std::vector<std::byte> values(frame.bytes());
    int decoded = 0;
    for (EncodedFrame const& f : out)
        if (f.encoding != Encoding::missing && !f.bytes.empty() && ++decoded <= 2)
            expects(decode_frame(f, frame, values).has_value());
    return 0;
}
