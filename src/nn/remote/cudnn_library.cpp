// Opens cuDNN's library of the version of the headers.
// SPDX-License-Identifier: Apache-2.0
#include "nn/remote/cudnn_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace sluice::nn {
namespace {

struct Opened {
    CudnnLibrary library;
    std::string why_not;
};

template <class Function>
void find(void* library, char const* name, Function& to, Opened& opened) {
    to = reinterpret_cast<Function>(dlsym(library, name));
    if (!to) opened.why_not = fmt::format("cuDNN's library has no {}", name);
}

// cuDNN opens it when it is first needed, and ends the process where it is missing.
void open_cublas(Opened& opened) {
    std::string const file = fmt::format("libcublasLt.so.{}", opened.library.cuda_version() / 1000);
    if (dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return;
    char const* const why = dlerror();
    opened.why_not = fmt::format("cuDNN needs cuBLAS: {}", why ? why : file);
}

// Not closed on any path: cuDNN registers what runs when a program ends.
Opened open_library() {
    Opened o;
    std::string const file = fmt::format("libcudnn.so.{}", CUDNN_MAJOR);
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        char const* const why = dlerror();
        o.why_not = fmt::format("cuDNN's library cannot be opened: {}", why ? why : file);
        return o;
    }
    CudnnLibrary& l = o.library;
    find(library, "cudnnGetVersion", l.version, o);
    find(library, "cudnnGetCudartVersion", l.cuda_version, o);
    find(library, "cudnnGetErrorString", l.error_string, o);
    find(library, "cudnnCreate", l.create, o);
    find(library, "cudnnDestroy", l.destroy, o);
    find(library, "cudnnSetStream", l.set_stream, o);
    find(library, "cudnnBackendCreateDescriptor", l.create_descriptor, o);
    find(library, "cudnnBackendDestroyDescriptor", l.destroy_descriptor, o);
    find(library, "cudnnBackendSetAttribute", l.set_attribute, o);
    find(library, "cudnnBackendGetAttribute", l.get_attribute, o);
    find(library, "cudnnBackendFinalize", l.finalize, o);
    find(library, "cudnnBackendExecute", l.execute, o);
    if (o.why_not.empty()) open_cublas(o);
    return o;
}

}  // namespace

std::string CudnnLibrary::name() const {
    std::size_t const v = version();
    return fmt::format("cuDNN {}.{}", v / 10000, v / 100 % 100);
}

Status CudnnLibrary::check(cudnnStatus_t status, char const* what) const {
    if (status == CUDNN_STATUS_SUCCESS) return {};
    return Error{Code::unavailable, fmt::format("cuDNN {}: {}", what, error_string(status))};
}

Result<CudnnLibrary const*> cudnn_library() {
    static Opened const opened = open_library();
    if (!opened.why_not.empty()) return Error{Code::unavailable, opened.why_not};
    return &opened.library;
}

}  // namespace sluice::nn
