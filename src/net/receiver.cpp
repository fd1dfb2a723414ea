// Chooses a receiver, and makes datasets of what it hears.
// SPDX-License-Identifier: Apache-2.0
#include "net/receiver.h"

#include "net/dectris/stream2.h"

namespace sluice::net {

Result<std::unique_ptr<Receiver>> connect(std::string const& address, StreamOptions options) {
    SLUICE_TRY(auto stream, dectris::Stream2::connect(address, std::move(options)));
    return std::unique_ptr<Receiver>(std::move(stream));
}

Dataset live_dataset(Series const& series, std::array<index, 2> scan, std::string const& scan_from,
                     std::shared_ptr<FrameRing> ring) {
    Dataset d = series.dataset;
    d.scan = scan;
    d.scan_from = scan_from;
    d.frames = scan[0] * scan[1];
    d.source = ring;
    d.feed = std::move(ring);
    return d;
}

}  // namespace sluice::net
