//! The dependencies of an answer, each in both directions, within a process and from one to the next.

use super::super::Memory;
use super::super::tests::{Lines, World, instance, probe};
use super::*;
use crate::model::{Change, Origin, Word};
use crate::settings::Instance;
use crate::sys::Clock;

/// How often the prober is asked by this process, and then by another.
async fn asked(world: &World, memory: &mut Memory, ttl: u64) -> (usize, usize) {
    world.ask(memory, ttl).await;
    let here = world.prober.asked();
    world.ask(&mut world.memory(), ttl).await;
    (here, world.prober.asked())
}

/// A project whose names lead to a probe, and that to another file; it was looked at once.
async fn probed() -> (World, Memory) {
    let mut world = World::new();
    world.environment = Environment::new("/", [("PATH", "bin"), ("A", "1"), ("PWD", "/")]);
    world.write("names", "probe:x");
    world.write("other", "c");
    world.prober.prints("x", "b\nmore:other");
    let mut memory = world.memory();
    assert_eq!(world.names(&mut memory, 300).await, ["probe:x", "c", "b", "more:other"]);
    assert_eq!(world.prober.asked(), 1);
    (world, memory)
}

#[tokio::test]
async fn an_answer_holds_while_nothing_changes() {
    let (world, mut memory) = probed().await;
    assert_eq!(asked(&world, &mut memory, 300).await, (0, 0));
    assert_eq!(world.names(&mut world.memory(), 300).await, ["probe:x", "c", "b", "more:other"]);
}

#[tokio::test]
async fn files_that_were_seen_before_and_after_the_answer_count() {
    for (file, text) in [("names", "probe:x\n"), ("other", "d"), ("names", "probe:x\nmore:third")] {
        let (world, mut memory) = probed().await;
        world.write("unseen", "x");
        assert_eq!(asked(&world, &mut memory, 300).await, (0, 0), "a file that nobody looked at");
        world.write(file, text);
        world.prober.prints("x", "fresh");
        assert_eq!(asked(&world, &mut memory, 300).await, (1, 0), "{file} is {text:?}");
        assert!(world.names(&mut memory, 300).await.contains(&"fresh".to_owned()));
        assert!(!world.names(&mut memory, 300).await.contains(&"b".to_owned()), "nothing of the old answer");
    }
}

#[tokio::test]
async fn the_inherited_environment_counts_but_for_what_changes_with_every_terminal() {
    let fresh = |variables: &[(&str, &str)]| Environment::new("/", variables.iter().copied());
    for (variables, again) in [
        (&[("PATH", "bin"), ("A", "1"), ("PWD", "/elsewhere"), ("SHLVL", "2"), ("TERM_PROGRAM", "x")][..], 0),
        (&[("PATH", "bin"), ("A", "1"), ("SSH_TTY", "/dev/pts/1"), ("MY_SESSION", "3"), ("_", "cuff")], 0),
        (&[("PATH", "bin"), ("A", "2"), ("PWD", "/")], 1),
        (&[("PATH", "bin"), ("PWD", "/")], 1),
        (&[("PATH", "bin"), ("A", "1"), ("PWD", "/"), ("MAKEFLAGS", "k")], 1),
        (&[("PATH", "bin"), ("A", "1"), ("XTERM", "x"), ("LINESX", "1")], 1),
    ] {
        let (mut world, mut memory) = probed().await;
        world.environment = fresh(variables);
        assert_eq!(asked(&world, &mut memory, 300).await, (again, 0), "{variables:?}");
    }
}

#[tokio::test]
async fn a_program_earlier_on_the_search_path_counts() {
    let (world, mut memory) = probed().await;
    let bin = world.root().join("bin");
    #[expect(clippy::disallowed_methods, reason = "the test installs the program")]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::create_dir(&bin).unwrap();
        std::fs::write(bin.join("tool"), "").unwrap();
        std::fs::set_permissions(bin.join("tool"), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    assert_eq!(asked(&world, &mut memory, 300).await, (1, 0));
}

#[tokio::test]
async fn each_project_has_answers_of_its_own() {
    let (world, mut memory) = probed().await;
    let (other, _) = probed().await;
    let place = ProjectPlace { root: other.root(), ..world.place() };
    memory.discover(place, &Lines, &instance(300)).await;
    assert_eq!(world.prober.asked(), 1);
    assert_eq!(asked(&world, &mut memory, 300).await, (0, 0));
}

/// Two instances that probe the same and look at different files do not take turns in probing for ever.
#[tokio::test]
async fn each_instance_has_answers_of_its_own() {
    let (world, mut memory) = probed().await;
    let second = Instance { name: "second".into(), ..instance(600) };
    memory.discover(world.place(), &Lines, &second).await;
    assert_eq!(world.prober.asked(), 1);
    assert_eq!(asked(&world, &mut memory, 300).await, (0, 0));
    world.memory().discover(world.place(), &Lines, &second).await;
    assert_eq!(world.prober.asked(), 0);
}

fn trust(instance: &Instance) -> Trust<'_> {
    let now = SystemTime::UNIX_EPOCH;
    Trust { instance, now, lifetime: Duration::from_mins(5), afresh: false }
}

#[test]
fn each_probe_is_another_by_its_words_directory_and_changes() {
    let world = World::new();
    let change = |name: &str| Change::new(name, "1", Origin::Settings);
    let mut commands = vec![probe("x").command; 6];
    commands[1].arguments.push(Word::fixed("y"));
    commands[2].directory = "sub".into();
    commands[3].environment.push(change("A"));
    commands[4].environment.push(change("B"));
    commands[5].program = Word::fixed("other");
    let keys: std::collections::BTreeSet<String> = commands
        .iter()
        .map(|command| {
            file_name(key(world.place(), trust(&instance(300)), &Probe { command: command.clone() }))
        })
        .collect();
    assert_eq!(keys.len(), commands.len());
    assert!(keys.contains(&file_name(key(world.place(), trust(&instance(300)), &probe("x")))));
}

