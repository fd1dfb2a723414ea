// Decodes one stored frame into values.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/with_type.h"
#include "format/decode_frame.h"
#include "store/frame_planes.h"

namespace sluice::store {
namespace {

// Values that need a look are few: 64 at a time are asked at once, without a branch.
template <class T, class Strange, class Act>
void for_strange(T* values, std::size_t n, Strange const& strange, Act const& act) {
    constexpr std::size_t some = 64;
    auto const look = [&](T* from, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k)
            if (strange(from[k])) act(from[k]);
    };
    std::size_t i = 0;
    for (; i + some <= n; i += some) {
        std::conditional_t<sizeof(T) == 4, std::uint32_t, T> any = 0;
        for (std::size_t k = 0; k < some; ++k)
            any |= static_cast<decltype(any)>(strange(values[i + k]));
        if (any) look(values + i, some);
    }
    look(values + i, n - i);
}

template <class T>
void apply_count_rules(PixelRules const& rules, std::span<std::byte> bytes, Tally& tally) {
    auto* const values = reinterpret_cast<T*>(bytes.data());
    for (std::uint32_t bad : rules.bad) values[bad] = 0;
    constexpr T all_ones = static_cast<T>(~T{0});
    std::uint64_t const limit = rules.saturation.value_or(all_ones);
    if (!rules.sentinel && limit >= all_ones) return;
    auto const most =
        static_cast<T>(std::min<std::uint64_t>(limit, rules.sentinel ? all_ones - 1U : all_ones));
    auto const act = [&](T& value) {
        if (rules.sentinel && value == all_ones) {
            value = 0;
            ++tally.sentinels;
        } else {
            ++tally.saturated;
        }
    };
    for_strange(
        values, bytes.size() / sizeof(T), [most](T value) { return value > most; }, act);
}

void apply_float_rules(PixelRules const& rules, std::span<std::byte> bytes, Tally& tally) {
    auto* const values = reinterpret_cast<float*>(bytes.data());
    for (std::uint32_t bad : rules.bad) values[bad] = 0;
    if (rules.keep_not_finite) return;
    constexpr std::uint32_t exponent = 0x7f800000;
    auto const act = [&](float& value) {
        value = std::numeric_limits<float>::quiet_NaN();
        ++tally.not_finite;
    };
    for_strange(
        values, bytes.size() / sizeof(float),
        [](float value) { return (std::bit_cast<std::uint32_t>(value) & exponent) == exponent; },
        act);
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
