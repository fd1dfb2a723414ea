// Forward: a model that separates chunks of a mix, on processors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "audio/stft.h"
#include "domain/music/engine.h"
#include "domain/music/forward/subbands.h"
#include "domain/music/forward/unet.h"

namespace sluice::music {

class Forward final : public Engine {
  public:
    /// About what load() will take, known before anything is read; at most a tenth is missing.
    static Memory expected(Network const& network, Wish const& wish, index n_fft);

    /// Reads the weights of the file `model`, which inspect() has found good, and takes all memory.
    /// Errors: as load_engine()'s.
    static Result<std::unique_ptr<Forward>> load(std::string const& model,
                                                 Inspection const& inspection, Wish const& wish);
    static Result<std::unique_ptr<Forward>> load(weights::Weights const& weights,
                                                 Inspection const& inspection, Wish const& wish);

    index samples() const override { return stft_.samples(); }
    index stems() const override { return stems_; }
    Status separate(std::span<float const> mix, std::span<float> out, index batch) override;

    Status separate_watched(std::span<float const> mix, std::span<float> out,
                            Watch const& watch) override;

    Memory memory() const override;
    Precision precision() const override { return precision_; }

  private:
    static Result<std::unique_ptr<Forward>> load_all(weights::Weights const& weights,
                                                     Inspection const& inspection,
                                                     Wish const& wish);
    Forward(audio::Stft stft, UNet unet) : stft_(std::move(stft)), unet_(std::move(unet)) {}

    Device device_ = Device::cpu();
    audio::Stft stft_;
    UNet unet_;
    Subbands subbands_;
    nn::Block sound_;
    nn::Map mix_, out_;
    std::span<std::complex<float>> spectra_;  ///< of two channels, and of each stem's two in turn
    index stems_ = 0;
    Precision precision_ = Precision::fp32;
};

}  // namespace sluice::music
