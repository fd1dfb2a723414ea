// The kernels over bit planes, tile by tile, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "codec/bitshuffle/words.h"
#include "kernel/planes/cpu.h"
#if defined(__AVX2__) && !defined(__AVX512VPOPCNTDQ__)
#include "kernel/planes/counter_avx2.h"
#else
#include "kernel/planes/counter_generic.h"
#endif

namespace sluice::planes::SLUICE_ISA {
namespace {

using namespace sluice::SLUICE_ISA;

// Planes to count for some words of a mask, sorted by their number, so that branches can be
// foretold; the records' cache lines are on their way while the list is being made.
class Work {
  public:
    static constexpr index most = 64;  // words at a time
    enum Kind { one_plane, two_planes, more_planes, kinds };
    struct Item {
        MaskWord word;
        int planes;
        std::uint64_t const* words;
    };

    void collect(Tile tile, std::span<MaskWord const> mask) {
        for (int& n : count_) n = 0;
        for (MaskWord const& w : mask) {
            Tile::Entry const e = tile.entry(w.block);
            if (e.planes == 0) continue;
            std::uint64_t const* const words = tile.words(e);
            for (int i = 0; i < 2 * e.planes; ++i) __builtin_prefetch(words + 8 * i);
            Kind const kind = e.planes == 1 ? one_plane : e.planes == 2 ? two_planes : more_planes;
            items_[kind][count_[kind]++] = {w, e.planes, words};
        }
    }
    // Calls act(item, planes), with planes a constant where it can be one.
    template <class F>
    void each(F&& act) const {
        for (int i = 0; i < count_[one_plane]; ++i) act(items_[one_plane][i], 1);
        for (int i = 0; i < count_[two_planes]; ++i) act(items_[two_planes][i], 2);
        for (int i = 0; i < count_[more_planes]; ++i)
            act(items_[more_planes][i], items_[more_planes][i].planes);
    }

  private:
    Item items_[kinds][most];
    int count_[kinds];
};

// Calls act(item, planes) for the mask's words in each tile and done(number of the tile) after the
// last; the next words, also those of the next tile, are collected before these are acted on.
template <class Act, class Done>
inline void in_batches(std::span<Tile const> tiles, std::span<MaskWord const> mask, Act&& act,
                       Done&& done) {
    constexpr auto most = static_cast<std::size_t>(Work::most);
    std::size_t const parts = mask.empty() ? 1 : (mask.size() + most - 1) / most;
    std::size_t const steps = parts * tiles.size();
    Work work[2];
    auto const collect = [&](std::size_t step) {
        std::size_t const at = step % parts * most, left = mask.size() - at;
        work[step % 2].collect(tiles[step / parts], mask.subspan(at, left < most ? left : most));
    };
    if (steps > 0) collect(0);
    for (std::size_t step = 0; step < steps; ++step) {
        if (step + 1 < steps) collect(step + 1);
        work[step % 2].each(act);
        if (step % parts == parts - 1) done(step / parts);
    }
}

// Whole blocks need no look at their planes: their totals stand side by side.
inline void add_whole(Tile tile, SplitMask const& mask, SumCounter& counter) {
    constexpr std::uint32_t most = 256;  // blocks whose sum 16 bits hold
    for (BlockRun const& run : mask.whole)
        for (std::uint32_t at = 0; at < run.count; at += most)
            counter.add_totals(tile.narrow(run.first + at),
                               run.count - at < most ? run.count - at : most);
    std::uint32_t const* const exceptions = tile.exceptions();
    for (std::uint32_t i = 1; i <= exceptions[0]; ++i) {
        index const block = exceptions[i];
        if (!mask.is_whole[static_cast<std::size_t>(block)]) continue;
        Tile::Entry const e = tile.entry(block);
        if (e.totals == Totals::wide)
            counter.add_totals(tile.wide(e));
        else
            counter.add(tile.words(e), e.planes, ~std::uint64_t{0});
    }
}

void virtual_sum(std::span<Tile const> tiles, SplitMask const& mask,
                 std::uint64_t (*out)[tile_frames]) {
    SumCounter counter;
    in_batches(
        tiles, mask.partial,
        [&](Work::Item const& i, int planes) { counter.add(i.words, planes, i.word.bits); },
        [&](std::size_t t) {
            if (!mask.whole.empty()) add_whole(tiles[t], mask, counter);
            counter.store(out[t]);
            counter = {};
        });
}

void moments(std::span<Tile const> tiles, index block_cols, std::span<MaskWord const> mask,
             Moment (*out)[tile_frames]) {
    MomentCounter counter;
    auto const cols = static_cast<std::uint32_t>(block_cols);
    in_batches(
        tiles, mask,
        [&](Work::Item const& i, int planes) {
            counter.add(i.words, planes, i.word.bits, i.word.block / cols * block_edge,
                        i.word.block % cols * block_edge);
        },
        [&](std::size_t t) {
            counter.store(out[t]);
            counter = {};
        });
}

typedef std::uint64_t Four __attribute__((vector_size(32)));  // words of four frames

inline Four load_four(void const* p) {
    Four x;
    std::memcpy(&x, p, sizeof x);
    return x;
}

// Counters of 64 pixels in binary, digit j in slice[j]: how often each pixel had a bit, in each of
// four groups of frames. Six digits hold 15 tiles of four frames a group.
class Sliced {
  public:
    Four slice[6] = {};

