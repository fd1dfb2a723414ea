// Detectors and networks, each row by the source that it names.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <numeric>

#include "sluice/acquisition.h"

namespace sluice {
namespace {

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

// "256x256x16"
std::optional<DetectorModel> by_numbers(std::string const& text) {
    std::array<index, 3> n{};
    char const* at = text.data();
    char const* const end = at + text.size();
    for (std::size_t i = 0; i < n.size(); ++i) {
        auto const [next, failed] = std::from_chars(at, end, n[i]);
        bool const last = i + 1 == n.size();
        if (failed != std::errc() || (last ? next != end : next == end || *next != 'x')) return {};
        at = next + 1;
    }
    DetectorModel d;
    d.name = text;
    d.rows = n[0], d.cols = n[1], d.bits = static_cast<int>(std::clamp<index>(n[2], 0, 1000));
    d.source = "as given";
    return d;
}

}  // namespace

double DetectorModel::bytes() const {
    if (hits()) return hit_bytes;
    return static_cast<double>(rows) * static_cast<double>(cols) * bits / 8;
}

std::span<DetectorModel const> known_detectors() {
    static std::array<DetectorModel, 8> const table{{
        {"ARINA", 192, 192, 16, 120e3, 0,
         "DECTRIS ARINA, as it is advertised; files that we have seen have 4 to 28 kHz"},
        {"QUADRO", 514, 514, 16, 2250, 0,
         "DECTRIS QUADRO, technical specification: 2250 Hz in 16 bits"},
        {"ELA", 514, 1030, 16, 2250, 0, "DECTRIS ELA, technical specification: 2250 Hz in 16 bits"},
        {"Merlin", 256, 256, 16, 0, 0,
         "Quantum Detectors MerlinEM (Medipix3): 1, 6, 12 or 24 bits; its rate depends on them, so "
         "give it"},
        {"CheeTah-M3", 512, 512, 16, 2000, 0,
         "Amsterdam Scientific Instruments, FAQ: four Medipix3, 12 bits in 16, 2000 frames/s"},
        {"CheeTah-T3", 512, 512, 64, 120e6, 8,
         "Amsterdam Scientific Instruments, FAQ: four Timepix3, 120 Mhit/s of 8 bytes"},
        {"EMPAD", 128, 128, 32, 1100, 0, "Tate et al. 2016, Microsc. Microanal. 22, 237: 1.1 kHz"},
        {"EMPAD-G2", 128, 128, 32, 10e3, 0,
         "Philipp et al. 2022, Microsc. Microanal. 28, 425: 10 kHz"},
    }};
    return table;
}

Result<DetectorModel> find_detector(std::string const& text) {
    for (DetectorModel const& d : known_detectors())
        if (lower(d.name) == lower(text)) return d;
    if (auto const given = by_numbers(text)) {
        constexpr index most_side = 1 << 16;
        if (std::min(given->rows, given->cols) < 1 ||
            std::max(given->rows, given->cols) > most_side || given->bits < 1 || given->bits > 64)
            return Error{Code::invalid_argument,
                         fmt::format("'{}' is no detector (1 to {} rows and columns of 1 to 64 "
                                     "bits) check its numbers",
                                     text, most_side)};
        return *given;
    }
    std::string names;
    for (DetectorModel const& d : known_detectors()) names += (names.empty() ? "" : ", ") + d.name;
    return Error{Code::invalid_argument,
                 fmt::format("'{}' is no detector of the table ({}) give one of them, or rows, "
                             "columns and bits as in 256x256x16",
                             text, names)};
}

std::span<NetworkModel const> known_networks() {
    static auto const table = [] {
        constexpr double data = 1460.0 / 1538;
        std::array<NetworkModel, 5> t{};
        constexpr std::array gigabits{1, 10, 25, 40, 100};
        for (std::size_t i = 0; i < t.size(); ++i)
            t[i] = {fmt::format("{}GbE", gigabits[i]), data * 1e9 / 8 * gigabits[i]};
        return t;
    }();
    return table;
}

}  // namespace sluice
