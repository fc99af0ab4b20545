//! Makefiles as text: reading any of them ends, and the result can be shown.
#![no_main]

use cuff_fuzz::{World, config, settled};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((choice, input)) = input.split_first() else { return };
    let world = World::new(input, None);
    let (files, found) = settled(&config(*choice, "simple"), &world);
    world.judge(&files, &found, true);
});
