// The digest of each pattern on its own, so that ranks share the work.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/checkpoint/digest.h"

#include "base/hash.h"
#include "device/workers.h"
#include "domain/ptychography/checkpoint/beginning.h"

namespace sluice::ptycho {

Belongs belongs_to(Measured const& measured, Share const& share,
                   stem4d::PtychographyOptions const& options) {
    stem4d::Patterns const& patterns = measured.patterns;
    auto const pixels = static_cast<std::size_t>(patterns.size * patterns.size);
    std::vector<std::uint64_t> each(static_cast<std::size_t>(share.patterns()));
    parallel_for(share.count(), options.device.threads(), 16, [&](index i, int) {
        index const j = share.first() + i;
        each[static_cast<std::size_t>(j)] = with_pattern(patterns, j, [&](auto const* first) {
            return splitmix_digest(std::as_bytes(std::span(first, pixels)));
        });
    });
    share.gather(std::as_writable_bytes(std::span(each)));
    std::vector<double> places;
    for (auto const& p : patterns.positions) places.insert(places.end(), {p.row, p.col});
    std::uint64_t const bad = splitmix_digest(std::as_bytes(std::span(patterns.bad)));
    return {splitmix_digest(std::as_bytes(std::span(each)), bad + patterns.counts.index()),
            splitmix_digest(std::as_bytes(std::span(places))), beginning_of(patterns, options)};
}

}  // namespace sluice::ptycho
