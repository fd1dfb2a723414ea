// Bits of a JPEG XR packet, most significant first; past the end of the input they are zeros.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/bytes.h"
#include "sluice/view.h"

namespace sluice::codec::jxr {

/// The caller refills, and then may take 56 bits before it must refill again.
class Bits {
  public:
    Bits() = default;
    explicit Bits(Bytes bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    SLUICE_HD void refill() {
        if (end_ - at_ >= 8) [[likely]] {
            std::uint64_t next;
            __builtin_memcpy(&next, at_, 8);
            if constexpr (std::endian::native == std::endian::little)
                next = __builtin_bswap64(next);
            held_ |= next >> count_;
            at_ += (63 - count_) >> 3;
            count_ |= 56;
            return;
        }
        while (count_ < 56) {
            std::uint64_t const next = at_ < end_ ? std::to_integer<std::uint64_t>(*at_) : 0;
            past_ += at_ < end_ ? 0 : 8;
            at_ += at_ < end_ ? 1 : 0;
            held_ |= next << (56 - count_);
            count_ += 8;
        }
    }
    /// The next n bits, 1 <= n <= 32.
    SLUICE_HD std::uint32_t peek(int n) const {
        return static_cast<std::uint32_t>(held_ >> (64 - n));
    }
    /// All that is held, the next bit uppermost.
    SLUICE_HD std::uint64_t held() const { return held_; }
    SLUICE_HD void skip(int n) {
        held_ <<= n;
        count_ -= n;
    }
    /// What held() has become after n bits were taken from it.
    SLUICE_HD void set_held(std::uint64_t held, int n) {
        held_ = held;
        count_ -= n;
    }
    /// n bits, 0 <= n <= 32.
    SLUICE_HD std::uint32_t take(int n) {
        auto const value = static_cast<std::uint32_t>(held_ >> 1 >> (63 - n));
        skip(n);
        return value;
    }
    SLUICE_HD bool take_bit() { return take(1) != 0; }
    /// n bits whatever was taken before; for fields that are read seldom.
    std::uint32_t read(int n) {
        refill();
        return take(n);
    }
    void to_byte() { skip(count_ & 7); }

    /// Whether bits were taken that the input does not have.
    bool overrun() const { return past_ > count_; }
    /// The first byte of which no bit was taken, of those the reader was made of.
    std::byte const* position() const { return at_ - count_ / 8; }

  private:
    std::uint64_t held_ = 0;
    int count_ = 0;  // of valid bits in held_
    std::byte const* at_ = nullptr;
    std::byte const* end_ = nullptr;
    index past_ = 0;  // zero bits that were added at the end
};

}  // namespace sluice::codec::jxr
