// Separation: rates, channels and complements around the networks.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "audio/resample.h"
#include "base/run.h"
#include "domain/music/separate/ensemble.h"
#include "domain/music/separate/model.h"
#include "domain/music/separate/stem_choice.h"
#include "sluice/music_separate.h"

namespace sluice::music {

struct Separation::State {
    SeparateOptions options;
    StemChoice choice;
    index channels = 2;
    std::unique_ptr<Ensemble> ensemble;
    std::vector<ChunkSeparator*> networks;
    std::optional<audio::Resampler> in;
    std::vector<audio::Resampler> back;  ///< of each needed stem
    double source_frames = 1;            ///< of the song, for one frame of the models
    index pushed = 0, separated = 0;     ///< frames of the song, frames of the models
    bool finished = false;
    std::vector<float> mix;                    ///< frames that wait for their stems
    std::vector<float> resampled;              ///< the song at the models' rate
    std::vector<std::vector<float>> channel;   ///< the same, channel by channel
    std::vector<std::vector<float>> lanes;     ///< of the needed stems, at the models' rate
    std::vector<std::vector<float>> separate;  ///< needed stems, at the song's rate
    std::vector<std::vector<float>> given;     ///< what pull() gives

    Status take(std::span<float const> block);
    Status heard();
    bool go_on() const;
    void ask_networks(Run* run);
    Status separate_due();
    Status collect();
    void assemble();
};

namespace {

// A push of an hour is taken in pieces, so that memory holds only its stems.
constexpr index frames_of_a_piece = 1 << 14;

Status check_request(std::span<Model* const> models, index channels, SeparateOptions const& o) {
    auto const wrong = [](std::string text) {
        return Error{Code::invalid_argument, std::move(text)};
    };
    if (models.empty()) return wrong("no model was given; give at least one");
    if (channels < 1 || channels > 2)
        return wrong(
            fmt::format("has {} channels (the network takes two) mix it down first, as "
                        "with `ffmpeg -i SONG -ac 2 OUT.wav`, or separate pairs of "
                        "channels as songs of their own",
                        channels));
    if (o.batch < 1 || o.batch > 1'024)
        return wrong(
            fmt::format("a batch of {} chunks (1 to 1024 are possible) choose one of "
                        "these",
                        o.batch));
    if (o.bits != 0 && o.bits != 16 && o.bits != 24)
        return wrong(
            fmt::format("stems of {} bits (files of integers have 16 or 24) choose one "
                        "of these",
                        o.bits));
    if (!o.weights.empty() && o.join == Join::median)
        return wrong(
            "weights and a median are both given (a median takes no weights) leave one of them "
            "out");
    if (!o.weights.empty() && o.weights.size() != models.size())
        return wrong(
            fmt::format("there are {} weights for {} models (each model has one) give as many",
                        o.weights.size(), models.size()));
    double sum = 0;
    for (double const w : o.weights) {
        if (!(w >= 0) || !std::isfinite(w))
            return wrong(fmt::format("a weight of {} (weights are positive) choose another", w));
        sum += w;
    }
    if (!o.weights.empty() && sum <= 0)
        return wrong("all weights are 0 (at least one must be above 0) choose others");
    for (Model const* const m : models)
        if (m->rate() != models[0]->rate())
            return Error{Code::invalid_argument,
                         fmt::format("takes {} Hz, and {} takes {} (models are joined sample by "
                                     "sample) leave one of them out",
                                     m->rate(), models[0]->name(), models[0]->rate()),
                         m->name()};
    return {};
}

// The presets take the YAML's value: no tensor has it, and it changes the stems.
Result<index> overlap_of(Model::State const& model, SeparateOptions const& o) {
    if (o.overlap) return *o.overlap;
    if (o.preset == Preset::sluice) return 2;
    if (model.overlap) return *model.overlap;
    return Error{Code::invalid_argument,
                 "comes without num_overlap of inference (a preset reads it from the YAML) give "
                 "--overlap: the "
                 "default of UVR and audio-separator is 8, and MSST's models mostly have 4 or 2",
                 model.name};
}

Result<Member> member_of(Model::State& model, SeparateOptions const& o) {
    Cut cut;
    cut.preset = o.preset;
    cut.chunk = model.network->samples();
    SLUICE_TRY(cut.overlap, overlap_of(model, o));
    cut.window = o.window;
    cut.shifts = o.shifts;
    cut.shift_span = model.rate / 2;
    SLUICE_TRY(Plan plan, Plan::make(cut));
    return Member{model.network.get(), std::move(plan), {}};
}

float to_steps(float v, int bits) {
    double const scale = std::ldexp(1.0, bits - 1);
    return static_cast<float>(std::nearbyint(static_cast<double>(v) * scale) / scale);
}

void drop_front(std::vector<float>& v, index n) {
    v.erase(v.begin(), v.begin() + n);
}

}  // namespace

Result<Separation> Separation::begin(std::span<Model* const> models, int rate, index channels,
                                     SeparateOptions const& options) {
    SLUICE_CHECK(check_request(models, channels, options));
    auto state = std::make_unique<State>();
    State& s = *state;
    s.options = options;
    s.channels = channels;
    Model::State const& first = models[0]->state();
    SLUICE_TRY(s.choice, choose_stems(first, options));
    std::vector<Member> members;
    for (std::size_t k = 0; k < models.size(); ++k) {
        Model::State& model = models[k]->state();
        SLUICE_TRY(Member member, member_of(model, options));
        SLUICE_TRY(member.stems, same_stems(first, s.choice, model));
        if (!options.weights.empty()) member.weight = options.weights[k];
        s.networks.push_back(member.network);
        members.push_back(std::move(member));
    }
    s.ensemble = std::make_unique<Ensemble>(members, options);
    SLUICE_TRY(s.in, audio::Resampler::make(rate, first.rate, channels));
    auto const needed = s.choice.needed.size();
    for (std::size_t k = 0; k < needed; ++k) {
        SLUICE_TRY(auto back, audio::Resampler::make(first.rate, rate, channels));
        s.back.push_back(std::move(back));
    }
    s.source_frames = static_cast<double>(rate) / first.rate;
    s.channel.resize(2);
    s.lanes.resize(2 * needed);
    s.separate.resize(needed);
    s.given.resize(s.choice.names.size());
    return Separation(std::move(state));
}

Separation::Separation(std::unique_ptr<State> state) : state_(std::move(state)) {}
Separation::Separation(Separation&& other) noexcept = default;
Separation& Separation::operator=(Separation&& other) noexcept = default;
Separation::~Separation() = default;

std::vector<std::string> const& Separation::stems() const {
    return state_->choice.names;
}

bool Separation::complements() const {
    StemChoice const& c = state_->choice;
    return c.complement && c.names.size() == c.needed.size() + 1;
}

index Separation::chunks() const {
    return state_->ensemble->chunks();
}

Status Separation::push(std::span<float const> block) {
    State& s = *state_;
    expects(!s.finished && std::ssize(block) % s.channels == 0);
    auto const most = static_cast<std::size_t>(frames_of_a_piece * s.channels);
    for (std::size_t at = 0; at < block.size(); at += most)
        SLUICE_CHECK(s.take(block.subspan(at, std::min(most, block.size() - at))));
    return {};
}

Status Separation::State::take(std::span<float const> block) {
    for (std::size_t k = 0; k < block.size(); ++k)
        if (!std::isfinite(block[k]))
            return Error{Code::invalid_argument,
                         fmt::format("channel {} is {} at frame {} (samples must be finite "
                                     "numbers) repair the song",
                                     static_cast<index>(k) % channels + 1, block[k],
                                     pushed + static_cast<index>(k) / channels)};
    if (choice.complement) mix.insert(mix.end(), block.begin(), block.end());
    pushed += std::ssize(block) / channels;
    {
        Step const step(options.trace, Phase::resample, 0);
        SLUICE_CHECK(in->push(block, resampled));
    }
    SLUICE_CHECK(heard());
    return separate_due();
}

// Gives the networks what there is at their rate; mono goes to both channels.
Status Separation::State::heard() {
    for (std::size_t c = 0; c < 2; ++c) {
        channel[c].clear();
        auto const from = channels == 2 ? c : 0;
        for (std::size_t k = from; k < resampled.size(); k += static_cast<std::size_t>(channels))
            channel[c].push_back(resampled[k]);
    }
    ensemble->add(channel[0], channel[1]);
    resampled.clear();
    return {};
}

bool Separation::State::go_on() const {
    auto const done = static_cast<index>(static_cast<double>(separated) * source_frames);
    return !options.progress || options.progress(static_cast<std::uint64_t>(std::min(done, pushed)),
                                                 static_cast<std::uint64_t>(options.frames));
}

void Separation::State::ask_networks(Run* run) {
    for (ChunkSeparator* const n : networks) n->ask(run);
}

Status Separation::State::separate_due() {
    while (ensemble->due()) {
        Run run([this](index) { return go_on(); });
        SLUICE_CHECK(run.check());
        // A chunk takes seconds: the networks ask in the middle of it, too.
        if (options.progress) ask_networks(&run);
        Status const done = ensemble->run(lanes);
        ask_networks(nullptr);
        SLUICE_CHECK(done);
        SLUICE_CHECK(collect());
    }
    return {};
}

Status Separation::State::collect() {
    std::vector<float> frames;
    separated += std::ssize(lanes[0]);
    for (std::size_t stem = 0; stem < back.size(); ++stem) {
        auto &left = lanes[2 * stem], &right = lanes[2 * stem + 1];
        frames.clear();
        for (std::size_t k = 0; k < left.size(); ++k) {
            if (channels == 2) {
                frames.push_back(left[k]);
                frames.push_back(right[k]);
            } else {
                frames.push_back((left[k] + right[k]) / 2);
            }
        }
        left.clear();
        right.clear();
        Step const step(options.trace, Phase::resample, 0);
        SLUICE_CHECK(back[stem].push(frames, separate[stem]));
    }
    assemble();
    return {};
}

// Gives the samples that all stems have.
void Separation::State::assemble() {
    index n = std::ssize(separate[0]);
    for (auto const& s : separate) n = std::min(n, std::ssize(s));
    if (choice.complement && options.bits != 0)
        for (auto& s : separate)
            std::for_each_n(s.begin(), n, [&](float& v) { v = to_steps(v, options.bits); });
    for (std::size_t k = 0; k < given.size(); ++k) {
        auto& to = given[k];
        if (index const from = choice.from[k]; from >= 0) {
            auto const& stem = separate[static_cast<std::size_t>(from)];
            to.insert(to.end(), stem.begin(), stem.begin() + n);
            continue;
        }
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            double rest = mix[i];
            for (auto const& s : separate) rest -= double(s[i]);
            to.push_back(static_cast<float>(rest));
        }
    }
    for (auto& s : separate) drop_front(s, n);
    if (choice.complement) drop_front(mix, n);
}

Status Separation::finish() {
    State& s = *state_;
    expects(!s.finished);
    if (s.pushed == 0)
        return Error{Code::truncated, "the song has no frame (it is empty) give another"};
    s.finished = true;
    SLUICE_CHECK(s.in->finish(s.resampled));
    SLUICE_CHECK(s.heard());
    s.ensemble->end();
    SLUICE_CHECK(s.separate_due());
    for (std::size_t k = 0; k < s.back.size(); ++k) {
        Step const step(s.options.trace, Phase::resample, 0);
        SLUICE_CHECK(s.back[k].finish(s.separate[k], s.pushed));
    }
    s.assemble();
    return {};
}

index Separation::ready() const {
    return std::ssize(state_->given[0]) / state_->channels;
}

index Separation::pull(std::span<std::span<float> const> stems) {
    State& s = *state_;
    expects(stems.size() == s.given.size());
    index const n = std::min(std::ssize(stems[0]) / s.channels, ready());
    for (std::size_t k = 0; k < stems.size(); ++k) {
        expects(stems[k].size() == stems[0].size());
        std::copy_n(s.given[k].begin(), n * s.channels, stems[k].begin());
        drop_front(s.given[k], n * s.channels);
    }
    return n;
}

Result<index> Separation::pull(std::span<std::span<float> const> stems, Read const& read) {
    State& s = *state_;
    std::vector<float> block(static_cast<std::size_t>(frames_of_a_piece * s.channels));
    while (!s.finished && ready() * s.channels < std::ssize(stems[0])) {
        SLUICE_TRY(index const n, read(block));
        expects(n >= 0 && n <= frames_of_a_piece);
        SLUICE_CHECK(n == 0
                         ? finish()
                         : push(std::span(block).first(static_cast<std::size_t>(n * s.channels))));
    }
    return pull(stems);
}

}  // namespace sluice::music
