// The symbols of the elements.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/cif/elements.h"

#include <array>

namespace sluice::crystal::cif {
namespace {

constexpr std::string_view symbols[] = {
    "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",
    "S",  "Cl", "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn",
    "Ga", "Ge", "As", "Se", "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru", "Rh",
    "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd",
    "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W",  "Re",
    "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At", "Rn", "Fr", "Ra", "Ac", "Th",
    "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No", "Lr"};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
char as_small(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
char as_large(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

int find(std::string_view symbol) {
    int number = 1;
    for (std::string_view s : symbols) {
        if (s == symbol) return number;
        ++number;
    }
    return symbol == "D" ? 1 : 0;
}

}  // namespace

int number_of_element(std::string_view label) {
    if (label.empty() || !is_letter(label[0])) return 0;
    std::array<char, 2> symbol{as_large(label[0]), 0};
    if (label.size() > 1 && is_letter(label[1])) {
        symbol[1] = as_small(label[1]);
        if (int const n = find({symbol.data(), 2})) return n;
    }
    return find({symbol.data(), 1});
}

}  // namespace sluice::crystal::cif
