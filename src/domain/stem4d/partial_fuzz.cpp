// Fuzz target: any bytes as a packed part of each analysis, with its checksum set right or not.
// SPDX-License-Identifier: Apache-2.0
#include "codec/crc32c/crc32c.h"
#include "domain/stem4d/all_stats.h"
#include "domain/stem4d/five_units.h"
#include "domain/stem4d/moment_frames.h"
#include "domain/stem4d/square_planes.h"
#include "domain/stem4d/sum_frames.h"
#include "domain/stem4d/sum_planes.h"
#include "fold/packed.h"
#include "fold/together.h"

namespace sluice {
namespace {

constexpr planes::Grid grid{9, 5};
constexpr index frames = FiveUnits::frames;

// What was understood has the same bytes again, and can be merged.
template <class A>
void try_bytes(A const& analysis, Bytes bytes) {
    FiveUnits const source;
    auto part = fold::unpack(source, analysis, bytes);
    if (!part) return expects(!part.error().message.empty());
    auto const again = fold::pack(source, analysis, *part);
    expects(std::ranges::equal(again, bytes));
    fold::Folding<A> folding(analysis, source);
    expects(fold::add_part(folding, std::move(*part)).has_value());
}

}  // namespace
}  // namespace sluice

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    if (size < 5) return 0;
    std::vector<std::byte> bytes(reinterpret_cast<std::byte const*>(data + 1),
                                 reinterpret_cast<std::byte const*>(data + size));
    if (data[0] & 8) {
        Bytes const body = Bytes(bytes).first(bytes.size() - 4);
        for (std::uint32_t i = 0, sum = codec::crc32c(body); i < 4; ++i)
            bytes[body.size() + i] = static_cast<std::byte>(sum >> 8 * i & 255);
    }
    std::vector<stem4d::Compiled> const detectors(2);
    switch (data[0] & 32 ? 5 : data[0] & 16 ? 4 : data[0] % 4) {
        case 0:
            try_bytes(stem4d::SumFrames{detectors, Device::cpu(1), frames}, bytes);
            break;
        case 1:
            try_bytes(stem4d::MomentFrames{detectors[0], Device::cpu(1), grid, frames}, bytes);
            break;
        case 2:
            try_bytes(stem4d::SumPlanes{{}, Device::cpu(1), grid}, bytes);
            break;
        case 4:
            try_bytes(stem4d::SquarePlanes{{}, Device::cpu(1), grid}, bytes);
            break;
        case 5:
            try_bytes(
                fold::Together<store::Unit>{{stem4d::SumFrames{detectors, Device::cpu(1), frames},
                                             stem4d::SumPlanes{{}, Device::cpu(1), grid}}},
                bytes);
            break;
        default:
            try_bytes(stem4d::AllStats{{}, {}, Device::cpu(1), grid}, bytes);
            break;
    }
    return 0;
}
