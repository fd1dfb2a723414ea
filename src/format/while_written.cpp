// Which files a thread opens while they are written.
// SPDX-License-Identifier: Apache-2.0
#include "format/while_written.h"

#include <utility>

namespace sluice {
namespace {

thread_local WhileWritten* of_this_thread = nullptr;

}  // namespace

WhileWritten::WhileWritten(HeldFiles* files)
    : before_(std::exchange(of_this_thread, this)), files_(files ? files : &own_) {}

WhileWritten::~WhileWritten() {
    of_this_thread = before_;
}

WhileWritten* WhileWritten::now() {
    return of_this_thread;
}

}  // namespace sluice