    static void full_add(Four a, Four b, Four c, Four& sum, Four& carry) {
        Four const u = a ^ b;
        sum = u ^ c;
        carry = (a & b) | (u & c);
    }
    void add(Four a, Four b, Four c, Four d) {
        Four s1, c1, c2, c3;
        full_add(a, b, c, s1, c1);
        full_add(s1, d, slice[0], slice[0], c2);
        full_add(c1, c2, slice[1], slice[1], c3);
        for (int j = 2; j < 6; ++j) {
            Four const next = slice[j] & c3;
            slice[j] ^= c3;
            c3 = next;
        }
    }
    // The four groups together, as one byte per pixel: at most 4 * 60 = 240.
    Words counts() const {
        std::uint64_t number[4][8] = {};
        for (int j = 0; j < 6; ++j)
            for (int group = 0; group < 4; ++group) number[group][j] = slice[j][group];
        add_to(number[0], number[1]);
        add_to(number[2], number[3]);
        add_to(number[0], number[2]);
        Words digits;
        std::memcpy(&digits, number[0], sizeof digits);
        return transpose_bits(transpose_bytes(digits));
    }

  private:
    // 64 additions at once, in binary.
    static void add_to(std::uint64_t* a, std::uint64_t const* b) {
        std::uint64_t carry = 0;
        for (int j = 0; j < 8; ++j) {
            std::uint64_t const u = a[j] ^ b[j], and_ = a[j] & b[j];
            a[j] = u ^ carry;
            carry = and_ | (u & carry);
        }
    }
};

void pattern_sum(std::span<Tile const> tiles, std::uint16_t const* frame_mask, index first,
                 index last, std::uint64_t* sums) {
    for (index block = first; block < last; ++block) {
        int planes = 0;
        Tile::Entry entries[15];
        for (std::size_t t = 0; t < tiles.size(); ++t) {
            entries[t] = tiles[t].entry(block);
            planes = entries[t].planes > planes ? entries[t].planes : planes;
            // Blocks follow each other in every tile, but fifteen streams are too many to foresee.
            char const* const ahead =
                reinterpret_cast<char const*>(tiles[t].base + entries[t].offset);
            for (int line = 0; line < 4; ++line) __builtin_prefetch(ahead + 512 + 64 * line);
        }
        for (int p = 0; p < planes; ++p) {
            Sliced counter;
            for (std::size_t t = 0; t < tiles.size(); ++t) {
                Tile::Entry const e = entries[t];
                if (p >= e.planes || frame_mask[t] == 0) continue;
                std::uint64_t const* w = tiles[t].words(e) + p * tile_frames;
                Four x[4];
                for (int v = 0; v < 4; ++v) x[v] = load_four(w + 4 * v);
                if (frame_mask[t] != 0xffff)
                    for (int f = 0; f < tile_frames; ++f)
                        if (!(frame_mask[t] >> f & 1)) x[f / 4][f % 4] = 0;
                counter.add(x[0], x[1], x[2], x[3]);
            }
            Words const counts = counter.counts();
            std::uint8_t bytes[64];
            std::memcpy(bytes, &counts, 64);
            for (int k = 0; k < 64; ++k)
                sums[block * 64 + k] += static_cast<std::uint64_t>(bytes[k]) << p;
        }
    }
}

// Byte j of the counts of one frame's block, as 64 bytes.
inline void expand_byte(std::uint64_t const* words, int planes, int j, index f,
                        std::uint8_t* bytes) {
    Words x = {};
    for (int k = 0; k < 8 && 8 * j + k < planes; ++k) x[k] = words[(8 * j + k) * tile_frames + f];
    Words const y = transpose_bits(transpose_bytes(x));
    std::memcpy(bytes, &y, 64);
}

inline void expand_frame(std::uint64_t const* words, int planes, index f, std::uint32_t* out) {
    std::uint8_t bytes[64];
    expand_byte(words, planes, 0, f, bytes);
    for (int k = 0; k < 64; ++k) out[k] = bytes[k];
    for (int j = 1; 8 * j < planes; ++j) {
        expand_byte(words, planes, j, f, bytes);
        for (int k = 0; k < 64; ++k) out[k] |= static_cast<std::uint32_t>(bytes[k]) << (8 * j);
    }
}

void pattern_stats(Tile tile, std::uint16_t frame_mask, index first, index last,
                   PixelStats* stats) {
    for (index block = first; block < last; ++block) {
        Tile::Entry const e = tile.entry(block);
        if (e.planes == 0) continue;
        std::uint64_t sum[64] = {}, max[64] = {};
        double squares[64] = {};
        for (index f = 0; f < tile_frames; ++f) {
            if (!(frame_mask >> f & 1)) continue;
            std::uint32_t v[64];
            expand_frame(tile.words(e), e.planes, f, v);
            for (int k = 0; k < 64; ++k) {
                sum[k] += v[k];
                squares[k] += static_cast<double>(v[k]) * static_cast<double>(v[k]);
                max[k] = v[k] > max[k] ? v[k] : max[k];
            }
        }
        for (int k = 0; k < 64; ++k) {
            PixelStats& s = stats[block * 64 + k];
            s.sum += sum[k];
            s.squares += squares[k];
            s.max = max[k] > s.max ? max[k] : s.max;
        }
    }
}

void weighted_sum(Tile tile, float const* weights, double* out) {
    double lanes[tile_frames][8] = {};
    for (index block = 0; block < tile.blocks; ++block) {
        Tile::Entry const e = tile.entry(block);
        if (e.planes == 0) continue;
        double w[64];
        for (int k = 0; k < 64; ++k) w[k] = static_cast<double>(weights[block * 64 + k]);
        for (index f = 0; f < tile_frames; ++f) {
            std::uint32_t v[64];
            expand_frame(tile.words(e), e.planes, f, v);
            for (int k = 0; k < 64; k += 8)
                for (int l = 0; l < 8; ++l) lanes[f][l] += static_cast<double>(v[k + l]) * w[k + l];
        }
    }
    for (index f = 0; f < tile_frames; ++f) {
        double sum = 0;
        for (double l : lanes[f]) sum += l;
        out[f] = sum;
    }
}

typedef std::uint64_t Two __attribute__((vector_size(16)));

inline Sixteen load_eight(std::byte const* p) {
    std::uint64_t w;
    std::memcpy(&w, p, 8);
    Two const two = {w, 0};
    return (Sixteen)two;
}

// Bytes 0-7 of eight rows to eight columns of eight bytes.
inline void transpose_rows(std::byte const* rows, index stride, std::uint64_t* columns) {
    Sixteen pairs[4], out[4];
    for (int i = 0; i < 4; ++i) {
        Sixteen const x = load_eight(rows + 2 * i * stride);
        Sixteen const y = load_eight(rows + (2 * i + 1) * stride);
        pairs[i] =
            __builtin_shufflevector(x, y, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    }
    interleave_pairs(pairs, out);
    std::memcpy(columns, out, sizeof out);
}

void cut_blocks(std::byte const* rows, index stride, index row_count, index block_cols,
                std::uint64_t* out) {
    index c = 0;
    for (; row_count == block_edge && c + 8 <= block_cols; c += 8)
        transpose_rows(rows + c, stride, out + c);
    for (; c < block_cols; ++c) {
        std::uint64_t w = 0;
        for (index r = 0; r < row_count; ++r)
            w |= std::to_integer<std::uint64_t>(rows[r * stride + c]) << (8 * r);
        out[c] = w;
    }
}

inline bool any_word(std::uint64_t const* w) {
    std::uint64_t all = 0;
    for (int f = 0; f < tile_frames; ++f) all |= w[f];
    return all != 0;
}

// Words of eight neighbouring blocks, of all frames and planes.
constexpr index group = 8;
using Group = std::uint64_t[32][group][tile_frames];

// Four words of four frames each: rows and columns change places.
inline void transpose_four(std::uint64_t const* from, index stride, std::uint64_t* to,
                           index to_stride) {
    Four const a = load_four(from), b = load_four(from + stride);
    Four const c = load_four(from + 2 * stride), d = load_four(from + 3 * stride);
    Four const ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    Four const ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    Four const cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    Four const cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    Four const out[4] = {__builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5),
                         __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5),
                         __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7),
                         __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7)};
    for (int i = 0; i < 4; ++i) std::memcpy(to + i * to_stride, out + i, sizeof(Four));
}

