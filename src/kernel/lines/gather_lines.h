// The lines of a mask in many units, list after list; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/lines/cpu.h"
#if defined(__AVX512VPOPCNTDQ__)
#include "kernel/lines/adder_avx512.h"
#else
#include "kernel/lines/adder_generic.h"
#endif

namespace sluice::lines::SLUICE_ISA {
namespace {

using planes::MaskWord;

constexpr std::size_t blocks_at_once = 16;

/// Lines of one plane of some blocks, of one unit.
struct List {
    std::size_t unit;
    bool minus;
    int plane;
    std::size_t count;
    std::uint64_t const* lines[blocks_at_once * 64];
};

/// Goes from unit to unit, in each from what is added to what is taken away, and from sixteen
/// blocks to the next, plane by plane: pixels of one plane can be added up together.
class Gathering {
  public:
    Gathering(std::span<Unit const> units, LineMask const& mask) : units_(units), mask_(mask) {
        fetch_heads();
    }

    /// The next list that has lines; false: there is none.
    bool next(List& list) {
        while (true) {
            while (plane_ < planes_) {
                fill(list);
                if (list.count > 0) return true;
            }
            if (unit_ == units_.size()) return false;
            begin_blocks();
        }
    }

  private:
    std::span<MaskWord const> words() const { return minus_ ? mask_.minus : mask_.plus; }

    // Heads of the blocks that are next, on their way into the cache.
    void fetch_heads() const {
        if (unit_ == units_.size()) return;
        auto const all = words();
        for (std::size_t i = at_; i < all.size() && i < at_ + blocks_at_once; ++i)
            __builtin_prefetch(&units_[unit_].head(all[i].block), 0, 2);
    }
    void begin_blocks() {
        auto const all = words();
        std::size_t const left = all.size() - at_;
        count_ = left < blocks_at_once ? left : blocks_at_once;
        of_unit_ = unit_, of_minus_ = minus_;
        plane_ = planes_ = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            Unit const& unit = units_[unit_];
            Head const& head = unit.head(all[at_ + i].block);
            blocks_[i] = {&head, unit.lines(head), all[at_ + i].bits};
            planes_ = planes_ > head.planes ? planes_ : head.planes;
        }
        at_ += count_;
        if (at_ == all.size()) {
            at_ = 0;
            unit_ += minus_;
            minus_ = !minus_;
        }
        fetch_heads();
    }
    void fill(List& list) {
        list.unit = of_unit_, list.minus = of_minus_, list.plane = plane_;
        std::uint64_t const** to = list.lines;
        for (std::size_t i = 0; i < count_; ++i) {
            Block& block = blocks_[i];
            if (plane_ >= block.head->planes) continue;
            std::uint64_t const map = units_[of_unit_].map(*block.head, plane_);
            each_line(map, block.bits, [&](auto place) { *to++ = block.next + 8 * place; });
            block.next += line_words * count_lines(map);
        }
        list.count = static_cast<std::size_t>(to - list.lines);
        ++plane_;
    }

    struct Block {
        Head const* head;
        std::uint64_t const* next;  // the first line of the plane that comes
        std::uint64_t bits;
    };
    std::span<Unit const> units_;
    LineMask const& mask_;
    // Where the blocks begin that are next, and those that are at work.
    std::size_t unit_ = 0, at_ = 0;
    bool minus_ = false;
    std::size_t of_unit_ = 0, count_ = 0;
    bool of_minus_ = false;
    int plane_ = 0, planes_ = 0;
    Block blocks_[blocks_at_once];
};

}  // namespace
}  // namespace sluice::lines::SLUICE_ISA
