// The search for the plug-in.
// SPDX-License-Identifier: Apache-2.0
#include "ranks/mpi/load.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sluice {

namespace {

constexpr char const* file = "libsluice_mpi.so";

std::vector<std::string> places() {
    std::vector<std::string> found;
    std::error_code failed;
    auto const program = std::filesystem::read_symlink("/proc/self/exe", failed);
    if (!failed) {
        auto const folder = program.parent_path();
        for (char const* from_there : {".", SLUICE_LIBRARIES_FROM_PROGRAM})
            if (auto const place = folder / from_there / file;
                std::filesystem::exists(place, failed))
                found.push_back(place.lexically_normal());
    }
    found.emplace_back(file);
    return found;
}

}  // namespace

Result<MpiCalls const*> load_mpi() {
    std::string const place = places().front();
    // Global, because MPI loads parts of its own that look for its functions.
    void* const library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        char const* const why = ::dlerror();
        return Error{Code::unavailable,
                     fmt::format("the ranks of mpirun cannot be joined ({}) install the package "
                                 "sluice-mpi, build where libopenmpi-dev is, or run without mpirun",
                                 why ? why : place)};
    }
    auto* const give = reinterpret_cast<GiveMpiCalls*>(::dlsym(library, give_mpi_calls));
    MpiCalls const* const calls = give ? give(mpi_calls_version) : nullptr;
    if (!calls)
        return Error{Code::unavailable,
                     fmt::format("the ranks of mpirun cannot be joined ({} is of another version "
                                 "of sluice) install the same version of both",
                                 place)};
    return calls;
}

}  // namespace sluice
