#pragma once

#include <string>
#include <string_view>

namespace rootleaf::text {

/// Folds case, width and compatibility forms, and drops accents: "Ｃａｆé" and "CAFE" become
/// "cafe", "ﬁ" becomes "fi", "Straße" becomes "strasse".
///
/// Accents are the marks of combining class 10 to 36 (Hebrew and Arabic points) and 200 upward.
/// Marks of the other classes (vowel signs, voicing marks, viramas) make another letter, and stay.
/// Folding twice equals folding once. Bytes that are no UTF-8 are left out.
/// Source: Unicode 15, section 3.13, toNFKC_Casefold.
[[nodiscard]] std::string fold(std::string_view text);

/// Folds case and nothing else: "Straße" and "STRASSE" become "strasse", accents stay. Bytes that
/// are no UTF-8 become U+FFFD.
/// Source: Unicode 15, CaseFolding.txt, statuses C and F.
[[nodiscard]] std::string fold_case(std::string_view text);

}  // namespace rootleaf::text
