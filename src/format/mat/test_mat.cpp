// Makes MAT files for tests.
// SPDX-License-Identifier: Apache-2.0
#include "format/mat/test_mat.h"

#include <algorithm>
#include <bit>

namespace sluice::mat {

std::string MatBytes::word(std::uint64_t value, int bytes) const {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
    if (big_) std::reverse(out.begin(), out.end());
    return out;
}

std::string MatBytes::element(std::uint32_t type, std::string const& data) const {
    if (!data.empty() && data.size() <= 4) {
        std::string out = word(data.size() << 16 | type, 4) + data;
        out.resize(8);
        return out;
    }
    std::string out = word(type, 4) + word(data.size(), 4) + data;
    if (type != compressed) out.resize((out.size() + 7) / 8 * 8);
    return out;
}

std::string MatBytes::file(std::string const& variables) const {
    std::string head = "MATLAB 5.0 MAT-file, for a test";
    head.resize(124, ' ');
    head += word(0x0100, 2);
    head += big_ ? "MI" : "IM";
    return head + variables;
}

std::string MatBytes::matrix(std::uint32_t kind, Sides const& sides, std::string const& name,
                             std::string const& rest) const {
    std::string side_words;
    for (std::int32_t const s : sides) side_words += word(static_cast<std::uint32_t>(s), 4);
    return element(mat::matrix, element(uint32, word(kind, 4) + word(0, 4)) +
                                    element(int32, side_words) + element(int8, name) + rest);
}

std::string MatBytes::numbers(std::string const& name, Sides const& sides,
                              Numbers const& values) const {
    std::string words;
    for (double const v : values) words += word(std::bit_cast<std::uint64_t>(v), 8);
    return raw_numbers(name, sides, real, words);
}

std::string MatBytes::raw_numbers(std::string const& name, Sides const& sides, std::uint32_t type,
                                  std::string const& bytes) const {
    return matrix(6, sides, name, element(type, bytes));
}

std::string MatBytes::text(std::string const& name, std::string const& letters) const {
    std::string words;
    for (char const c : letters) words += word(static_cast<unsigned char>(c), 2);
    return matrix(4, {1, static_cast<std::int32_t>(letters.size())}, name, element(uint16, words));
}

std::string MatBytes::cells(std::string const& name, Sides const& sides,
                            std::vector<std::string> const& items) const {
    std::string all;
    for (std::string const& item : items) all += item;
    return matrix(1, sides, name, all);
}

std::string MatBytes::structure(std::string const& name, Sides const& sides,
                                std::vector<std::string> const& fields,
                                std::vector<std::string> const& items) const {
    constexpr std::size_t room = 32;
    std::string all;
    for (std::string one : fields) {
        one.resize(room);
        all += one;
    }
    std::string rest = element(int32, word(room, 4)) + element(int8, all);
    for (std::string const& item : items) rest += item;
    return matrix(2, sides, name, rest);
}

std::string MatBytes::packed(std::string inner, std::uint32_t said) const {
    if (said > 0) inner.replace(4, 4, word(said, 4));
    std::string out("\x78\x01", 2);
    std::uint32_t a = 1, b = 0;
    for (std::size_t at = 0; at < inner.size(); at += 0xffff) {
        std::size_t const n = std::min<std::size_t>(0xffff, inner.size() - at);
        bool const last = at + n == inner.size();
        MatBytes const little(false);
        out += static_cast<char>(last);
        out += little.word(n, 2) + little.word(~n & 0xffff, 2) + inner.substr(at, n);
    }
    for (char const c : inner) {
        a = (a + static_cast<unsigned char>(c)) % 65521;
        b = (b + a) % 65521;
    }
    out += MatBytes(true).word(std::uint64_t{b} << 16 | a, 4);
    return element(compressed, out);
}

}  // namespace sluice::mat
