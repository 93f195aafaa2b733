/** Events after which a trace, a gap or a recommendation is new or has changed. */
export const evolutionEvents =
  /^(?:behavior_trace_mined|skill_(?:gap_detected|recommendation_generated|draft_generated|validation_completed|shadow_run_completed|canary_applied|promoted_to_live|rollback_completed|retired))$/

/** Every step has an event. That it asks no longer, because its runs have changed, has none. */
export const reread_ms = 30_000

/** Events after which a gap, or what came of it, is new or has changed. */
export const gapEvents =
  /^(?:behavior_trace_mined|skill_(?:gap_detected|recommendation_generated|retired)|policy_(?:candidate_generated|shadow_validated|canary_applied|rollback_completed))$/
