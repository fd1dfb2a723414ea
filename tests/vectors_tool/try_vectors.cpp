// try_vectors IN OUT [NODE]: reads Bragg vectors from a file and saves them as another.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "sluice/bragg_vectors.h"

namespace {

sluice::Status copy(std::string const& from, std::string const& to, std::string const& node) {
    SLUICE_TRY(auto const vectors, sluice::stem4d::load_vectors(from, node));
    return sluice::stem4d::save_vectors(to, vectors);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3 && argc != 4) {
        std::fputs("usage: try_vectors IN OUT [NODE]\n", stderr);
        return 2;
    }
    auto const done = copy(argv[1], argv[2], argc == 4 ? argv[3] : "");
    if (done) return 0;
    std::fprintf(stderr, "%s\n", done.error().text().c_str());
    return 1;
}
