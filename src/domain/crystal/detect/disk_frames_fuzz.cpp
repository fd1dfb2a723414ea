// Fuzz target: any bytes as a packed part of the disks of a scan, with its checksum set right or
// not. SPDX-License-Identifier: Apache-2.0
#include "codec/crc32c/crc32c.h"
#include "domain/crystal/detect/collect.h"
#include "domain/crystal/detect/disk_frames.h"
#include "domain/stem4d/five_units.h"
#include "fold/packed.h"

namespace sluice::crystal {
namespace {

constexpr index frames = FiveUnits::frames;

Finder const& small_finder() {
    static Finder const finder = [] {
        stem4d::ProbeTemplate probe;
        probe.radius = 4;
        FinderSetup setup;
        setup.probe = probe;
        setup.options.bin = 1, setup.options.fit_radius = 8, setup.options.least_distance = 4;
        setup.shape = {48, 48};
        return Finder::make(setup, Device::cpu(1)).value();
    }();
    return finder;
}

}  // namespace
}  // namespace sluice::crystal

// What was understood has the same bytes again, and becomes columns that agree.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    using crystal::FindDiskFrames;
    if (size < 5) return 0;
    std::vector<std::byte> bytes(reinterpret_cast<std::byte const*>(data + 1),
                                 reinterpret_cast<std::byte const*>(data + size));
    if (data[0] & 1) {
        Bytes const body = Bytes(bytes).first(bytes.size() - 4);
        for (std::uint32_t i = 0, sum = codec::crc32c(body); i < 4; ++i)
            bytes[body.size() + i] = static_cast<std::byte>(sum >> 8 * i & 255);
    }
    crystal::RoomPool rooms;
    FindDiskFrames const analysis{crystal::small_finder(), {48, 48}, crystal::frames, {}, rooms};
    FiveUnits const source;
    auto part = fold::unpack(source, analysis, bytes);
    if (!part) {
        expects(!part.error().message.empty());
        return 0;
    }
    expects(std::ranges::equal(fold::pack(source, analysis, *part), bytes));
    fold::Folding<FindDiskFrames> folding(analysis, source);
    bool const whole = part->range() == fold::Range{0, 3};
    expects(fold::add_part(folding, std::move(*part)).has_value());
    if (!whole) return 0;
    auto const found = std::move(folding).finish().value();
    expects(stem4d::check_vectors(crystal::collect(found, {5, 15}, {48, 48}, {})).has_value());
    return 0;
}
