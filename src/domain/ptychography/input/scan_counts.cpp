// Reads frames of a scan, some at a time.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/input/scan_counts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/run.h"
#include "sluice/scan_values.h"
#include "store/plan.h"

namespace sluice::ptycho {

namespace {

using stem4d::Patterns;

// Reads the frames, some at a time; T is what the scan holds, U what the patterns keep.
template <class T, class U>
Status read(FramesOfScan const& reading, std::vector<U>& counts) {
    auto const& [scan, frames, from, options, notes] = reading;
    auto const detector = scan.detector_shape();
    index const pixels = detector[0] * detector[1];
    index const some = std::max<index>(16, (8 << 20) / pixels);
    auto const [begin, end] = reading.part();
    std::vector<T> values;
    for (index first = begin; first < end; first += some) {
        index const last = std::min(first + some, end);
        std::vector<index> const numbers(frames.begin() + first, frames.begin() + last);
        values.resize(numbers.size() * static_cast<std::size_t>(pixels));
        SLUICE_CHECK(read_frames(scan, numbers, {0, 0, detector[0], detector[1]},
                                 std::as_writable_bytes(std::span(values)), {}, &notes));
        for (std::size_t f = 0; f < numbers.size(); ++f) {
            T const* const frame = values.data() + static_cast<index>(f) * pixels;
            for (index at : from) {
                auto const value = at < 0 ? T{} : frame[at];
                if constexpr (std::is_same_v<T, std::uint32_t> && std::is_same_v<U, std::uint16_t>)
                    if (value > 65535)
                        return Error{
                            Code::unsupported,
                            fmt::format("frame {} holds {} counts in a pixel (is it hot? leave it "
                                        "out with a mask): counts are kept as float32",
                                        numbers[f], value)};
                counts.push_back(static_cast<U>(value));
            }
        }
        SLUICE_CHECK(tell_progress(options.progress, static_cast<std::uint64_t>(last - begin),
                                   static_cast<std::uint64_t>(end - begin)));
    }
    return {};
}

template <class T, class U>
Status read_into(FramesOfScan const& reading, Patterns& patterns) {
    std::vector<U> counts;
    auto const [begin, end] = reading.part();
    counts.reserve(reading.from.size() * static_cast<std::size_t>(end - begin));
    patterns.first = begin;
    SLUICE_CHECK((read<T, U>(reading, counts)));
    patterns.counts = std::move(counts);
    return {};
}

// Most scans of u32 fit into half of that.
Status read_u32(FramesOfScan const& reading, Patterns& patterns) {
    auto half = read_into<std::uint32_t, std::uint16_t>(reading, patterns);
    if (half || half.error().code != Code::unsupported) return half;
    SLUICE_CHECK((read_into<std::uint32_t, float>(reading, patterns)));
    reading.notes.push_back(half.error().message);
    return {};
}

}  // namespace

std::vector<index> measured_frames(Scan const& scan) {
    store::Plan const& plan = scan.plan();
    std::vector<index> frames;
    for (index f = 0; f < plan.frames(); ++f)
        if (plan.lost.empty() || !plan.lost[static_cast<std::size_t>(f)]) frames.push_back(f);
    return frames;
}

std::array<index, 2> FramesOfScan::part() const {
    index const all = std::ssize(frames);
    return {options.part * all / options.parts, (options.part + 1) * all / options.parts};
}

Status read_counts(FramesOfScan const& reading, Patterns& patterns) {
    switch (DType const dtype = reading.scan.dtype(); dtype) {
        case DType::u8:
            return read_into<std::uint8_t, std::uint8_t>(reading, patterns);
        case DType::u16:
            return read_into<std::uint16_t, std::uint16_t>(reading, patterns);
        case DType::u32:
            return read_u32(reading, patterns);
        case DType::f32:
            return read_into<float, float>(reading, patterns);
        default:
            return Error{Code::unsupported,
                         fmt::format("patterns have the type {} (counts of u8, u16, u32 and f32 "
                                     "can be reconstructed) convert the file",
                                     name_of(dtype))};
    }
}

}  // namespace sluice::ptycho
