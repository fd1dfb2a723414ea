// Facts that the user knows about a model, where its YAML lacks them.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/nearest.h"
#include "domain/music/config/entries.h"
#include "domain/music/file_name.h"
#include "sluice/music.h"

namespace sluice::music {
namespace {

constexpr index most_number = 1 << 24;

Error wrong(std::string text) {
    return {Code::invalid_argument, std::move(text)};
}

std::vector<std::string> names_of(std::string_view text) {
    std::vector<std::string> names;
    for (std::size_t from = 0; from <= text.size();) {
        std::size_t const to = std::min(text.find(',', from), text.size());
        names.push_back(printable(text.substr(from, to - from)));
        from = to + 1;
    }
    return names;
}

/// One assumption, and the configuration that it is added to.
struct Adding {
    ModelConfig& config;
    std::string key, value;

    Status set(std::optional<index>& to) const {
        index n = 0;
        auto const [stop, error] = std::from_chars(value.data(), value.data() + value.size(), n);
        if (error != std::errc{} || stop != value.data() + value.size() || n < 1 || n > most_number)
            return wrong(fmt::format(
                "{}={} is assumed (it must be a whole number from 1 to {}) give one of these", key,
                printable(value), most_number));
        return set_to(to, n);
    }
    Status set(std::optional<std::string>& to) const { return set_to(to, printable(value)); }

    Status set(std::vector<std::string>& to) const {
        std::optional<std::vector<std::string>> names;
        if (!to.empty()) names = to;
        SLUICE_CHECK(set_to(names, names_of(value)));
        for (auto const& name : *names)
            if (name.empty())
                return wrong(
                    fmt::format("{}={} is assumed (a stem has no name) write it as in "
                                "instruments=vocals,other",
                                key, printable(value)));
        if (auto const two = names_of_one_file(*names))
            return wrong(
                fmt::format("{}={} is assumed (each stem is a file, and some systems do not tell "
                            "'{}' from '{}') rename one of them",
                            key, printable(value), two->first, two->second));
        to = *names;
        return {};
    }

  private:
    template <class T>
    Status set_to(std::optional<T>& to, T const& v) const {
        if (to && *to != v)
            return wrong(fmt::format(
                "{}={} is assumed, and the YAML has another value (only keys that the YAML lacks "
                "can be assumed, and each once) leave it out, or give the right YAML",
                key, printable(value)));
        if (!to) config.assumed.push_back(key);
        to = v;
        return {};
    }
};

Status add(ModelConfig& c, std::string const& word) {
    std::size_t const at = word.find('=');
    if (at == word.npos || at == 0 || at + 1 == word.size())
        return wrong(fmt::format("'{}' is assumed (it is not KEY=VALUE) write it as in act=gelu",
                                 printable(word)));
    Adding const one{c, word.substr(0, at), word.substr(at + 1)};
    if (one.key == "act") return one.set(c.model.act);
    if (one.key == "norm") return one.set(c.model.norm);
    if (one.key == "n_fft") return one.set(c.audio.n_fft);
    if (one.key == "hop_length") return one.set(c.audio.hop_length);
    if (one.key == "sample_rate") return one.set(c.audio.sample_rate);
    if (one.key == "chunk_size")
        return one.set(c.inference.chunk_size ? c.inference.chunk_size : c.audio.chunk_size);
    if (one.key == "instruments") return one.set(c.instruments);
    if (one.key == "target_instrument") return one.set(c.target_instrument);
    std::vector<std::string> const known = {
        "act",         "norm",       "n_fft",       "hop_length",
        "sample_rate", "chunk_size", "instruments", "target_instrument"};
    auto const near = near_enough(one.key, known);
    return wrong(fmt::format("'{}' is assumed (tensors leave only these keys open: {}) {}",
                             printable(one.key), fmt::join(known, ", "),
                             near ? fmt::format("did you mean '{}'?", *near) : "leave it out"));
}

}  // namespace

Result<ModelConfig> assuming(ModelConfig config, std::vector<std::string> const& assumed) {
    for (std::string const& word : assumed) SLUICE_CHECK(add(config, word));
    if (config.target_instrument && !config.instruments.empty() &&
        std::ranges::find(config.instruments, *config.target_instrument) ==
            config.instruments.end())
        return wrong(fmt::format(
            "target_instrument={} is assumed (the instruments are {}) give one of these",
            *config.target_instrument, fmt::join(config.instruments, ", ")));
    return config;
}

}  // namespace sluice::music
