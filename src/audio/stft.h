// Stft: spectra of the short windows of a sound, and back, as torch.stft and torch.istft have them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "audio/stft_tables.h"
#include "fft/fft.h"

namespace sluice::audio {

/// Of one channel of a fixed length. Frame f is the transform of `n_fft` samples around sample
/// f * hop, weighted by a periodic Hann window; beyond its ends the sound is mirrored, and the last
/// sample is not repeated. Nothing is scaled. These are torch.stft's center=True,
/// pad_mode="reflect", onesided=True, normalized=False with torch.hann_window(n_fft).
///
/// The workspace is made once: two calls at a time need two of them. Answers do not depend on the
/// number of threads.
class Stft {
  public:
    /// Errors: an odd n_fft, a hop whose windows leave gaps, samples() that do not reach beyond the
    /// half window that is mirrored, sizes that do not fit in memory.
    static Result<Stft> make(index n_fft, index hop, index frames, int threads = 1);

    index samples() const { return hop_ * (frames_ - 1); }
    index frames() const { return frames_; }
    index bins() const { return n_fft_ / 2 + 1; }

    /// samples() samples to [frames()][bins()].
    Status forward(std::span<float const> samples, std::span<std::complex<float>> spectra);
    /// [frames()][bins()] to samples(): the least-squares way back, D. W. Griffin and J. S. Lim,
    /// doi:10.1109/TASSP.1984.1164317, (6). Undoes forward.
    Status inverse(std::span<std::complex<float> const> spectra, std::span<float> samples);

  private:
    Stft(fft::Plan<float> plan, StftTables tables, index n_fft, index hop, index frames,
         int threads);

    /// Its windowed frames, added, in its part of sums_.
    Status add_group(std::span<std::complex<float> const> spectra, index group, int worker);
    void window_of(std::span<float const> samples, index frame, std::span<float> out) const;
    /// Samples [first, last), out of the groups they lie in.
    void join(index first, index last, std::span<float> samples) const;
    std::span<float> line(int worker) {
        return std::span(lines_).subspan(static_cast<std::size_t>(worker * n_fft_),
                                         static_cast<std::size_t>(n_fft_));
    }
    index group_frames(index group) const { return std::min(group_, frames_ - group * group_); }

    fft::Plan<float> plan_;
    index n_fft_, hop_, frames_;
    int threads_;
    index group_;       ///< frames that one thread adds up; a constant, so that bits are
    index group_step_;  ///< samples of a group's sum
    std::vector<float> window_;
    std::vector<float> weight_;  ///< [samples()] of the squared windows that overlap there
    std::vector<float> lines_;   ///< [threads][n_fft]
    std::vector<float> sums_;    ///< [groups][group_step_]
};

}  // namespace sluice::audio
