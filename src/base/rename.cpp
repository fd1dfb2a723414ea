// Names by renameat2(), and by rename() where a file system does not know its flags.
// SPDX-License-Identifier: Apache-2.0
#include "base/rename.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

namespace sluice {
namespace {

namespace fs = std::filesystem;

int rename_by(unsigned flags, std::string const& from, std::string const& to) {
    return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0 ? 0 : errno;
}

// ENOSYS and EINVAL: the system, or the file system, has no such flag.
bool has_no_flags(int number) {
    return number == EINVAL || number == ENOSYS;
}

}  // namespace

std::error_code rename_if_free(std::string const& from, std::string const& to) {
    int failed = rename_by(RENAME_NOREPLACE, from, to);
    if (has_no_flags(failed)) failed = std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
    return {failed, std::generic_category()};
}

std::error_code exchange_names(std::string const& from, std::string const& to,
                               std::string const& aside) {
    std::error_code error;
    fs::remove_all(aside, error);
    if (error) return error;
    int const failed = rename_by(RENAME_EXCHANGE, from, to);
    if (failed == 0) {
        fs::rename(from, aside, error);
    } else if (has_no_flags(failed)) {
        // For a moment nothing has the name: there is no better way here.
        fs::rename(to, aside, error);
        if (error) return error;
        fs::rename(from, to, error);
        std::error_code ignored;
        if (error) fs::rename(aside, to, ignored);
    } else {
        error = {failed, std::generic_category()};
    }
    return error;
}

}  // namespace sluice
