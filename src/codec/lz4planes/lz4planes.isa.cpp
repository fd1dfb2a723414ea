// The loop over an LZ4 block's sequences (format: lz4_Block_format.md of the LZ4 project).
//
// Why it is fast: a step from token to token is a load, a shift and an addition; no branch depends
// on a short length or on an offset. Why it is safe stands beside each bound.
// SPDX-License-Identifier: Apache-2.0
#include "codec/lz4planes/lz4planes.h"

#include <cstring>
#if defined(__SSSE3__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace sluice::codec::SLUICE_ISA {
namespace {

using std::byte;
using std::ptrdiff_t;
using std::size_t;

// The format's own rules of a block's end, which LZ4's library insists on.
constexpr ptrdiff_t least_last_literals = 5, least_from_last_match = 12;

// Row k: the bytes of a period of k, over and over; row 16: the bytes themselves.
struct Rows {
    alignas(16) std::uint8_t of[17][16] = {};
    constexpr Rows() {
        for (unsigned k = 1; k <= 16; ++k)
            for (unsigned i = 0; i < 16; ++i) of[k][i] = static_cast<std::uint8_t>(i % k);
    }
};
constexpr Rows rows;

inline unsigned at(byte const* p) {
    return std::to_integer<unsigned>(*p);
}

inline void copy16(byte const* from, byte* to) {
    std::memcpy(to, from, 16);
}

// Sixteen bytes of what begins `offset` before `to` and repeats from there on.
#if defined(__SSSE3__)
using Period = __m128i;
inline Period period(byte const* from, size_t offset) {
    auto const* const row = reinterpret_cast<__m128i const*>(rows.of[offset < 16 ? offset : 16]);
    return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<__m128i const*>(from)),
                            _mm_load_si128(row));
}
#elif defined(__aarch64__)
using Period = uint8x16_t;
inline Period period(byte const* from, size_t offset) {
    return vqtbl1q_u8(vld1q_u8(reinterpret_cast<std::uint8_t const*>(from)),
                      vld1q_u8(rows.of[offset < 16 ? offset : 16]));
}
#else
struct Period {
    byte of[16];
};
inline Period period(byte const* from, size_t offset) {
    Period p;
    for (int i = 0; i < 16; ++i) p.of[i] = from[rows.of[offset < 16 ? offset : 16][i]];
    return p;
}
#endif

// A match of n bytes; writes up to 15 more.
inline void fill(byte* to, size_t offset, size_t n) {
    byte* const end = to + n;
    if (offset >= 16) {
        for (; to < end; to += 16) copy16(to - offset, to);
        return;
    }
    Period const p = period(to - offset, offset);
    size_t const step = 16 / offset * offset;
    for (; to < end; to += step) std::memcpy(to, &p, 16);
}

inline bool all_zero(byte const* p, size_t n) {
    unsigned any = 0;
    for (size_t i = 0; i < n; ++i) any |= at(p + i);
    return any == 0;
}

class Decoder {
  public:
    Decoder(Bytes block, byte const* readable_end, byte* out, size_t plane, int count)
        : ip_(block.data()),
          iend_(block.data() + block.size()),
          ilim_(readable_end - block.data() > ptrdiff_t{planes_slack} ? readable_end - planes_slack
                                                                      : block.data()),
          out_(out),
          op_(out),
          oend_(out + plane * static_cast<size_t>(count)),
          match_at_(out),
          plane_(plane) {
        // No token below ilim_ is the last one: that has five literals behind it.
        if (iend_ - block.data() < least_last_literals)
            ilim_ = block.data();
        else if (ilim_ > iend_ - least_last_literals)
            ilim_ = iend_ - least_last_literals;
    }

    std::optional<PlanesFound> run() {
        for (;;) {
            quick();
            if (!exact()) return {};
            if (found_) return found_;
        }
    }

