// Hashes; XXH64 as its specification describes it (doc/xxhash_spec.md of the xxHash project).
// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bytes.h"
#include "base/splitmix.h"

namespace sluice {
namespace {

constexpr std::uint64_t p1 = 0x9e3779b185ebca87U, p2 = 0xc2b2ae3d27d4eb4fU,
                        p3 = 0x165667b19e3779f9U, p4 = 0x85ebca77c2b2ae63U,
                        p5 = 0x27d4eb2f165667c5U;

std::uint64_t round(std::uint64_t lane, std::uint64_t word) {
    return std::rotl(lane + word * p2, 31) * p1;
}

}  // namespace

void Xxh64::take(std::byte const* block) {
    for (std::size_t i = 0; i < 4; ++i)
        lanes_[i] = round(lanes_[i], load_le<std::uint64_t>(block + 8 * i));
}

void Xxh64::update(Bytes bytes) {
    length_ += bytes.size();
    if (held_ > 0) {
        std::size_t const n = std::min(rest_.size() - held_, bytes.size());
        std::copy_n(bytes.begin(), n, rest_.begin() + static_cast<std::ptrdiff_t>(held_));
        held_ += n;
        bytes = bytes.subspan(n);
        if (held_ < rest_.size()) return;
        take(rest_.data());
        held_ = 0;
    }
    for (; bytes.size() >= rest_.size(); bytes = bytes.subspan(rest_.size())) take(bytes.data());
    std::copy(bytes.begin(), bytes.end(), rest_.begin());
    held_ = bytes.size();
}

std::uint64_t Xxh64::digest() const {
    std::uint64_t h = p5;
    if (length_ >= rest_.size()) {
        h = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) +
            std::rotl(lanes_[3], 18);
        for (std::uint64_t const lane : lanes_) h = (h ^ round(0, lane)) * p1 + p4;
    }
    h += length_;
    std::byte const *at = rest_.data(), *const end = at + held_;
    for (; end - at >= 8; at += 8)
        h = std::rotl(h ^ round(0, load_le<std::uint64_t>(at)), 27) * p1 + p4;
    if (end - at >= 4) {
        h = std::rotl(h ^ (load_le<std::uint32_t>(at) * p1), 23) * p2 + p3;
        at += 4;
    }
    for (; at != end; ++at) h = std::rotl(h ^ (std::to_integer<std::uint64_t>(*at) * p5), 11) * p1;
    h = (h ^ (h >> 33)) * p2;
    h = (h ^ (h >> 29)) * p3;
    return h ^ (h >> 32);
}

std::uint64_t xxh64(Bytes bytes) {
    Xxh64 h;
    h.update(bytes);
    return h.digest();
}

std::uint64_t splitmix_digest(Bytes bytes, std::uint64_t before) {
    std::uint64_t found = splitmix::mix(before + splitmix::golden * (bytes.size() + 1));
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
        found = splitmix::mix((found ^ word) + splitmix::golden);
    }
    return found;
}

}  // namespace sluice
