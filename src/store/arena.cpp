// Arena by mmap.
// SPDX-License-Identifier: Apache-2.0
#include "store/arena.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/system.h"

namespace sluice::store {
namespace {

constexpr std::uint64_t huge_page = std::uint64_t{2} << 20;

// The last arena that was given up. Its pages are there already, which saves the next load of the
// same size more time than a third of the decoding.
struct Mapping {
    std::byte* map = nullptr;
    std::uint64_t bytes = 0, resident = 0;
};
struct Kept {
    std::mutex mutex;
    Mapping last;
};
Kept& kept() {
    static Kept k;
    return k;
}

// Giving memory back takes seconds for a large scan, so nobody does it under the lock.
Mapping exchange(Mapping next) {
    std::lock_guard lock(kept().mutex);
    return std::exchange(kept().last, next);
}

// The kept mapping if it has the size, else nothing, and what was kept is given back first.
std::byte* take_kept(std::uint64_t bytes) {
    Mapping const last = exchange({});
    if (last.map && last.bytes != bytes) {
        ::munmap(last.map, last.bytes);
        return nullptr;
    }
    return last.map;
}

}  // namespace

Result<Arena> Arena::reserve(std::uint64_t bytes) {
    Arena a;
    a.size_ = (bytes + huge_page - 1) / huge_page * huge_page;
    a.mapped_ = a.size_ + huge_page;
    void* p = take_kept(a.mapped_);
    if (!p)
        p = ::mmap(nullptr, a.mapped_, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return Error{Code::out_of_memory,
                     fmt::format("cannot reserve {:.1f} GB of addresses for the scan (the system "
                                 "forbids it); load less with --scan-region or --det-bin, or use "
                                 "--stream",
                                 static_cast<double>(bytes) / 1e9)};
    a.map_ = static_cast<std::byte*>(p);
    auto const address = reinterpret_cast<std::uintptr_t>(p);
    a.base_ = a.map_ + (huge_page - address % huge_page) % huge_page;
    use_large_pages(a.base_, a.size_);
    return a;
}

Arena::Arena(Arena&& other) noexcept
    : base_(other.base_),
      size_(other.size_),
      mapped_(other.mapped_),
      map_(std::exchange(other.map_, nullptr)),
      keep_(other.keep_),
      used_(other.used_.load()) {}

Arena& Arena::operator=(Arena&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(size_, other.size_);
    std::swap(mapped_, other.mapped_);
    std::swap(map_, other.map_);
    std::swap(keep_, other.keep_);
    other.used_ = used_.exchange(other.used_);
    return *this;
}

Arena::~Arena() {
    if (!map_) return;
    Mapping const old = keep_ ? exchange({map_, mapped_, taken()}) : Mapping{map_, mapped_, 0};
    if (old.map) ::munmap(old.map, old.bytes);
}

std::uint64_t Arena::kept_bytes() {
    std::lock_guard lock(kept().mutex);
    return kept().last.resident;
}

void Arena::drop_kept() {
    (void)take_kept(0);
}

std::byte* Arena::take(std::uint64_t bytes) {
    std::uint64_t const rounded = (bytes + huge_page - 1) / huge_page * huge_page;
    std::uint64_t const at = used_.fetch_add(rounded);
    return at + rounded <= size_ ? base_ + at : nullptr;
}

}  // namespace sluice::store
