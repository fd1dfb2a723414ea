// The variable-length codes of JPEG XR: tables to decode them, and how they adapt.
// SPDX-License-Identifier: Apache-2.0
//
// The code words, the deltas and the lengths of runs are those of jxrlib
// (image/sys/adapthuff.c and image.c), BSD-2-Clause, copyright Microsoft Corp.; see NOTICE.
#include "codec/jxr/codes.h"

#include <algorithm>
#include <array>

namespace sluice::codec::jxr {
namespace {

struct Word {
    int code, length;
};

template <int symbols>
using Words = std::array<Word, symbols>;

constexpr Words<4> words4 = {{{1, 1}, {1, 2}, {0, 3}, {1, 3}}};
constexpr Words<5> words5[2] = {{{{1, 1}, {1, 2}, {1, 3}, {0, 4}, {1, 4}}},
                                {{{1, 1}, {0, 3}, {1, 3}, {2, 3}, {3, 3}}}};
constexpr Words<6> words6[4] = {{{{1, 1}, {0, 5}, {1, 3}, {1, 5}, {1, 2}, {1, 4}}},
                                {{{1, 2}, {0, 4}, {2, 2}, {1, 4}, {3, 2}, {1, 3}}},
                                {{{0, 4}, {1, 4}, {1, 2}, {2, 2}, {3, 2}, {1, 3}}},
                                {{{0, 5}, {1, 5}, {1, 2}, {1, 1}, {1, 4}, {1, 3}}}};
constexpr Words<7> words7[2] = {{{{1, 2}, {2, 2}, {3, 2}, {1, 3}, {1, 4}, {0, 5}, {1, 5}}},
                                {{{1, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5}, {0, 6}, {1, 6}}}};
constexpr Words<8> words8 = {{{2, 2}, {1, 3}, {1, 5}, {1, 4}, {3, 2}, {2, 3}, {0, 5}, {3, 3}}};
constexpr Words<9> words9[2] = {
    {{{2, 3}, {0, 5}, {2, 4}, {1, 5}, {2, 5}, {1, 1}, {3, 3}, {3, 5}, {3, 4}}},
    {{{1, 1}, {1, 3}, {2, 3}, {1, 4}, {1, 6}, {3, 3}, {1, 5}, {0, 7}, {1, 7}}}};
constexpr Words<12> words12[5] = {{{{1, 5},
                                    {1, 6},
                                    {0, 7},
                                    {1, 7},
                                    {4, 5},
                                    {2, 3},
                                    {5, 5},
                                    {1, 1},
                                    {6, 5},
                                    {1, 4},
                                    {7, 5},
                                    {3, 3}}},
                                  {{{2, 4},
                                    {2, 5},
                                    {0, 6},
                                    {1, 6},
                                    {3, 4},
                                    {2, 3},
                                    {3, 5},
                                    {3, 2},
                                    {3, 3},
                                    {4, 3},
                                    {1, 5},
                                    {5, 3}}},
                                  {{{3, 2},
                                    {1, 3},
                                    {0, 7},
                                    {1, 7},
                                    {1, 5},
                                    {2, 3},
                                    {2, 7},
                                    {3, 3},
                                    {4, 3},
                                    {5, 3},
                                    {3, 7},
                                    {1, 4}}},
                                  {{{1, 3},
                                    {3, 2},
                                    {0, 7},
                                    {1, 5},
                                    {2, 5},
                                    {2, 3},
                                    {1, 7},
                                    {3, 3},
                                    {3, 5},
                                    {4, 3},
                                    {1, 6},
                                    {5, 3}}},
                                  {{{2, 3},
                                    {1, 1},
                                    {1, 7},
                                    {1, 4},
                                    {2, 7},
                                    {3, 3},
                                    {0, 8},
                                    {2, 4},
                                    {3, 7},
                                    {3, 4},
                                    {1, 8},
                                    {1, 5}}}};

// Between two neighbouring tables of an alphabet: what each symbol says for the one or the other.
constexpr int delta5[1][5] = {{0, -1, 0, 1, 1}};
constexpr int delta6[3][6] = {{-1, 1, 1, 1, 0, 1}, {-2, 0, 0, 2, 0, 0}, {-1, -1, 0, 1, -2, 0}};
constexpr int delta7[1][7] = {{1, 0, -1, -1, -1, -1, -1}};
constexpr int delta9[1][9] = {{2, 2, 1, 1, -1, -2, -2, -2, -3}};
constexpr int delta12[4][12] = {{1, 1, 1, 1, 1, 0, 0, -1, 2, 1, 0, 0},
                                {2, 2, -1, -1, -1, 0, -2, -1, 0, 0, -2, -1},
                                {-1, 1, 0, 2, 0, 0, 0, 0, -2, 0, 1, 1},
                                {0, 1, 0, 1, -2, 0, -1, -1, -2, -1, -2, -2}};

template <class T>
constexpr std::uint8_t u8(T value) {
    return static_cast<std::uint8_t>(value);
}

// Enters `code` wherever the first bits of an index are its word.
template <std::size_t size>
constexpr void enter(std::array<Codeword, size>& codes, std::size_t table, int bits, Word word,
                     Codeword code) {
    std::size_t const base = table << bits;
    std::size_t const at = base + (static_cast<std::size_t>(word.code) << (bits - word.length));
    for (std::size_t i = 0; i < std::size_t{1} << (bits - word.length); ++i) codes[at + i] = code;
}

template <int bits, std::size_t tables, int symbols, std::size_t pairs>
constexpr auto adaptive_codes(Words<symbols> const (&words)[tables],
                              int const (&delta)[pairs][symbols]) {
    std::array<Codeword, tables << bits> codes{};
    for (std::size_t t = 0; t < tables; ++t) {
        auto const& below = delta[t == 0 ? 0 : t - 1];
        auto const& above = delta[t + 1 == tables ? pairs - 1 : t];
        for (std::size_t s = 0; s < symbols; ++s) {
            Word const w = words[t][s];
            enter(codes, t, bits, w, {below[s] + above[s] * 65536, u8(s), u8(w.length)});
        }
    }
    return codes;
}

template <int bits, int symbols>
constexpr auto fixed_codes(Words<symbols> const& words) {
    std::array<Codeword, 1 << bits> codes{};
    for (std::size_t s = 0; s < symbols; ++s)
        enter(codes, 0, bits, words[s], {0, u8(s), u8(words[s].length)});
    return codes;
}

// A level's code word and the bits after it that make it exact, looked up together.
constexpr auto level_codes() {
    constexpr int base[6] = {2, 3, 4, 6, 10, 14};
    constexpr int more[6] = {0, 0, 1, 2, 2, 2};
    std::array<Codeword, 2 << 8> codes{};
    for (std::size_t t = 0; t < 2; ++t)
        for (std::size_t s = 0; s < 7; ++s) {
            Word const w = words7[t][s];
            int const extra = s < 6 ? more[s] : 0;
            for (int i = 0; i < 1 << extra; ++i)
                enter(codes, t, 8, {w.code << extra | i, w.length + extra},
                      {delta7[0][s], u8(s < 6 ? base[s] + i : 0), u8(w.length + extra)});
        }
    return codes;
}

constexpr auto codes4 = fixed_codes<3, 4>(words4);
constexpr auto codes5 = adaptive_codes<4, 2, 5, 1>(words5, delta5);
constexpr auto codes6 = adaptive_codes<5, 4, 6, 3>(words6, delta6);
constexpr auto codes7 = level_codes();
constexpr auto codes8 = fixed_codes<5, 8>(words8);
constexpr auto codes9 = adaptive_codes<7, 2, 9, 1>(words9, delta9);
constexpr auto codes12 = adaptive_codes<8, 5, 12, 4>(words12, delta12);

constexpr Alphabet alphabets[] = {{codes4.data(), 3, 1, false}, {codes5.data(), 4, 2, false},
                                  {codes6.data(), 5, 4, true},  {codes7.data(), 8, 2, false},
                                  {codes8.data(), 5, 1, false}, {codes9.data(), 7, 2, false},
                                  {codes12.data(), 8, 5, true}};

constexpr int threshold = 8;
constexpr int memory = 64;

}  // namespace

Alphabet const& alphabet(int symbols) {
    return alphabets[symbols == 12 ? 6 : symbols - 4];
}

void reset(Adaptive& adaptive) {
    adaptive.table = adaptive.of->two ? 1 : 0;
    adaptive.discriminants = 0;
    adaptive.codes = adaptive.of->codes + (adaptive.table << adaptive.of->bits);
}

void adapt(Adaptive& a) {
    int const down = static_cast<std::int16_t>(a.discriminants & 0xffff);
    int const second = (a.discriminants - down) / 65536;
    int const up = a.of->two ? second : down;
    int const step = a.table > 0 && down < -threshold               ? -1
                     : a.table + 1 < a.of->tables && up > threshold ? 1
                                                                    : 0;
    a.table += step;
    a.codes = a.of->codes + (a.table << a.of->bits);
    a.discriminants =
        step != 0 ? 0
                  : std::clamp(second, -memory, memory) * 65536 + std::clamp(down, -memory, memory);
}

namespace {

constexpr void enter(RunTable& runs, Word word, int zeros) {
    int const at = word.code << (7 - word.length);
    for (int i = 0; i < 1 << (7 - word.length); ++i)
        runs.by_bits[at + i] = {u8(zeros), u8(word.length)};
}

// Up to four zeros: ones and zeros as in "not one, not two".
constexpr RunTable short_runs(int most) {
    RunTable runs{};
    for (int zeros = 1; zeros < most; ++zeros) enter(runs, {1, zeros}, zeros);
    enter(runs, {0, most - 1}, most);
    return runs;
}

constexpr RunTable long_runs(int most) {
    constexpr int base[3][5] = {{1, 2, 3, 5, 7}, {1, 2, 3, 5, 7}, {1, 2, 3, 4, 5}};
    constexpr int more[3][5] = {{0, 0, 1, 1, 3}, {0, 0, 1, 1, 2}, {0, 0, 0, 0, 1}};
    int const bin = most > 10 ? 0 : most > 6 ? 1 : 2;
    RunTable runs{};
    for (std::size_t s = 0; s < 5; ++s)
        for (int i = 0; i < 1 << more[bin][s]; ++i)
            enter(runs, {words5[0][s].code << more[bin][s] | i, words5[0][s].length + more[bin][s]},
                  base[bin][s] + i);
    return runs;
}

}  // namespace

constinit RunTable const run_tables[15] = {
    RunTable{},    short_runs(1), short_runs(2), short_runs(3), short_runs(4),
    long_runs(5),  long_runs(6),  long_runs(7),  long_runs(8),  long_runs(9),
    long_runs(10), long_runs(11), long_runs(12), long_runs(13), long_runs(14)};

namespace {

constexpr CodeTable tail_table(Word const (&words)[4], int count) {
    CodeTable table{};
    for (int s = 0; s < count; ++s)
        for (int i = 0; i < 1 << (5 - words[s].length); ++i)
            table.by_bits[(words[s].code << (5 - words[s].length)) + i] = {0, u8(s),
                                                                           u8(words[s].length)};
    return table;
}

}  // namespace

constinit CodeTable const tail_tables[2] = {tail_table({{0, 1}, {6, 3}, {2, 2}, {7, 3}}, 4),
                                            tail_table({{0, 1}, {1, 1}}, 2)};

}  // namespace sluice::codec::jxr
