// Datasets in memory, for tests: any counts, stored in any of the encodings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <cstring>
#include <random>

#include "codec/bitshuffle/bitshuffle.h"
#include "codec/lz4/lz4.h"
#include "codec/rowplanes/row_planes.h"
#include "device/isa.h"
#include "format/frame_source.h"

namespace sluice::testing_support {

class MemorySource : public FrameSource {
  public:
    std::vector<EncodedFrame> frames;
    std::vector<std::vector<std::byte>> memory;
    std::string name = "memory";

    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch&) const override {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = frames.at(static_cast<std::size_t>(first) + i);
        return {};
    }
    std::uint64_t stored_bytes() const override {
        std::uint64_t n = 0;
        for (auto const& m : memory) n += m.size();
        return n;
    }
};

/// counts[frame][row][col]; a negative count in a float dataset is fine.
struct Counts {
    index scan_rows = 1, scan_cols = 1, rows = 1, cols = 1;
    std::vector<double> values;

    index frames() const { return scan_rows * scan_cols; }
    double& at(index f, index r, index c) {
        return values[static_cast<std::size_t>((f * rows + r) * cols + c)];
    }
    double at(index f, index r, index c) const {
        return values[static_cast<std::size_t>((f * rows + r) * cols + c)];
    }
};

/// Sparse counts with a bright disk and now and then a large one.
inline Counts random_counts(index scan_rows, index scan_cols, index rows, index cols, unsigned seed,
                            double largest = 200) {
    Counts c{scan_rows, scan_cols, rows, cols, {}};
    c.values.resize(static_cast<std::size_t>(c.frames() * rows * cols));
    std::mt19937 random(seed);
    std::poisson_distribution<int> dark(0.05), bright(5);
    std::uniform_int_distribution<int> rare(0, 4000);
    for (index f = 0; f < c.frames(); ++f)
        for (index r = 0; r < rows; ++r)
            for (index k = 0; k < cols; ++k) {
                double const dr = static_cast<double>(r - rows / 2),
                             dc = static_cast<double>(k - cols / 2);
                bool const inside = dr * dr + dc * dc <= static_cast<double>(rows * cols) / 80;
                c.at(f, r, k) = inside ? bright(random) : dark(random);
                if (rare(random) == 0)
                    c.at(f, r, k) = std::floor(largest * (random() % 1000) / 1000.0);
            }
    return c;
}

inline std::vector<std::byte> bytes_of(Counts const& c, index f, DType dtype) {
    std::vector<std::byte> out(static_cast<std::size_t>(c.rows * c.cols * size_of(dtype)));
    for (index i = 0; i < c.rows * c.cols; ++i) {
        double const v = c.values[static_cast<std::size_t>(f * c.rows * c.cols + i)];
        auto const n = static_cast<std::uint32_t>(dtype == DType::f32 ? 0 : v);
        auto const x = static_cast<float>(v);
        void const* const from = dtype == DType::f32 ? static_cast<void const*>(&x) : &n;
        std::memcpy(out.data() + i * size_of(dtype), from,
                    static_cast<std::size_t>(size_of(dtype)));
    }
    return out;
}

/// The deepest counters whose values have that type.
inline codec::MedipixRaw raw_counters(DType dtype) {
    return {.depth = dtype == DType::u8 ? 6 : dtype == DType::u16 ? 12 : 24};
}

/// The pixel of each electron, the last pixel first: their order says nothing.
inline std::vector<std::byte> hits_of(Counts const& c, index f) {
    std::vector<std::byte> stored;
    for (index pixel = c.rows * c.cols; pixel-- > 0;)
        for (double left = c.at(f, pixel / c.cols, pixel % c.cols); left >= 1; --left) {
            stored.push_back(static_cast<std::byte>(pixel & 0xff));
            stored.push_back(static_cast<std::byte>(pixel >> 8));
        }
    return stored;
}

inline Dataset make_dataset(Counts const& c, DType dtype, Encoding encoding,
                            index block_elements = 0) {
    auto source = std::make_shared<MemorySource>();
    int const bytes = static_cast<int>(size_of(dtype));
    for (index f = 0; f < c.frames(); ++f) {
        auto const values = bytes_of(c, f, dtype);
        std::vector<std::byte> stored;
        switch (encoding) {
            case Encoding::missing:
                break;
            case Encoding::values:
                stored = values;
                break;
            case Encoding::bitshuffle:
                stored = codec::encode_bitshuffle(values, bytes, block_elements);
                break;
            case Encoding::bitshuffle_lz4:
                stored = codec::encode_bitshuffle_lz4(values, bytes, block_elements);
                break;
            case Encoding::bitshuffle_zstd:
                stored = codec::encode_bitshuffle_zstd(values, bytes, block_elements);
                break;
            case Encoding::lz4:
                stored = codec::encode_lz4(values);
                break;
            case Encoding::lz4_block:
                codec::lz4_compress(values, stored);
                break;
            case Encoding::big_endian:
                stored.resize(values.size());
                convert_values({.bytes = bytes, .big_endian = true}, values, stored.data());
                break;
            case Encoding::medipix:
                stored = codec::encode_medipix(values, raw_counters(dtype), c.rows, c.cols);
                break;
            case Encoding::hits:
                stored = hits_of(c, f);
                break;
            case Encoding::row_planes: {
                codec::RowPlanesForm const form{c.rows, c.cols, bytes};
                stored.resize(form.bound());
                stored.resize(codec::pack_row_planes({values.data(), bytes}, form, chosen_isa(),
                                                     stored.data()));
                break;
            }
            case Encoding::wide_hits:
                std::abort();  // of no test: timepix3_test.cpp has its own
        }
        source->memory.push_back(std::move(stored));
    }
    for (auto const& m : source->memory)
        source->frames.push_back({.encoding = encoding,
                                  .bytes = m,
                                  .block_elements = block_elements,
                                  .file = &source->name,
                                  .medipix = raw_counters(dtype)});
    Dataset d;
    d.path = "memory";
    d.format = "memory";
    d.dtype = dtype;
    d.frames = c.frames();
    d.rows = c.rows, d.cols = c.cols;
    d.scan = {c.scan_rows, c.scan_cols};
    d.scan_from = "test";
    d.source = std::move(source);
    return d;
}

}  // namespace sluice::testing_support
