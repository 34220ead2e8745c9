// two-deadlocks SCENE: one of two different deadlocks of Rust's mutexes ("transfer", "restock"), one of its threads the first. Prints "ready" when its threads
// are at their second lock.
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::thread;

static ACCOUNTS: Mutex<i64> = Mutex::new(0);
static JOURNAL: Mutex<i64> = Mutex::new(0);
static SHELVES: Mutex<i64> = Mutex::new(0);
static ORDERS: Mutex<i64> = Mutex::new(0);
static ARRIVED: AtomicUsize = AtomicUsize::new(0);

fn meet() {
    if ARRIVED.fetch_add(1, Ordering::SeqCst) == 1 {
        println!("ready");
        std::io::stdout().flush().unwrap();
    }
    while ARRIVED.load(Ordering::SeqCst) < 2 {
        thread::yield_now();
    }
}

fn transfer() {
    let mut from = ACCOUNTS.lock().unwrap();
    meet();
    let mut to = JOURNAL.lock().unwrap(); // transfer waits here
    *from -= 1;
    *to += 1;
}

fn audit() {
    let from = JOURNAL.lock().unwrap();
    meet();
    let to = ACCOUNTS.lock().unwrap(); // audit waits here
    println!("{}", *from + *to);
}

fn restock() {
    let mut from = SHELVES.lock().unwrap();
    meet();
    let mut to = ORDERS.lock().unwrap(); // restock waits here
    *from += 2;
    *to -= 2;
}

fn pick() {
    let from = ORDERS.lock().unwrap();
    meet();
    let to = SHELVES.lock().unwrap(); // pick waits here
    println!("{}", *from - *to);
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("transfer") {
        let other = thread::spawn(audit);
        transfer();
        other.join().unwrap();
    } else {
        let other = thread::spawn(pick);
        restock();
        other.join().unwrap();
    }
}
