// The strip beside an image that says which colour is which number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "figure/colormap.h"
#include "figure/nice.h"
#include "figure/text.h"

namespace sluice::figure {

/// A colour bar, measured before there is a drawing to put it on.
class ColourBar {
  public:
    /// `rows` is its height and `cap` the height of its digits, in pixels.
    ColourBar(Tone const& tone, index rows, double cap);
    /// Of the strip and its labels, in pixels.
    index cols() const;
    /// The factor of the labels and the unit, as one text.
    std::string heading(std::string const& unit) const;
    void draw(Drawing& drawing, index top, index left, Colormap const& colours) const;

  private:
    Tone tone_;
    index rows_, strip_, gap_, labels_ = 0;
    Pen pen_;
    Ticks ticks_;
};

}  // namespace sluice::figure
