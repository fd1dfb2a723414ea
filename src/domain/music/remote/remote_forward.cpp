// Sound to spectra, sub-bands, the network, and the same way back, without a wait between them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/remote/remote_forward.h"

#include <fmt/format.h>

#include <new>

#include "audio/stft_tables.h"
#include "domain/music/remote/kernels.h"
#include "launch/map.h"

namespace sluice::music {
namespace {

index map_bytes(Network const& n, index frames) {
    Arena counted;
    RemotePlaces::of(n, frames, counted);
    return counted.used();
}

Status check_room(Queue& queue, Memory const& m, std::string const& file) {
    auto const available = queue.backend()->available();
    if (!available || m.sum() <= static_cast<index>(*available)) return {};
    return Error{Code::out_of_memory,
                 fmt::format("needs {} MB on the device {} (weights {}, maps {}, sound {}), and {} "
                             "MB are free there; take a shorter chunk, or --device cpu",
                             m.sum() >> 20, queue.device().name(), m.weights >> 20, m.maps >> 20,
                             m.sound >> 20, *available >> 20),
                 file};
}

}  // namespace

RemoteForward::Sound RemoteForward::Sound::of(Network const& n, index frames,
                                              Settings const& settings, Arena& arena) {
    index const samples = settings.hop * (frames - 1), bins = settings.n_fft / 2 + 1;
    Sound s;
    s.in = arena.take<float>(2 * samples);
    s.out = arena.take<float>(2 * n.stems * samples);
    s.spectra = arena.take<std::complex<float>>(frames * bins);
    s.mix = {nullptr, frames, n.bins, n.inputs()};
    s.mix.data = arena.take<float>(s.mix.size());
    s.stems = {nullptr, frames, n.bins, n.stems * n.inputs()};
    s.stems.data = arena.take<float>(s.stems.size());
    return s;
}

Memory RemoteForward::expected(Network const& n, Wish const& wish, Settings const& settings) {
    // Invalid wishes take no memory, and load() reports them.
    if (!audio::check_stft(settings.n_fft, settings.hop, wish.frames, 1)) return {};
    Arena counted;
    Sound::of(n, wish.frames, settings, counted);
    return {
        remote_weight_bytes(n, settings.norm, wish.frames),
        map_bytes(n, wish.frames) + nn::expected_convolver_bytes(wish.device),
        counted.used() + audio::RemoteStft::bytes_of(settings.n_fft, settings.hop, wish.frames)};
}

Result<std::unique_ptr<RemoteForward>> RemoteForward::load(weights::Weights const& weights,
                                                           Inspection const& inspection,
                                                           Wish const& wish) {
    try {
        return load_all(weights, inspection, wish);
    } catch (std::bad_alloc const&) {
        return Error{Code::out_of_memory,
                     "a tensor does not fit in the host's memory; close other programs",
                     weights.file->name()};
    }
}

Result<std::unique_ptr<RemoteForward>> RemoteForward::load_all(weights::Weights const& weights,
                                                               Inspection const& i,
                                                               Wish const& wish) {
    std::string const& file = weights.file->name();
    Network const& n = i.network;
    SLUICE_CHECK(check_wish(n, wish, file));
    SLUICE_TRY(Settings const settings, settings_of(i, file));
    SLUICE_TRY(Queue queue, Queue::of(wish.device));
    SLUICE_CHECK(audio::check_stft(settings.n_fft, settings.hop, wish.frames, 1));
    Memory const needed = expected(n, wish, settings);
    SLUICE_CHECK(check_room(queue, needed, file));
    SLUICE_TRY(auto stft,
               audio::RemoteStft::make(queue, settings.n_fft, settings.hop, wish.frames));
    auto const products =
        precision_of(wish) == Precision::tf32 ? nn::Products::tf32 : nn::Products::fp32;
    SLUICE_TRY(nn::ChosenConvolver chosen, nn::choose_convolver(queue, products));
    if (chosen.convolver->products() != products)
        return Error{
            Code::unavailable,
            fmt::format("tf32 needs cuDNN ({}); take fp32",
                        chosen.why_not.empty() ? "the device is not a GPU" : chosen.why_not)};
    SLUICE_TRY(Arena weights_there, Arena::make(queue, needed.weights));
    SLUICE_TRY(Arena maps, Arena::make(queue, map_bytes(n, wish.frames)));
    Arena counted;
    Sound::of(n, wish.frames, settings, counted);
    SLUICE_TRY(Arena sound, Arena::make(queue, counted.used()));
    SLUICE_TRY(RemoteUNet unet, RemoteUNet::load(queue, *chosen.convolver, weights_there, maps,
                                                 weights, n, settings, wish.frames));
    std::unique_ptr<RemoteForward> f(
        new RemoteForward(std::move(queue), std::move(stft), std::move(unet), n));
    f->at_ = Sound::of(n, wish.frames, settings, sound);
    f->weights_ = std::move(weights_there);
    f->maps_ = std::move(maps);
    f->sound_ = std::move(sound);
    f->convolver_ = std::move(chosen.convolver);
    f->chosen_ = f->convolver_->name();
    if (!chosen.why_not.empty()) f->chosen_ += " (" + chosen.why_not + ")";
    return f;
}

Status RemoteForward::launch_chunk(RemoteWatch const& watch) {
    index const bins = stft_.bins(), bands = network_.subbands, frames = stft_.frames();
    auto* const spectra = reinterpret_cast<fft::Number<float>*>(at_.spectra);
    for (index s = 0; s < 2; ++s) {
        SLUICE_CHECK(stft_.forward(queue_, at_.in + s * samples(), at_.spectra));
        SLUICE_CHECK(launch::map(queue_, frames * bands * network_.bins,
                                 PackSound{spectra, bins, bands, network_.bins, at_.mix.channels,
                                           2 * s * bands, at_.mix.data}));
    }
    if (watch) SLUICE_CHECK(watch("mix", at_.mix));
    SLUICE_CHECK(unet_.run(queue_, at_.mix, at_.stems, watch));
    for (index s = 0; s < 2 * stems(); ++s) {
        SLUICE_CHECK(launch::map(queue_, frames * bins,
                                 UnpackSound{at_.stems.data, bins, bands, network_.bins,
                                             at_.stems.channels, 2 * s * bands, spectra}));
        SLUICE_CHECK(stft_.inverse(queue_, at_.spectra, at_.out + s * samples()));
    }
    return {};
}

// A library may load its kernels with the first chunk, which a recording does not allow.
Status RemoteForward::run_chunk() {
    if (!warm_) {
        warm_ = true;
        return launch_chunk({});
    }
    if (!recording_ && records_) SLUICE_CHECK(record());
    return recording_ ? queue_.replay(*recording_) : launch_chunk({});
}

// If a device refuses, launches one by one do the same.
Status RemoteForward::record() {
    SLUICE_CHECK(queue_.begin_recording());
    Status const launched = launch_chunk({});
    auto recording = queue_.end_recording();
    SLUICE_CHECK(launched);
    records_ = static_cast<bool>(recording);
    if (recording)
        recording_ = std::move(*recording);
    else
        chosen_ += "; it does not run as one graph: " + recording.error().message;
    return {};
}

Status RemoteForward::enqueue(std::span<float const> mix, std::span<float> out, index batch) {
    auto const in = static_cast<std::size_t>(2 * samples());
    auto const made = in * static_cast<std::size_t>(stems());
    for (std::size_t b = 0; b < static_cast<std::size_t>(batch); ++b) {
        if (run()) SLUICE_CHECK(run()->check());
        SLUICE_CHECK(queue_.upload(at_.in, std::as_bytes(mix.subspan(b * in, in))));
        SLUICE_CHECK(run_chunk());
        SLUICE_CHECK(queue_.download(std::as_writable_bytes(out.subspan(b * made, made)), at_.out));
    }
    return {};
}

Status RemoteForward::separate(std::span<float const> mix, std::span<float> out, index batch) {
    expects(std::ssize(mix) == 2 * samples() * batch &&
            std::ssize(out) == stems() * std::ssize(mix));
    Step const traced = step(Phase::network);  // with its STFT, which the device computes
    Status const given = enqueue(mix, out, batch);
    // Also after an error: what was given before reads and writes the spans.
    Status const done = queue_.wait();
    return given ? done : given;
}

Status RemoteForward::show(std::string_view stage, RemoteMap const& map, Watch const& watch) {
    std::vector<float> here(static_cast<std::size_t>(map.size()));
    SLUICE_CHECK(queue_.download(std::as_writable_bytes(std::span(here)), map.data));
    SLUICE_CHECK(queue_.wait());
    watch(stage, {reinterpret_cast<std::byte*>(here.data()), nn::Element::f32, map.height,
                  map.width, map.channels});
    return {};
}

Status RemoteForward::separate_watched(std::span<float const> mix, std::span<float> out,
                                       Watch const& watch) {
    if (!watch) return separate(mix, out, 1);
    Status given = queue_.upload(at_.in, std::as_bytes(mix));
    if (given)
        given = launch_chunk(
            [&](std::string_view stage, RemoteMap const& map) { return show(stage, map, watch); });
    if (given) given = queue_.download(std::as_writable_bytes(out), at_.out);
    Status const done = queue_.wait();
    return given ? done : given;
}

Memory RemoteForward::memory() const {
    return {weights_.bytes(), maps_.bytes() + convolver_->bytes(), sound_.bytes() + stft_.bytes()};
}

}  // namespace sluice::music
