// The names by which a user chooses how an acquisition is written.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "format/nxmx/writer.h"

namespace sluice::nxmx {
namespace {

template <class T>
struct Named {
    std::string_view name;
    T value;
};

constexpr std::array layouts{Named<Layout>{"legacy", Layout::legacy},
                             Named<Layout>{"v2024", Layout::v2024}};
constexpr std::array compressions{Named<Compression>{"bslz4", Compression::bslz4},
                                  Named<Compression>{"bszstd", Compression::bszstd},
                                  Named<Compression>{"bitshuffle", Compression::bitshuffle},
                                  Named<Compression>{"lz4", Compression::lz4},
                                  Named<Compression>{"gzip", Compression::gzip},
                                  Named<Compression>{"none", Compression::none}};
constexpr std::array damages{Named<Damage>{"none", Damage::none},
                             Named<Damage>{"missing-file", Damage::missing_file},
                             Named<Damage>{"truncated", Damage::truncated},
                             Named<Damage>{"lz4-garbage", Damage::lz4_garbage},
                             Named<Damage>{"zero-block", Damage::zero_block},
                             Named<Damage>{"wrong-total", Damage::wrong_total},
                             Named<Damage>{"missing-frames", Damage::missing_frames},
                             Named<Damage>{"wrong-shape", Damage::wrong_shape},
                             Named<Damage>{"wrong-dtype", Damage::wrong_dtype}};

template <class Table>
auto find(Table const& table, std::string_view what, std::string_view name)
    -> Result<decltype(table[0].value)> {
    std::vector<std::string_view> names;
    for (auto const& entry : table) {
        if (entry.name == name) return entry.value;
        names.push_back(entry.name);
    }
    return Error{Code::invalid_argument, fmt::format("there is no {} \"{}\"; choose one of {}",
                                                     what, name, fmt::join(names, ", "))};
}

}  // namespace

Result<Layout> parse_layout(std::string_view name) {
    return find(layouts, "layout", name);
}
Result<Compression> parse_compression(std::string_view name) {
    return find(compressions, "compression", name);
}
Result<Damage> parse_damage(std::string_view name) {
    return find(damages, "damage", name);
}

std::vector<std::string> damage_names() {
    std::vector<std::string> names;
    for (auto const& d : damages) names.emplace_back(d.name);
    return names;
}

}  // namespace sluice::nxmx
