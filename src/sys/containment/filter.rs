//! A program for the kernel that looks at each system call's number and numbers, and decides (seccomp BPF).
//!
//! `seccompiler` has neither the action that asks a listener, nor a test for the second table of numbers that x86-64 has.

use nix::libc::{self, c_long, sock_filter};

/// A decision about a system call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The kernel goes on.
    Allow,
    /// The call fails with this error number.
    Refuse(i32),
    /// The judge is asked.
    Ask,
}

/// A test of the lower half of an argument; the arguments that are tested here have no upper one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Test {
    /// It is this number.
    Is(u8, u32),
    /// These bits of it are this number.
    Bits(u8, u32, u32),
    /// One of these bits is set.
    HasAny(u8, u32),
}

/// The rules for one system call: the first whose tests all hold decides.
#[derive(Debug, Clone)]
pub(super) struct CallRules {
    pub(super) number: c_long,
    pub(super) cases: Vec<(Vec<Test>, Verdict)>,
    pub(super) otherwise: Verdict,
}

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xC000_00B7;
#[cfg(target_arch = "riscv64")]
const ARCHITECTURE: u32 = 0xC000_00F3;

/// The bit of the numbers of x32.
#[cfg(target_arch = "x86_64")]
const X32: u32 = 0x4000_0000;

/// Offsets in what the kernel shows of a call.
const NUMBER: u32 = 0;
const MACHINE: u32 = 4;
const ARGUMENTS: u32 = 16;

/// The program for these rules; all other calls are allowed. Calls by other tables of numbers do not exist.
pub(super) fn program(rules: &[CallRules]) -> Vec<sock_filter> {
    let absent = answer(Verdict::Refuse(libc::ENOSYS));
    let mut program = vec![load(MACHINE), jump(libc::BPF_JEQ, ARCHITECTURE, 1, 0), absent, load(NUMBER)];
    #[cfg(target_arch = "x86_64")]
    program.extend([jump(libc::BPF_JGE, X32, 0, 1), absent]);
    for rule in rules {
        let body = body(rule);
        let Ok(number) = u32::try_from(rule.number) else { continue };
        program.push(jump(libc::BPF_JEQ, number, 0, short(body.len())));
        program.extend(body);
    }
    program.push(answer(Verdict::Allow));
    program
}

fn body(rule: &CallRules) -> Vec<sock_filter> {
    let mut body = Vec::new();
    for (tests, verdict) in &rule.cases {
        let mut lines: Vec<Vec<sock_filter>> = tests.iter().map(|test| vec![load(place(*test))]).collect();
        let length: usize = tests.iter().map(|test| 2 + usize::from(matches!(test, Test::Bits(..)))).sum();
        let mut left = length;
        for (line, test) in lines.iter_mut().zip(tests) {
            left -= 2 + usize::from(matches!(test, Test::Bits(..)));
            // A test that fails goes on behind this case's answer.
            let past = short(left + 1);
            match *test {
                Test::Is(_, value) => line.push(jump(libc::BPF_JEQ, value, 0, past)),
                Test::HasAny(_, bits) => line.push(jump(libc::BPF_JSET, bits, 0, past)),
                Test::Bits(_, mask, value) => {
                    line.push(statement(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, mask));
                    line.push(jump(libc::BPF_JEQ, value, 0, past));
                }
            }
        }
        body.extend(lines.into_iter().flatten());
        body.push(answer(*verdict));
    }
    body.push(answer(rule.otherwise));
    body
}

fn place(test: Test) -> u32 {
    let (Test::Is(argument, _) | Test::Bits(argument, ..) | Test::HasAny(argument, _)) = test;
    let low = if cfg!(target_endian = "big") { 4 } else { 0 };
    ARGUMENTS + 8 * u32::from(argument) + low
}

fn answer(verdict: Verdict) -> sock_filter {
    let value = match verdict {
        Verdict::Allow => libc::SECCOMP_RET_ALLOW,
        Verdict::Refuse(error) => libc::SECCOMP_RET_ERRNO | error.cast_unsigned(),
        Verdict::Ask => libc::SECCOMP_RET_USER_NOTIF,
    };
    statement(libc::BPF_RET | libc::BPF_K, value)
}

fn load(offset: u32) -> sock_filter {
    statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset)
}

fn statement(code: u32, k: u32) -> sock_filter {
    sock_filter { code: u16::try_from(code).unwrap_or_default(), jt: 0, jf: 0, k }
}

fn jump(how: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { jt, jf, ..statement(libc::BPF_JMP | how | libc::BPF_K, k) }
}

/// A jump's length. The bodies of the rules are far shorter than the longest one.
fn short(length: usize) -> u8 {
    u8::try_from(length).unwrap_or(u8::MAX)
}
