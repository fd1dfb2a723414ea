// Facts from a model's files, without running it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/music/embedded.h"
#include "domain/music/facts.h"
#include "domain/music/inspect_weights.h"

namespace sluice::music {
namespace {

// The averages that BatchNorm keeps were counted, not trained.
bool is_parameter(std::string_view name) {
    return !name.ends_with(".running_mean") && !name.ends_with(".running_var") &&
           !name.ends_with(".num_batches_tracked");
}

/// A tensor without weights: a window of the Fourier transform, or a counter.
bool is_harmless(weights::Tensor const& t) {
    constexpr std::string_view windows[] = {"stft.window", "istft.window", "window"};
    return t.shape.size() == 1 && std::ranges::find(windows, t.name) != std::end(windows);
}

// The tensors of the network; a note names the others.
std::vector<weights::Tensor const*> used_of(weights::Weights const& w, Inspection& out,
                                            std::optional<index>& window) {
    std::vector<weights::Tensor const*> used;
    for (weights::Tensor const& t : w.tensors) {
        if (!is_harmless(t)) {
            used.push_back(&t);
            continue;
        }
        window = t.shape[0];
        out.notes.push_back(
            fmt::format("tensor '{}' of {} numbers was not used: Sluice computes the window",
                        t.name, t.shape[0]));
    }
    return used;
}

Status check_element(weights::Tensor const& t, std::string const& file) {
    using weights::Element;
    Element const e = t.element;
    bool const real =
        e == Element::f64 || e == Element::f32 || e == Element::f16 || e == Element::bf16;
    if (real || t.name.ends_with(".num_batches_tracked")) return {};
    return Error{Code::unsupported,
                 fmt::format("tensor '{}' has numbers of type {} (weights are real numbers) give a "
                             "model that was not quantised",
                             t.name, weights::names_of(e).name),
                 file};
}

}  // namespace

Result<std::optional<ModelConfig>> config_of(weights::Weights const& w, std::string const& model,
                                             std::optional<std::string> const& config,
                                             std::vector<std::string> const& assumed) {
    std::optional<ModelConfig> given;
    if (config) {
        SLUICE_TRY(given, read_config(*config));
    } else if (auto const kept = w.metadata.find(embedded_key); kept != w.metadata.end()) {
        SLUICE_TRY(given, parse_config(kept->second, model + " (its configuration)"));
    }
    if (!assumed.empty()) {
        auto whole = assuming(given.value_or(ModelConfig{}), assumed);
        if (!whole) return Error{whole.error().code, whole.error().message, model};
        given = *std::move(whole);
    }
    return given;
}

Result<Inspection> inspect_weights(weights::Weights const& w, std::string const& name,
                                   std::optional<ModelConfig> const& config) {
    Inspection out;
    out.container = weights::name_of(w.container);
    out.file_bytes = w.file->size();
    out.tensors = std::ssize(w.tensors);
    out.notes = w.notes;
    std::vector<TensorShape> shapes;
    std::optional<index> window;
    auto const used = used_of(w, out, window);
    for (weights::Tensor const* const t : used) {
        shapes.push_back({t->name, t->shape});
        if (is_parameter(t->name)) out.parameters += t->size();
        out.weight_numbers += static_cast<double>(t->size());
        std::string const element(weights::names_of(t->element).name);
        if (std::ranges::find(out.element_types, element) == out.element_types.end())
            out.element_types.push_back(element);
    }
    SLUICE_TRY(out.network, network_of(shapes, name));
    for (weights::Tensor const* const t : used) SLUICE_CHECK(check_element(*t, name));
    if (config) out.notes.insert(out.notes.end(), config->notes.begin(), config->notes.end());
    SLUICE_CHECK(add_facts(config ? &*config : nullptr, name, out, window));
    return out;
}

Result<Inspection> inspect(std::string const& model, std::optional<std::string> const& config,
                           std::vector<std::string> const& assumed) {
    SLUICE_TRY(weights::Weights const w, weights::open_weights(model));
    SLUICE_TRY(std::optional<ModelConfig> const given, config_of(w, model, config, assumed));
    return inspect_weights(w, model, given);
}

}  // namespace sluice::music
