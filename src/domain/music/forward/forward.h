// Forward: a model that separates chunks of a mix, on processors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "audio/stft.h"
#include "domain/music/chunk_separator.h"
#include "domain/music/forward/subbands.h"
#include "domain/music/forward/unet.h"

namespace sluice::music {

/// Bytes that a model takes, whatever the length of a song is.
struct Memory {
    index weights = 0;  ///< in the order that suits the processor
    index maps = 0;     ///< all maps of the network, and what the threads work in
    index sound = 0;    ///< spectra and sub-bands
    index sum() const { return weights + maps + sound; }
};

/// What automatic precision is on this processor, and why.
struct Chosen {
    Precision precision = Precision::fp32;
    std::string why;
};
Chosen choose_precision();

class Forward final : public ChunkSeparator {
  public:
    struct Wish {
        index frames = 0;  ///< of a chunk: Inspection::chunks says how many a model expects
        std::optional<Precision> precision = Precision::fp32;  ///< none: choose_precision()
        Device device = Device::cpu();
        std::optional<index> memory = {};  ///< bytes at most
        Progress progress = {};            ///< of load(): tensors
    };
    /// About what load() will take, known before anything is read; at most a tenth is missing.
    static Memory expected(Network const& network, Wish const& wish, index n_fft);

    /// Reads the weights of the file `model`, which inspect() has found good, and takes all memory.
    /// Errors: `frames` that the network cannot halve, a norm or activation that is not known, a
    /// processor that does not have the precision, more memory than wish.memory, memory that cannot
    /// be had.
    static Result<std::unique_ptr<Forward>> load(std::string const& model,
                                                 Inspection const& inspection, Wish const& wish);
    static Result<std::unique_ptr<Forward>> load(weights::Weights const& weights,
                                                 Inspection const& inspection, Wish const& wish);

    index samples() const override { return stft_.samples(); }
    index stems() const override { return stems_; }
    Status separate(std::span<float const> mix, std::span<float> out, index batch) override;

    /// The same for one chunk; `watch` sees the stages, "mix" first.
    Status separate_watched(std::span<float const> mix, std::span<float> out, Watch const& watch);

    Memory memory() const;
    Precision precision() const { return precision_; }

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
