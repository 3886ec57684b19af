//! Sets the allocator, and a panic handler that replaces the standard library's.

use core::arch::wasm32;
use core::panic::PanicInfo;

mod allocator;

/// Traps without a message, because a message would add the formatting code of every library to the
/// module.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    wasm32::unreachable()
}