#[tokio::test]
async fn an_answer_has_its_time() {
    let (world, mut memory) = probed().await;
    world.clock.advance(Duration::from_secs(299));
    assert_eq!(asked(&world, &mut memory, 300).await, (0, 0));
    world.clock.advance(Duration::from_secs(1));
    assert_eq!(asked(&world, &mut memory, 300).await, (1, 0), "it has passed, and starts again");
    assert_eq!(asked(&world, &mut memory, 0).await, (1, 1), "none is taken");
    assert_eq!(asked(&world, &mut memory, 300).await, (0, 0), "the one from before is there still");
    let past = World { clock: Clock::standing(SystemTime::UNIX_EPOCH), ..world };
    past.ask(&mut past.memory(), 300).await;
    assert_eq!(past.prober.asked(), 1, "an answer from the future is none");
}

#[tokio::test]
async fn without_time_nothing_is_kept() {
    let world = World::new();
    world.write("names", "probe:x");
    world.prober.prints("x", "a");
    let mut memory = world.memory();
    world.ask(&mut memory, 0).await;
    assert_eq!(world.prober.asked(), 1);
    assert_eq!(asked(&world, &mut memory, 300).await, (1, 0));
}

#[tokio::test]
async fn timed_out_probes_are_remembered_and_unstarted_ones_are_not() {
    for (fault, again) in [
        (ErrorCode::TimedOut, 0),
        (ErrorCode::Failed, 0),
        (ErrorCode::ProgramNotFound, 1),
        (ErrorCode::NotStarted, 1),
        (ErrorCode::BadArgument, 1),
        (ErrorCode::Cancelled, 1),
    ] {
        let world = World::new();
        world.write("names", "a\nprobe:x");
        world.prober.brings("x", Probed::Nothing { fault, why: "why".into() });
        let mut memory = world.memory();
        assert_eq!(world.names(&mut memory, 300).await, ["a", "probe:x"]);
        assert_eq!(world.prober.asked(), 1);
        assert_eq!(asked(&world, &mut memory, 300).await, (again, again), "{fault:?}");
    }
    let (world, mut memory) = probed().await;
    memory.forget("lines");
    world.prober.brings("x", Probed::Nothing { fault: ErrorCode::NotStarted, why: "why".into() });
    assert_eq!(asked(&world, &mut memory, 300).await, (1, 1), "nor does an older answer come back");
}

#[tokio::test]
async fn a_look_that_was_cut_short_keeps_nothing() {
    let world = World::new();
    for step in 0..100 {
        world.write(&format!("step{step}"), &format!("more:step{}", step + 1));
    }
    world.write("names", "probe:x\nmore:step0");
    world.prober.prints("x", "a");
    let mut memory = world.memory();
    world.ask(&mut memory, 300).await;
    assert_eq!(world.prober.asked(), 1);
    assert_eq!(asked(&world, &mut memory, 300).await, (1, 1));
}

#[tokio::test]
async fn a_forgotten_answer_is_asked_for_once_more() {
    let (world, mut memory) = probed().await;
    memory.forget("other");
    assert_eq!(asked(&world, &mut memory, 300).await, (0, 0), "another instance");
    memory.forget("lines");
    world.prober.prints("x", "fresh");
    assert_eq!(asked(&world, &mut memory, 300).await, (1, 0), "and the next process gets the new answer");
    assert_eq!(asked(&world, &mut memory, 300).await, (0, 0));
}

#[tokio::test]
async fn a_look_that_was_dropped_keeps_nothing_and_harms_nothing() {
    let world = World::new();
    world.write("names", "probe:x");
    world.prober.prints("x", "a");
    let mut memory = world.memory();
    memory.forget("lines");
    {
        let instance = instance(300);
        let mut look = std::pin::pin!(memory.discover(world.place(), &Lines, &instance));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(look.as_mut().poll(&mut context).is_pending(), "it waits for the probe");
    }
    assert_eq!(asked(&world, &mut memory, 300).await, (1, 0));
}

#[tokio::test]
async fn a_damaged_record_is_replaced_and_a_huge_one_is_not_written() {
    let (world, _) = probed().await;
    let folder = world.root().join("cache/cuff/probes");
    #[expect(clippy::disallowed_methods, reason = "the test looks into the cache and damages it")]
    let files = || -> Vec<(PathBuf, u64)> {
        let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        entries.map(|path| (path.clone(), std::fs::metadata(&path).unwrap().len())).collect()
    };
    let [(file, size)] = files().try_into().unwrap();
    #[expect(clippy::disallowed_methods, reason = "the test looks into the cache and damages it")]
    std::fs::write(&file, "cuff probe 99\n").unwrap();
    let mut memory = world.memory();
    assert_eq!(asked(&world, &mut memory, 300).await, (1, 0));
    assert_eq!(files(), [(file.clone(), size)], "one file for each probe");

    world.prober.prints("x", &"#".repeat(LARGEST_STORED + 1));
    memory.forget("lines");
    world.ask(&mut memory, 300).await;
    assert_eq!(asked(&world, &mut memory, 300).await, (1, 1), "remembered here and nowhere else");
    assert_eq!(files(), [], "and the answer from before is gone");
}

#[tokio::test]
async fn without_a_cache_the_process_remembers() {
    let (world, _) = probed().await;
    let mut memory = Memory::new(world.clock.clone(), None);
    world.ask(&mut memory, 300).await;
    world.ask(&mut memory, 300).await;
    assert_eq!(world.prober.asked(), 1);
}
