/// Speck64/128, a block cipher with blocks of 64 bits and keys of 128 bits, by R. Beaulieu and
/// others (<https://eprint.iacr.org/2013/404>). Blocks and keys are numbers here: the first word in
/// the paper's test vectors has the most significant bits.
///
/// The best published attack reaches 20 of the 27 rounds, and needs 2^61 blocks. A 64-bit block
/// usually limits how much one key may encrypt, because equal blocks show what messages have in
/// common. There is no such limit here, because each id is one block, and no two ids are equal.
pub(super) struct Speck {
    round_keys: [u32; 27],
}

impl Speck {
    #[expect(clippy::cast_possible_truncation, reason = "the key is split into words")]
    pub(super) fn new(key: u128) -> Self {
        let mut words = [(key >> 32) as u32, (key >> 64) as u32, (key >> 96) as u32];
        let mut round_keys = [key as u32; 27];
        for number in 0..round_keys.len() - 1 {
            // The key schedule is the round function with the round's number as its key.
            let word = &mut words[number % 3];
            (*word, round_keys[number + 1]) = round(*word, round_keys[number], number as u32);
        }
        Self { round_keys }
    }

    pub(super) fn encrypt(&self, block: u64) -> u64 {
        let (left, right) = halves(block);
        joined(
            self.round_keys
                .iter()
                .fold((left, right), |(left, right), &key| round(left, right, key)),
        )
    }

    pub(super) fn decrypt(&self, block: u64) -> u64 {
        let (left, right) = halves(block);
        joined(self.round_keys.iter().rev().fold((left, right), |(left, right), &key| {
            let right = (right ^ left).rotate_right(3);
            ((left ^ key).wrapping_sub(right).rotate_left(8), right)
        }))
    }
}

const fn round(left: u32, right: u32, key: u32) -> (u32, u32) {
    let left = left.rotate_right(8).wrapping_add(right) ^ key;
    (left, right.rotate_left(3) ^ left)
}

#[expect(clippy::cast_possible_truncation, reason = "the block is split into words")]
const fn halves(block: u64) -> (u32, u32) {
    ((block >> 32) as u32, block as u32)
}

const fn joined((left, right): (u32, u32)) -> u64 {
    (left as u64) << 32 | right as u64
}

#[cfg(test)]
mod tests {
    use super::Speck;
    use speck_cipher::Speck64_128;
    use speck_cipher::cipher::{BlockCipherDecrypt as _, BlockCipherEncrypt as _, KeyInit as _};

    /// The vector of the paper's appendix C.
    #[test]
    fn published_vector() {
        let cipher = Speck::new(0x1b1a_1918_1312_1110_0b0a_0908_0302_0100);
        let (plain, encrypted) = (0x3b72_6574_7475_432d, 0x8c6f_a548_454e_028b);
        assert_eq!(cipher.encrypt(plain), encrypted);
        assert_eq!(cipher.decrypt(encrypted), plain);
    }

    /// The test encrypts 10,000 blocks with 10,000 keys. Each key and each block is made from the
    /// previous key and block.
    #[test]
    fn same_as_another_implementation() {
        let (mut key, mut block) = (1_u128, 2_u64);
        for _ in 0..10_000 {
            let cipher = Speck::new(key);
            let reference = Speck64_128::new(&key.to_be_bytes().into());
            let mut bytes = block.to_be_bytes().into();
            reference.encrypt_block(&mut bytes);
            let encrypted = cipher.encrypt(block);
            assert_eq!(encrypted.to_be_bytes(), bytes.0, "{key:032x} {block:016x}");
            reference.decrypt_block(&mut bytes);
            assert_eq!(cipher.decrypt(encrypted).to_be_bytes(), bytes.0);
            key = key.rotate_left(64) ^ u128::from(encrypted);
            block = encrypted;
        }
    }
}