inline void gather(std::uint64_t const* words, index frame_stride, index blocks, int planes,
                   index n, Group& out) {
    for (int p = 0; p < planes; ++p)
        for (index f = 0; f < tile_frames; f += 4) {
            std::uint64_t const* const from = words + f * frame_stride + p * blocks;
            index j = 0;
            for (; j + 4 <= n; j += 4)
                transpose_four(from + j, frame_stride, &out[p][j][f], tile_frames);
            for (; j < n; ++j)
                for (index k = 0; k < 4; ++k) out[p][j][f + k] = from[k * frame_stride + j];
        }
}

// One block's record at `at`, its entry and totals; returns where the next record goes, or -1.
index seal_block(Group const& words, index j, int planes, index block, index blocks, index at,
                 std::byte* out) {
    while (planes > 0 && !any_word(words[planes - 1][j])) --planes;
    std::uint64_t total[tile_frames] = {}, largest = 0;
    for (int p = 0; p < planes; ++p)
        for (int f = 0; f < tile_frames; ++f)
            total[f] += static_cast<std::uint64_t>(__builtin_popcountll(words[p][j][f])) << p;
    for (std::uint64_t t : total) largest |= t;
    Tile::Entry e{planes, Totals::narrow, at};
    auto* const narrow = reinterpret_cast<std::uint8_t*>(out + Tile::totals_offset(blocks));
    for (int f = 0; f < tile_frames; ++f)
        narrow[block * tile_frames + f] = static_cast<std::uint8_t>(largest > 0xff ? 0 : total[f]);
    if (largest > 0xff) {
        e.totals = largest <= 0xffffffff ? Totals::wide : Totals::none;
        if (e.totals == Totals::wide) {
            auto* const wide = reinterpret_cast<std::uint32_t*>(out + at);
            for (int f = 0; f < tile_frames; ++f) wide[f] = static_cast<std::uint32_t>(total[f]);
            at += 4 * tile_frames;
        }
    }
    if (e.offset / tile_alignment >= 1 << 24) return -1;
    for (int p = 0; p < planes; ++p, at += 8 * tile_frames)
        std::memcpy(out + at, words[p][j], 8 * tile_frames);
    reinterpret_cast<std::uint32_t*>(out)[block] = Tile::pack(e);
    return at;
}

