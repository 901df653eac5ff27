//! What every store must do, written against the trait `JobStore` and run for each backend.
//!
//! A test is one generic function in a room below. `suite!` lists them all, once; a further backend is
//! one file that implements [`Backend`](backend::Backend) and one line at the end of this one. What only
//! SQLite can show (its file, its log, its lock) stands in `sqlite.rs`.

mod alike;
mod backend;
mod claims;
mod completion;
mod create;
mod dropped;
mod endings;
mod failures;
mod inputs;
mod limits;
mod model;
mod place;
mod refusing;
mod snapshot;
mod sqlite;
mod worker;

macro_rules! suite {
    ($name:ident, $backend:ty) => {
        suite! { @rooms $name, $backend,
            alike {
                an_alike_puzzle_is_made_again,
                what_is_not_sealed_is_neither_done_nor_served,
                a_cancelled_job_has_what_is_sealed,
                sealing_goes_on_behind_the_scenes,
                a_corrupt_unsealed_chunk_ends_its_job_alone,
                nothing_is_left_of_a_job_that_ends_early,
                a_chunk_that_has_to_run_again_is_announced,
                a_fault_is_sealed_like_any_other_item,
                the_pure_run_makes_no_two_alike,
            }
            claims {
                a_job_is_claimed_chunk_by_chunk,
                higher_priority_goes_first,
                tenants_take_turns_and_so_do_their_jobs,
                a_small_job_does_not_wait_for_a_large_one,
                max_parallelism_is_kept,
                nothing_is_claimed_before_its_time,
                a_paused_job_is_passed_over,
                a_paused_queue_stays_paused_over_a_restart,
                chunks_that_were_given_back_go_first,
                tokens_only_grow,
                the_queue_says_who_waits_and_for_how_long,
                a_claim_is_announced,
            }
            completion {
                results_are_those_of_the_pure_run,
                solved_inputs_come_back_beside_their_results,
                results_begin_anywhere_and_end_at_the_total,
                chunks_may_finish_in_any_order,
                a_lease_that_ran_out_changes_nothing,
                a_chunk_is_completed_once,
                heartbeats_keep_leases_and_tell_how_they_stand,
                a_completion_while_cancelling_is_kept,
                a_completion_after_the_end_is_not,
                a_completion_after_deletion_is_not,
                rate_and_estimate_are_sane,
                a_completion_is_announced,
            }
            create {
                a_job_reads_back_as_it_was_asked_for,
                zero_items_are_done_at_once,
                another_tenants_job_does_not_exist,
                lists_are_newest_first_in_pages,
                every_filter_must_hold,
                a_request_sent_again_makes_no_second_job,
                a_request_id_is_bound_to_its_request,
                a_deleted_job_frees_its_name_but_not_its_request,
                a_request_is_remembered_a_day_or_for_its_jobs_life,
                a_name_is_taken_once_a_tenant,
                a_live_job_is_deleted_only_by_force,
            }
            dropped {
                calls_that_are_dropped_leave_the_store_whole,
            }
            endings {
                an_idle_job_is_cancelled_at_once,
                a_running_job_is_cancelled_when_its_chunks_are_back,
                a_cancelled_job_has_its_finished_chunks_and_skips_the_rest,
                a_deadline_ends_a_job_in_any_live_state,
                an_upload_is_given_up_after_an_idle_hour,
                results_expire_and_the_header_a_week_later,
                collecting_takes_slices_until_nothing_is_left,
                pausing_and_resuming_are_idempotent,
                a_restart_keeps_everything,
            }
            failures {
                a_panic_is_retried_after_a_pause,
                a_poison_item_is_found_and_its_neighbours_have_answers,
                a_single_item_has_three_tries,
                a_death_gives_leases_back_at_once_and_burns_no_attempt,
                three_deaths_split_a_chunk,
                five_deaths_put_an_item_in_quarantine,
                a_death_ends_what_was_being_cancelled,
                a_quarantine_does_not_stop_an_upload,
                corrupt_results_are_not_served,
                corrupt_inputs_fail_their_job,
            }
            inputs {
                appends_add_up_and_a_gap_is_named,
                what_was_received_before_must_be_equal,
                nothing_is_taken_after_the_commit,
                a_commit_needs_the_right_count,
                a_message_may_be_larger_than_a_chunk,
                tiny_messages_make_whole_chunks,
                whole_chunks_run_while_inputs_come,
                a_small_job_comes_in_one_call,
            }
            limits {
                a_tenant_has_so_many_live_jobs,
                a_tenant_stores_so_many_bytes,
                a_full_store_refuses_new_work_only,
                a_store_at_its_limit_claims_nothing,
            }
            model {
                any_order_of_operations_keeps_the_promises,
            }
            snapshot {
                the_whole_queue,
            }
            worker {
                a_pool_answers_what_the_pure_run_answers,
                a_poison_item_is_isolated_to_itself,
                a_cancel_stops_a_running_chunk,
                a_stopped_pool_gives_its_chunks_back,
                a_full_disk_throws_no_work_away,
                a_pool_that_stops_on_a_full_disk_gives_its_chunk_back,
            }
        }
    };
    (@rooms $name:ident, $backend:ty, $($room:ident { $($test:ident,)* })*) => {
        mod $name {
            $(mod $room {
                $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    crate::$room::$test::<$backend>().await;
                })*
            })*
        }
    };
}

suite!(on_sqlite, crate::sqlite::Sqlite);
