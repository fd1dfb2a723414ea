// The options that mean the same in every verb: --threads, --device, --json, --memory-limit and
// --trace. A verb says which of them apply; the others are refused, and the error says why.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/trace_option.h"
#include "app/cli/shell/verb.h"
#include "sluice/device.h"

namespace sluice::cli {

/// Whether an option applies to a verb.
struct Use {
    enum class Kind : std::uint8_t { applies, refused, own } kind;
    std::string text;  ///< what it is in this verb, or why it does not apply
};

/// The option applies; `what` is its help, if the usual sentence does not say it well.
Use applies(std::string what = {});
/// "`slide read` WHY", as in "runs on the processor only".
Use refused(std::string why);
/// The verb declares the option itself, as one that takes several values.
Use own();

struct CommonUse {
    Use threads = refused("works on one thread");
    Use device = refused("runs on the processor only");
    Use json = refused("prints no report");
    Use memory_limit = refused("takes little memory");
    Use trace = refused("notes no steps");
};

/// The values of these options.
struct CommonOptions {
    int threads = 0;  ///< 0: one per processor
    std::string device = "cpu";
    bool json = false;
    std::uint64_t memory_limit = 0;  ///< bytes; 0: not given
    TraceOption trace;

    void add(Verb const& verb, CommonUse const& use);
    /// The device that was named, with so many threads.
    Result<Device> chosen_device() const;
};

}  // namespace sluice::cli
