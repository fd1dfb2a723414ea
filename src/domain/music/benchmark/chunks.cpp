// Chunks through the network as contestants.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/benchmark/chunks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>

#include "base/plural.h"
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
    return plural(device.threads(), "thread");
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

std::vector<float> test_sound(index samples, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    auto const next = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    std::vector<float> sound(static_cast<std::size_t>(2 * samples));
    struct Tone {
        double frequency, phase;
        std::array<double, 2> gain;
    };
    std::vector<Tone> tones;
    for (int i = 0; i < 24; ++i)
        tones.push_back(
            {55 * std::exp2(8 * next()) / 44100, next(), {0.02 * next(), 0.02 * next()}});
    // Noise of less and less memory adds up to about as much in every octave, as in music.
    constexpr std::array memory = {0.998, 0.98, 0.85, 0.2};
    std::array<std::array<double, memory.size()>, 2> bed = {};
    for (index t = 0; t < samples; ++t) {
        // Half a second between beats of noise that dies away.
        double const beat = 0.2 * std::exp(-static_cast<double>(t % 22050) / 2000);
        for (std::size_t c = 0; c < 2; ++c) {
            double v = beat * (2 * next() - 1);
            for (std::size_t m = 0; m < memory.size(); ++m) {
                double const kept = memory[m];
                bed[c][m] = kept * bed[c][m] + std::sqrt(1 - kept * kept) * (2 * next() - 1);
                v += 0.05 * bed[c][m];
            }
            for (Tone const& tone : tones)
                v +=
                    tone.gain[c] * std::sin(2 * std::numbers::pi *
                                            (tone.frequency * static_cast<double>(t) + tone.phase));
            sound[static_cast<std::size_t>(static_cast<index>(c) * samples + t)] =
                static_cast<float>(v);
        }
    }
    return sound;
}

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
