"""Which fields of an Inspect log have no fact, and why: they are carried."""

from __future__ import annotations

from collections.abc import Mapping

SCORER = "how scorers were configured, in Inspect's own terms"
SOLVER = "how samples were solved, in Inspect's own terms"
MACHINE = "about the machine that ran it"
TASK = "the task as Inspect found it; other tools know its name only"
BUDGET = "what a sample may take, in Inspect's own terms"

RUN_CARRIED = {
    "eval/eval_set_id": "the set of logs that this one is of; other tools have none",
    "eval/run_id": "shared by all logs of one command; other tools have none",
    "eval/task_id": TASK,
    "eval/task_version": TASK,
    "eval/task_file": "a path on the machine that ran it",
    "eval/task_display_name": TASK,
    "eval/task_description": TASK,
    "eval/task_registry_name": TASK,
    "eval/task_attribs": TASK,
    "eval/task_args": TASK,
    "eval/task_args_passed": TASK,
    "eval/solver": SOLVER,
    "eval/solver_args": SOLVER,
    "eval/solver_args_passed": SOLVER,
    "eval/tags": "labels of the whole log; other tools label cases only",
    "eval/dataset/name": "one for all samples; elsewhere each case names its own",
    "eval/dataset/location": "a path on the machine that ran it",
    "eval/dataset/sample_ids": "the samples as configured; those that ran are listed",
    "eval/dataset/shuffled": "how samples were ordered; no other tool says so",
    "eval/sandbox": MACHINE,
    "eval/model_generate_config": "how the model was called, in Inspect's own terms",
    "eval/model_base_url": "where the model was called; other tools have no place for it",
    "eval/model_args": "how the model was called, in Inspect's own terms",
    "eval/model_roles": "models of other roles; of these, graders and users are said elsewhere",
    "eval/config/epochs_reducer": SCORER,
    "eval/revision": "which source the task came from; other tools have no place for it",
    "eval/packages": "which release of inspect_ai wrote the log",
    "eval/viewer": "how Inspect's viewer shows it",
    "eval/scorers": SCORER,
    "eval/metrics": SCORER,
    "eval/headline_metric": SCORER,
    "eval/shards": "how the run was shared out; no other tool does",
    "plan": SOLVER,
    "stats/role_usage": "tokens by role; model_usage has them by model",
    "stats/connection_limit_history": MACHINE,
    "error": "why the whole run ended; elsewhere only trials have errors",
    "invalidated": "whether somebody took the log back; no other tool has a place for it",
    "log_updates": "edits of tags and metadata, which show them",
    "config_updates": "changes of limits while it ran, in Inspect's own terms",
    "tags": "says again what eval/tags says, with later edits",
    "metadata": "says again what eval/metadata says, with later edits",
    "reductions": "scores reduced over epochs; computed from the samples",
}
SAMPLE_CARRIED = {
    "choices": "answers to choose from; the input shows them",
    "sandbox": MACHINE,
    "files": "files of the sandbox; other tools have no place for them",
    "setup": "a script of the sandbox; other tools have no place for it",
    "output/choices": "all answers of the last call; completion is the first",
    "output/usage": "tokens of the last call; model_usage has those of all",
    "output/input_context_tokens": "tokens of the last call; model_usage has those of all",
    "output/model": "the provider's name for the model; the log names the target",
    "output/fallback": "another model that answered; the log names the target",
    "output/metadata": "what the provider remarked, in its own words",
    "output/error": "why the last call failed; the sample's own error is said",
    "output/response_id": "the provider's id of the last call",
    "scores/*/answer": "what a scorer took for the answer; the output is said",
    "scores/*/reason": "why nothing was scored, in Inspect's own terms",
    "scores/*/history": "edits of the score, which it shows",
    "scores/*/metadata": "what a scorer remarked, in its own terms",
    "metadata": "columns of the dataset; those that are facts have rows",
    "store": "what solvers kept, in their own terms",
    "events": "all that happened, in Inspect's own terms; messages tell what was said",
    "timelines": "how events are shown, in Inspect's own terms",
    "role_usage": "tokens by role; model_usage has them by model",
    "model_usage/*/reasoning_tokens": "a part of the tokens that other tools don't tell apart",
    "model_fallbacks": "other models that answered; the log names the target",
    "started_at": "other tools time the run's start only",
    "completed_at": "other tools time the run's end only",
    "working_time": "a part of total_time",
    "invalidation": "whether somebody took the sample back; no other tool has a place for it",
    "error_retries": "errors of earlier tries; other tools know the last only",
    "attachments": "texts that other fields refer to, and are read with",
    "events_data": "what events refer to",
    "limit": "which limit ended the sample, in Inspect's own terms",
    "token_limit": BUDGET,
    "token_limit_type": BUDGET,
    "token_limit_usage": BUDGET,
    "message_limit": BUDGET,
    "time_limit": BUDGET,
}

CARRIED: Mapping[str, str] = {
    **RUN_CARRIED,
    **{f"samples/*/{key}": reason for key, reason in SAMPLE_CARRIED.items()},
}
