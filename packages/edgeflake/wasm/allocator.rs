//! An allocator in place of the standard library's.

use talc::cell::TalcSyncCell;
use talc::wasm::{WasmBinning, WasmGrowAndClaim};

/// Memory that is added when the heap grows is not merged with the memory before it. That makes the
/// module smaller, and the modules hold little.
#[global_allocator]
static ALLOCATOR: TalcSyncCell<WasmGrowAndClaim, WasmBinning> =
    TalcSyncCell::new_wasm(WasmGrowAndClaim);
