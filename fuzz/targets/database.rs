//! The database that make prints of itself: reading it ends, whatever it is, and the result can be shown.
#![no_main]

use cuff_fuzz::{World, config, settled};
use libfuzzer_sys::fuzz_target;

/// Enough of a Makefile for the database to have something to be put beside.
const MAKEFILE: &[u8] =
    b".PHONY: all\nall: a b ## Everything\n\t@:\na b: ; @:\n## Odd\n$(shell x): ; @:\n%.o: %.c ; @:\n";

fuzz_target!(|input: &[u8]| {
    let Some((choice, input)) = input.split_first() else { return };
    let world = World::new(MAKEFILE, Some(input));
    let (files, found) = settled(&config(*choice, "make_database"), &world);
    world.judge(&files, &found, false);
});