index seal(std::uint64_t const* words, index frame_stride, Grid grid,
           std::uint8_t const* planes_of_row, std::uint8_t const* need, std::byte* out) {
    index const blocks = grid.blocks(), block_cols = grid.block_cols();
    index at = Tile::records_offset(blocks);
    Group buffer;
    for (index row = 0; row < grid.block_rows(); ++row) {
        if (planes_of_row[row] == 0) {
            auto* const entries = reinterpret_cast<std::uint32_t*>(out) + row * block_cols;
            for (index c = 0; c < block_cols; ++c) entries[c] = Tile::pack({0, Totals::narrow, 0});
            std::memset(out + Tile::totals_offset(blocks) + row * block_cols * tile_frames, 0,
                        static_cast<std::size_t>(block_cols * tile_frames));
            continue;
        }
        for (index c = 0; c < block_cols; c += group) {
            index const n = block_cols - c < group ? block_cols - c : group;
            index const first = row * block_cols + c;
            bool any_needed = !need;
            for (index j = 0; need && j < n; ++j) any_needed |= need[first + j] != 0;
            if (any_needed)
                gather(words + first, frame_stride, blocks, planes_of_row[row], n, buffer);
            for (index j = 0; j < n; ++j) {
                bool const needed = !need || need[first + j];
                at = seal_block(buffer, j, needed ? planes_of_row[row] : 0, first + j, blocks, at,
                                out);
                if (at < 0) return -1;
            }
        }
    }
    auto const mark = at;
    if (mark / tile_alignment >= 1 << 24) return -1;
    auto* const entries = reinterpret_cast<std::uint32_t*>(out);
    auto* const exceptions = reinterpret_cast<std::uint32_t*>(out + mark);
    std::uint32_t count = 0;
    for (index block = 0; block < blocks; ++block) {
        exceptions[count + 1] = static_cast<std::uint32_t>(block);
        count += (entries[block] >> 6 & 3) != 0;
    }
    exceptions[0] = count;
    entries[blocks] = Tile::pack({0, Totals::narrow, mark});
    return mark + (4 * static_cast<index>(count) + 4 + tile_alignment - 1) / tile_alignment *
                      tile_alignment;
}

bool any(std::byte const* bytes, index n) {
    index i = 0;
    while (i + 64 <= n) {
        // Half a kilobyte before the first look: a branch per line would cost more than it saves.
        Four a = {}, b = {};
        index const end = i + 512 <= n ? i + 512 : n / 64 * 64;
        for (; i < end; i += 64) {
            a |= load_four(bytes + i);
            b |= load_four(bytes + i + 32);
        }
        a |= b;
        if ((a[0] | a[1]) | (a[2] | a[3])) return true;
    }
    for (; i < n; ++i)
        if (bytes[i] != std::byte{0}) return true;
    return false;
}

}  // namespace

CpuKernels cpu_kernels() {
    return {virtual_sum, moments, pattern_sum, pattern_stats, weighted_sum, cut_blocks, seal, any};
}

}  // namespace sluice::planes::SLUICE_ISA
