// try_cbor FILE...: prints the one item of CBOR in each file, in diagnostic notation, a line each.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include "net/cbor/diagnostic.h"

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        std::ifstream in(argv[i], std::ios::binary);
        std::vector<char> const bytes((std::istreambuf_iterator<char>(in)), {});
        auto const text = sluice::cbor::diagnostic(std::as_bytes(std::span(bytes)));
        fmt::print("{}\n", text ? *text : "error: " + text.error().message);
    }
    return 0;
}
