// lookup3 over bytes (http://burtleburtle.net/bob/c/lookup3.c, public domain).
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/checksum.h"

#include <algorithm>
#include <bit>

#include "base/bytes.h"

namespace sluice::hdf5 {
namespace {

struct State {
    std::uint32_t a, b, c;

    void mix() {
        a -= c, a ^= std::rotl(c, 4), c += b;
        b -= a, b ^= std::rotl(a, 6), a += c;
        c -= b, c ^= std::rotl(b, 8), b += a;
        a -= c, a ^= std::rotl(c, 16), c += b;
        b -= a, b ^= std::rotl(a, 19), a += c;
        c -= b, c ^= std::rotl(b, 4), b += a;
    }

    void finish() {
        c ^= b, c -= std::rotl(b, 14);
        a ^= c, a -= std::rotl(c, 11);
        b ^= a, b -= std::rotl(a, 25);
        c ^= b, c -= std::rotl(b, 16);
        a ^= c, a -= std::rotl(c, 4);
        b ^= a, b -= std::rotl(a, 14);
        c ^= b, c -= std::rotl(b, 24);
    }

    void add(std::byte const* twelve) {
        a += load_le<std::uint32_t>(twelve);
        b += load_le<std::uint32_t>(twelve + 4);
        c += load_le<std::uint32_t>(twelve + 8);
    }
};

}  // namespace

std::uint32_t checksum(Bytes bytes) {
    std::uint32_t const start = 0xdeadbeefu + static_cast<std::uint32_t>(bytes.size());
    State s{start, start, start};
    for (; bytes.size() > 12; bytes = bytes.subspan(12)) {
        s.add(bytes.data());
        s.mix();
    }
    if (bytes.empty()) return s.c;
    std::byte rest[12] = {};
    std::copy(bytes.begin(), bytes.end(), rest);
    s.add(rest);
    s.finish();
    return s.c;
}

bool checksum_holds(Bytes bytes) {
    if (bytes.size() < 4) return false;
    Bytes const body = bytes.first(bytes.size() - 4);
    return checksum(body) == load_le<std::uint32_t>(bytes.data() + body.size());
}

}  // namespace sluice::hdf5
