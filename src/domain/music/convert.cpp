// One file that is a whole model: its weights as safetensors, with their configuration.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "base/file.h"
#include "base/utf8.h"
#include "domain/music/embedded.h"
#include "format/weights/writer.h"
#include "sluice/music.h"

namespace sluice::music {
namespace {

std::optional<weights::Element> element_of(WeightType type) {
    switch (type) {
        case WeightType::same:
            return {};
        case WeightType::fp32:
            return weights::Element::f32;
        case WeightType::fp16:
            return weights::Element::f16;
        case WeightType::bf16:
            return weights::Element::bf16;
    }
    return {};
}

bool is_utf8(std::string_view text) {
    while (!text.empty())
        if (next_character(text) == not_utf8) return false;
    return true;
}

}  // namespace

Result<Inspection> convert(std::string const& model, std::optional<std::string> const& config,
                           std::string const& out, bool force, WeightType type,
                           Progress const& progress) {
    std::error_code none;
    if (std::filesystem::exists(out, none)) {
        if (!force)
            return Error{Code::invalid_argument,
                         "exists already; choose another name, or replace it with --force", out};
        // The weights are read while the other file is written, and a lost model is hard to
        // replace.
        if (std::filesystem::equivalent(model, out, none))
            return Error{Code::invalid_argument, "is the model itself; choose another name", out};
    }
    SLUICE_TRY(Inspection const before, inspect(model, config));
    SLUICE_TRY(weights::Weights const w, weights::open_weights(model));
    auto metadata = w.metadata;
    if (config) {
        constexpr std::uint64_t most = 1 << 20;
        SLUICE_TRY(auto const yaml, read_file(*config, most));
        std::string const text(reinterpret_cast<char const*>(yaml.data()), yaml.size());
        if (!is_utf8(text))
            return Error{Code::invalid_argument,
                         "is invalid UTF-8 (safetensors hold no other text) save it as UTF-8",
                         *config};
        metadata[embedded_key] = text;
    }
    SLUICE_TRY(weights::Rounded const r,
               weights::write_safetensors(out, w, metadata, element_of(type), progress));
    SLUICE_TRY(Inspection after, inspect(out, {}));
    if (r.changed > 0)
        after.notes.push_back(fmt::format(
            "{} of {} numbers were rounded; the difference is {:.1f} dB below the weights",
            r.changed, r.numbers, 10 * std::log10(r.signal / r.noise)));
    return after;
}

}  // namespace sluice::music
