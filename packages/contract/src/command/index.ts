// The desktop command layer: every name the window, the command line and other programs may call.
import { cloudCommandNames } from './cloud/names.ts'
import { runtimeCommandNames } from './runtime/names.ts'

export * from './cloud/names.ts'
export type { CloudFile, ListedDevice, ListedTask, QuarantinedChange, SignedInAccount, SyncStatus } from './cloud/schema.ts'
export * from './error.ts'
export type { ListedMcpServer, ListedMcpTool, McpFolder, McpServerPreview, McpSignIn, Suspicion } from './mcp-servers.ts'
export * from './rpc/message.ts'
export type {
  Delta,
  RpcError,
  RpcId,
  RpcNotification,
  RpcRequest,
  RpcResult,
  RpcSubscription,
  RuntimeFile,
  SubscribeParams,
} from './rpc/schema.ts'
export * from './runtime/names.ts'
export type {
  Attachment,
  ChangedFile,
  Conversation,
  DeletionPreview,
  DiffSlice,
  DiffSliceLine,
  EffectiveToolPolicy,
  FoundConversation,
  KeptAgent,
  ListedFolder,
  ListedMessage,
  ListedRule,
  ListedTool,
  LocalRun,
  PendingApproval,
  PendingQuestion,
  QueuedMessage,
  RecentFolder,
  RecordedEvent,
  SandboxSight,
  Settings,
  SupportBundle,
  TodoEdit,
} from './runtime/schema.ts'
export type { Command, CommandError, CommandParams, CommandResult } from './schema.ts'
export type { ListedSkill, ListedSkillBinding, SkillInjection } from './skills.ts'
export type { ListedWorkflow, ListedWorkflowRun, WorkflowRunNode, WorkflowSchedule, WorkflowSnapshot } from './workflows.ts'

