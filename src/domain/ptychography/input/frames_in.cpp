// Frames of a file of patterns: from any stored type to floats.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/input/frames_in.h"

#include <cstring>

#include "base/with_type.h"

namespace sluice::ptycho {

void FramesIn::convert(StoredType stored, Bytes values, std::span<float> out) {
    DType const type = read_as(stored);
    converted_.resize(out.size() * static_cast<std::size_t>(size_of(type)));
    auto const changed = convert_values(stored, values, converted_.data());
    rounded += static_cast<double>(changed.rounded + changed.beyond);
    with_detector_type(type, [&]<class T>(T) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            T value;
            std::memcpy(&value, converted_.data() + i * sizeof(T), sizeof(T));
            out[i] = static_cast<float>(value);
            if constexpr (std::is_same_v<T, std::uint32_t>)
                rounded += static_cast<double>(out[i]) != static_cast<double>(value);
        }
    });
}

}  // namespace sluice::ptycho
