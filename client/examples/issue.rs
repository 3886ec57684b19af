//! Issues ids from a leased node: `cargo run --example issue -- URL COUNT`. If the authority is a
//! Worker or runs on Node, set the environment variable `EDGEFLAKE_LEASE_TOKEN` to the secret that
//! the authority has under this name.

use std::env;
use std::error::Error;

use edgeflake_client::LeasedIds;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let [url, count] = [1, 2].map(|place| env::args().nth(place).unwrap_or_default());
    let mut builder = LeasedIds::builder().authority(url);
    if let Ok(token) = env::var("EDGEFLAKE_LEASE_TOKEN") {
        builder = builder.token(token);
    }
    let ids = builder.build()?;
    for _ in 0..count.parse()? {
        println!("{}", ids.next().await?);
    }
    ids.shutdown().await;
    Ok(())
}
