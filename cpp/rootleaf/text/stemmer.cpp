#include "rootleaf/text/stemmer.hpp"

#include <libstemmer.h>

#include <new>

namespace rootleaf::text {

void Stemmer::Release::operator()(void* stemmer) const noexcept {
    sb_stemmer_delete(static_cast<sb_stemmer*>(stemmer));
}

Stemmer::Stemmer() : stemmer_(sb_stemmer_new("english", "UTF_8")) {
    if (!stemmer_) {
        throw std::bad_alloc();
    }
}

std::string_view Stemmer::stem(std::string_view word) {
    auto* const handle = static_cast<sb_stemmer*>(stemmer_.get());
    const sb_symbol* const stemmed = sb_stemmer_stem(
        handle, reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
    if (stemmed == nullptr) {
        throw std::bad_alloc();
    }
    return {reinterpret_cast<const char*>(stemmed),
            static_cast<std::size_t>(sb_stemmer_length(handle))};
}

}  // namespace rootleaf::text
