/// The digits of an encoding, for printing.
pub(crate) struct Symbols {
    /// The digits, from the digit 0 on. All are ASCII characters.
    pub(crate) all: &'static str,
    /// The number of digits of `u64::MAX` in this base.
    pub(crate) width: usize,
    /// The number of digits that always fit into 31 bits, and the number of texts of that length.
    pub(crate) chunk_digits: usize,
    pub(crate) chunk: u64,
    /// 2^`shift` / base, rounded up.
    reciprocal: u64,
    shift: u32,
}

pub(crate) static DECIMAL: Symbols = Symbols::new("0123456789");
pub(crate) static HEX: Symbols = Symbols::new("0123456789abcdef");
pub(crate) static BINARY: Symbols = Symbols::new("01");
pub(crate) static BASE32: Symbols = Symbols::new("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
pub(crate) static Z_BASE32: Symbols = Symbols::new("ybndrfg8ejkmcpqxot1uwisza345h769");
pub(crate) static BASE36: Symbols = Symbols::new("0123456789abcdefghijklmnopqrstuvwxyz");
pub(crate) static BASE58: Symbols =
    Symbols::new("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
pub(crate) static BASE58_FLICKR: Symbols =
    Symbols::new("123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ");
pub(crate) static BASE62: Symbols =
    Symbols::new("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
pub(crate) static BASE64_URL: Symbols =
    Symbols::new("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
pub(crate) static BASE62_LOWER: Symbols =
    Symbols::new("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

impl Symbols {
    const fn new(all: &'static str) -> Self {
        let base = all.len() as u64;
        let (chunk_digits, chunk) = chunk(base);
        let shift = CHUNK_BITS + base.next_power_of_two().trailing_zeros();
        let reciprocal = (1_u64 << shift).div_ceil(base);
        Self { all, width: width(base), chunk_digits, chunk, reciprocal, shift }
    }

    /// Splits a number of at most one chunk of digits. Returns the number without its last digit,
    /// and the last digit.
    ///
    /// This replaces a division, which would take several times as long as the multiplication here.
    /// The reciprocal is too large by less than 1 / 2^31 of itself, and the number has at most 31
    /// bits, so the quotient is exact.
    pub(crate) const fn split(&self, number: u64) -> (u64, usize) {
        let rest = (number * self.reciprocal) >> self.shift;
        #[expect(clippy::cast_possible_truncation, reason = "less than the base")]
        let digit = (number - rest * self.all.len() as u64) as usize;
        (rest, digit)
    }
}

/// Returns eight digits of a number below `BASE`^8 as characters. `BASE` is 10 or 16.
///
/// Each step splits all groups of digits in the middle: the first half of a group stays, and its
/// last half moves up. One multiplication by a rounded reciprocal divides all groups. The quotients
/// are exact, because the groups are small.
pub(super) const fn eight<const BASE: u64>(number: u64) -> [u8; 8] {
    let [two, four] = const { [BASE.pow(2), BASE.pow(4)] };
    let first = (number * const { (1_u64 << 41).div_ceil(BASE.pow(4)) }) >> 41;
    let fours = first | (number - first * four) << 32;
    let first = (fours * const { (1_u64 << 19).div_ceil(BASE.pow(2)) }) >> 19 & 0xff_0000_00ff;
    let twos = first | (fours - first * two) << 16;
    let first = (twos * const { (1_u64 << 10).div_ceil(BASE) }) >> 10 & 0xf_000f_000f_000f;
    let ones = first | (twos - first * BASE) << 8;
    // In the sum, the highest bit of a byte is set if the byte's digit is a letter.
    let letters = if BASE > 10 { (ones + EACH_BYTE * (128 - 10)) >> 7 & EACH_BYTE } else { 0 };
    (ones + EACH_BYTE * b'0' as u64 + letters * (b'a' - b'9' - 1) as u64).to_le_bytes()
}

/// A factor that copies a byte to all bytes.
const EACH_BYTE: u64 = u64::MAX / 0xff;

/// Returns the number of digits of `u64::MAX` in a base.
pub(super) const fn width(base: u64) -> usize {
    let mut width = 1;
    let mut rest = u64::MAX / base;
    while rest > 0 {
        rest /= base;
        width += 1;
    }
    width
}

/// The largest number of bits for which a 32-bit reciprocal gives exact quotients.
const CHUNK_BITS: u32 = 31;

/// Returns the number of digits that always fit into a chunk, and the number of texts of that
/// length.
const fn chunk(base: u64) -> (usize, u64) {
    let (mut digits, mut numbers) = (0, 1);
    while numbers * base <= 1 << CHUNK_BITS {
        numbers *= base;
        digits += 1;
    }
    (digits, numbers)
}

/// The digits of an encoding, for reading.
pub(crate) struct Digits {
    base: u64,
    /// The number of digits of `u64::MAX` in this base. A number with one digit fewer always fits
    /// into 64 bits.
    width: usize,
    /// The value of each ASCII character, or [`NO_DIGIT`].
    values: [u8; 128],
}

const NO_DIGIT: u8 = u8::MAX;

/// The number of base64 digits of eight bytes.
pub(super) const BYTES_WIDTH: usize = 11;

impl Digits {
    pub(super) const fn new(symbols: &Symbols) -> Self {
        let base = symbols.all.len();
        let mut digits = Self { base: base as u64, width: symbols.width, values: [NO_DIGIT; 128] };
        let mut value = 0;
        while value < base {
            #[expect(clippy::cast_possible_truncation, reason = "a base is at most 64")]
            let digit = value as u8;
            digits.values[symbols.all.as_bytes()[value] as usize] = digit;
            value += 1;
        }
        digits
    }

    /// Makes `read` also accept every letter in the other case.
    pub(super) const fn any_case(mut self) -> Self {
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

    /// Makes `read` also accept these characters, as the digit with this value.
    pub(super) const fn also(mut self, characters: &[u8], value: u8) -> Self {
        let mut i = 0;
        while i < characters.len() {
            self.values[characters[i] as usize] = value;
            i += 1;
        }
        self
    }

    /// Makes `read` refuse every text, so that `otherwise` reads the text: its eleven digits have
    /// two bits more than eight bytes.
    pub(super) const fn of_bytes(mut self) -> Self {
        self.width = 0;
        self
    }

    /// Returns the largest number of digits that `read` accepts.
    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// Returns the value of a character; `None` if the character is not a digit.
    pub(crate) fn digit(&self, character: u8) -> Option<u64> {
        let digit = *self.values.get(usize::from(character))?;
        if digit == NO_DIGIT { None } else { Some(u64::from(digit)) }
    }

    /// Returns the number with `digit` appended; `None` if the result has more than 64 bits.
    pub(crate) const fn append(&self, number: u64, digit: u64) -> Option<u64> {
        // This is not `checked_mul`, which needs 128-bit numbers that wasm does not have.
        if number > u64::MAX / self.base {
            return None;
        }
        (number * self.base).checked_add(digit)
    }

    /// Returns the number with these digits. Returns `None` if there is no digit, if a character is
    /// not a digit, or if the number exceeds 64 bits.
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
