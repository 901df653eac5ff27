//! The real binary, as people and scripts use it: formats, pipes, exit codes, interrupts, and jobs on
//! a server that comes and goes.

#[path = "command_line/jobs.rs"]
mod jobs;
#[path = "command_line/one_off.rs"]
mod one_off;
#[path = "command_line/run.rs"]
mod run;
#[path = "command_line/serving.rs"]
mod serving;
