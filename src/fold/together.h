// Together: several analyses of the same items as one, so that one pass over the data serves all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "fold/analysis.h"
#include "fold/packer.h"

namespace sluice::fold {

/// Those of the analyses that are there, each as if it were alone: the items come to them in the
/// same order and in the same groups, so their answers have the same bits.
template <Analysis First, Analysis... Rest>
struct Together {
    static constexpr std::string_view name = "several analyses";
    using Item = typename First::Item;
    using Partial = std::tuple<std::optional<typename First::Partial>,
                               std::optional<typename Rest::Partial>...>;
    using Result =
        std::tuple<std::optional<typename First::Result>, std::optional<typename Rest::Result>...>;

    std::tuple<std::optional<First>, std::optional<Rest>...> parts;

    Partial begin(Range items) const {
        Partial p;
        each([&](auto const& a, auto& its) { its = a.begin(items); }, p);
        return p;
    }
    void add(Partial& p, std::span<Item const> items) const {
        each([&](auto const& a, auto& its) { a.add(*its, items); }, p);
    }
    void merge(Partial& p, Partial const& q) const {
        each([&](auto const& a, auto& its, auto const& other) { a.merge(*its, *other); }, p, q);
    }
    Result finish(Partial p) const {
        Result r;
        each([&](auto const& a, auto& its, auto& answer) { answer = a.finish(std::move(*its)); }, p,
             r);
        return r;
    }

    bool merges_exactly() const {
        return std::apply(
            [](auto const&... part) { return ((!part || fold::merges_exactly(*part)) && ...); },
            parts);
    }

    /// Of each analysis: 0 where it is absent, else 1 and its own sizes.
    std::vector<index> sizes() const {
        std::vector<index> all;
        auto const append = [&](auto const& part) {
            all.push_back(part ? 1 : 0);
            if (!part) return;
            std::vector<index> const its = part->sizes();
            all.insert(all.end(), its.begin(), its.end());
        };
        std::apply([&](auto const&... part) { (append(part), ...); }, parts);
        return all;
    }
    void pack(Partial const& p, Packer& out) const {
        each([&](auto const& a, auto const& its) { a.pack(*its, out); }, p);
    }
    sluice::Result<Partial> unpack(Unpacker& in, Range items) const {
        Partial p;
        Status read;
        each(
            [&](auto const& a, auto& its) {
                if (!read) return;
                if (auto one = a.unpack(in, items))
                    its = std::move(*one);
                else
                    read = std::move(one).error();
            },
            p);
        if (!read) return std::move(read).error();
        return p;
    }

  private:
    // Calls f(analysis, its element of every tuple) for each analysis that is there.
    template <class F, class... Tuples>
    void each(F const& f, Tuples&... tuples) const {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            auto const one = [&]<std::size_t i>() {
                if (auto const& a = std::get<i>(parts)) f(*a, std::get<i>(tuples)...);
            };
            (one.template operator()<I>(), ...);
        }
        (std::index_sequence_for<First, Rest...>());
    }
};

}  // namespace sluice::fold
