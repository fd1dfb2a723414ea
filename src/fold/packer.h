// Packer and Unpacker: numbers to little-endian bytes and back, without trust on the way back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::fold {

/// Integers and floats, which travel by their bits.
template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

class Packer {
  public:
    void bytes(Bytes b) { out_.insert(out_.end(), b.begin(), b.end()); }
    template <Number T>
    void number(T v) {
        numbers(std::span<T const>(&v, 1));
    }
    /// Without their count, which the reader has to know.
    template <Number T>
    void numbers(std::span<T const> v) {
        std::size_t const at = out_.size();
        bytes(std::as_bytes(v));
        if constexpr (std::endian::native == std::endian::big)
            for (std::size_t i = at; i < out_.size(); i += sizeof(T))
                std::reverse(out_.data() + i, out_.data() + i + sizeof(T));
    }

    Bytes written() const { return out_; }
    std::vector<std::byte> take() && { return std::move(out_); }

  private:
    std::vector<std::byte> out_;
};

/// Reads what a Packer wrote; every read is compared with what is left before memory is taken.
class Unpacker {
  public:
    explicit Unpacker(Bytes bytes) : rest_(bytes) {}

    Result<Bytes> bytes(std::uint64_t count);
    template <Number T>
    Result<T> number() {
        T v;
        SLUICE_CHECK(fill(std::span<T>(&v, 1)));
        return v;
    }
    template <Number T>
    Result<std::vector<T>> numbers(std::uint64_t count) {
        if (count > rest_.size() / sizeof(T)) return too_short();
        std::vector<T> v(static_cast<std::size_t>(count));
        SLUICE_CHECK(fill(std::span<T>(v)));
        return v;
    }
    /// An error if bytes are left.
    Status end() const;

  private:
    template <Number T>
    Status fill(std::span<T> v) {
        SLUICE_TRY(Bytes const b, bytes(v.size_bytes()));
        if (!b.empty()) std::memcpy(v.data(), b.data(), b.size());
        if constexpr (std::endian::native == std::endian::big)
            for (T& one : v) {
                auto const raw = std::as_writable_bytes(std::span(&one, 1));
                std::reverse(raw.begin(), raw.end());
            }
        return {};
    }
    Error too_short() const;

    Bytes rest_;
};

}  // namespace sluice::fold
