// rust-hang SCENE: hangs for real in the locks of Rust's standard library, or does not (busy), and prints "ready" when its threads stand where they shall
// stand. The scenes stand in the table at the end.
use std::fs;
use std::io::Write;
use std::sync::{Arc, Barrier, Condvar, Mutex, RwLock};
use std::thread;
use std::time::Duration;

static WAITERS: Mutex<Vec<String>> = Mutex::new(Vec::new());

// /proc/thread-self leads to PID/task/ID.
fn about_to_wait() {
    let own = fs::read_link("/proc/thread-self").expect("/proc/thread-self");
    WAITERS.lock().unwrap().push(format!("/proc/{}/syscall", own.display()));
}

// The first field of the file is the number of the system call that a thread stands in: futex is 202.
fn stands_in_wait(path: &str) -> bool {
    fs::read_to_string(path).map_or(false, |text| text.starts_with("202 "))
}

fn stay_ready(expected: usize) -> ! {
    loop {
        let known = WAITERS.lock().unwrap().clone();
        if known.iter().filter(|path| stands_in_wait(path)).count() >= expected {
            break;
        }
        thread::sleep(Duration::from_millis(1));
    }
    println!("ready");
    std::io::stdout().flush().unwrap();
    loop {
        thread::park();
    }
}

#[inline(never)]
fn take_second(lock: &Mutex<u32>) {
    about_to_wait();
    *lock.lock().unwrap() += 1;
}

fn mutex_cycle() -> ! {
    let locks = Arc::new([Mutex::new(0), Mutex::new(0)]);
    let both = Arc::new(Barrier::new(2));
    for mine in 0..2 {
        let (locks, both) = (locks.clone(), both.clone());
        thread::spawn(move || {
            let _held = locks[mine].lock().unwrap();
            both.wait();
            take_second(&locks[1 - mine]);
        });
    }
    stay_ready(2)
}

#[inline(never)]
fn read_shared(lock: &RwLock<u32>) -> u32 {
    about_to_wait();
    *lock.read().unwrap()
}

#[inline(never)]
fn write_shared(lock: &RwLock<u32>) {
    about_to_wait();
    *lock.write().unwrap() += 1;
}

// The holder never comes back: a writer that a reader waits for, and a reader that a writer waits for.
fn reader_waits() -> ! {
    let lock: &'static RwLock<u32> = Box::leak(Box::new(RwLock::new(0)));
    std::mem::forget(lock.write().unwrap());
    thread::spawn(move || read_shared(lock));
    stay_ready(1)
}

fn writer_waits() -> ! {
    let lock: &'static RwLock<u32> = Box::leak(Box::new(RwLock::new(0)));
    std::mem::forget(lock.read().unwrap());
    thread::spawn(move || write_shared(lock));
    stay_ready(1)
}

#[inline(never)]
fn wait_for_signal(signal: &(Mutex<bool>, Condvar)) {
    let mut is_set = signal.0.lock().unwrap();
    about_to_wait();
    while !*is_set {
        is_set = signal.1.wait(is_set).unwrap();
    }
}

fn lost_condition() -> ! {
    let signal = Arc::new((Mutex::new(false), Condvar::new()));
    for _ in 0..2 {
        let signal = signal.clone();
        thread::spawn(move || wait_for_signal(&signal));
    }
    stay_ready(2)
}

// Six threads that take two locks in one order, all the time.
fn busy() -> ! {
    let locks = Arc::new([Mutex::new(0u64), Mutex::new(0u64)]);
    for _ in 0..6 {
        let locks = locks.clone();
        thread::spawn(move || loop {
            let mut first = locks[0].lock().unwrap();
            let mut second = locks[1].lock().unwrap();
            *first = first.wrapping_add(1);
            *second = second.wrapping_add(*first);
            if *first % 64 == 0 {
                thread::sleep(Duration::from_millis(1));
            }
        });
    }
    stay_ready(0)
}

static COUNTS: Mutex<[u32; 8]> = Mutex::new([0; 8]);

// The word of a lock of Rust's with numbers behind it, as a mutex of the C library has its owner and its users there.
fn counts() -> ! {
    for _ in 0..4 {
        thread::spawn(|| loop {
            let mut counts = COUNTS.lock().unwrap();
            for place in [0, 1] {
                counts[place] = (counts[place] + 1) % (1 << 22);
            }
            for _ in 0..5_000 {
                std::hint::spin_loop();
            }
        });
    }
    stay_ready(0)
}

const SCENES: [(&str, fn() -> !); 6] = [
    ("mutex-cycle", mutex_cycle),
    ("reader-waits", reader_waits),
    ("writer-waits", writer_waits),
    ("lost-condition", lost_condition),
    ("busy", busy),
    ("counts", counts),
];

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    match SCENES.iter().find(|scene| scene.0 == name) {
        Some(scene) => scene.1(),
        None => {
            eprintln!("usage: rust-hang SCENE");
            std::process::exit(2);
        }
    }
}
