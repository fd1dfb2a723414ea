// Names of stems, compared without regard to the case of letters.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/separate/stem_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sluice::music {
namespace {

using Names = std::vector<std::string>;

std::string in_small_letters(std::string_view text) {
    std::string small(text);
    std::ranges::transform(small, small.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return small;
}

index place_of(Names const& names, std::string_view name) {
    std::string const wanted = in_small_letters(name);
    auto const at = std::ranges::find_if(
        names, [&](std::string const& n) { return in_small_letters(n) == wanted; });
    return at == names.end() ? -1 : at - names.begin();
}

// The names for a song without a stem.
std::string name_without(std::string const& target, Names const& instruments) {
    if (instruments.size() == 2)
        for (std::string const& other : instruments)
            if (in_small_letters(other) != in_small_letters(target)) return other;
    if (target == "Vocals") return "Instrumental";
    if (target == "vocals") return "instrumental";
    return "no_" + target;
}

std::string complement_of(Model::State const& model, SeparateOptions const& options) {
    if (options.complement == "none") return {};
    if (!options.complement.empty()) return options.complement;
    if (model.stems.size() == 1) return name_without(model.stems[0], model.instruments);
    if (options.preset != Preset::sluice) return {};
    for (char const* const rest : {"instrumental", "other"})
        if (index const k = place_of(model.stems, rest); k >= 0)
            return model.stems[static_cast<std::size_t>(k)];
    return {};
}

}  // namespace

Result<StemChoice> choose_stems(Model::State const& model, SeparateOptions const& options) {
    Names all = model.stems;
    std::string const complement = complement_of(model, options);
    index const replaced = complement.empty() ? -1 : place_of(all, complement);
    if (!complement.empty() && replaced < 0) all.push_back(complement);

    std::vector<index> wanted;
    for (std::string const& name : options.stems) {
        index const k = place_of(all, name);
        if (k < 0)
            return Error{
                Code::invalid_argument,
                fmt::format("the model has no stem '{}'; it gives {}", name, fmt::join(all, ", ")),
                model.name};
        wanted.push_back(k);
    }
    if (wanted.empty()) {
        wanted.resize(all.size());
        std::iota(wanted.begin(), wanted.end(), index{0});
    }
    std::ranges::sort(wanted);
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());

    StemChoice choice;
    auto const is_complement = [&](index k) {
        return k == replaced || k >= std::ssize(model.stems);
    };
    choice.complement = std::ranges::any_of(wanted, is_complement);
    for (index k = 0; k < std::ssize(model.stems); ++k)
        if (choice.complement ? k != replaced : std::ranges::find(wanted, k) != wanted.end())
            choice.needed.push_back(k);
    for (index const k : wanted) {
        choice.names.push_back(all[static_cast<std::size_t>(k)]);
        auto const at = std::ranges::find(choice.needed, k);
        choice.from.push_back(is_complement(k) ? -1 : at - choice.needed.begin());
    }
    if (choice.needed.empty())
        return Error{Code::invalid_argument,
                     fmt::format("'{}' cannot be the complement (it is the model's only stem, so "
                                 "no other can be taken from the mix) give another name, or none",
                                 complement),
                     model.name};
    return choice;
}

Result<std::vector<index>> same_stems(Model::State const& first, StemChoice const& choice,
                                      Model::State const& other) {
    std::vector<index> same;
    for (index const k : choice.needed) {
        std::string const& name = first.stems[static_cast<std::size_t>(k)];
        index const at = place_of(other.stems, name);
        if (at < 0)
            return Error{Code::invalid_argument,
                         fmt::format("has no stem '{}' as {} has (models are joined stem by stem); "
                                     "it gives {}: leave it out, or choose other --stems",
                                     name, first.name, fmt::join(other.stems, ", ")),
                         other.name};
        same.push_back(at);
    }
    return same;
}

}  // namespace sluice::music