export const commandAreas = {
  checkpoints: ['agent_run_list_checkpoints', 'agent_run_get_checkpoint', 'agent_run_restore_checkpoint', 'resume_agent_run'],
  memory: [
    'memory_record_user_correction',
    'memory_get_relationship_graph',
    'list_procedural_memory_policies',
    'get_procedural_memory_policy',
    'set_procedural_memory_policy',
  ],
  policy_candidates: [
    'agent_run_list_policy_candidates',
    'agent_run_get_policy_candidate',
    'agent_run_validate_policy_candidate_shadow',
    'agent_run_prepare_policy_candidate_canary',
    'agent_run_apply_policy_candidate_canary',
    'agent_run_rollback_policy_candidate',
  ],
  failure_patterns: ['agent_run_list_failure_patterns'],
  skill_evolution: [
    'skill_list_behavior_traces',
    'skill_list_gap_analyses',
    'skill_list_recommendations',
    'skill_get_recommendation',
    'skill_generate_recommendation_draft',
    'skill_validate_recommendation',
    'skill_prepare_recommendation_shadow',
    'skill_apply_recommendation_shadow',
    'skill_prepare_recommendation_canary',
    'skill_apply_recommendation_canary',
    'skill_promote_recommendation_to_live',
    'skill_list_versions',
    'skill_rollback_recommendation',
    'skill_retire_recommendation',
  ],
  /** Named by the specification outside its table of commands. */
  elsewhere: ['agent_run_resume', 'memory_search', 'memory_compact', 'memory_run_heartbeat_review'],
  /** What the specification requires of the diagnostics and settings centers without naming a command. */
  diagnostics: [
    'memory_list_writeback_candidates',
    'memory_commit_writeback_candidate',
    'memory_dismiss_writeback_candidate',
    'memory_get_user_model',
    'learning_advance_candidates',
  ],
  /** What users need to read what runs taught, and to decide about it. */
  learning: [
    'learning_list_evaluations',
    'learning_list_reflections',
    'learning_of_run',
    'learning_get_enabled',
    'learning_set_enabled',
    'learning_keep_policy_candidate',
    'learning_list_policy_divergences',
  ],
  /** What users need to decide about recommendations. */
  skill_rollout: ['skill_dismiss_gap_analysis', 'skill_get_promotion', 'skill_set_promotion'],
  /** What users need to see, correct, move and delete what their agents remember. */
  memory_browser: [
    'memory_list',
    'memory_get',
    'memory_add',
    'memory_edit',
    'memory_confirm',
    'memory_forget',
    'memory_reinstate',
    'memory_decide_conflict',
    'memory_forget_user',
    'memory_list_reviews',
    'memory_list_corrections',
    'memory_of_run',
    'memory_get_identity_profile',
    'memory_split_entity',
    'memory_set_remembering',
    'memory_export',
    'memory_import',
    'memory_status',
  ],
  /** What users need to add documents, watch them being read, search them and open what an answer cites. */
  knowledge: [
    'kb_add',
    'kb_list',
    'kb_get',
    'kb_list_files',
    'kb_update',
    'kb_reindex',
    'kb_cancel',
    'kb_remove',
    'kb_search',
    'kb_passage',
    'kb_passages_of_run',
  ],
  /** What users need to write workflows, start them, and see and control what they do. */
  workflows: [
    'workflow_list',
    'workflow_get',
    'workflow_save',
    'workflow_delete',
    'workflow_check',
    'workflow_read_text',
    'workflow_write_text',
    'workflow_draft',
    'workflow_approve',
    'workflow_resolve',
    'workflow_start',
    'workflow_wait',
    'workflow_control',
    'workflow_run_list',
    'workflow_snapshot',
    'workflow_query',
    'workflow_schedule_list',
    'workflow_schedule_check',
    'workflow_schedule_save',
    'workflow_schedule_delete',
  ],
  /** What the specification requires for MCP servers and skills without naming a command. */
  mcp_and_skills: [
    'mcp_server_list',
    'mcp_server_preview',
    'mcp_server_add',
    'mcp_server_update',
    'mcp_server_remove',
    'mcp_server_consent',
    'mcp_server_revoke',
    'mcp_server_allow_sampling',
    'mcp_server_set_secret',
    'mcp_import_preview',
    'mcp_import',
    'mcp_folder_get',
    'mcp_folder_consent',
    'mcp_folder_revoke',
    'mcp_server_sign_in',
    'mcp_server_wait_sign_in',
    'mcp_server_cancel_sign_in',
    'mcp_server_sign_out',
    'mcp_server_test',
    'mcp_server_connect',
    'mcp_server_disconnect',
    'mcp_tool_list',
    'mcp_tool_consent',
    'mcp_server_read_log',
    'mcp_resource_list',
    'mcp_resource_read',
    'mcp_prompt_list',
    'mcp_prompt_get',
    'skill_list',
    'skill_check',
    'skill_get',
    'skill_bind',
    'skill_unbind',
    'skill_binding_list',
    'agent_run_get_skills',
  ],
  /** What users need to add other machines of theirs, and to see whether they are available. */
  executors: ['executor_list', 'executor_preview', 'executor_add', 'executor_test', 'executor_grant', 'executor_revoke', 'executor_remove'],
  /** What users need to choose a model, and to see what it costs. */
  models: ['model_test_connection', 'model_catalog', 'model_set_price', 'usage_get', 'usage_months'],
  /** What users need to work with the desktop: agents, conversations, runs, answers, policies, settings. */
  runtime: runtimeCommandNames,
  /** Commands for the cloud. Without an account, each reports that and makes no network request. */
  cloud: cloudCommandNames,
} as const

export type CommandArea = keyof typeof commandAreas
export type CommandNameIn<Area extends CommandArea> = (typeof commandAreas)[Area][number]
export type CommandName = CommandNameIn<CommandArea>

export const commandNames: readonly CommandName[] = Object.values(commandAreas).flat()

export function isCommandName(name: string): name is CommandName {
  return (commandNames as readonly string[]).includes(name)
}
