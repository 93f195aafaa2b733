// The names of the specification, exactly, written separately from the contract so that neither can change alone.

export const spec = {
  tools: `fs.list fs.read fs.search fs.write fs.edit fs.move fs.delete fs.mkdir
    shell.exec script.run process.list process.kill
    web.search web.fetch web.extract
    browser.open browser.click browser.type browser.select browser.wait browser.eval browser.screenshot browser.network_logs browser.console_logs
    workflow.start workflow.wait workflow.control workflow.snapshot workflow.query workflow.history
    kb.search kb.ingest kb.reindex
    memory.add memory.search memory.update memory.delete
    agent.delegate agent.spawn agent.merge_result
    todo.create todo.update todo.list todo.complete
    time.now http.request`,
  sandbox_modes: 'trusted workspace strict',
  approval_modes: 'auto required manual_each_call deny',
  policy_fields: 'enabled approval_mode rate_limit time_limit network_scope fs_scope',
  binding_policies: 'summary_only on_demand always full',
  mcp_transports: 'stdio http',
  restore_kinds: 'filesystem_snapshot manifest_snapshot inventory_snapshot',
  checkpointed_tools: 'fs.write fs.edit fs.move fs.delete fs.mkdir shell.exec script.run',
  memory_kinds: 'episodic semantic preference decision procedural relationship',
  recall_channels: 'semantic_recall exact_evidence',
  procedural_modes: 'heuristic adaptive llm_first',
  relationship_kinds: 'expects_update_via operates_on protects shapes_output_for',
  reflection_fields:
    'root_cause affected_subsystem recommended_memory_writeback recommended_policy_update recommended_workflow_extraction recommended_skill_gap_analysis',
  gap_kinds: 'knowledge_gap workflow_gap skill_gap policy_gap',
  change_fields: 'entity_type entity_id op version updated_at source_ts payload',
  push_fields: 'device_id changes',
  pull_fields: 'changes has_more cursor_ts',
  append_only: 'messages tool_calls agent_run_steps workflow_run_events',
  last_write_wins: 'agents agent_tool_policies agent_skill_bindings mcp_servers',
  per_item: 'todos',
  failure_fields: 'taxonomy stage source reason_code recoverability details',
  taxonomies: 'none policy_failure sandbox_failure degraded_recovery resume_failure',
  stores: `runtime_run_checkpoints runtime_checkpoint_artifacts memories user_models agent_identity_profiles memory_heartbeat_reviews
    memory_relationship_graph memory_relationship_entities runtime_user_corrections runtime_outcome_evaluations runtime_reflections
    runtime_memory_writeback_candidates runtime_policy_candidates runtime_policy_candidate_validations runtime_failure_patterns
    runtime_behavior_traces runtime_skill_gap_analyses runtime_skill_recommendations runtime_skill_recommendation_validations
    runtime_skill_versions`,
  run_states: 'running paused completed failed canceled',
  policy_candidate_states: 'shadow_pending shadow_passed shadow_failed canary_ready canary_applied rolled_back',
  skill_recommendation_states:
    'draft_pending draft_generated validated shadow_ready shadow_active canary_ready canary_applied live rolled_back retired',
  mcp_server_states: 'created testing connected degraded disconnected failed',
  /** State, trigger, next state: the rows of the specification's tables and sentences. `*` is any state. */
  transitions: {
    run: `* restore_run_checkpoint paused
      paused resume_agent_run running`,
    policy_candidate: `shadow_pending pass_shadow shadow_passed
      shadow_pending fail_shadow shadow_failed
      shadow_passed prepare_canary canary_ready
      canary_ready apply_canary canary_applied
      shadow_passed rollback rolled_back
      canary_ready rollback rolled_back
      canary_applied rollback rolled_back`,
    skill_recommendation: `draft_generated validate validated
      validated prepare_shadow shadow_ready
      shadow_ready apply_shadow shadow_active
      shadow_active prepare_canary canary_ready
      canary_ready apply_canary canary_applied
      canary_applied promote_to_live live
      canary_applied rollback rolled_back
      live rollback rolled_back`,
  },
  /** Rows we added where the specification leaves it open; docs/decisions/0008 has the reasons. */
  own_transitions: {
    run: `running pause paused
      running complete completed
      running fail failed
      paused fail failed
      running cancel canceled
      paused cancel canceled`,
    policy_candidate: '',
    skill_recommendation: `draft_pending generate_draft draft_generated
      shadow_active rollback rolled_back
      canary_ready rollback rolled_back
      draft_pending retire retired
      draft_generated retire retired
      validated retire retired
      shadow_ready retire retired
      shadow_active retire retired
      canary_ready retire retired
      canary_applied retire retired
      live retire retired
      rolled_back retire retired`,
    mcp_server: `created test testing
      disconnected test testing
      failed test testing
      testing connect connected
      testing fail failed
      connected miss_pings degraded
      degraded recover connected
      testing disconnect disconnected
      connected disconnect disconnected
      degraded disconnect disconnected`,
    task: `pending start running
      running complete completed
      running fail failed
      pending cancel canceled
      running cancel canceled`,
  },
  detail_cards: 'Thinking ToolCall ToolResult ContextCompact Workflow McpStatus RunStatus Error',
  interactive_cards: 'TodoCard QuestionCard',
  endpoints: `POST /api/v1/sync/push
    GET /api/v1/sync/pull
    POST /api/v1/device/heartbeat
    GET /health
    POST /api/v1/auth/register
    POST /api/v1/auth/login
    POST /api/v1/auth/refresh
    GET /api/v1/users/profile
    PUT /api/v1/users/profile
    GET /api/v1/users/devices
    POST /api/v1/users/devices
    GET /api/v1/workflows
    POST /api/v1/workflows
    GET /api/v1/workflows/:id
    PUT /api/v1/workflows/:id
    DELETE /api/v1/workflows/:id
    POST /api/v1/tasks
    GET /api/v1/tasks
    GET /api/v1/tasks/:id
    PUT /api/v1/tasks/:id/status
    POST /api/v1/files/upload
    GET /api/v1/files/:id
    POST /api/v1/logs
    GET /api/v1/logs
    WS /ws`,
  executor_endpoints: `POST /handshake
    GET /capabilities
    GET /health`,
  commands: {
    checkpoints: 'agent_run_list_checkpoints agent_run_get_checkpoint agent_run_restore_checkpoint resume_agent_run',
    memory:
      'memory_record_user_correction memory_get_relationship_graph list_procedural_memory_policies get_procedural_memory_policy set_procedural_memory_policy',
    policy_candidates: `agent_run_list_policy_candidates agent_run_get_policy_candidate agent_run_validate_policy_candidate_shadow
      agent_run_prepare_policy_candidate_canary agent_run_apply_policy_candidate_canary agent_run_rollback_policy_candidate`,
    failure_patterns: 'agent_run_list_failure_patterns',
    skill_evolution: `skill_list_behavior_traces skill_list_gap_analyses skill_list_recommendations skill_get_recommendation
      skill_generate_recommendation_draft skill_validate_recommendation skill_prepare_recommendation_shadow
      skill_apply_recommendation_shadow skill_prepare_recommendation_canary skill_apply_recommendation_canary
      skill_promote_recommendation_to_live skill_list_versions skill_rollback_recommendation skill_retire_recommendation`,
    elsewhere: 'agent_run_resume memory_search memory_compact memory_run_heartbeat_review',
  },
  events: `memory_flush_triggered memory_flush_completed heartbeat_review_completed outcome_scored reflection_generated
    policy_candidate_generated policy_shadow_validated policy_canary_applied policy_rollback_completed failure_pattern_clustered
    behavior_trace_mined skill_gap_detected skill_recommendation_generated skill_draft_generated skill_validation_completed
    skill_shadow_run_completed skill_canary_applied skill_promoted_to_live skill_rollback_completed skill_retired`,
  step_kinds: 'tool.call tool.result',
  store_fields: {
    runtime_run_checkpoints: 'recovery_chain_id recovery_chain_version parent_checkpoint_id',
    memories: 'memory_kind confidence source_type source_run_id confirmed_by_user expires_at conflicts_with supersedes last_used_at',
    user_models: 'preference_signals habit_profile goal_profile persona_profile communication_profile cadence_profile risk_profile',
    memory_relationship_graph:
      'ontology_tags edge_weight relation_source subject_role object_role ontology_path interaction_pattern source_conversation_ids',
    memory_relationship_entities: 'canonical_name ontology_domain aliases mention_count',
  },
  limits: {
    checkpoints_kept: 5,
    checkpoint_window_ms: 14 * 86_400_000,
    checkpoint_protected_window_ms: 45 * 86_400_000,
    card_collapse_ms: 800,
  },
} as const

/** The names of a list, however it is wrapped. */
export function names(list: string): string[] {
  return list.split(/\s+/).filter(Boolean)
}

/** The lines of a list whose names contain a space. */
export function lines(list: string): string[] {
  return list.split('\n').map((line) => line.trim())
}
