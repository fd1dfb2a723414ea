// Opening a TIFF for writing.
// SPDX-License-Identifier: Apache-2.0
#include "save/tiff_common.h"

#include <cstdarg>
#include <cstdio>

namespace sluice::save {
namespace {

struct FreeOptions {
    void operator()(TIFFOpenOptions* o) const { TIFFOpenOptionsFree(o); }
};

int keep_message(TIFF*, void* text, char const*, char const* format, va_list arguments) {
    char line[256];
    std::vsnprintf(line, sizeof line, format, arguments);
    auto& message = *static_cast<std::string*>(text);
    if (message.empty()) message = line;
    return 1;  // handled: libtiff prints nothing
}

}  // namespace

Tiff open_tiff(std::string const& path, bool big, std::string& message) {
    std::unique_ptr<TIFFOpenOptions, FreeOptions> options(TIFFOpenOptionsAlloc());
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep_message, &message);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), keep_message, &message);
    return Tiff(TIFFOpenExt(path.c_str(), big ? "w8" : "w", options.get()));
}

}  // namespace sluice::save
