//! The real binary, as people and scripts use it: formats, pipes, exit codes, interrupts, and jobs on
//! a server that comes and goes.

mod jobs;
mod one_off;
mod run;
mod serving;
