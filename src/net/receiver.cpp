// Chooses a receiver, and makes datasets of what it hears.
// SPDX-License-Identifier: Apache-2.0
#include "net/receiver.h"

#include "net/dectris/stream1.h"
#include "net/dectris/stream2.h"
#include "net/files/files.h"
#include "net/merlin/merlin.h"
#include "net/timepix3/timepix3.h"

namespace sluice::net {

Protocol protocol_of(std::string const& address) {
    if (!address.starts_with("tcp://")) return Protocol::dectris_v2;
    if (address.ends_with(":9999")) return Protocol::dectris_v1;
    return address.ends_with(":6342") ? Protocol::merlin : Protocol::dectris_v2;
}

Result<std::unique_ptr<Receiver>> connect(std::string const& address, StreamOptions options) {
    if (files::is_path(address, options.open))
        return files::Files::watch(address, std::move(options));
    if (!address.starts_with("tcp://") && !address.starts_with("ipc://"))
        return Error{Code::invalid_argument,
                     "is neither an address of a stream nor a file or folder that is there; give "
                     "one as tcp://127.0.0.1:31001, or a path",
                     address};
    Protocol const said = options.protocol;
    Protocol const is = said == Protocol::by_port ? protocol_of(address) : said;
    if (options.verify && is != Protocol::dectris_v1)
        return Error{Code::invalid_argument,
                     "only Stream V1 says hashes of its images; leave --verify away", address};
    switch (is) {
        case Protocol::dectris_v1:
            return dectris::Stream1::connect(address, std::move(options));
        case Protocol::merlin:
            return merlin::Merlin::connect(address, std::move(options));
        case Protocol::timepix3:
            return timepix3::Timepix3::connect(address, std::move(options));
        default:
            return dectris::Stream2::connect(address, std::move(options));
    }
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
