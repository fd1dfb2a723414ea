// The words of a configuration that name norms and activations, as its PyTorch modules read them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/forward/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace sluice::music {
namespace {

template <class T>
std::optional<T> number_of(std::string_view text) {
    T value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return value;
}

Result<nn::Activation> activation_of(std::string const& word, std::string const& file) {
    if (word == "gelu") return nn::Activation::gelu();
    if (word == "relu") return nn::Activation::relu();
    if (word.starts_with("elu"))
        if (auto const alpha = number_of<float>(std::string_view(word).substr(3)))
            return nn::Activation::elu(*alpha);
    return Error{Code::unsupported,
                 fmt::format("model.act is '{}' in the YAML (only gelu, relu and elu are known) "
                             "give one of these, elu with its factor as in elu1.0",
                             word),
                 file};
}

// Every map that is normalised has the channels of a level, or of two in a decoder.
Status check_groups(Network const& n, index groups, std::string const& file) {
    for (index level = 0; level <= n.scales; ++level)
        if (n.channels_of(level) % groups != 0)
            return Error{
                Code::invalid_argument,
                fmt::format("{} channels cannot be divided into the {} groups of model.norm",
                            n.channels_of(level), groups),
                file};
    return {};
}

Result<NormKind> norm_of(Network const& n, std::string const& word, std::string const& file) {
    using Kind = NormKind::Kind;
    if (n.norm == Norm::none) return NormKind{Kind::none};
    if (n.norm == Norm::batch) return NormKind{Kind::batch};
    constexpr std::string_view grouped = "GroupNorm";
    if (!word.starts_with(grouped)) return NormKind{Kind::single};
    auto const groups = number_of<index>(std::string_view(word).substr(grouped.size()));
    if (!groups || *groups < 1)
        return Error{Code::unsupported,
                     fmt::format("model.norm is '{}' in the YAML (the number of groups is missing) "
                                 "write it as in GroupNorm8",
                                 word),
                     file};
    SLUICE_CHECK(check_groups(n, *groups, file));
    return NormKind{Kind::groups, *groups};
}

template <class T>
T fact(Inspection const& model, std::string_view name) {
    auto const found = std::ranges::find(model.facts, name, &Fact::name);
    expects(found != model.facts.end());
    return std::get<T>(found->value);
}

}  // namespace

Result<Settings> settings_of(Inspection const& model, std::string const& file) {
    Settings s;
    s.n_fft = fact<index>(model, "n_fft");
    s.hop = fact<index>(model, "hop_length");
    SLUICE_TRY(s.activation, activation_of(fact<std::string>(model, "act"), file));
    SLUICE_TRY(s.norm, norm_of(model.network, fact<std::string>(model, "norm"), file));
    return s;
}

}  // namespace sluice::music
