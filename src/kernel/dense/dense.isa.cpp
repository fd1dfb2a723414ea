// The kernels over plain values, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel/dense/cpu.h"

namespace sluice::dense::SLUICE_ISA {
namespace {

// Counts of these types are added up in 32 bits, which are wide enough for a piece of a row.
template <class T>
constexpr bool is_small = sizeof(T) <= 2 && !std::is_same_v<T, float>;

template <class K>
void run(K const& kernel, index first, index last) {
    for (index i = first; i < last; ++i) kernel(i);
}

template <class Work>
void for_type(DType dtype, Work const& work) {
    switch (dtype) {
        case DType::u8:
            return work(std::uint8_t{});
        case DType::u16:
            return work(std::uint16_t{});
        case DType::u32:
            return work(std::uint32_t{});
        default:
            return work(float{});
    }
}

struct Piece {
    std::uint32_t sum = 0, moment = 0;  // of values, and of values times their number in the piece
};

// 256 values of 16 bits: their moments are below 2^16 * 2^15.
template <class T>
[[gnu::always_inline]] inline Piece piece_of(T const* values, std::uint32_t n) {
    Piece p;
    for (std::uint32_t k = 0; k < n; ++k) {
        p.sum += values[k];
        p.moment += values[k] * k;
    }
    return p;
}

template <class T>
[[gnu::always_inline]] inline std::uint32_t sum_of(T const* values, std::uint32_t n) {
    std::uint32_t sum = 0;
    for (std::uint32_t k = 0; k < n; ++k) sum += values[k];
    return sum;
}

// A run is a part of a row, and shorter than 2^16.
template <class T>
void virtual_sum_of(VirtualSum const& k, index i) {
    index const detector = i / k.set.frames, frame = i % k.set.frames;
    T const* const values = static_cast<T const*>(k.set.data) + frame * k.set.pixels();
    std::uint64_t total = 0;
    for (index r = k.first_run[detector]; r < k.first_run[detector + 1]; ++r)
        total += sum_of(values + k.runs[r].row * k.set.cols + k.runs[r].col, k.runs[r].count);
    k.out[i] = static_cast<double>(total);
}

void virtual_sum(VirtualSum const& k, index first, index last) {
    for_type(k.set.dtype, [&]<class T>(T) {
        if constexpr (is_small<T>) {
            if (k.set.cols > 65536) return run(k, first, last);
            for (index i = first; i < last; ++i) virtual_sum_of<T>(k, i);
        } else {
            run(k, first, last);
        }
    });
}

// All sums are whole numbers below 2^53, so that their order does not matter.
template <class T>
void moments_of(Moments const& k, index i) {
    constexpr std::uint32_t most = 256;
    T const* const values = static_cast<T const*>(k.set.data) + i * k.set.pixels();
    std::uint64_t sum = 0, row_moment = 0, col_moment = 0;
    for (index r = 0; r < k.run_count; ++r) {
        Run const run = k.runs[r];
        T const* const row = values + run.row * k.set.cols + run.col;
        for (std::uint32_t from = 0; from < run.count; from += most) {
            Piece const p = piece_of(row + from, std::min(most, run.count - from));
            std::uint64_t const mass = p.sum;
            sum += mass;
            row_moment += mass * run.row;
            col_moment += mass * (run.col + from) + p.moment;
        }
    }
    k.out[3 * i] = static_cast<double>(sum);
    k.out[3 * i + 1] = static_cast<double>(row_moment);
    k.out[3 * i + 2] = static_cast<double>(col_moment);
}

void moments(Moments const& k, index first, index last) {
    for_type(k.set.dtype, [&]<class T>(T) {
        if constexpr (is_small<T>)
            for (index i = first; i < last; ++i) moments_of<T>(k, i);
        else
            run(k, first, last);
    });
}

// Statistics of pixels that lie side by side, frame after frame: they stay in the first-level
// cache.
template <class T>
class PixelBlock {
  public:
    static constexpr index size = 256;

    PixelBlock() {
        std::fill_n(max_, size, is_small<T> ? Value{0} : static_cast<Value>(PixelStats{}.max));
    }
    void add(T const* values, index n) {
        for (index i = 0; i < n; ++i) {
            T const v = values[i];
            if constexpr (is_small<T>) {
                sum_[i] += v;
                max_[i] = v > max_[i] ? v : max_[i];
                squares_[i] += static_cast<double>(v) * static_cast<double>(v);
            } else {
                bool const is = is_measured(v);
                double const x = is ? static_cast<double>(v) : 0;
                sum_[i] += x;
                squares_[i] += x * x;
                max_[i] = is && x > max_[i] ? x : max_[i];
                lacks_[i] += is ? 0 : 1;
            }
        }
    }
    void put(PixelStats* out, index n) const {
        for (index i = 0; i < n; ++i) {
            out[i] = {static_cast<double>(sum_[i]), squares_[i], static_cast<double>(max_[i]), 0};
            if constexpr (!is_small<T>) out[i].lacks = lacks_[i];
        }
    }

  private:
    using Value = std::conditional_t<is_small<T>, std::uint32_t, double>;
    Value sum_[size] = {}, max_[size];
    double squares_[size] = {}, lacks_[is_small<T> ? 1 : size] = {};
};

template <class T>
void stats_of(PatternStats const& k, index first, index last) {
    for (index from = first; from < last; from += PixelBlock<T>::size) {
        index const n = std::min(last - from, PixelBlock<T>::size);
        PixelBlock<T> block;
        bool any = false;
        for (index f = 0; f < k.set.frames; ++f) {
            if (!k.take[f]) continue;
            any = true;
            block.add(static_cast<T const*>(k.set.data) + f * k.set.pixels() + from, n);
        }
        if (any)
            block.put(k.out + (from - k.first_out), n);
        else
            std::fill_n(k.out + (from - k.first_out), n, PixelStats{});
    }
}

void pattern_stats(PatternStats const& k, index first, index last) {
    for_type(k.set.dtype, [&]<class T>(T) {
        // Sums of small counts have 32 bits.
        if (is_small<T> && k.set.frames > 65536) return run(k, first, last);
        stats_of<T>(k, first, last);
    });
}

}  // namespace

CpuKernels cpu_kernels() {
    return {virtual_sum, moments, run<WeightedSum>, pattern_stats};
}

}  // namespace sluice::dense::SLUICE_ISA
