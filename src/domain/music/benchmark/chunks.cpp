// Chunks through the network as contestants.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/benchmark/chunks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>

#include "bench/answers.h"
#include "domain/music/words.h"

namespace sluice::music {
namespace {

/// A network that waits for its rounds, and the sound it is given.
struct Entry {
    std::unique_ptr<Engine> network;
    Precision precision;
    std::vector<float> in, out;
    index batch = 1;

    Status run() { return network->separate(in, out, batch); }
};

double seconds_of(Chunk const& chunk, Inspection const& model) {
    return static_cast<double>(chunk.samples) / static_cast<double>(model.sample_rate);
}

std::string where(Device const& device) {
    if (device.remote()) return device.name();
    return fmt::format("{} thread{}", device.threads(), device.threads() == 1 ? "" : "s");
}

bench::Contestant contestant(std::shared_ptr<Entry> const& entry, Device const& device,
                             double load_s, double audio_s, double flop) {
    bench::Contestant who;
    who.contest = fmt::format("a chunk in {}", config::word_of(entry->precision));
    who.name = fmt::format("{}, {}, batch {}", config::word_of(entry->precision), where(device),
                           entry->batch);
    // One thread gives a GPU its work.
    who.threads = device.remote() ? 1 : device.threads();
    who.items = static_cast<double>(entry->batch);
    Memory const memory = entry->network->memory();
    who.details = {{"precision", config::word_of(entry->precision)},
                   {"device", device.name()},
                   {"convolutions", entry->network->chosen()},
                   {"batch", entry->batch},
                   {"audio_seconds", audio_s},
                   {"flop", flop},
                   {"load_seconds", load_s},
                   {"memory_bytes", memory.sum()},
                   {"memory_weights_bytes", memory.weights}};
    who.run = bench::timed([entry] { return entry->run(); });
    who.answer = [entry]() -> Result<bench::Answer> {
        SLUICE_CHECK(entry->run());
        // A batch repeats one chunk, so that its answer is that of a batch of one.
        bench::Answer answer;
        std::size_t const one = entry->out.size() / static_cast<std::size_t>(entry->batch);
        for (index b = 0; b < entry->batch; ++b) {
            std::span const stems(entry->out.data() + static_cast<std::size_t>(b) * one, one);
            std::uint64_t const sum = bench::checksum(std::as_bytes(stems));
            if (b == 0) answer.push_back(sum);
            if (sum != answer.front()) answer.front() = 0;
        }
        return answer;
    };
    return who;
}

}  // namespace

Result<ChunkContest> chunk_contest(BenchmarkModel const& model, Chunk const& chunk,
                                   BenchmarkGrid const& grid) {
    ChunkContest contest;
    contest.samples = chunk.samples;
    contest.mix = test_sound(chunk.samples, 1);
    contest.flop = 2 * chunk.cost.macs;
    std::vector<std::shared_ptr<Entry>> entries;
    // A GPU has no choice of threads.
    std::vector<int> const all_threads = grid.device.remote() ? std::vector<int>{0} : grid.threads;
    for (Precision const precision : grid.precisions)
        for (int const threads : all_threads)
            for (index const batch : grid.batches) {
                Device const device = grid.device.with_threads(threads);
                bench::Stopwatch const watch;
                SLUICE_TRY(auto network, load_engine(model.weights, model.inspection,
                                                     {chunk.frames, precision, device}));
                double const load_s = watch.lap().wall_s;
                auto const entry = std::make_shared<Entry>();
                entry->precision = precision;
                entry->batch = batch;
                for (index b = 0; b < batch; ++b)
                    entry->in.insert(entry->in.end(), contest.mix.begin(), contest.mix.end());
                entry->out.resize(entry->in.size() * static_cast<std::size_t>(network->stems()));
                entry->network = std::move(network);
                entries.push_back(entry);
                contest.all.push_back(contestant(
                    entry, device, load_s, seconds_of(chunk, model.inspection), contest.flop));
            }
    contest.stems = [entries](Precision precision) -> Result<std::vector<float>> {
        auto const found = std::ranges::find(entries, precision,
                                             [](auto const& entry) { return entry->precision; });
        expects(found != entries.end());
        SLUICE_CHECK((*found)->run());
        std::vector<float> out = (*found)->out;
        out.resize(out.size() / static_cast<std::size_t>((*found)->batch));
        return out;
    };
    return contest;
}

}  // namespace sluice::music
