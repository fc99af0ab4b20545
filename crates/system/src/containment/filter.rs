//! A program for the kernel that looks at each system call's number and numbers, and decides (seccomp BPF).
//!
//! `seccompiler` has neither the action that asks a listener, nor a test for the second table of numbers that x86-64 has.

use std::collections::VecDeque;

use nix::libc::{self, c_long, sock_filter};

/// A decision about a system call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FilterVerdict {
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
    /// The value is one of these numbers.
    Is(u8, &'static [u32]),
    /// These bits of it are one of these numbers.
    Bits(u8, u32, &'static [u32]),
    /// One of these bits is set.
    HasAny(u8, u32),
}

/// The rules for one system call: the first whose tests all hold decides.
#[derive(Debug, Clone)]
pub(super) struct CallRules {
    pub(super) number: c_long,
    pub(super) cases: Vec<(Vec<Test>, FilterVerdict)>,
    pub(super) otherwise: FilterVerdict,
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

/// How many rules are looked through one after another. Fewer make a longer program, which takes the kernel longer to translate for each run.
const IN_A_ROW: usize = 6;

/// The program for these rules; all other calls are allowed. Calls by other tables of numbers do not exist.
///
/// The program halves the rules by their numbers until few are left: the kernel runs a new program for each number that there is, to note
/// those that it always allows.
pub(super) fn program(rules: &[CallRules]) -> Vec<sock_filter> {
    let absent = answer(FilterVerdict::Refuse(libc::ENOSYS));
    let mut program = vec![load(MACHINE), jump(libc::BPF_JEQ, ARCHITECTURE, 1, 0), absent, load(NUMBER)];
    #[cfg(target_arch = "x86_64")]
    program.extend([jump(libc::BPF_JGE, X32, 0, 1), absent]);
    let numbered = rules.iter().filter_map(|rule| Some((u32::try_from(rule.number).ok()?, rule)));
    let mut rules: Vec<(u32, &CallRules)> = numbered.collect();
    rules.sort_by_key(|(number, _)| *number);
    rules.dedup_by_key(|(number, _)| *number);
    program.extend(search(&rules));
    program
}

/// The lines that find the rule for the loaded number, by its order.
fn search(rules: &[(u32, &CallRules)]) -> Vec<sock_filter> {
    let (lower, upper) = rules.split_at(rules.len() / 2);
    let mut lines = Vec::new();
    match upper.first() {
        Some((first, _)) if rules.len() > IN_A_ROW => {
            let (lower, upper) = (search(lower), search(upper));
            if let Ok(over) = u8::try_from(lower.len()) {
                lines.push(jump(libc::BPF_JGE, *first, over, 0));
            } else {
                // Only this jump goes as far as it takes.
                let over = u32::try_from(lower.len()).unwrap_or(u32::MAX);
                lines.extend([
                    jump(libc::BPF_JGE, *first, 0, 1),
                    statement(libc::BPF_JMP | libc::BPF_JA, over),
                ]);
            }
            lines.extend(lower);
            lines.extend(upper);
        }
        _ => lines.extend(in_a_row(rules)),
    }
    lines
}

/// The lines that look through few rules. Those without cases have their answers in common, at the end.
fn in_a_row(rules: &[(u32, &CallRules)]) -> Vec<sock_filter> {
    let mut answers = vec![FilterVerdict::Allow];
    for (_, rule) in rules.iter().filter(|(_, rule)| rule.cases.is_empty()) {
        if !answers.contains(&rule.otherwise) {
            answers.push(rule.otherwise);
        }
    }
    // From the end, since each jump leads forward.
    let mut lines: VecDeque<sock_filter> = answers.iter().map(|verdict| answer(*verdict)).collect();
    for (number, rule) in rules.iter().rev() {
        let common = answers.iter().position(|answer| rule.cases.is_empty() && *answer == rule.otherwise);
        if let Some(at) = common {
            let over = lines.len() - answers.len() + at;
            lines.push_front(jump(libc::BPF_JEQ, *number, short(over), 0));
        } else {
            let body = body(rule);
            let over = short(body.len());
            body.into_iter().rev().for_each(|line| lines.push_front(line));
            lines.push_front(jump(libc::BPF_JEQ, *number, 0, over));
        }
    }
    lines.into()
}

fn body(rule: &CallRules) -> Vec<sock_filter> {
    let mut body = Vec::new();
    for (tests, verdict) in &rule.cases {
        let mut left: usize = tests.iter().map(Test::length).sum();
        for test in tests {
            left -= test.length();
            // A test that fails goes on behind this case's answer.
            let past = short(left + 1);
            body.push(load(test.place()));
            match *test {
                Test::Is(_, values) => body.extend(one_of(values, past)),
                Test::Bits(_, mask, values) => {
                    body.push(statement(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, mask));
                    body.extend(one_of(values, past));
                }
                Test::HasAny(_, bits) => body.push(jump(libc::BPF_JSET, bits, 0, past)),
            }
        }
        body.push(answer(*verdict));
    }
    body.push(answer(rule.otherwise));
    body
}

/// The lines that go on behind themselves where the loaded value is one of these, else so much further.
fn one_of(values: &'static [u32], past: u8) -> impl Iterator<Item = sock_filter> {
    let after = (0..values.len()).rev();
    values.iter().zip(after).map(move |(value, after)| {
        let fails = if after == 0 { past } else { 0 };
        jump(libc::BPF_JEQ, *value, short(after), fails)
    })
}

impl Test {
    /// How many lines it takes.
    fn length(&self) -> usize {
        match self {
            Self::HasAny(..) => 2,
            Self::Is(_, values) => 1 + values.len(),
            Self::Bits(_, _, values) => 2 + values.len(),
        }
    }

    /// Where the kernel shows its argument.
    fn place(&self) -> u32 {
        let (Self::Is(argument, _) | Self::Bits(argument, ..) | Self::HasAny(argument, _)) = *self;
        let low = if cfg!(target_endian = "big") { 4 } else { 0 };
        ARGUMENTS + 8 * u32::from(argument) + low
    }
}

fn answer(verdict: FilterVerdict) -> sock_filter {
    let value = match verdict {
        FilterVerdict::Allow => libc::SECCOMP_RET_ALLOW,
        FilterVerdict::Refuse(error) => libc::SECCOMP_RET_ERRNO | error.cast_unsigned(),
        FilterVerdict::Ask => libc::SECCOMP_RET_USER_NOTIF,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::containment::system_calls;
    use crate::model::Network;

    /// The most steps that a decision without arguments takes.
    const MOST_STEPS: usize = 40;

    /// Runs a program as the kernel does. Returns its answer, and how many lines it took.
    fn run(program: &[sock_filter], machine: u32, number: u32, arguments: [u32; 6]) -> (u32, usize) {
        let (mut at, mut held) = (0, 0_u32);
        for steps in 1..=program.len() {
            let line = program[at];
            let step = |holds: bool| 1 + usize::from(if holds { line.jt } else { line.jf });
            at += match u32::from(line.code) {
                0x20 => {
                    held = match line.k {
                        NUMBER => number,
                        MACHINE => machine,
                        place => arguments[(place - ARGUMENTS) as usize / 8],
                    };
                    1
                }
                0x54 => {
                    held &= line.k;
                    1
                }
                0x05 => 1 + line.k as usize,
                0x15 => step(held == line.k),
                0x35 => step(held >= line.k),
                0x45 => step(held & line.k != 0),
                0x06 => return (line.k, steps),
                other => panic!("no such line: {other:#x}"),
            };
        }
        panic!("the program does not end");
    }

    /// The verdict of the first rule that has the number, and of its first case whose tests all hold.
    fn expected(rules: &[CallRules], number: u32, arguments: [u32; 6]) -> FilterVerdict {
        let holds = |test: &Test| match *test {
            Test::Is(at, values) => values.contains(&arguments[usize::from(at)]),
            Test::Bits(at, mask, values) => values.contains(&(arguments[usize::from(at)] & mask)),
            Test::HasAny(at, bits) => arguments[usize::from(at)] & bits != 0,
        };
        let Some(rule) = rules.iter().find(|rule| rule.number == c_long::from(number)) else {
            return FilterVerdict::Allow;
        };
        let case = rule.cases.iter().find(|(tests, _)| tests.iter().all(holds));
        case.map_or(rule.otherwise, |(_, verdict)| *verdict)
    }

    #[test]
    fn each_number_meets_the_first_rule_that_names_it() {
        let samples = [0, 1, 2, 5, 6, 10, 0x2000_0000, 0x5412, 0x6609, u32::MAX];
        for network in [Network::Closed, Network::Loopback(Vec::new()), Network::Open(Vec::new())] {
            let mut rules = system_calls::rules(&network);
            // A second rule for a number changes nothing, whichever order the numbers come in.
            let again = rules.clone().into_iter().rev();
            rules.extend(again.map(|rule| CallRules {
                otherwise: FilterVerdict::Ask,
                cases: Vec::new(),
                ..rule
            }));
            let program = program(&rules);
            let pairs = samples.iter().flat_map(|one| samples.map(|other| (*one, other)));
            let pairs: Vec<(usize, u32, u32)> =
                pairs.flat_map(|(one, other)| [0, 1, 2].map(|at| (at, one, other))).collect();
            for number in rules.iter().filter_map(|rule| u32::try_from(rule.number).ok()) {
                for (at, one, other) in &pairs {
                    let mut arguments = [1; 6];
                    (arguments[*at], arguments[at + 1]) = (*one, *other);
                    let (found, _) = run(&program, ARCHITECTURE, number, arguments);
                    let expected = answer(expected(&rules, number, arguments)).k;
                    assert_eq!(found, expected, "{network:?} {number} {arguments:?}");
                }
            }
        }
    }

    #[test]
    fn a_decision_takes_few_steps_and_other_tables_of_numbers_do_not_exist() {
        let rules = system_calls::rules(&Network::Loopback(Vec::new()));
        let program = program(&rules);
        let absent = answer(FilterVerdict::Refuse(libc::ENOSYS)).k;
        let named = |number: u32| rules.iter().any(|rule| rule.number == c_long::from(number));
        for number in (0..1024).filter(|number| !named(*number)) {
            let (found, steps) = run(&program, ARCHITECTURE, number, [0; 6]);
            assert_eq!(found, answer(FilterVerdict::Allow).k, "{number}");
            assert!(steps <= MOST_STEPS, "{number} takes {steps}");
            assert_eq!(run(&program, ARCHITECTURE ^ 1, number, [0; 6]).0, absent);
            #[cfg(target_arch = "x86_64")]
            assert_eq!(run(&program, ARCHITECTURE, number | X32, [0; 6]).0, absent);
        }
    }
}
