-- Of the ratings in a job's results; 0 where there are none, as in all jobs before this.
alter table jobs add column rater_version integer not null default 0;
