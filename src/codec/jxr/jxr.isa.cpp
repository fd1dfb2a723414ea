// The loops of the JPEG XR decoder, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "codec/jxr/kernels.h"
#include "codec/jxr/lifting.h"
#include "codec/jxr/read_high.h"
#include "codec/jxr/read_low.h"
#include "codec/jxr/read_pattern.h"
#include "codec/jxr/write_samples.h"

namespace sluice::codec::jxr::SLUICE_ISA {
namespace {

template <class T>
inline void transform_at(Blocks row, index x) {
    T block[16];
    for (int p = 0; p < 16; ++p) block[p] = load<T>(row.at + p * row.stride + x);
    transform16(block);
    for (int p = 0; p < 16; ++p) store(row.at + p * row.stride + x, block[p]);
}

// Rows are padded by sixteen numbers, so that there may be that many blocks more.
void transform(Blocks row, index n) {
    for (index x = 0; x < n; x += wide) transform_at<Wide>(row, x);
}

void transform_low(Blocks row, index n, bool doubled) {
    for (index x = 0; x < n; x += lanes) {
        Lanes block[16];
        for (int p = 0; p < 16; ++p) block[p] = load<Lanes>(row.at + p * row.stride + x);
        transform_low16(block);
        for (int p = 0; p < 16; ++p)
            store(row.at + p * row.stride + x, doubled ? block[p] + block[p] : block[p]);
    }
}

// By the distance from the corner that four blocks share: row and column in each block.
constexpr int near[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};

template <class T>
inline void filter_corner(Rows16 const& upper, Rows16 const& lower, index x, bool low) {
    T ul[4], ur[4], ll[4], lr[4];
    for (int i = 0; i < 4; ++i) {
        int const r = near[i][0], c = near[i][1];
        ul[i] = load<T>(upper.at[4 * (3 - r) + 3 - c] + x);
        ur[i] = load<T>(upper.at[4 * (3 - r) + c] + x + 1);
        ll[i] = load<T>(lower.at[4 * r + 3 - c] + x);
        lr[i] = load<T>(lower.at[4 * r + c] + x + 1);
    }
    filter16(ul, ur, ll, lr, low);
    for (int i = 0; i < 4; ++i) {
        int const r = near[i][0], c = near[i][1];
        store(upper.at[4 * (3 - r) + 3 - c] + x, ul[i]);
        store(upper.at[4 * (3 - r) + c] + x + 1, ur[i]);
        store(lower.at[4 * r + 3 - c] + x, ll[i]);
        store(lower.at[4 * r + c] + x + 1, lr[i]);
    }
}

template <class T>
inline void filter_four(std::int32_t* a, std::int32_t* b, std::int32_t* c, std::int32_t* d) {
    T x = load<T>(a), y = load<T>(b), z = load<T>(c), w = load<T>(d);
    filter4(x, y, z, w);
    store(a, x);
    store(b, y);
    store(c, z);
    store(d, w);
}

using One = std::uint32_t;

inline void filter_column(Rows16 const& upper, Rows16 const& lower, int column, index x) {
    filter_four<One>(upper.at[8 + column] + x, upper.at[12 + column] + x, lower.at[column] + x,
                     lower.at[4 + column] + x);
}

void filter_between(Rows16 const& upper, Rows16 const& lower, index begin, index end, bool low) {
    for (int c = 0; c < 2; ++c) {
        filter_column(upper, lower, c, begin);
        filter_column(upper, lower, 2 + c, end - 1);
    }
    index x = begin;
    for (; x + wide < end; x += wide) filter_corner<Wide>(upper, lower, x, low);
    for (; x + lanes < end; x += lanes) filter_corner<Lanes>(upper, lower, x, low);
    for (; x + 1 < end; ++x) filter_corner<One>(upper, lower, x, low);
}

inline void filter_square(Rows16 const& rows, int row, int column, index x) {
    filter_four<One>(rows.at[4 * row + column] + x, rows.at[4 * row + column + 1] + x,
                     rows.at[4 * row + 4 + column] + x, rows.at[4 * row + 5 + column] + x);
}

template <class T>
inline void filter_row(Rows16 const& rows, int row, index x) {
    filter_four<T>(rows.at[4 * row + 2] + x, rows.at[4 * row + 3] + x, rows.at[4 * row] + x + 1,
                   rows.at[4 * row + 1] + x + 1);
}

void filter_edge(Rows16 const& rows, int first_row, index begin, index end) {
    filter_square(rows, first_row, 0, begin);
    filter_square(rows, first_row, 2, end - 1);
    for (int r = first_row; r < first_row + 2; ++r) {
        index x = begin;
        for (; x + lanes < end; x += lanes) filter_row<Lanes>(rows, r, x);
        for (; x + 1 < end; ++x) filter_row<One>(rows, r, x);
    }
}

}  // namespace

Kernels kernels() {
    return {read_dc,       read_low,       read_pattern, read_high, transform,
            transform_low, filter_between, filter_edge,  write};
}

}  // namespace sluice::codec::jxr::SLUICE_ISA
