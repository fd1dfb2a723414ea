// Writes the steps of a command as Chrome trace events.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shell/trace_option.h"

#include "app/cli/shell/outputs.h"
#include "base/file.h"

namespace sluice::cli {

void TraceOption::add(Verb const& app, std::string const& name, std::string const& what) {
    app.add_option(name, path_, what);
}

Result<Trace*> TraceOption::on(int workers) {
    if (path_.empty()) return nullptr;
    SLUICE_TRY([[maybe_unused]] NewFile const can_be_made, NewFile::create(path_));
    trace_ = std::make_shared<Trace>(workers);
    return trace_.get();
}

Status TraceOption::save(std::string const& item, std::vector<std::string>& files) const {
    if (!trace_) return {};
    SLUICE_CHECK(save_text(path_, trace_events(*trace_, command_line(), item)));
    files.push_back(path_);
    return {};
}

}  // namespace sluice::cli
