#include "rootleaf/text/tokens.hpp"

#include <array>
#include <cstddef>

namespace rootleaf::text {

namespace {

constexpr unsigned kUnitsPerToken = 16;

// What a byte is to the automaton: a column of its table. The groups of leading bytes stand for
// scripts.
constexpr unsigned kLower = 0;
constexpr unsigned kUpper = kLower + 1;
constexpr unsigned kDigit = kUpper + 1;
constexpr unsigned kSpace = kDigit + 1;
constexpr unsigned kTab = kSpace + 1;
constexpr unsigned kLineEnd = kTab + 1;
constexpr unsigned kMark = kLineEnd + 1;           // ASCII punctuation and control characters
constexpr unsigned kLeadLatin = kMark + 1;         // C3-C7: accented Latin letters
constexpr unsigned kLeadCommon = kLeadLatin + 1;   // CE-D3, D8-DB: Greek, Cyrillic, Arabic
constexpr unsigned kLeadHebrew = kLeadCommon + 1;  // D7
constexpr unsigned kLeadPair =
    kLeadHebrew + 1;  // other leading bytes of two: symbols, marks, rarer scripts
constexpr unsigned kLeadE0 = kLeadPair + 1;  // Thai, Lao and the scripts of India
constexpr unsigned kLeadE1 = kLeadE0 + 1;    // Ethiopic, Georgian, Khmer, Vietnamese letters, ...
constexpr unsigned kLeadE2 = kLeadE1 + 1;    // punctuation, arrows, boxes, symbols
constexpr unsigned kLeadE3 = kLeadE2 + 1;    // kana, Chinese punctuation
constexpr unsigned kLeadHan = kLeadE3 + 1;   // E4-E9
constexpr unsigned kLeadHangul = kLeadHan + 1;    // EA-ED
constexpr unsigned kLeadForms = kLeadHangul + 1;  // EE, EF: full-width forms, variation selectors
constexpr unsigned kLeadFour = kLeadForms + 1;    // F0-F4
constexpr unsigned kFirstFollow = kLeadFour + 1;  // 80-BF: 16 groups of four continuation bytes
constexpr unsigned kInputCount = kFirstFollow + 16;

// What stands before a byte: a row of the table.
constexpr unsigned kEdge = 0;
constexpr unsigned kOneSpace = kEdge + 1;
constexpr unsigned kSpaces = kOneSpace + 1;
constexpr unsigned kTabs = kSpaces + 1;
constexpr unsigned kLineEnds = kTabs + 1;
constexpr unsigned kLatin = kLineEnds + 1;  // after an accented letter
constexpr unsigned kDigit1 = kLatin + 1;
constexpr unsigned kDigits = kDigit1 + 1;
constexpr unsigned kUpper1 = kDigits + 1;
constexpr unsigned kUpper2 = kUpper1 + 1;
constexpr unsigned kUppers = kUpper2 + 1;
constexpr unsigned kSwitched = kUppers + 1;  // a capital right after a small letter or a digit
constexpr unsigned kSwitched2 = kSwitched + 1;
constexpr unsigned kSwitched3 = kSwitched2 + 1;
constexpr unsigned kGlued1 = kSwitched3 + 1;  // a letter right after a digit or an accented letter
constexpr unsigned kGlued2 = kGlued1 + 1;
constexpr unsigned kGlued3 = kGlued2 + 1;
constexpr unsigned kGlued4 = kGlued3 + 1;
constexpr unsigned kLower1 = kGlued4 + 1;
constexpr unsigned kLower16 = kLower1 + 15;
constexpr unsigned kAwaitLatin = kLower16 + 1;
constexpr unsigned kAwait1 = kAwaitLatin + 1;
constexpr unsigned kAwait2 = kAwait1 + 1;
constexpr unsigned kAwait3 = kAwait2 + 1;
constexpr unsigned kAwaitE0 = kAwait3 + 1;
constexpr unsigned kAwaitE1 = kAwaitE0 + 1;
constexpr unsigned kAwaitE2 = kAwaitE1 + 1;
constexpr unsigned kAwaitE3 = kAwaitE2 + 1;
constexpr unsigned kAwaitForms = kAwaitE3 + 1;
constexpr unsigned kStateCount = kAwaitForms + 1;

struct Step {
    std::uint8_t next;
    std::uint8_t units;
};

/// Units that the n-th small letter of a word adds, counted from 0; the last holds for all others.
constexpr std::array<std::uint8_t, 16> kLetterUnits{16, 0, 0, 0, 1, 2, 3, 5,
                                                    6,  7, 8, 8, 8, 8, 9, 9};

constexpr std::array<std::uint8_t, 256> make_inputs() {
    std::array<std::uint8_t, 256> inputs{};
    const auto set = [&inputs](unsigned first, unsigned last, unsigned input) {
        for (unsigned byte = first; byte <= last; ++byte) {
            inputs[byte] = static_cast<std::uint8_t>(input);
        }
    };
    set(0x00, 0xFF, kMark);
    set('a', 'z', kLower);
    set('A', 'Z', kUpper);
    set('0', '9', kDigit);
    set(' ', ' ', kSpace);
    set('\t', '\t', kTab);
    set('\v', '\f', kTab);
    set('\n', '\n', kLineEnd);
    set('\r', '\r', kLineEnd);
    for (unsigned group = 0; group < 16; ++group) {
        set(0x80 + 4 * group, 0x83 + 4 * group, kFirstFollow + group);
    }
    set(0xC2, 0xDF, kLeadPair);
    set(0xC3, 0xC7, kLeadLatin);
    set(0xCE, 0xD3, kLeadCommon);
    set(0xD7, 0xD7, kLeadHebrew);
    set(0xD8, 0xDB, kLeadCommon);
    for (unsigned lead = 0; lead < 4; ++lead) {
        set(0xE0 + lead, 0xE0 + lead, kLeadE0 + lead);
    }
    set(0xE4, 0xE9, kLeadHan);
    set(0xEA, 0xED, kLeadHangul);
    set(0xEE, 0xEF, kLeadForms);
    set(0xF0, 0xF4, kLeadFour);
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
            if (second == 0xB8) {
                return step_to(kAwait1, 3);
            }
            return step_to(kAwait1, second == 0xA4 ? 9 : 18);
        case kAwaitE1:
            return step_to(kAwait1, second == 0xB8 ? 8 : 36);
        case kAwaitE2:  // dashes and quotes; boxes; symbols
            if (second == 0x80) {
                return step_to(kAwait1, 2);
            }
            return step_to(kAwait1, second == 0x94 ? 4 : 26);
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
