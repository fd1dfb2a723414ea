// RingSums: the sums of every frame over the pixels of rings, added up from the inside outwards.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "kernel/dense/kernels.h"
#include "sluice/device.h"
#include "store/narrow.h"
#include "store/plan.h"
#include "store/resident.h"

namespace sluice {

/// What a ring is, is for the caller to say: each pixel belongs to one. Between two borders, which
/// are numbers of rings, lies an annulus; its sum is the difference of two sums.
class RingSums {
  public:
    /// Of a scan in memory as bit planes whose moments are known. `rings`: [row][col].
    static RingSums make(store::Resident const& frames, store::Plan const& plan,
                         std::vector<std::uint16_t> rings, Device const& device);

    /// The same without any sums, which are put() there. `largest`: no sum of a frame is larger.
    static RingSums empty(store::Plan const& plan, std::vector<std::uint16_t> rings,
                          std::uint64_t largest);
    /// How many numbers `half` of put() has.
    std::size_t halves() const { return static_cast<std::size_t>(count() / 2 + 1); }
    /// The sums inside of border 2 * half, and those of ring number 2 * half.
    void put(std::size_t half, store::Narrow below, store::Narrow own);

    std::uint64_t bytes() const;

    /// The borders between which a mask has every pixel that counts, and none elsewhere. Empty:
    /// there are none.
    std::optional<std::array<index, 2>> borders(std::span<dense::Run const> mask,
                                                Device const& device) const;
    /// The sums between two borders, from frame `first` on, for as many frames as `out` has.
    void sums(std::array<index, 2> borders, index first, Device const& device,
              std::span<double> out) const;

  private:
    index count() const { return std::ssize(pixels_below_) - 1; }
    void count_pixels(std::span<std::uint8_t const> bad);
    void wide_sums(std::array<index, 2> borders, index first, tables::CpuKernels const& kernels,
                   std::span<double> out) const;

    index cols_ = 0;
    std::uint64_t largest_ = 0;              // no sum is larger
    std::vector<std::uint16_t> rings_ = {};  // [row][col]
    std::vector<std::uint8_t> bad_ = {};     // [row][col]
    std::vector<index> pixels_below_ = {};   // [border] pixels that count inside of it
    // Rings of even numbers are narrow ones, as a rule: their own sums take fewer bytes.
    std::vector<store::Narrow> below_ = {};  // [border / 2]: of the rings inside of an even border
    std::vector<store::Narrow> own_ = {};    // [ring / 2]: of each ring of an even number
};

}  // namespace sluice
