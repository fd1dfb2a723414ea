// try_chunks: a song of floats through a stand-in for a network, chunk by chunk.
// SPDX-License-Identifier: Apache-2.0
//
//   try_chunks sluice|uvr|msst CHUNK OVERLAP STEMS IN OUT   IN is [2][n], OUT is [STEMS][2][n]
//
// The stand-in is the scrambler of stand_ins_test.h, which says its formula.
#include <fmt/format.h>

#include <cstring>

#include "base/file.h"
#include "domain/music/separate/chunk_stream.h"
#include "domain/music/separate/stand_ins_test.h"

namespace sluice::music {
namespace {

Status run(std::vector<std::string> const& words) {
    SLUICE_TRY(auto const bytes, read_file(words.at(4), std::uint64_t{1} << 32));
    std::vector<float> song(bytes.size() / sizeof(float));
    std::memcpy(song.data(), bytes.data(), song.size() * sizeof(float));
    Cut cut;
    cut.preset = words.at(0) == "uvr"    ? Preset::uvr
                 : words.at(0) == "msst" ? Preset::msst
                                         : Preset::sluice;
    cut.chunk = std::stoll(words.at(1));
    cut.overlap = std::stoll(words.at(2));
    SLUICE_TRY(Plan const plan, Plan::make(cut));
    StandIn network = scrambler(cut.chunk, std::stoll(words.at(3)));
    ChunkStream stream(network, plan, 3);
    std::span<float const> const all(song);
    stream.add(all.first(all.size() / 2), all.last(all.size() / 2));
    stream.end();
    std::vector<std::vector<float>> lanes(std::size_t(2 * network.stems()));
    while (stream.due()) SLUICE_CHECK(stream.run(lanes));
    SLUICE_TRY(NewFile file, NewFile::create(words.at(5)));
    for (auto const& lane : lanes) SLUICE_CHECK(file.write(std::as_bytes(std::span(lane))));
    SLUICE_CHECK(file.commit());
    fmt::print("{} chunks\n", stream.chunks());
    return {};
}

}  // namespace
}  // namespace sluice::music

int main(int argc, char** argv) {
    auto const done = sluice::music::run({argv + 1, argv + argc});
    if (!done) fmt::print(stderr, "{}\n", done.error().text());
    return done ? 0 : 1;
}
