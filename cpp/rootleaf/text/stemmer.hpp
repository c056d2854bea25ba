#pragma once

#include <memory>
#include <string_view>

namespace rootleaf::text {

/// Snowball's English stemmer. One object serves one thread at a time.
/// Source: M. Porter, "The English (Porter2) stemming algorithm", snowballstem.org.
class Stemmer {
public:
    Stemmer();

    /// The stem of a lower-case ASCII word; the view holds until the next call.
    [[nodiscard]] std::string_view stem(std::string_view word);

private:
    struct Release {
        void operator()(void* stemmer) const noexcept;
    };
    std::unique_ptr<void, Release> stemmer_;
};

}  // namespace rootleaf::text
