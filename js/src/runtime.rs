//! What the standard library would bring, in a third of the bytes that are shipped.

use core::arch::wasm32;
use core::panic::PanicInfo;

use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};

#[global_allocator]
static ALLOCATOR: WasmDynamicTalc = new_wasm_dynamic_allocator();

/// A panic is a bug. Its text would bring along the formatting of every message in every library.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    wasm32::unreachable()
}
