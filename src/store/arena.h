// Arena: one contiguous range of addresses whose pages come into being when they are touched.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::store {

/// Huge pages where the system offers them: faulting in small pages can cost more than decoding.
/// Of the arenas that ask for it the one given up last is kept, with its pages, for the next one of
/// the same size; threads may make and give up arenas at once.
class Arena {
  public:
    /// Reserves addresses, not memory.
    static Result<Arena> reserve(std::uint64_t bytes);
    Arena(Arena&& other) noexcept;
    Arena& operator=(Arena&& other) noexcept;
    ~Arena();

    std::byte* base() const { return base_; }
    /// The next `bytes` bytes, rounded up to 2 MiB; threads may call it at once. Null when the
    /// reservation is used up.
    std::byte* take(std::uint64_t bytes);
    /// Bytes handed out by take(): an upper bound of what is resident.
    std::uint64_t taken() const { return std::min(used_.load(), size_); }

    /// Asks to be kept: for arenas whose like will be wanted again, not those of a load that
    /// failed.
    void keep_at_end() { keep_ = true; }
    /// Memory held by the kept arena, which a load may use or give back.
    static std::uint64_t kept_bytes();
    static void drop_kept();

  private:
    Arena() = default;
    std::byte* base_ = nullptr;
    std::uint64_t size_ = 0, mapped_ = 0;
    std::byte* map_ = nullptr;
    bool keep_ = false;
    std::atomic<std::uint64_t> used_ = 0;
};

}  // namespace sluice::store
