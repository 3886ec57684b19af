use alloc::vec;
use alloc::vec::Vec;
#[cfg(model)]
use core::hash::{Hash, Hasher};
use core::iter::successors;

use super::decision::Row;
use crate::lease::message::Token;

/// Finds the rows that can have a given token. Rows whose tokens end in the same bits form a chain.
///
/// Tokens are random, so chains are short, and need no rebalancing as a sorted tree would.
#[derive(Debug)]
#[cfg_attr(model, derive(Clone))]
pub(crate) struct Tokens {
    /// The first half has the first row of each chain. The second half has, for each row, the next
    /// row of its chain. Rows are given by their index, and [`END`] means that there is no row. The
    /// length of each half is a power of two.
    links: Vec<usize>,
}

/// Means that there is no index.
const END: usize = usize::MAX;

impl Tokens {
    /// Creates the index of all rows.
    pub(crate) fn of(rows: &[Option<Row>]) -> Self {
        let mut tokens = Self { links: vec![END; 2 * rows.len().max(1).next_power_of_two()] };
        for (index, row) in rows.iter().enumerate() {
            tokens.add(index, row.and_then(|row| row.token));
        }
        tokens
    }

    /// Returns whether there is room for the row of this index.
    pub(crate) const fn has_room(&self, index: usize) -> bool {
        index < self.width()
    }

    /// Returns the indices of the rows that may have this token.
    pub(crate) fn chain(&self, token: Token) -> impl Iterator<Item = usize> {
        let follow = |at: usize| Some(self.links[at]).filter(|index| *index != END);
        successors(follow(self.head(token)), move |index| follow(self.width() + index))
    }

    pub(crate) fn add(&mut self, index: usize, token: Option<Token>) {
        let Some(token) = token else { return };
        let (head, next) = (self.head(token), self.width() + index);
        self.links[next] = self.links[head];
        self.links[head] = index;
    }

    /// Removes an index that was added with this token.
    pub(crate) fn remove(&mut self, index: usize, token: Option<Token>) {
        let Some(token) = token else { return };
        let (mut at, width) = (self.head(token), self.width());
        while self.links[at] != index {
            at = width + self.links[at];
        }
        self.links[at] = self.links[width + index];
    }

    fn head(&self, token: Token) -> usize {
        token.last_bits() & (self.width() - 1)
    }

    const fn width(&self) -> usize {
        self.links.len() / 2
    }
}

/// The hash leaves `Tokens` out, because its content follows from the rows.
#[cfg(model)]
impl Hash for Tokens {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_in_the_chain_of_its_token() {
        // Some of the tokens end in the same bits.
        let known = [0, 1, 2, 3, 1 << 64, 1 << 65, 1 << 64 | 1].map(Token::from_random);
        let mut rows: Vec<Option<Row>> = Vec::new();
        let mut tokens = Tokens::of(&rows);
        let mut random = 1_u64;
        for step in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let index = (random >> 33) as usize % (1 + step % 37);
            let token = known.get((random >> 60) as usize).copied();
            let before = rows.get(index).copied().flatten().and_then(|row| row.token);
            if index >= rows.len() {
                rows.resize(index + 1, None);
            }
            rows[index] = Some(Row { token, ..Row::default() });
            if tokens.has_room(index) {
                tokens.remove(index, before);
                tokens.add(index, token);
            } else {
                tokens = Tokens::of(&rows);
            }
            for token in known {
                let has = |index: &usize| rows[*index].is_some_and(|row| row.token == Some(token));
                let mut found: Vec<_> = tokens.chain(token).filter(has).collect();
                found.sort_unstable();
                assert_eq!(found, (0..rows.len()).filter(has).collect::<Vec<_>>());
            }
        }
    }
    #[test]
    fn tokens_with_other_last_bits_are_in_chains_of_their_own() {
        let rows: Vec<_> = (0..63)
            .map(|bits| Some(Row { token: Some(Token::from_random(bits)), ..Row::default() }))
            .collect();
        let tokens = Tokens::of(&rows);
        for (index, bits) in (0..63).enumerate() {
            let chain: Vec<_> = tokens.chain(Token::from_random(bits)).collect();
            assert_eq!(chain, [index]);
        }
    }
}
