#include "rootleaf/base/error.hpp"

namespace rootleaf {

std::string_view error_code_name(ErrorCode code) noexcept {
    switch (code) {
        case ErrorCode::invalid_input:
            return "input.invalid";
        case ErrorCode::too_large:
            return "input.too_large";
        case ErrorCode::file_unreadable:
            return "file.unreadable";
        case ErrorCode::file_unwritable:
            return "file.unwritable";
        case ErrorCode::snapshot_invalid:
            return "snapshot.invalid";
        case ErrorCode::table_invalid:
            return "embedder.table_invalid";
        case ErrorCode::internal:
            break;
    }
    return "internal";
}

}  // namespace rootleaf
