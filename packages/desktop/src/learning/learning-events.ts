/** Events after which more was learned. */
export const learningEvents = /^(?:outcome_scored|reflection_generated|failure_pattern_clustered)$/

/** Events after which a policy candidate is new or has another state. */
export const candidateEvents = /^policy_(?:candidate_generated|shadow_validated|canary_applied|rollback_completed)$/
