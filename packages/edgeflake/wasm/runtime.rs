//! The allocator, and a panic handler in place of the standard library's.

use core::arch::wasm32;
use core::panic::PanicInfo;

mod allocator;

/// A panic only traps, because its text would link the formatting of every library's messages.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    wasm32::unreachable()
}
