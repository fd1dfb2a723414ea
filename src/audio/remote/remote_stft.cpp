// Frames are cut and transformed all at once, and added where they overlap.
// SPDX-License-Identifier: Apache-2.0
#include "audio/remote/remote_stft.h"

#include <new>

#include "audio/remote/kernels.h"
#include "audio/stft_tables.h"
#include "launch/map.h"

namespace sluice::audio {
namespace {

fft::Layout layout_of(index n_fft, index frames) {
    return {.shape = {n_fft}, .batch = frames, .numbers = fft::Numbers::real};
}

}  // namespace

Result<RemoteStft> RemoteStft::make(Queue& queue, index n_fft, index hop, index frames) {
    SLUICE_CHECK(check_stft(n_fft, hop, frames, 1));
    try {
        SLUICE_TRY(StftTables tables, stft_tables(n_fft, hop, frames));
        SLUICE_TRY(auto plan, fft::RemotePlan<float>::make(queue, layout_of(n_fft, frames)));
        RemoteStft out(std::move(plan), n_fft, hop, frames);
        SLUICE_CHECK(out.window_.put(queue, std::move(tables.window)));
        SLUICE_CHECK(out.weight_.put(queue, std::move(tables.weight)));
        SLUICE_TRY(out.cut_, Place<float>::make(queue, frames * n_fft));
        SLUICE_CHECK(queue.wait());
        return out;
    } catch (std::bad_alloc const&) {
        return no_memory_for_stft(n_fft, hop, frames);
    }
}

index RemoteStft::bytes_of(index n_fft, index hop, index frames) {
    constexpr auto each = static_cast<index>(sizeof(float));
    return fft::RemotePlan<float>::bytes_of(layout_of(n_fft, frames)) +
           each * (n_fft + hop * (frames - 1) + frames * n_fft);
}

index RemoteStft::bytes() const {
    return plan_.bytes() + static_cast<index>(window_.bytes() + weight_.bytes() + cut_.bytes());
}

Status RemoteStft::forward(Queue& queue, float const* samples, std::complex<float>* spectra) {
    SLUICE_CHECK(launch::map(
        queue, frames_ * n_fft_,
        CutFrames{samples, window_.data(), this->samples(), n_fft_, hop_, cut_.data()}));
    return plan_.forward(queue, cut_.data(), spectra);
}

Status RemoteStft::inverse(Queue& queue, std::complex<float> const* spectra, float* samples) {
    SLUICE_CHECK(plan_.inverse(queue, spectra, cut_.data()));
    return launch::map(
        queue, this->samples(),
        AddFrames{cut_.data(), window_.data(), weight_.data(), frames_, n_fft_, hop_, samples});
}

}  // namespace sluice::audio
