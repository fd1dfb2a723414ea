// How often each pixel of a block is set over the frames of many tiles; for planes.isa.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstring>
#include <span>

#include "codec/bitshuffle/words.h"
#include "kernel/planes/four.h"
#include "kernel/planes/tile.h"

namespace sluice::planes::SLUICE_ISA {
namespace {

using namespace sluice::SLUICE_ISA;

// Counters of 64 pixels in binary, digit j in slice[j]: how often each pixel had a bit, in each of
// four groups of frames. Six digits hold 15 tiles of four frames a group.
class Sliced {
  public:
    Four slice[6] = {};

    static void full_add(Four a, Four b, Four c, Four& sum, Four& carry) {
        Four const u = a ^ b;
        sum = u ^ c;
        carry = (a & b) | (u & c);
    }
    void add(Four a, Four b, Four c, Four d) {
        Four s1, c1, c2, c3;
        full_add(a, b, c, s1, c1);
        full_add(s1, d, slice[0], slice[0], c2);
        full_add(c1, c2, slice[1], slice[1], c3);
        for (int j = 2; j < 6; ++j) {
            Four const next = slice[j] & c3;
            slice[j] ^= c3;
            c3 = next;
        }
    }
    // The four groups together, in binary: at most 4 * 60 = 240.
    void digits(std::uint64_t* out) const {
        std::uint64_t number[4][8] = {};
        for (int j = 0; j < 6; ++j)
            for (int group = 0; group < 4; ++group) number[group][j] = slice[j][group];
        add_to(number[0], number[1]);
        add_to(number[2], number[3]);
        add_to(number[0], number[2]);
        std::memcpy(out, number[0], sizeof number[0]);
    }
    // The same, as one byte per pixel.
    Words counts() const {
        std::uint64_t in_binary[8];
        digits(in_binary);
        return bytes_of(in_binary);
    }
    // Eight digits of 64 pixels as bytes.
    static Words bytes_of(std::uint64_t const* digits) {
        Words words;
        std::memcpy(&words, digits, sizeof words);
        return transpose_bits(transpose_bytes(words));
    }

  private:
    // 64 additions at once, in binary.
    static void add_to(std::uint64_t* a, std::uint64_t const* b) {
        std::uint64_t carry = 0;
        for (int j = 0; j < 8; ++j) {
            std::uint64_t const u = a[j] ^ b[j], and_ = a[j] & b[j];
            a[j] = u ^ carry;
            carry = and_ | (u & carry);
        }
    }
};

// One block of up to 15 tiles.
class BlockOfTiles {
  public:
    BlockOfTiles(std::span<Tile const> tiles, std::uint16_t const* frame_mask, index block)
        : tiles_(tiles), frame_mask_(frame_mask) {
        for (std::size_t t = 0; t < tiles.size(); ++t) {
            entries_[t] = tiles[t].entry(block);
            planes_ = entries_[t].planes > planes_ ? entries_[t].planes : planes_;
            // Blocks follow each other in every tile, but fifteen streams are too many to foresee.
            char const* const ahead =
                reinterpret_cast<char const*>(tiles[t].base + entries_[t].offset);
            for (int line = 0; line < 4; ++line) __builtin_prefetch(ahead + 512 + 64 * line);
        }
    }
    int planes() const { return planes_; }

    // Adds for each pixel the number of frames that have a bit in both planes, times 2^shift.
    template <bool alike>
    void count(int p, int q, int shift, std::uint64_t* to) const {
        Words const counts = counted<alike>(p, q).counts();
        std::uint8_t bytes[64];
        std::memcpy(bytes, &counts, 64);
        for (int k = 0; k < 64; ++k) to[k] += static_cast<std::uint64_t>(bytes[k]) << shift;
    }

    // Adds the values of all frames for each pixel. Planes, and then the groups of frames, are
    // added in binary, so that pixels are taken apart once for eight digits of their sums.
    void sum(std::uint64_t* to) const {
        if (planes_ == 0) return;
        int const used = digits_used();
        Four of_groups[most_digits];
        for (int j = 0; j < used; ++j) of_groups[j] = Four{};
        for (int p = 0; p < planes_; ++p) add_at(of_groups + p, counted<true>(p, p));
        std::uint64_t digits[most_digits];
        add_groups(of_groups, used, digits);
        for (int j = 0; j < used; j += 8) {
            Words const eight = Sliced::bytes_of(digits + j);
            std::uint8_t bytes[64];
            std::memcpy(bytes, &eight, 64);
            for (int k = 0; k < 64; ++k) to[k] += static_cast<std::uint64_t>(bytes[k]) << j;
        }
    }

  private:
    // How often each pixel has a bit in both planes.
    template <bool alike>
    Sliced counted(int p, int q) const {
        Sliced counter;
        for (std::size_t t = 0; t < tiles_.size(); ++t) {
            Tile::Entry const e = entries_[t];
            if (q >= e.planes || frame_mask_[t] == 0) continue;
            std::uint64_t const* const w = tiles_[t].words(e);
            Four x[4];
            for (int v = 0; v < 4; ++v) {
                x[v] = load_four(w + p * tile_frames + 4 * v);
                if constexpr (!alike) x[v] &= load_four(w + q * tile_frames + 4 * v);
            }
            if (frame_mask_[t] != 0xffff)
                for (int f = 0; f < tile_frames; ++f)
                    if (!(frame_mask_[t] >> f & 1)) x[f / 4][f % 4] = 0;
            counter.add(x[0], x[1], x[2], x[3]);
        }
        return counter;
    }
    static constexpr int most_digits = 40;  // of 32 planes of 15 tiles

    // What was added before is smaller than the digit behind those of the plane.
    void add_at(Four* digits, Sliced const& plane) const {
        auto const n = static_cast<int>(std::bit_width(4 * tiles_.size()));
        Four carry = {};
        for (int j = 0; j < n; ++j)
            Sliced::full_add(digits[j], plane.slice[j], carry, digits[j], carry);
        digits[n] = carry;
    }
    static void add_digit(std::uint64_t a, std::uint64_t b, std::uint64_t& sum,
                          std::uint64_t& carry) {
        std::uint64_t const u = a ^ b, and_ = a & b;
        sum = u ^ carry;
        carry = and_ | (u & carry);
    }
    // The four groups of frames together, and zeros up to a whole number of bytes.
    static void add_groups(Four const* groups, int used, std::uint64_t* out) {
        std::uint64_t first = 0, second = 0, both = 0;  // carries
        for (int j = 0; j < used; ++j) {
            std::uint64_t a, b;
            add_digit(groups[j][0], groups[j][1], a, first);
            add_digit(groups[j][2], groups[j][3], b, second);
            add_digit(a, b, out[j], both);
        }
        for (int j = used; j % 8 != 0; ++j) out[j] = 0;
    }
    // Of the largest sum that there can be.
    int digits_used() const {
        std::uint64_t const value = (std::uint64_t{1} << planes_) - 1;
        return static_cast<int>(std::bit_width(tiles_.size() * tile_frames * value));
    }

    std::span<Tile const> tiles_;
    std::uint16_t const* frame_mask_;
    Tile::Entry entries_[15];
    int planes_ = 0;
};

}  // namespace
}  // namespace sluice::planes::SLUICE_ISA
