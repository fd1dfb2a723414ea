// The steps of a conversion, one band of the planes side by side each: written, or compared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/ngff/cascade.h"
#include "domain/slide/ngff/cover.h"
#include "domain/slide/ngff/source.h"

namespace sluice::slide::ome {

/// Takes all images through their levels, step by step, so that it can go on later.
class Steps {
  public:
    explicit Steps(Work& work) : work_(work), rows_(work) {}

    /// Writes all images but for the steps that were kept, or reads all of them again and compares.
    Status run(Purpose purpose);

  private:
    using Planes = std::span<PlanePlan const>;

    Status image(std::size_t number, Purpose purpose, index& step);
    Status pass(Output& output, Pass const& pass, index& step);
    Status run(std::vector<Cascade>& lanes, Output& output, Pass const& pass, Planes planes,
               BandRun const& run, index& step);
    Status step(std::vector<Cascade>& lanes, Output& output, Pass const& pass, Planes planes);
    Status band(std::vector<Cascade>& lanes, Output& output, Pass const& pass, Planes planes);

    Work& work_;
    SlideRows rows_;
};

}  // namespace sluice::slide::ome
