//! Prints ids, each as eight bytes with the lowest first, until it is killed: `issuer <url>`. `npm
//! run soak -- --postgres` kills this process, and two processes that use the npm package.

use std::env;
use std::error::Error;
use std::io::{Write, stdout};

use edgeflake_client::LeasedIds;

/// The number of ids of a batch, and of ids that are requested one by one after each batch.
const BATCH: usize = 250;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = env::args().nth(1).ok_or("usage: issuer <url of a database>")?;
    let ids = LeasedIds::builder().authority(url).build()?;
    loop {
        let mut issued = ids.batch(BATCH).await?;
        for _ in 0..BATCH {
            issued.push(ids.next().await?);
        }
        let bytes: Vec<u8> = issued.into_iter().flat_map(u64::to_le_bytes).collect();
        stdout().write_all(&bytes)?;
    }
}
