// Binning: mask first (the decoder did), then add, then divide by what was valid.
// SPDX-License-Identifier: Apache-2.0
#include "store/bin.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/with_type.h"

namespace sluice::store {

void Binner::begin() {
    auto const n = static_cast<std::size_t>(plan_.pixels());
    left_out_ = 0;
    if (plan_.stored.dtype == DType::f32)
        floats_.assign(n, 0), lacks_.assign(n, 0);
    else
        counts_.assign(n, 0);
}

template <class T, class Sum>
void Binner::add_as(T const* values, std::vector<Sum>& sums) {
    Region const d = plan_.detector_region;
    index const bin = plan_.det_bin;
    index const rows = std::min(d.rows, plan_.rows * bin),
                cols = std::min(d.cols, plan_.cols * bin);
    for (index r = 0; r < rows; ++r) {
        T const* const row = values + (d.row + r) * plan_.stored.cols + d.col;
        Sum* const out = sums.data() + r / bin * plan_.cols;
        for (index c = 0; c < cols; c += bin)
            for (index k = c; k < std::min(c + bin, cols); ++k) {
                if constexpr (std::is_floating_point_v<T>)
                    if (std::isnan(row[k])) {
                        ++lacks_[static_cast<std::size_t>(r / bin * plan_.cols + c / bin)];
                        continue;
                    }
                out[c / bin] += static_cast<Sum>(row[k]);
            }
    }
}

void Binner::add(std::span<std::byte const> values) {
    void const* const v = values.data();
    if (plan_.stored.dtype == DType::f32) return add_as(static_cast<float const*>(v), floats_);
    with_type_of<std::uint8_t, std::uint16_t, std::uint32_t>(
        plan_.stored.dtype, [&]<class T>(T) { add_as(static_cast<T const*>(v), counts_); });
}

namespace {

template <class T>
void store(std::span<std::byte> out, std::size_t i, T value) {
    std::memcpy(out.data() + i * sizeof(T), &value, sizeof(T));
}

}  // namespace

float Binner::value_of(std::size_t bin) const {
    bool const floats = plan_.stored.dtype == DType::f32;
    double const sum = floats ? floats_[bin] : static_cast<double>(counts_[bin]);
    double const lacks = floats ? lacks_[bin] : 0;
    auto const parts = static_cast<double>(plan_.scan_bin * plan_.scan_bin - left_out_);
    double const valid = parts * plan_.valid[bin];
    bool const mean = plan_.mode == BinMode::mean && (plan_.det_bin > 1 || plan_.scan_bin > 1);
    if (lacks > 0 && (!mean || lacks >= valid)) return std::numeric_limits<float>::quiet_NaN();
    return static_cast<float>(!mean ? sum : valid > 0 ? sum / (valid - lacks) : 0);
}

Status Binner::finish(std::span<std::byte> out) const {
    auto const n = static_cast<std::size_t>(plan_.pixels());
    for (std::size_t i = 0; i < n; ++i) {
        if (plan_.dtype == DType::f32) {
            store(out, i, value_of(i));
            continue;
        }
        if (counts_[i] > std::numeric_limits<std::uint32_t>::max())
            return Error{Code::unsupported,
                         "a binned count over 2^32 (uint32 cannot hold it); use --bin-mode mean or "
                         "bin less"};
        switch (plan_.dtype) {
            case DType::u8:
                store(out, i, static_cast<std::uint8_t>(counts_[i]));
                break;
            case DType::u16:
                store(out, i, static_cast<std::uint16_t>(counts_[i]));
                break;
            default:
                store(out, i, static_cast<std::uint32_t>(counts_[i]));
                break;
        }
    }
    return {};
}

}  // namespace sluice::store
