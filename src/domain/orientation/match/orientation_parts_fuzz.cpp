// Fuzz target: any bytes as a packed part of an orientation map, with its checksum set right or
// not. SPDX-License-Identifier: Apache-2.0
#include "codec/crc32c/crc32c.h"
#include "sluice/match_orientations.h"

namespace sluice::stem4d {
namespace {

// Patterns without disks, and a library of few zones.
struct Fuzzed {
    UnitCell cell;
    OrientationLibrary library;
    CalibratedVectors vectors;

    static UnitCell iron() {
        UnitCell cell;
        cell.a = cell.b = cell.c = 2.866;
        cell.name = "iron";
        cell.atoms = {{.number = 26}, {.number = 26, .place = {0.5, 0.5, 0.5}}};
        return cell;
    }
    static CalibratedVectors none() {
        Calibration c;
        c.scan_shape = {3, 2}, c.detector_shape = {64, 64};
        c.pixel_size = 0.02;
        OriginFit& origins = c.origins.emplace();
        origins.scan_shape = c.scan_shape;
        origins.surface = OriginSurface::mean;
        origins.row = {32}, origins.col = {32};
        origins.covariance = {0};
        BraggVectors v;
        v.scan_shape = c.scan_shape, v.detector_shape = c.detector_shape;
        v.first.assign(7, 0);
        v.reason.assign(6, DiskReason::no_candidate);
        return apply_calibration(v, c).value();
    }
    Fuzzed()
        : cell(iron()),
          library(
              OrientationLibrary::build(std::span(&cell, 1), {.kilovolts = 200, .zone_step = 30})
                  .value()),
          vectors(none()) {}
    OrientationParts begin() const {
        return OrientationParts::begin(vectors, library, {.grains = 2}, {.device = Device::cpu(1)})
            .value();
    }
};

}  // namespace
}  // namespace sluice::stem4d

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    if (size < 5) return 0;
    static stem4d::Fuzzed const fuzzed;
    std::vector<std::byte> bytes(reinterpret_cast<std::byte const*>(data + 1),
                                 reinterpret_cast<std::byte const*>(data + size));
    if (data[0] & 1) {
        Bytes const body = Bytes(bytes).first(bytes.size() - 4);
        for (std::uint32_t i = 0, sum = codec::crc32c(body); i < 4; ++i)
            bytes[body.size() + i] = static_cast<std::byte>(sum >> 8 * i & 255);
    }
    stem4d::OrientationParts parts = fuzzed.begin();
    if (auto const added = parts.add(bytes); !added) {
        expects(!added.error().message.empty());
        return 0;
    }
    auto const map = std::move(parts).finish();
    if (map) expects(stem4d::check_orientations(*map).has_value());
    return 0;
}
