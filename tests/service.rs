//! The service as a client sees it: a whole server in this process, a real socket, every method and
//! every row of the error table.

#[path = "service/admin.rs"]
mod admin;
#[path = "service/client.rs"]
mod client;
#[path = "service/control.rs"]
mod control;
#[path = "service/drain.rs"]
mod drain;
#[path = "service/faults.rs"]
mod faults;
#[path = "service/frames.rs"]
mod frames;
#[path = "service/inputs.rs"]
mod inputs;
#[path = "service/jobs.rs"]
mod jobs;
#[path = "service/limits.rs"]
mod limits;
#[path = "service/lists.rs"]
mod lists;
#[path = "service/making.rs"]
mod making;
#[path = "service/many.rs"]
mod many;
#[path = "service/results.rs"]
mod results;
#[path = "service/sudoku.rs"]
mod sudoku;
#[path = "service/wire.rs"]
mod wire;
