// What a person needs of the desktop beside the commands the specification names: the names are ours.

export const runtimeCommandNames = [
  'agent_create',
  'agent_update',
  'agent_get',
  'agent_list',
  'agent_archive',
  'conversation_create',
  'conversation_list',
  'conversation_get',
  'conversation_rename',
  'conversation_hide',
  'message_list',
  'agent_run_start',
  'agent_run_list',
  'agent_run_get',
  'agent_run_pause',
  'agent_run_cancel',
  'agent_run_list_steps',
  'agent_run_create_checkpoint',
  'workflow_run_list_events',
  'approval_list',
  'question_list',
  'todo_list',
  'todo_update',
  'agent_tool_policy_list',
  'agent_tool_policy_get',
  'agent_tool_policy_set',
  'agent_tool_policy_reset',
  'approval_rule_list',
  'approval_rule_revoke',
  'tool_list',
  'attachment_add',
  'workspace_list_files',
  'conversation_search',
  'event_list',
  'runtime_status',
  'runtime_get_settings',
  'runtime_set_settings',
  'runtime_make_support_bundle',
  'workspace_make_sample',
] as const

export type RuntimeCommandName = (typeof runtimeCommandNames)[number]

/** What the operating system does for commands: proven by a self-test, absent, or tried and found open. */
export const sandboxStates = ['enforced', 'absent', 'failed', 'untested'] as const

/** `unset`: no address and no default model. Whether the address answers is known only when a run asks it. */
export const modelAddressStates = ['unset', 'set'] as const

/** Where a model answers, as far as its address says. */
export const modelPlaces = ['this_machine', 'private_network', 'internet'] as const

/** What becomes of the runtime when its last window is closed: it goes on with its runs, or pauses them and ends. */
export const windowClosings = ['keep_going', 'stop'] as const

/** Whether the window has shown itself around on this device. */
export const tourStates = ['ahead', 'taken'] as const

/** What the parts of the runtime react to. */
export const lifecycleEventNames = [
  'run_ended',
  'checkpoint_restored',
  'before_compaction',
  'agent_created',
  'conversation_created',
  'learning_cycle_recorded',
] as const

export type LifecycleEventName = (typeof lifecycleEventNames)[number]

/** Who `web.search` can ask. */
export const searchProviderNames = ['searxng', 'brave', 'tavily'] as const

export type SearchProviderName = (typeof searchProviderNames)[number]

/** Where a policy comes from: what every agent is given, or what was set for this one. */
export const policySources = ['default', 'set'] as const
