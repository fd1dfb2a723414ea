// What the templates of an image and of a scan share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/probe/edge_fit.h"
#include "domain/crystal/probe/profile_fit.h"

namespace sluice::crystal {

/// An error where the frame cuts the disk.
Status check_uncut(DiskImages const& images, EdgeFit const& fit);
/// Whether the options make sense.
Status check(stem4d::TemplateOptions const& options);
/// The template of a fitted edge, or the profile about the images' centres, with its notes. Its
/// disk is left to the caller. `from` is what it was fitted to.
Result<stem4d::FittedTemplate> finish_template(DiskImages const& images, EdgeFit const& fit,
                                               stem4d::TemplateOptions const& options,
                                               std::string const& from);

}  // namespace sluice::crystal
