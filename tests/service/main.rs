//! The service as a client sees it: a whole server in this process, a real socket, every method and
//! every row of the error table.

mod admin;
mod canonical;
mod client;
mod control;
mod drain;
mod explain;
mod faults;
mod frames;
mod inputs;
mod jobs;
mod limits;
mod lists;
mod log;
mod making;
mod many;
mod rating;
mod results;
mod sudoku;
mod unlike;
mod wire;
