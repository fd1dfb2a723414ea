// The steps of a conversion, one band of the planes side by side each: written, or compared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/ngff/cascade.h"
#include "domain/slide/ngff/source.h"

namespace sluice::slide::ome {

/// Takes all images through their levels, step by step, so that it can go on later.
class Steps {
  public:
    explicit Steps(Work& work) : work_(work), rows_(work) {}

    /// Writes all images but for the steps that were kept, or reads all of them again and compares.
    Status run(Purpose purpose);

  private:
    Status image(std::size_t number, Purpose purpose, index& step);
    Status pass(Output& output, Pass const& pass, std::size_t number, index& step);
    Status begin_strip(std::vector<Cascade>& lanes, Output const& output, index first, index strip,
                       index bands) const;
    Status step(std::vector<Cascade>& lanes, Output& output, Pass const& pass, index first);
    Status band(std::vector<Cascade>& lanes, Output& output, Pass const& pass, index first);
    std::uint64_t bytes_of(LevelPlan const& source, Pass const& pass, index strip, index band,
                           std::size_t lanes) const;

    Work& work_;
    SlideRows rows_;
};

}  // namespace sluice::slide::ome
