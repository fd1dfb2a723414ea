// Fuzzes files of counted electrons: the lists, their points, and the hits of some frames.
// SPDX-License-Identifier: Apache-2.0
#include "format/decode_frame.h"
#include "format/stempy/events.h"

using namespace sluice;

namespace {

void read(Bytes bytes, hdf5::Sums sums) {
    auto const source =
        hdf5::object::Source::open(std::make_unique<hdf5::ReadMemory>(bytes), "fuzz", {}, sums);
    if (!source) return;
    auto const root = hdf5::object::Object::root_of(*source);
    if (!root) return;
    auto events = stempy::read_events(*root);
    if (!events) return;
    sluice::index const frames = events->scan[0] * events->scan[1];
    expects(std::ssize(events->first) == frames + 1 &&
            events->first.back() == events->lists.size());
    FrameSize const size{.rows = events->rows, .cols = events->cols, .pixel_bytes = 2};
    if (size.bytes() > 1 << 22) return;
    auto const from = stempy::frames_of(*root, *std::move(events));
    std::vector<EncodedFrame> out(static_cast<std::size_t>(std::min<sluice::index>(frames, 4)));
    FetchScratch scratch;
    if (!from->fetch(0, out, scratch)) return;
    std::vector<std::byte> values(size.bytes());
    for (EncodedFrame const& f : out) (void)decode_frame(f, size, values);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    auto const bytes = std::as_bytes(std::span(data, size));
    read(bytes, hdf5::Sums::compare);
    read(bytes, hdf5::Sums::ignore);
    return 0;
}
