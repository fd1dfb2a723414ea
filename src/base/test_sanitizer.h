// What a sanitizer does not allow a test.
// SPDX-License-Identifier: Apache-2.0
#pragma once

// There only in a program with the address sanitizer.
extern "C" [[gnu::weak]] void __asan_init();

namespace sluice {

/// The address sanitizer ends a program that asks for more memory than there are addresses.
inline bool may_ask_for_too_much() {
    return !__asan_init;
}

}  // namespace sluice
