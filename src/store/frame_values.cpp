// Decodes one stored frame into values.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <limits>

#include "base/with_type.h"
#include "format/decode_frame.h"
#include "store/frame_planes.h"

namespace sluice::store {
namespace {

template <class T>
void apply_count_rules(PixelRules const& rules, std::span<std::byte> bytes, Tally& tally) {
    auto* const values = reinterpret_cast<T*>(bytes.data());
    std::size_t const n = bytes.size() / sizeof(T);
    for (std::uint32_t bad : rules.bad) values[bad] = 0;
    constexpr T all_ones = static_cast<T>(~T{0});
    std::uint64_t const limit = rules.saturation.value_or(all_ones);
    if (!rules.sentinel && limit >= all_ones) return;
    for (std::size_t i = 0; i < n; ++i) {
        if (rules.sentinel && values[i] == all_ones) {
            values[i] = 0;
            ++tally.sentinels;
        } else if (values[i] > limit) {
            ++tally.saturated;
        }
    }
}

void apply_float_rules(PixelRules const& rules, std::span<std::byte> bytes, Tally& tally) {
    auto* const values = reinterpret_cast<float*>(bytes.data());
    for (std::uint32_t bad : rules.bad) values[bad] = 0;
    for (std::size_t i = 0; i < bytes.size() / sizeof(float) && !rules.keep_not_finite; ++i) {
        if (std::isfinite(values[i])) continue;
        values[i] = std::numeric_limits<float>::quiet_NaN();
        ++tally.not_finite;
    }
}

void apply_rules(DType type, PixelRules const& rules, std::span<std::byte> values, Tally& tally) {
    if (type == DType::f32) return apply_float_rules(rules, values, tally);
    with_type_of<std::uint8_t, std::uint16_t, std::uint32_t>(
        type, [&]<class T>(T) { apply_count_rules<T>(rules, values, tally); });
}

}  // namespace

Error located(Error error, EncodedFrame const& frame) {
    if (frame.file) error.file = *frame.file;
    error.at = frame.at + error.at.value_or(0);
    return error;
}

Status decode_values(EncodedFrame const& frame, FrameGeometry const& geometry,
                     PixelRules const& rules, std::span<std::byte> values, Tally& tally) {
    FrameSize const size{geometry.rows, geometry.cols, geometry.bytes()};
    if (auto s = decode_frame(frame, size, values); !s) return located(std::move(s).error(), frame);
    tally.rounded += frame.changed.rounded;
    tally.beyond += frame.changed.beyond;
    // A fill value that is the detector's mark for no data, or NaN, is not counted as such again.
    bool const lacks = frame.encoding == Encoding::missing || frame.partial;
    tally.missing += lacks;
    Tally uncounted;
    apply_rules(geometry.dtype, rules, values, lacks ? uncounted : tally);
    tally.blank += uncounted.sentinels > 0 || uncounted.not_finite > 0;
    return {};
}

}  // namespace sluice::store