  private:
    // Sequences while none of them is near an end or unusual. A step begins below ilim_, where 64
    // bytes can be read, and below oend_, beyond which 64 bytes can be written. It reads up to 34
    // bytes there; q < ilim_ makes the offset and the length after it safe. It writes up to 47.
    void quick() {
        byte const* ip = ip_;
        byte* op = op_;
        byte* match_at = match_at_;
        while (ip < ilim_ && op < oend_) {
            unsigned const token = at(ip), m = token & 15;
            size_t const literals = token >> 4;
            byte const* q = ip + literals + 3;  // the next token
            byte* o = op + literals;
            if (q >= ilim_) break;
            copy16(ip + 1, op);
            if (token >= 0xf0) {
                size_t const more = at(ip + 1);
                if (more > 17) break;
                q += more + 1;
                o += more;
                if (q >= ilim_) break;
                std::memcpy(op, ip + 2, 32);
            }
            size_t const offset = at(q - 2) | at(q - 1) << 8;
            if (offset == 0 || static_cast<ptrdiff_t>(offset) > o - out_) break;
            if (m > 12) {
                size_t const more = m == 15 ? at(q++) : 0, n = m + 4 + more;
                // oend_ - o may be negative.
                if (more == 255 || static_cast<ptrdiff_t>(n) > oend_ - o) break;
                fill(o, offset, n);
                match_at = o;
                op = o + n;
                ip = q;
                continue;
            }
            Period const p = period(o - offset, offset);
            std::memcpy(o, &p, 16);
            match_at = o;
            op = o + m + 4;
            ip = q;
        }
        ip_ = ip;
        op_ = op;
        match_at_ = match_at;
    }

    // One sequence of any kind, each byte of which is checked; false where it is invalid.
    bool exact() {
        if (ip_ >= iend_ || op_ > oend_) return false;
        unsigned const token = at(ip_++);
        size_t literals = token >> 4;
        if (literals == 15 && !extend(literals)) return false;
        if (literals > static_cast<size_t>(iend_ - ip_) ||
            literals > static_cast<size_t>(oend_ - op_))
            return false;
        if (literals > 0) std::memcpy(op_, ip_, literals);
        ip_ += literals;
        op_ += literals;
        if (ip_ == iend_) return finish(static_cast<ptrdiff_t>(literals));
        if (iend_ - ip_ < 2) return false;
        size_t const offset = at(ip_) | at(ip_ + 1) << 8;
        ip_ += 2;
        if (offset == 0 || static_cast<ptrdiff_t>(offset) > op_ - out_) return false;
        size_t n = (token & 15) + 4;
        if (n == 19 && !extend(n)) return false;
        if (n > static_cast<size_t>(oend_ - op_)) return false;
        match_at_ = op_;
        if (n >= 2 * plane_ && rest_is_known(offset, n)) return true;
        fill(op_, offset, n);
        op_ += n;
        return true;
    }

    bool extend(size_t& length) {
        for (;;) {
            if (ip_ >= iend_) return false;
            unsigned const more = at(ip_++);
            length += more;
            if (more != 255) return true;
        }
    }

    bool finish(ptrdiff_t literals) {
        if (op_ != oend_ || literals < least_last_literals ||
            oend_ - match_at_ < least_from_last_match)
            return false;
        found_ = PlanesFound{static_cast<int>(static_cast<size_t>(oend_ - out_) / plane_), false};
        return true;
    }

    // Whether this match of n bytes and the literals after it are all that is left, and the planes
    // that they fill are zeros or repeat a plane; writes only the first of them.
    bool rest_is_known(size_t offset, size_t n) {
        if (plane_ < 16 || ip_ >= iend_) return false;
        size_t const literals = at(ip_) >> 4;
        byte const* const last = ip_ + 1;
        if (literals < static_cast<size_t>(least_last_literals) || literals == 15 ||
            static_cast<size_t>(iend_ - ip_) != literals + 1 ||
            static_cast<size_t>(oend_ - op_) != n + literals)
            return false;
        auto const done = static_cast<size_t>(op_ - out_);
        if (all_zero(op_ - offset, offset) && all_zero(last, literals)) {
            size_t const planes = (done + plane_ - 1) / plane_;
            std::memset(op_, 0, planes * plane_ - done);
            found_ = PlanesFound{static_cast<int>(planes), false};
            return true;
        }
        if (plane_ % offset != 0) return false;
        // The first plane that begins within the period; the next ones are the same but for
        // literals.
        size_t const k = (done - offset + plane_ - 1) / plane_, end = (k + 1) * plane_;
        if (end > done + n) return false;
        fill(op_, offset, end - done);
        if (std::memcmp(out_ + end - literals, last, literals) != 0) return false;
        found_ = PlanesFound{static_cast<int>(k + 1), true};
        return true;
    }

    byte const* ip_;
    byte const* iend_;
    byte const* ilim_;
    byte* out_;
    byte* op_;
    byte* oend_;
    byte* match_at_;  // where the last match began
    size_t plane_;
    std::optional<PlanesFound> found_;
};

std::optional<PlanesFound> decode(Bytes block, byte const* readable_end, byte* out,
                                  size_t plane_bytes, int count) {
    return Decoder(block, readable_end, out, plane_bytes, count).run();
}

}  // namespace

Lz4Planes lz4_planes() {
    return {decode};
}

}  // namespace sluice::codec::SLUICE_ISA
