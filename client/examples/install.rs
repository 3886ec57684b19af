//! Sets up a database as an authority, and creates the sequencer `default`: `cargo run --features
//! postgres --example install -- URL`.

use std::env;
use std::error::Error;

use edgeflake::lease::BoundConfig;
use edgeflake::preset::EDGE;
use edgeflake_client::PostgresAdmin;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let admin = PostgresAdmin::new(&env::args().nth(1).unwrap_or_default())?;
    admin.install().await?;
    let sequencer = admin.create("default", BoundConfig::new(EDGE, 0, 1_024, 1)?).await?;
    println!("incarnation {}", sequencer.incarnation);
    Ok(())
}
