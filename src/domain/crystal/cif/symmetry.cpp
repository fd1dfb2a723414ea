// Reads symmetry operations.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/cif/symmetry.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sluice::crystal::cif {
namespace {

using stem4d::SymmetryOperation;

// One of the three parts, as "1/2-x+y".
class Part {
  public:
    explicit Part(std::string_view text) : text_(text) {}

    bool read(std::array<int, 3>& turn, double& shift) {
        bool any = false;
        while (!text_.empty()) {
            int sign = 1;
            if (take('-'))
                sign = -1;
            else if (!take('+') && any)
                return false;
            if (!term(sign, turn, shift)) return false;
            any = true;
        }
        return any && std::ranges::all_of(turn, [](int t) { return t >= -1 && t <= 1; });
    }

  private:
    bool take(char c) {
        if (!text_.starts_with(c)) return false;
        text_.remove_prefix(1);
        return true;
    }
    bool term(int sign, std::array<int, 3>& turn, double& shift) {
        for (std::size_t i = 0; i < 3; ++i)
            if (take("xyz"[i]) || take("XYZ"[i])) {
                turn[i] += sign;
                return true;
            }
        double value = 0, below = 1;
        if (!number(value) || (take('/') && !number(below)) || !(below > 0)) return false;
        shift += sign * value / below;
        return true;
    }
    bool number(double& value) {
        auto const [end, failed] = std::from_chars(text_.data(), text_.data() + text_.size(), value,
                                                   std::chars_format::fixed);
        if (failed != std::errc() || !(value >= 0 && value < 100)) return false;
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        return true;
    }
    std::string_view text_;
};

int determinant(std::array<std::array<int, 3>, 3> const& m) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

}  // namespace

std::optional<SymmetryOperation> parse_operation(std::string_view text) {
    std::string plain;
    for (char c : text)
        if (c != ' ' && c != '\t' && c != '\'' && c != '"' && c != '\r' && c != '\n') plain += c;
    SymmetryOperation out;
    out.turn = {};
    std::string_view rest = plain;
    for (std::size_t i = 0; i < 3; ++i) {
        auto const comma = rest.find(',');
        if ((comma == std::string_view::npos) != (i == 2)) return {};
        if (!Part(rest.substr(0, comma)).read(out.turn[i], out.shift[i])) return {};
        rest = i == 2 ? std::string_view() : rest.substr(comma + 1);
    }
    if (std::abs(determinant(out.turn)) != 1) return {};
    return out;
}

std::vector<SymmetryOperation> centring_of(char letter) {
    std::vector<SymmetryOperation> all(1);
    auto const add = [&](double x, double y, double z) { all.emplace_back().shift = {x, y, z}; };
    switch (letter) {
        case 'A':
            add(0, 0.5, 0.5);
            break;
        case 'B':
            add(0.5, 0, 0.5);
            break;
        case 'C':
            add(0.5, 0.5, 0);
            break;
        case 'I':
            add(0.5, 0.5, 0.5);
            break;
        case 'F':
            add(0, 0.5, 0.5), add(0.5, 0, 0.5), add(0.5, 0.5, 0);
            break;
        case 'R':
            add(2. / 3, 1. / 3, 1. / 3), add(1. / 3, 2. / 3, 2. / 3);
            break;
        default:
            break;
    }
    return all;
}

}  // namespace sluice::crystal::cif
