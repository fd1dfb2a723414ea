// The keys that separation needs, and the values that each missing one can have.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/music/facts.h"

namespace sluice::music {
namespace {

index number(Inspection const& model, std::string_view name) {
    auto const found = std::ranges::find(model.facts, name, &Fact::name);
    expects(found != model.facts.end());
    return std::get<index>(found->value);
}

// The first groups that part the channels of every level.
std::string norms_of(Network const& n) {
    std::string all = "InstanceNorm";
    int count = 0;
    for (index g = 1; g <= n.channels && count < 6; ++g) {
        bool parts = true;
        for (index level = 0; level <= n.scales; ++level) parts &= n.channels_of(level) % g == 0;
        if (!parts) continue;
        all += fmt::format(", GroupNorm{}", g);
        ++count;
    }
    return all;
}

// What a key can be, as it is written behind --assume.
std::string possible(Inspection const& model, std::string const& key) {
    Network const& n = model.network;
    if (key == "act") return "gelu, relu or elu with its factor, as elu1.0";
    if (key == "norm") return norms_of(n);
    index const n_fft = number(model, "n_fft");
    if (key == "n_fft")
        return fmt::format("an even number from {} on, often {}", 2 * (n.bins * n.subbands - 1),
                           n_fft);
    if (key == "hop_length") return fmt::format("often {} or {}", n_fft / 8, n_fft / 4);
    if (key == "sample_rate") return "44100 of most models";
    if (key == "chunk_size") {
        index multiple = 1;
        for (index i = 0; i < n.scales && multiple < 1 << 20; ++i) multiple *= n.scale[0];
        return fmt::format("hop_length x (frames - 1), frames being a multiple of {}", multiple);
    }
    return n.stems == 1 ? "its stem's name" : fmt::format("{} names, as in vocals,other", n.stems);
}

}  // namespace

Status need_facts(Inspection const& model, ModelConfig const* config, bool any_chunk,
                  std::string const& file) {
    std::vector<std::string> keys;
    for (Fact const& f : model.facts)
        if (f.origin == Origin::assumed && !(any_chunk && f.name == "chunk_size"))
            keys.push_back(f.name);
    if (model.stems_origin == Origin::assumed) keys.emplace_back("instruments");
    if (keys.empty()) return {};
    std::string text = fmt::format("comes without {} (the tensors do not say {}",
                                   fmt::join(keys, ", "), keys.size() == 1 ? "it" : "them");
    // A misspelt key is reported here, where it matters.
    if (config)
        for (std::string const& note : config->notes)
            if (note.find("did you mean") != note.npos) text += "; " + note;
    text += ") give the YAML that was published with the model";
    // Many are missing where the YAML is missing: then a list of possible values does not help.
    if (config && keys.size() <= 3) {
        text += ", or what you know of it";
        for (std::string const& key : keys)
            text += fmt::format("{} --assume {}=... ({})", key == keys.front() ? ":" : ",", key,
                                possible(model, key));
    } else {
        text += ", or say each with --assume KEY=VALUE";
    }
    return Error{Code::invalid_argument, std::move(text), file};
}

}  // namespace sluice::music
