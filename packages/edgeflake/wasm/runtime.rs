//! What the standard library would bring, in a third of the bytes that are shipped.

use core::arch::wasm32;
use core::panic::PanicInfo;

use talc::cell::TalcSyncCell;
use talc::wasm::{WasmBinning, WasmGrowAndClaim};

/// Memory that grows is not joined to what was there: the modules hold little, and this is smaller.
#[global_allocator]
static ALLOCATOR: TalcSyncCell<WasmGrowAndClaim, WasmBinning> =
    TalcSyncCell::new_wasm(WasmGrowAndClaim);

/// A panic is a bug. Its text would bring along the formatting of every message in every library.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    wasm32::unreachable()
}
