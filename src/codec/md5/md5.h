// MD5: finds damage by chance, and proves nothing about who wrote the bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/view.h"

namespace sluice::codec {

/// 32 hexadecimal digits, lower case, as in RFC 1321.
std::string md5(Bytes bytes);

}  // namespace sluice::codec
