// RemoteStft: the transforms of an Stft where a queue's memory is, on every kind of device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fft/remote.h"

namespace sluice::audio {

/// As Stft, for one channel at a time; addresses are the device's. One queue may use it at a time,
/// and it lives until that waited. Answers have the same bits on every kind of device.
class RemoteStft {
  public:
    /// Waits for the tables. Errors: those of Stft.
    static Result<RemoteStft> make(Queue& queue, index n_fft, index hop, index frames);
    /// What make() takes of the device, for numbers that it takes.
    static index bytes_of(index n_fft, index hop, index frames);

    index samples() const { return hop_ * (frames_ - 1); }
    index frames() const { return frames_; }
    index bins() const { return n_fft_ / 2 + 1; }
    index bytes() const;

    /// samples() samples to [frames()][bins()].
    Status forward(Queue& queue, float const* samples, std::complex<float>* spectra);
    /// [frames()][bins()] to samples().
    Status inverse(Queue& queue, std::complex<float> const* spectra, float* samples);

  private:
    RemoteStft(fft::RemotePlan<float> plan, index n_fft, index hop, index frames)
        : plan_(std::move(plan)), n_fft_(n_fft), hop_(hop), frames_(frames) {}

    fft::RemotePlan<float> plan_;
    index n_fft_, hop_, frames_;
    Place<float> window_, weight_, cut_;
};

}  // namespace sluice::audio
