// What sluice does all day, as rounds: values out of compressed frames, and Fourier transforms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/rate.h"

namespace sluice::doctor {

/// Bytes of values a second out of frames as an ARINA writes them (192 x 192 counts of 16 bits in
/// blocks of bitshuffle and LZ4, a mean of 0.1 to 4), by the kernels that load scans.
Result<OneAndAll> measure_decoding(int threads, int frames, int rounds, double most_s);

/// FLOP a second of 256 x 256 complex numbers, forward and back; 5 n log2 n of each n numbers, as
/// FFTW counts them.
Result<OneAndAll> measure_fft(int threads, int pairs, int rounds, double most_s);

}  // namespace sluice::doctor
