use crate::text::Form;

/// What a digit is printed as: `LENGTH` characters.
pub(crate) type Symbol<const LENGTH: usize> = [u8; LENGTH];

// The digits of each form, from 0 on.
pub(crate) const DECIMAL: [Symbol<1>; 10] = symbols(b"0123456789");
pub(crate) const HEX: [Symbol<1>; 16] = symbols(b"0123456789abcdef");
pub(crate) const BINARY: [Symbol<1>; 2] = symbols(b"01");
pub(crate) const BASE32: [Symbol<1>; 32] = symbols(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ");
pub(crate) const Z_BASE32: [Symbol<1>; 32] = symbols(b"ybndrfg8ejkmcpqxot1uwisza345h769");
pub(crate) const BASE36: [Symbol<1>; 36] = symbols(b"0123456789abcdefghijklmnopqrstuvwxyz");
pub(crate) const BASE58: [Symbol<1>; 58] =
    symbols(b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
pub(crate) const BASE58_FLICKR: [Symbol<1>; 58] =
    symbols(b"123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ");
pub(crate) const BASE62: [Symbol<1>; 62] =
    symbols(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
pub(crate) const BASE64_URL: [Symbol<1>; 64] =
    symbols(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

/// The decimal digits two at a time: half as many divisions.
pub(crate) const DECIMAL_PAIRS: [Symbol<2>; 100] = pairs(&DECIMAL);

const fn symbols<const BASE: usize>(characters: &[u8; BASE]) -> [Symbol<1>; BASE] {
    let mut symbols = [[0]; BASE];
    let mut digit = 0;
    while digit < BASE {
        symbols[digit] = [characters[digit]];
        digit += 1;
    }
    symbols
}

const fn pairs(digits: &[Symbol<1>; 10]) -> [Symbol<2>; 100] {
    let mut pairs = [[0; 2]; 100];
    let mut pair = 0;
    while pair < pairs.len() {
        pairs[pair] = [digits[pair / 10][0], digits[pair % 10][0]];
        pair += 1;
    }
    pairs
}

/// How many digits `u64::MAX` has.
pub(crate) const fn width(base: u64) -> usize {
    let mut width = 1;
    let mut rest = u64::MAX / base;
    while rest > 0 {
        rest /= base;
        width += 1;
    }
    width
}

/// How many digits always fit a `u32`, and how many numbers have no more than these.
pub(crate) const fn chunk(base: u64) -> (usize, u64) {
    let (mut digits, mut numbers) = (0, 1);
    while numbers * base <= 1 << u32::BITS {
        numbers *= base;
        digits += 1;
    }
    (digits, numbers)
}

/// How the digits of a form are read.
pub(crate) struct Digits {
    base: u64,
    /// The digits of `u64::MAX`: one fewer never exceed 64 bits.
    width: usize,
    /// What each ASCII character is worth, or [`NO_DIGIT`].
    values: [u8; 128],
}

const NO_DIGIT: u8 = u8::MAX;

static DECIMAL_DIGITS: Digits = Digits::new(&DECIMAL);
static HEX_DIGITS: Digits = Digits::new(&HEX).any_case();
static BINARY_DIGITS: Digits = Digits::new(&BINARY);
static BASE32_DIGITS: Digits = Digits::new(&BASE32).any_case().also(b"Oo", 0).also(b"IiLl", 1);
static Z_BASE32_DIGITS: Digits = Digits::new(&Z_BASE32);
static BASE36_DIGITS: Digits = Digits::new(&BASE36).any_case();
static BASE58_DIGITS: Digits = Digits::new(&BASE58);
static BASE58_FLICKR_DIGITS: Digits = Digits::new(&BASE58_FLICKR);
static BASE62_DIGITS: Digits = Digits::new(&BASE62);
static BASE64_URL_DIGITS: Digits = Digits::new(&BASE64_URL);

impl Digits {
    pub(crate) fn of(form: Form) -> &'static Self {
        match form {
            Form::Decimal | Form::SignedDecimal => &DECIMAL_DIGITS,
            Form::Hex => &HEX_DIGITS,
            Form::Binary => &BINARY_DIGITS,
            Form::Base32 => &BASE32_DIGITS,
            Form::ZBase32 => &Z_BASE32_DIGITS,
            Form::Base36 => &BASE36_DIGITS,
            Form::Base58 => &BASE58_DIGITS,
            Form::Base58Flickr => &BASE58_FLICKR_DIGITS,
            Form::Base62 => &BASE62_DIGITS,
            Form::Base64Url => &BASE64_URL_DIGITS,
        }
    }

    const fn new<const BASE: usize>(symbols: &[Symbol<1>; BASE]) -> Self {
        let base = BASE as u64;
        let mut digits = Self { base, width: width(base), values: [NO_DIGIT; 128] };
        let mut value = 0;
        while value < BASE {
            #[expect(clippy::cast_possible_truncation, reason = "a base is at most 64")]
            let digit = value as u8;
            digits.values[symbols[value][0] as usize] = digit;
            value += 1;
        }
        digits
    }

    /// Reads every letter in the other case as well.
    const fn any_case(mut self) -> Self {
        let mut letter = b'a';
        while letter <= b'z' {
            let (lower, upper) = (letter as usize, letter.to_ascii_uppercase() as usize);
            if self.values[lower] == NO_DIGIT {
                self.values[lower] = self.values[upper];
            } else {
                self.values[upper] = self.values[lower];
            }
            letter += 1;
        }
        self
    }

    /// Reads these characters as well.
    const fn also(mut self, characters: &[u8], value: u8) -> Self {
        let mut i = 0;
        while i < characters.len() {
            self.values[characters[i] as usize] = value;
            i += 1;
        }
        self
    }

    /// How many digits are read at most.
    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// The digit of a character.
    pub(crate) fn digit(&self, character: u8) -> Option<u64> {
        let digit = *self.values.get(usize::from(character))?;
        if digit == NO_DIGIT { None } else { Some(u64::from(digit)) }
    }

    /// `None` for a number of more than 64 bits.
    pub(crate) const fn append(&self, number: u64, digit: u64) -> Option<u64> {
        // `checked_mul` takes 128 bits, which wasm does not have.
        if number > u64::MAX / self.base {
            return None;
        }
        (number * self.base).checked_add(digit)
    }

    /// The number of these digits, or `None`.
    pub(crate) fn read(&self, digits: &[u8]) -> Option<u64> {
        let (last, head) = digits.split_last()?;
        if head.len() >= self.width {
            return None;
        }
        let mut number = 0;
        for &character in head {
            number = number * self.base + self.digit(character)?;
        }
        self.append(number, self.digit(*last)?)
    }
}
