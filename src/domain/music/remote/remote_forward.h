// RemoteForward: a model that separates chunks on a device; samples go up, and stems come down.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "audio/remote/remote_stft.h"
#include "domain/music/engine.h"
#include "domain/music/remote/unet.h"

namespace sluice::music {

/// In fp32, or in tf32 where that is wished and cuDNN convolves. With the same convolutions results
/// have the same bits on every kind of device. The first chunk is launched step by step; the second
/// one is recorded, and all that follow are the recording, a CUDA graph on a GPU.
class RemoteForward final : public Engine {
  public:
    /// What load() takes of the device.
    static Memory expected(Network const& network, Wish const& wish, Settings const& settings);

    /// As load_engine(); devices of any kind will do. Errors: also more memory than is free there.
    static Result<std::unique_ptr<RemoteForward>> load(weights::Weights const& weights,
                                                       Inspection const& inspection,
                                                       Wish const& wish);

    index samples() const override { return stft_.samples(); }
    index stems() const override { return network_.stems; }
    Status separate(std::span<float const> mix, std::span<float> out, index batch) override;
    Status separate_watched(std::span<float const> mix, std::span<float> out,
                            Watch const& watch) override;

    Memory memory() const override;
    Precision precision() const override {
        return convolver_->products() == nn::Products::tf32 ? Precision::tf32 : Precision::fp32;
    }
    std::string chosen() const override { return chosen_; }

  private:
    /// Sound on the device.
    struct Sound {
        float* in = nullptr;                     ///< [2][samples]
        float* out = nullptr;                    ///< [stems][2][samples]
        std::complex<float>* spectra = nullptr;  ///< of one channel
        RemoteMap mix, stems;

        static Sound of(Network const& network, index frames, Settings const& settings,
                        Arena& arena);
    };
    RemoteForward(Queue queue, audio::RemoteStft stft, RemoteUNet unet, Network const& network)
        : queue_(std::move(queue)),
          stft_(std::move(stft)),
          unet_(std::move(unet)),
          network_(network) {}

    static Result<std::unique_ptr<RemoteForward>> load_all(weights::Weights const& weights,
                                                           Inspection const& inspection,
                                                           Wish const& wish);
    /// A chunk, without its samples' ways.
    Status launch_chunk(RemoteWatch const& watch);
    Status run_chunk();
    Status record();
    Status enqueue(std::span<float const> mix, std::span<float> out, index batch);
    Status show(std::string_view stage, RemoteMap const& map, Watch const& watch);

    Queue queue_;
    Arena weights_, maps_, sound_;
    std::unique_ptr<nn::Convolver> convolver_;
    audio::RemoteStft stft_;
    RemoteUNet unet_;
    Network network_;
    Sound at_;
    std::string chosen_;
    std::unique_ptr<Recording const> recording_;
    bool warm_ = false, records_ = true;
};

}  // namespace sluice::music
