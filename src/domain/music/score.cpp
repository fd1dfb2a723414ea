// score(): checks, the sums over all samples, and BSS Eval.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domain/music/score_windows.h"
#include "sluice/music_score.h"

namespace sluice::music {
namespace {

Error refused(std::string message) {
    return {Code::invalid_argument, std::move(message)};
}

Status check(std::span<StemPair const> stems, index channels, int rate,
             ScoreOptions const& options) {
    if (stems.empty() || channels < 1 || rate < 1)
        return refused(
            fmt::format("there are {} stems of {} channels at {} Hz (each must be 1 or "
                        "more) give a stem",
                        stems.size(), channels, rate));
    auto const samples = stems[0].reference.size();
    if (samples == 0)
        return refused("the stems have no frames (no sample can be compared) give sound");
    for (StemPair const& s : stems)
        if (s.reference.size() != samples || s.estimate.size() != samples ||
            samples % static_cast<std::size_t>(channels) != 0)
            return refused(
                fmt::format("stem '{}' has {} samples, and its estimate {} (all must "
                            "have {}, whole frames of {} channels) cut them to one length",
                            s.name, s.reference.size(), s.estimate.size(), samples, channels));
    if (options.bss && std::ssize(stems) * channels > most_bss_channels)
        return refused(
            fmt::format("{} stems of {} channels are too many for BSS Eval ({} channels "
                        "fit in its equations) score fewer at a time",
                        stems.size(), channels, most_bss_channels));
    return {};
}

double decibels(double above, double below) {
    return 10 * std::log10(above / below);
}

StemScore over_all(StemPair const& stem) {
    double reference = 0, difference = 0, product = 0;
    for (std::size_t k = 0; k < stem.reference.size(); ++k) {
        double const s = stem.reference[k], t = stem.estimate[k];
        reference += s * s;
        difference += (s - t) * (s - t);
        product += s * t;
    }
    StemScore out;
    out.name = stem.name;
    out.sdr = decibels(reference + sdr_epsilon, difference + sdr_epsilon);
    // A second pass: the sums alone would lose the digits of a small remainder.
    double const scale = product / reference;
    double target = 0, rest = 0;
    for (std::size_t k = 0; k < stem.reference.size(); ++k) {
        double const s = scale * stem.reference[k], d = s - stem.estimate[k];
        target += s * s;
        rest += d * d;
    }
    out.si_sdr = decibels(target, rest);
    return out;
}

}  // namespace

Result<Score> score(std::span<StemPair const> stems, index channels, int rate,
                    ScoreOptions const& options) {
    SLUICE_CHECK(check(stems, channels, rate, options));
    Score out;
    for (StemPair const& s : stems) out.stems.push_back(over_all(s));
    if (options.bss) SLUICE_CHECK(add_bss(out, stems, channels, rate, options));
    return out;
}

}  // namespace sluice::music
