// Digits: how many lines each of 512 frames has a bit in, as binary numbers side by side; for
// *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/lines/gather_lines.h"
#include "kernel/lines/turn.h"

namespace sluice::lines::SLUICE_ISA {
namespace {

class Digits {
  public:
    void clear() {
        std::memset(of_, 0, sizeof(of_[0]) * static_cast<std::size_t>(used_));
        used_ = 0;
    }
    bool empty() const { return used_ == 0; }
    /// Adds the lines, each as often as its plane says.
    void add(List const& list) {
        std::size_t fetched = 0;
        for (int column = 0; column < columns; ++column) add_column(list, column, nullptr, fetched);
    }
    /// The same, and those of the next list are on their way into the cache meanwhile.
    void add(List const& list, List const& next) {
        std::size_t fetched = 0;
        for (int column = 0; column < columns; ++column)
            add_column(list, column, column == 0 ? &next : nullptr, fetched);
        for (; fetched < next.count; ++fetched) __builtin_prefetch(next.lines[fetched], 0, 2);
    }
    /// Adds digits that begin with number `first`, of some columns of frames.
    template <int n>
    void add(Bits const (&digits)[n], int first, int column) {
        Bits up = {};
        // Those beyond the last place are zeros: a frame's sum has no more digits.
        int const end = first + n < most ? first + n : most;
        for (int d = 0; first + d < end; ++d) {
            Bits sum = digit(first + d, column), next;
            lines::SLUICE_ISA::add(sum, digits[d], up, next);
            set(first + d, column, sum);
            up = next;
        }
        used_ = used_ > end ? used_ : end;
        carry(end, column, up);
    }
    static constexpr int columns = static_cast<int>(line_bytes / sizeof(Bits));
    static Bits load(std::uint64_t const* line, int column) { return load(line + words * column); }
    /// Adds numbers to numbers.
    void add(Digits const& other) {
        for (int column = 0; column < columns; ++column) {
            Bits up = {};
            for (int d = 0; d < other.used_; ++d) {
                Bits sum = digit(d, column), next;
                lines::SLUICE_ISA::add(sum, other.digit(d, column), up, next);
                set(d, column, sum);
                up = next;
            }
            carry(other.used_, column, up);
        }
        used_ = used_ > other.used_ ? used_ : other.used_;
    }
    /// Adds to or takes from the frames' sums, modulo 2^32.
    void expand(bool minus, std::uint32_t* sums) const {
        for (int first = 0; first < used_; first += 8)
            for (int w = 0; w < line_words; ++w) {
                // Eight digits of 64 frames become their bytes.
                Words x = {};
                for (int d = 0; d < 8 && first + d < used_; ++d) x[d] = of_[first + d][w];
                Words const y = turn_bits(turn_bytes(x));
                std::uint8_t bytes[64];
                std::memcpy(bytes, &y, sizeof bytes);
                std::uint32_t* const to = sums + 64 * w;
                if (minus)
                    for (int f = 0; f < 64; ++f)
                        to[f] -= static_cast<std::uint32_t>(bytes[f]) << first;
                else
                    for (int f = 0; f < 64; ++f)
                        to[f] += static_cast<std::uint32_t>(bytes[f]) << first;
            }
    }

  private:
    static constexpr int words = static_cast<int>(sizeof(Bits) / 8);
    static constexpr std::size_t step = 8;              // lines that are added together
    static constexpr std::size_t fetched_at_once = 12;  // more: the next list may be longer
    static constexpr int most = 32;                     // a frame's sum has no more

    static Bits load(std::uint64_t const* from) {
        Bits x;
        std::memcpy(&x, from, sizeof x);
        return x;
    }
    Bits digit(int d, int column) const { return load(of_[d] + words * column); }
    void set(int d, int column, Bits x) { std::memcpy(of_[d] + words * column, &x, sizeof x); }

    void carry(int d, int column, Bits x) {
        for (; d < most && any_bit(x); ++d) {
            Bits const old = digit(d, column);
            set(d, column, old ^ x);
            x &= old;
            used_ = used_ > d ? used_ : d + 1;
        }
    }
    void add_column(List const& list, int column, List const* next, std::size_t& fetched) {
        int const p = list.plane;
        std::size_t i = 0;
        if (list.count >= step && p + 3 <= most) {
            Bits ones = digit(p, column), twos = digit(p + 1, column), fours = digit(p + 2, column);
            for (; i + step <= list.count; i += step) {
                if (next) fetch(*next, fetched);
                auto const line = [&](std::size_t k) {
                    return load(list.lines[i + k] + words * column);
                };
                Bits a, b, c, d;
                lines::SLUICE_ISA::add(ones, line(0), line(1), a);
                lines::SLUICE_ISA::add(ones, line(2), line(3), b);
                lines::SLUICE_ISA::add(twos, a, b, c);
                lines::SLUICE_ISA::add(ones, line(4), line(5), a);
                lines::SLUICE_ISA::add(ones, line(6), line(7), b);
                lines::SLUICE_ISA::add(twos, a, b, d);
                lines::SLUICE_ISA::add(fours, c, d, a);
                carry(p + 3, column, a);
            }
            set(p, column, ones), set(p + 1, column, twos), set(p + 2, column, fours);
            used_ = used_ > p + 3 ? used_ : p + 3;
        }
        for (; i < list.count; ++i) carry(p, column, load(list.lines[i] + words * column));
    }
    static void fetch(List const& next, std::size_t& fetched) {
        std::size_t const end =
            fetched + fetched_at_once < next.count ? fetched + fetched_at_once : next.count;
        for (; fetched < end; ++fetched) __builtin_prefetch(next.lines[fetched], 0, 2);
    }

    alignas(64) std::uint64_t of_[most][line_words] = {};
    int used_ = 0;
};

}  // namespace
}  // namespace sluice::lines::SLUICE_ISA
