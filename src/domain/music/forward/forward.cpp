// Forward: spectra, sub-bands, the network, and the same way back.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/forward/forward.h"

#include <new>

#include "device/workers.h"

namespace sluice::music {
namespace {

index sound_bytes(Network const& n, index frames, index spectrum) {
    index const mix = nn::on_line(4 * frames * n.bins * n.inputs());
    return (1 + n.stems) * mix + 8 * 2 * frames * spectrum * n.stems;
}

}  // namespace

Memory Forward::expected(Network const& n, Wish const& wish, index n_fft) {
    bool const bf16 = precision_of(wish) == Precision::bf16;
    index numbers = 0;
    for (TensorShape const& t : places(n)) {
        index size = 1;
        for (index const e : t.shape) size *= e;
        numbers += size;
    }
    // In bf16 only Winograd's weights are of float.
    bool const narrow = bf16 && nn::multiplies_bf16_matrices();
    index const maps =
        MapPlan::of(n, wish.frames, bf16 ? nn::Element::bf16 : nn::Element::f32).bytes() +
        4 * nn::Winograd::scratch_floats(wish.device.threads());
    return {(narrow ? 2 : 4) * numbers, maps, sound_bytes(n, wish.frames, n_fft / 2 + 1)};
}

Result<std::unique_ptr<Forward>> Forward::load(std::string const& model,
                                               Inspection const& inspection, Wish const& wish) {
    SLUICE_TRY(weights::Weights const weights, weights::open_weights(model));
    return load(weights, inspection, wish);
}

Result<std::unique_ptr<Forward>> Forward::load(weights::Weights const& weights, Inspection const& i,
                                               Wish const& wish) {
    try {
        return load_all(weights, i, wish);
    } catch (std::bad_alloc const&) {
        return Error{Code::out_of_memory, "the weights do not fit in memory; close other programs",
                     weights.file->name()};
    }
}

Result<std::unique_ptr<Forward>> Forward::load_all(weights::Weights const& weights,
                                                   Inspection const& i, Wish const& wish) {
    std::string const& model = weights.file->name();
    Network const& n = i.network;
    SLUICE_CHECK(check_wish(n, wish, model));
    SLUICE_TRY(Settings const settings, settings_of(i, model));
    SLUICE_TRY(auto stft,
               audio::Stft::make(settings.n_fft, settings.hop, wish.frames, wish.device.threads()));
    SLUICE_TRY(UNet unet, UNet::load(weights, n, settings, wish.frames, precision_of(wish),
                                     wish.device, wish.progress));
    std::unique_ptr<Forward> f(new Forward(std::move(stft), std::move(unet)));
    f->device_ = wish.device;
    f->stems_ = n.stems;
    f->precision_ = precision_of(wish);
    f->subbands_ = {n.subbands, f->stft_.bins()};
    index const spectra = 2 * f->stft_.frames() * f->stft_.bins();
    index const mix = nn::on_line(4 * wish.frames * n.bins * n.inputs());
    SLUICE_TRY(f->sound_, nn::Block::make(sound_bytes(n, wish.frames, f->stft_.bins())));
    std::byte* const at = f->sound_.data();
    f->mix_ = {at, nn::Element::f32, wish.frames, n.bins, n.inputs()};
    f->out_ = {at + mix, nn::Element::f32, wish.frames, n.bins, n.stems * n.inputs()};
    f->spectra_ = {reinterpret_cast<std::complex<float>*>(at + (1 + n.stems) * mix),
                   static_cast<std::size_t>(spectra * n.stems)};
    return f;
}

Status Forward::separate(std::span<float const> mix, std::span<float> out, index batch) {
    auto const in = static_cast<std::size_t>(2 * samples());
    auto const made = in * static_cast<std::size_t>(stems());
    expects(mix.size() == in * static_cast<std::size_t>(batch) &&
            out.size() == made * static_cast<std::size_t>(batch));
    for (std::size_t b = 0; b < static_cast<std::size_t>(batch); ++b)
        SLUICE_CHECK(separate_watched(mix.subspan(b * in, in), out.subspan(b * made, made), {}));
    return {};
}

Status Forward::separate_watched(std::span<float const> mix, std::span<float> out,
                                 Watch const& watch) {
    auto const length = static_cast<std::size_t>(samples());
    auto const spectrum = static_cast<std::size_t>(stft_.frames() * stft_.bins());
    {
        Step const traced = step(Phase::stft);
        for (std::size_t c = 0; c < 2; ++c)
            SLUICE_CHECK(stft_.forward(mix.subspan(c * length, length),
                                       spectra_.subspan(c * spectrum, spectrum)));
        parallel_for(stft_.frames(), device_.threads(), 8,
                     [&](index frame, int) { subbands_.pack(spectra_, mix_, frame); });
    }
    if (watch) watch("mix", mix_);
    {
        Step const traced = step(Phase::network);
        SLUICE_CHECK(unet_.run(mix_, out_, watch, run()));
    }
    Step const traced = step(Phase::stft);
    parallel_for(stft_.frames(), device_.threads(), 8,
                 [&](index frame, int) { subbands_.unpack(out_, spectra_, frame); });
    for (std::size_t c = 0; c < 2 * static_cast<std::size_t>(stems_); ++c)
        SLUICE_CHECK(stft_.inverse(spectra_.subspan(c * spectrum, spectrum),
                                   out.subspan(c * length, length)));
    return {};
}

Memory Forward::memory() const {
    return {unet_.weight_bytes(), unet_.map_bytes(), sound_.size()};
}

}  // namespace sluice::music
