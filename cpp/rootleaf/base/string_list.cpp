#include "rootleaf/base/string_list.hpp"

#include "rootleaf/base/error.hpp"

namespace rootleaf {

void StringParts::append(std::string_view text) {
    if (text.size() > 0xFFFFFFFFU - bytes.size()) {
        throw Error(ErrorCode::too_large, "the strings of one segment would pass 2^32 - 1 bytes");
    }
    bytes.append(text);
    ends.push_back(static_cast<std::uint32_t>(bytes.size()));
}

}  // namespace rootleaf
