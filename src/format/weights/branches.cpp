// The prefixes that trainers put before names.
// SPDX-License-Identifier: Apache-2.0
#include "format/weights/branches.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/plural.h"

namespace sluice::weights {
namespace {

constexpr std::array<std::string_view, 4> wrappers = {"module.", "_orig_mod.", "model.",
                                                      "network."};
constexpr std::string_view online = "online_model.";
constexpr std::array<std::string_view, 4> averages = {"ema_model.", "model_ema.", "ema.",
                                                      "averaged_model."};
// One number each: of weights that were averaged, and of programs that count operations.
constexpr std::array<std::string_view, 10> counters = {
    "n_averaged", "num_updates", "decay",     "initted",      "step",
    "epoch",      "global_step", "total_ops", "total_params", "iteration"};

bool is_counter(Tensor const& t) {
    std::string_view const name = std::string_view(t.name).substr(t.name.rfind('.') + 1);
    return t.size() <= 1 && std::ranges::find(counters, name) != counters.end();
}

void drop_counters(Weights& w) {
    auto const size = w.tensors.size();
    std::string name;
    for (Tensor const& t : w.tensors)
        if (name.empty() && is_counter(t)) name = t.name;
    std::erase_if(w.tensors, is_counter);
    if (std::size_t const n = size - w.tensors.size(); n > 0)
        w.notes.push_back(fmt::format("{} of training {} left out, as '{}'", plural(n, "counter"),
                                      n == 1 ? "was" : "were", name));
}

bool has(Tensor const& t, std::string_view prefix) {
    return t.name.starts_with(prefix) && t.name.size() > prefix.size();
}

// More than half must begin with it: then it is a wrapping of the model. No two get one name.
bool strip(Weights& w, std::string_view prefix) {
    auto const count =
        std::ranges::count_if(w.tensors, [&](auto const& t) { return has(t, prefix); });
    if (2 * count <= std::ssize(w.tensors)) return false;
    std::set<std::string_view> names;
    for (Tensor const& t : w.tensors)
        if (std::string_view const n = t.name;
            !names.insert(has(t, prefix) ? n.substr(prefix.size()) : n).second)
            return false;
    for (Tensor& t : w.tensors)
        if (has(t, prefix)) t.name.erase(0, prefix.size());
    w.notes.push_back(fmt::format("{} names began with '{}'",
                                  count == std::ssize(w.tensors) ? "all" : "most", prefix));
    return true;
}

// Leaves out one of two sets of weights.
bool choose(Weights& w, std::string_view average) {
    auto const of_average = [&](Tensor const& t) { return has(t, average); };
    auto const n = std::ranges::count_if(w.tensors, of_average);
    if (n == 0) return false;
    bool const alone = n == std::ssize(w.tensors);
    bool const beside_online = std::ranges::all_of(
        w.tensors, [&](Tensor const& t) { return of_average(t) || has(t, online); });
    if (alone || beside_online) {
        std::erase_if(w.tensors, [&](Tensor const& t) { return !of_average(t); });
        for (Tensor& t : w.tensors) t.name.erase(0, average.size());
        w.notes.push_back(
            fmt::format("the weights are averages over the training (EMA), '{}'{}", average,
                        alone ? "" : fmt::format("; those of '{}' were not used", online)));
        return true;
    }
    std::erase_if(w.tensors, of_average);
    w.notes.push_back(
        fmt::format("the averages over the training (EMA), '{}', were not used: the "
                    "trained weights beside them were",
                    average));
    return true;
}

}  // namespace

void choose_branch(Weights& w) {
    if (std::ranges::all_of(w.tensors, is_counter)) return;
    drop_counters(w);
    for (bool again = true; again;) {
        again = false;
        for (std::string_view const prefix : averages) again |= choose(w, prefix);
        for (std::string_view const prefix : wrappers) again |= strip(w, prefix);
        again |= strip(w, online);
    }
}

}  // namespace sluice::weights
