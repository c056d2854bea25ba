#include "rootleaf/text/tokens.hpp"

#include <array>
#include <cstddef>

namespace rootleaf::text {

namespace {

constexpr unsigned kUnitsPerToken = 16;

/// What a byte is to the automaton. The groups of leading bytes stand for scripts.
enum Input : std::uint8_t {
    kLower,
    kUpper,
    kDigit,
    kSpace,
    kTab,
    kLineEnd,
    kMark,         // ASCII punctuation and control characters
    kLeadLatin,    // C3-C7: accented Latin letters
    kLeadCommon,   // CE-D3, D8-DB: Greek, Cyrillic, Arabic
    kLeadHebrew,   // D7
    kLeadPair,     // other leading bytes of two: symbols, marks, rarer scripts
    kLeadE0,       // Thai, Lao and the scripts of India
    kLeadE1,       // Ethiopic, Georgian, Khmer, Vietnamese letters, ...
    kLeadE2,       // punctuation, arrows, boxes, symbols
    kLeadE3,       // kana, Chinese punctuation
    kLeadHan,      // E4-E9
    kLeadHangul,   // EA-ED
    kLeadForms,    // EE, EF: full-width forms, variation selectors
    kLeadFour,     // F0-F4
    kFirstFollow,  // 80-BF: 16 groups of four continuation bytes
    kInputCount = kFirstFollow + 16,
};

/// What stands before a byte.
enum State : std::uint8_t {
    kEdge,
    kOneSpace,
    kSpaces,
    kTabs,
    kLineEnds,
    kLatin,  // after an accented letter
    kDigit1,
    kDigits,
    kUpper1,
    kUpper2,
    kUppers,
    kSwitched,  // a capital right after a small letter or a digit
    kSwitched2,
    kSwitched3,
    kGlued1,  // a letter right after a digit or an accented letter
    kGlued2,
    kGlued3,
    kGlued4,
    kLower1,
    kLower16 = kLower1 + 15,
    kAwaitLatin,
    kAwait1,
    kAwait2,
    kAwait3,
    kAwaitE0,
    kAwaitE1,
    kAwaitE2,
    kAwaitE3,
    kAwaitForms,
    kStateCount,
};

struct Step {
    std::uint8_t next;
    std::uint8_t units;
};

/// Units that the n-th small letter of a word adds, counted from 0; the last holds for all others.
constexpr std::array<std::uint8_t, 16> kLetterUnits{16, 0, 0, 0, 1, 2, 3, 5,
                                                    6,  7, 8, 8, 8, 8, 9, 9};

constexpr std::array<std::uint8_t, 256> make_inputs() {
    std::array<std::uint8_t, 256> inputs{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        unsigned input = kMark;
        if (byte >= 'a' && byte <= 'z') {
            input = kLower;
        } else if (byte >= 'A' && byte <= 'Z') {
            input = kUpper;
        } else if (byte >= '0' && byte <= '9') {
            input = kDigit;
        } else if (byte == ' ') {
            input = kSpace;
        } else if (byte == '\t' || byte == '\v' || byte == '\f') {
            input = kTab;
        } else if (byte == '\n' || byte == '\r') {
            input = kLineEnd;
        } else if (byte >= 0x80 && byte < 0xC0) {
            input = kFirstFollow + (byte - 0x80) / 4;
        } else if (byte >= 0xC3 && byte <= 0xC7) {
            input = kLeadLatin;
        } else if ((byte >= 0xCE && byte <= 0xD3) || (byte >= 0xD8 && byte <= 0xDB)) {
            input = kLeadCommon;
        } else if (byte == 0xD7) {
            input = kLeadHebrew;
        } else if (byte >= 0xC2 && byte <= 0xDF) {
            input = kLeadPair;
        } else if (byte >= 0xE0 && byte <= 0xE3) {
            input = kLeadE0 + (byte - 0xE0);
        } else if (byte >= 0xE4 && byte <= 0xE9) {
            input = kLeadHan;
        } else if (byte >= 0xEA && byte <= 0xED) {
            input = kLeadHangul;
        } else if (byte >= 0xEE && byte <= 0xEF) {
            input = kLeadForms;
        } else if (byte >= 0xF0 && byte <= 0xF4) {
            input = kLeadFour;
        }
        inputs[byte] = static_cast<std::uint8_t>(input);
    }
    return inputs;
}

constexpr Step step_to(unsigned next, unsigned units) {
    return {static_cast<std::uint8_t>(next), static_cast<std::uint8_t>(units)};
}

constexpr Step lower_step(unsigned state) {
    if (state >= kLower1 && state <= kLower16) {
        const unsigned position = state - kLower1 + 1;
        return position < kLetterUnits.size() ? step_to(state + 1, kLetterUnits[position])
                                              : step_to(state, kLetterUnits.back());
    }
    switch (state) {
        case kDigit1:
        case kDigits:
        case kLatin:
            return step_to(kGlued1, 16);
        case kGlued1:
        case kGlued2:
        case kGlued3:
            return step_to(state + 1, 8);
        case kGlued4:
            return step_to(kLower1 + 4, 8);
        case kUpper1:
            return step_to(kLower1 + 1, kLetterUnits[1]);
        case kUpper2:
        case kUppers:
        case kSwitched:
            return step_to(kSwitched2, 12);
        case kSwitched2:
            return step_to(kSwitched3, 5);
        case kSwitched3:
            return step_to(kLower1 + 3, 1);
        default:
            return step_to(kLower1, kLetterUnits[0]);
    }
}

constexpr bool is_letter_state(unsigned state) {
    return (state >= kSwitched && state <= kLower16) || state == kLatin;
}

constexpr Step upper_step(unsigned state) {
    switch (state) {
        case kUpper1:
        case kSwitched:
            return step_to(kUpper2, 8);
        case kUpper2:
        case kUppers:
            return step_to(kUppers, 10);
        case kDigit1:
        case kDigits:
            return step_to(kSwitched, 16);
        default:
            return step_to(is_letter_state(state) ? kSwitched : kUpper1, 16);
    }
}

constexpr Step digit_step(unsigned state) {
    switch (state) {
        case kDigit1:
        case kDigits:
            return step_to(kDigits, 8);
        case kOneSpace:
            return step_to(kDigit1, 16 + 12);
        default:
            return step_to(kDigit1, 16);
    }
}

constexpr Step blank_step(unsigned state, unsigned input) {
    const bool in_blanks = state == kOneSpace || state == kSpaces || state == kTabs;
    if (input == kSpace) {
        if (state == kOneSpace || state == kTabs) {
            return step_to(kSpaces, 16);
        }
        return state == kSpaces ? step_to(kSpaces, 1) : step_to(kOneSpace, 0);
    }
    if (input == kTab) {
        return step_to(kTabs, state == kTabs ? 8 : 16);
    }
    if (state == kLineEnds) {
        return step_to(kLineEnds, 4);
    }
    return step_to(kLineEnds, state == kEdge || in_blanks ? 4 : 12);
}

/// The second byte of a character tells its script apart where the first does not.
constexpr Step follow_step(unsigned state, unsigned group) {
    const unsigned second = 0x80 + 4 * group;  // the first of the four bytes of the group
    switch (state) {
        case kAwaitLatin:
            return step_to(kLatin, 0);
        case kAwait1:
            return step_to(kEdge, 0);
        case kAwait2:
        case kAwait3:
            return step_to(state - 1, 0);
        case kAwaitE0:  // Thai, Devanagari and Bengali, the others; one token is paid
            return step_to(kAwait1, second == 0xB8 ? 3 : second == 0xA4 ? 9 : 18);
        case kAwaitE1:
            return step_to(kAwait1, second == 0xB8 ? 8 : 36);
        case kAwaitE2:  // dashes and quotes; boxes; symbols
            return step_to(kAwait1, second == 0x80 ? 2 : second == 0x94 ? 4 : 26);
        case kAwaitE3:
            return step_to(kAwait1, second == 0x80 ? 5 : 32);
        case kAwaitForms:
            return step_to(kAwait1, second == 0xBC ? 10 : 16);
        default:
            return step_to(kEdge, 16);
    }
}

constexpr Step transition(unsigned state, unsigned input) {
    if (input >= kFirstFollow) {
        return follow_step(state, input - kFirstFollow);
    }
    switch (input) {
        case kLower:
            return lower_step(state);
        case kUpper:
            return upper_step(state);
        case kDigit:
            return digit_step(state);
        case kSpace:
        case kTab:
        case kLineEnd:
            return blank_step(state, input);
        case kLeadLatin:
            return step_to(kAwaitLatin, 30);
        case kLeadCommon:
            return step_to(kAwait1, 17);
        case kLeadHebrew:
            return step_to(kAwait1, 19);
        case kLeadPair:
            return step_to(kAwait1, 28);
        case kLeadE0:
        case kLeadE1:
        case kLeadE2:
        case kLeadE3:
            return step_to(kAwaitE0 + (input - kLeadE0), 16);
        case kLeadHan:
            return step_to(kAwait2, 30);
        case kLeadHangul:
            return step_to(kAwait2, 34);
        case kLeadForms:
            return step_to(kAwaitForms, 16);
        case kLeadFour:
            return step_to(kAwait3, 52);
        default:
            return step_to(kEdge, 17);
    }
}

/// A row has room for a power of two, so that finding it takes a shift.
using Steps = std::array<std::array<Step, 64>, kStateCount>;

constexpr Steps make_steps() {
    Steps steps{};
    for (unsigned state = 0; state < kStateCount; ++state) {
        for (unsigned input = 0; input < kInputCount; ++input) {
            steps[state][input] = transition(state, input);
        }
    }
    return steps;
}

constexpr std::array<std::uint8_t, 256> kInputs = make_inputs();
constexpr Steps kSteps = make_steps();

}  // namespace

std::uint64_t count_tokens(std::string_view text) noexcept {
    std::uint64_t units = 0;
    std::size_t state = kEdge;
    for (const char byte : text) {
        const Step step = kSteps[state][kInputs[static_cast<unsigned char>(byte)]];
        units += step.units;
        state = step.next;
    }
    return (units + kUnitsPerToken - 1) / kUnitsPerToken;
}

}  // namespace rootleaf::text
