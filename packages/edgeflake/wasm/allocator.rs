//! Sets an allocator that replaces the standard library's.

use talc::cell::TalcSyncCell;
use talc::wasm::{WasmBinning, WasmGrowAndClaim};

/// When the heap grows, the allocator does not merge the new memory with the memory before it.
/// Without this merge, the module is smaller; a merge would save little memory, because the modules
/// hold little data.
#[global_allocator]
static ALLOCATOR: TalcSyncCell<WasmGrowAndClaim, WasmBinning> =
    TalcSyncCell::new_wasm(WasmGrowAndClaim);
