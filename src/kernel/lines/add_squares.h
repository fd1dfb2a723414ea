// Sums of squares' totals, per frame; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/lines/cpu.h"

namespace sluice::lines::SLUICE_ISA {
namespace {

/// In the narrowest numbers that hold them: most totals have four bits.
class SquareAdder {
  public:
    explicit SquareAdder(std::uint32_t* sums) : sums_(sums) {}

    void add(Width width, std::byte const* totals) {
        switch (width) {
            case Width::none:
                return;
            case Width::half:
                return add_half(reinterpret_cast<std::uint8_t const*>(totals));
            case Width::one:
                return add_bytes(reinterpret_cast<std::uint8_t const*>(totals));
            case Width::two:
                return add_to_sums(reinterpret_cast<std::uint16_t const*>(totals));
            case Width::four:
                return add_to_sums(reinterpret_cast<std::uint32_t const*>(totals));
        }
    }
    void finish() {
        empty_bytes();
        empty_middle();
    }

  private:
    static constexpr int halves_of_byte = 17;    // times 15 is 255
    static constexpr int bytes_of_middle = 257;  // times 255 is 65535

    void add_half(std::uint8_t const* from) {
        for (index i = 0; i < unit_frames / 2; ++i) {
            bytes_[i] = static_cast<std::uint8_t>(bytes_[i] + (from[i] & 15));
            bytes_[unit_frames / 2 + i] =
                static_cast<std::uint8_t>(bytes_[unit_frames / 2 + i] + (from[i] >> 4));
        }
        if (++halves_ == halves_of_byte) empty_bytes();
    }
    void add_bytes(std::uint8_t const* __restrict__ from) {
        if (in_middle_ == bytes_of_middle) empty_middle();
        ++in_middle_;
        for (index f = 0; f < unit_frames; ++f)
            middle_[f] = static_cast<std::uint16_t>(middle_[f] + from[f]);
    }
    template <class T>
    void add_to_sums(T const* __restrict__ from) {
        for (index f = 0; f < unit_frames; ++f) sums_[f] += from[f];
    }
    void empty_bytes() {
        if (halves_ == 0) return;
        halves_ = 0;
        add_bytes(bytes_);
        std::memset(bytes_, 0, sizeof bytes_);
    }
    void empty_middle() {
        if (in_middle_ == 0) return;
        in_middle_ = 0;
        add_to_sums(middle_);
        std::memset(middle_, 0, sizeof middle_);
    }

    alignas(64) std::uint8_t bytes_[unit_frames] = {};
    alignas(64) std::uint16_t middle_[unit_frames] = {};
    std::uint32_t* __restrict__ sums_;
    int halves_ = 0, in_middle_ = 0;
};

/// Squares of a mask, some of them on their way into the cache.
inline void add_squares(Unit const& unit, std::span<std::uint32_t const> squares,
                        std::uint32_t* sums) {
    constexpr std::size_t ahead = 8;
    SquareAdder adder(sums);
    auto const fetch = [&](std::size_t i) {
        if (i >= squares.size()) return;
        std::uint32_t const square = unit.square(squares[i]);
        std::byte const* const totals = unit.totals(square);
        index const bytes = width_bytes[static_cast<int>(Unit::width(square))];
        for (index at = 0; at < bytes; at += line_bytes) __builtin_prefetch(totals + at, 0, 3);
    };
    for (std::size_t i = 0; i < ahead; ++i) fetch(i);
    for (std::size_t i = 0; i < squares.size(); ++i) {
        fetch(i + ahead);
        std::uint32_t const square = unit.square(squares[i]);
        adder.add(Unit::width(square), unit.totals(square));
    }
    adder.finish();
}

}  // namespace
}  // namespace sluice::lines::SLUICE_ISA
