// Numbers: a source for tests whose items are floats, and which may have no end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "base/splitmix.h"
#include "fold/packed.h"

namespace sluice::fold::test {

/// Of all sizes between 2^-40 and 2^40, so that the order of addition shows in their sum.
inline double number_at(index i) {
    auto const z = splitmix::mix(static_cast<std::uint64_t>(i + 1) * splitmix::golden);
    return std::ldexp(1 + static_cast<double>(z >> 12) * 0x1p-52, static_cast<int>(z % 81) - 40);
}

struct Numbers {
    using Item = double;
    index count = endless;
    index per_group = 7;
    index per_read = 3;
    index bad = -1;  ///< cannot be read

    struct Reader {
        index per_read, bad;
        std::vector<double> some = {};

        Result<Batch<double>> read(Range items) {
            some.clear();
            for (index i = items.first; i < items.last && std::ssize(some) < per_read; ++i) {
                if (i == bad) return Error{Code::io, "a bad number"};
                some.push_back(number_at(i));
            }
            return Batch<double>{some, items.first + std::ssize(some)};
        }
    };

    index groups() const {
        return count == endless ? endless : (count + per_group - 1) / per_group;
    }
    Range group(index g) const { return {g * per_group, std::min(count, (g + 1) * per_group)}; }
    Reader reader(int) const { return {per_read, bad}; }
    void retire(Reader const&) const {}
};

/// Its bits depend on the order of addition.
struct Sum {
    static constexpr std::string_view name = "sum";
    using Item = double;
    using Partial = double;
    using Result = double;

    Partial begin(Range) const { return 0; }
    void add(Partial& p, std::span<double const> some) const {
        for (double v : some) p += v;
    }
    void merge(Partial& a, Partial b) const { a += b; }
    Result finish(Partial p) const { return p; }

    std::vector<index> sizes() const { return {}; }
    void pack(Partial p, Packer& out) const { out.number(p); }
    sluice::Result<Partial> unpack(Unpacker& in, Range) const { return in.number<double>(); }
};

/// All numbers in their order; its partial results tell their own sizes.
struct List {
    static constexpr std::string_view name = "list";
    using Item = double;
    using Partial = std::vector<double>;
    using Result = std::vector<double>;
    index width = 1;  ///< only for a size that can differ

    Partial begin(Range items) const {
        Partial p;
        p.reserve(static_cast<std::size_t>(items.count()));
        return p;
    }
    void add(Partial& p, std::span<double const> some) const {
        p.insert(p.end(), some.begin(), some.end());
    }
    void merge(Partial& a, Partial const& b) const { add(a, b); }
    Result finish(Partial p) const { return p; }

    std::vector<index> sizes() const { return {width}; }
    void pack(Partial const& p, Packer& out) const {
        out.number<std::uint64_t>(p.size());
        out.numbers(std::span<double const>(p));
    }
    sluice::Result<Partial> unpack(Unpacker& in, Range) const {
        SLUICE_TRY(std::uint64_t const count, in.number<std::uint64_t>());
        return in.numbers<double>(count);
    }
};

}  // namespace sluice::fold::test
