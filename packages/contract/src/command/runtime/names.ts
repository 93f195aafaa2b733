// What users need of the desktop in addition to the commands of the specification, which does not define these names.

export const runtimeCommandNames = [
  'agent_create',
  'agent_update',
  'agent_get',
  'agent_list',
  'agent_archive',
  'conversation_create',
  'conversation_branch',
  'conversation_import',
  'conversation_list',
  'conversation_get',
  'conversation_rename',
  'conversation_hide',
  'conversation_pin',
  'conversation_preview_delete',
  'conversation_delete',
  'conversation_restore',
  'conversation_set_workspace',
  'conversation_set_run_options',
  'message_list',
  'agent_run_start',
  'agent_run_list',
  'agent_run_get',
  'agent_run_pause',
  'agent_run_cancel',
  'agent_run_list_steps',
  'agent_run_create_checkpoint',
  'workflow_run_list_events',
  'team_get',
  'team_pause',
  'team_resume',
  'team_cancel',
  'team_raise_budget',
  'team_list_messages',
  'agent_run_add_message',
  'agent_run_get_queue',
  'agent_run_edit_queued',
  'agent_run_remove_queued',
  'agent_run_send_now',
  'team_get_graph',
  'team_get_copies',
  'team_discard_copy',
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
  'workspace_read_image',
  'conversation_search',
  'event_list',
  'runtime_status',
  'runtime_get_settings',
  'runtime_set_settings',
  'runtime_make_support_bundle',
  'workspace_make_sample',
  'workspace_recent',
  'workspace_browse',
  'workspace_check',
  'workspace_make_folder',
  'changes_get',
  'changes_diff',
  'changes_undo',
] as const

export type RuntimeCommandName = (typeof runtimeCommandNames)[number]

/** Whether a folder can be opened. `missing`: it was moved, renamed or deleted. */
export const folderStates = ['available', 'missing', 'unreadable'] as const

/** The folder that a new conversation starts with: `new` if it does not exist yet. */
export const defaultFolderStates = ['available', 'new'] as const

/** What happened to a file since the first recovery point. */
export const fileChanges = ['added', 'changed', 'removed', 'renamed'] as const

/** Whether the change of a file can be undone. `conflict`: it was changed by others since, and the user decides. */
export const undoStates = ['possible', 'conflict', 'impossible'] as const

/** `before`: only in the earlier text. `after`: only in the current text. `gap`: unchanged lines are left out. */
export const diffLineKinds = ['same', 'before', 'after', 'gap', 'note'] as const

/** Where the history of a branch ends: before a message, or after it. */
export const branchEnds = ['before', 'through'] as const

/** What starts conversations for itself: a run for another agent of its team, a workflow for its run and for the agents of its nodes. */
export const conversationStarters = ['run', 'workflow'] as const
export type ConversationStarter = (typeof conversationStarters)[number]

/** How the operating system restricts commands: confirmed by a self-test, absent, or the self-test escaped. */
export const sandboxStates = ['enforced', 'absent', 'failed', 'untested'] as const

/** `unset`: no address and no default model. Whether the address responds is known only when a run calls it. */
export const modelAddressStates = ['unset', 'set'] as const

/** Where a model runs, as far as its address shows. */
export const modelLocations = ['this_machine', 'private_network', 'internet'] as const

/** What happens to the runtime when its last window is closed: it continues its runs, or pauses them and exits. */
export const windowCloseBehaviors = ['keep_going', 'stop'] as const

/** Whether the window has shown its introduction on this device. */
export const tourStates = ['ahead', 'taken'] as const

/** What the listeners of the runtime react to. */
export const lifecycleEventNames = [
  'run_ended',
  'checkpoint_restored',
  'before_compaction',
  'agent_created',
  'conversation_created',
  'learning_cycle_recorded',
] as const

export type LifecycleEventName = (typeof lifecycleEventNames)[number]

/** The providers that `web.search` supports. */
export const searchProviderNames = ['searxng', 'brave', 'tavily'] as const

export type SearchProviderName = (typeof searchProviderNames)[number]

/** Where a policy comes from: the default for every agent, or a setting for this one. */
export const policySources = ['default', 'set'] as const

/** Where "always" was answered. `unknown`: before it was recorded. */
export const ruleOrigins = ['this_device', 'another_device', 'unknown'] as const

/** Images that a browser shows without running code. */
export const shownImageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

export type ShownImageType = (typeof shownImageTypes)[number]

/** Larger images in folders are not shown in a text. */
export const shownImageBytes = 5 * 1_048_576

/**
 * `known`: all of it was imported before. `grown`: so was its beginning, and its newer messages were added. `copied`: so was its beginning,
 * but the user continued that conversation, so that the whole one was imported beside it.
 */
export const importOutcomes = ['added', 'known', 'grown', 'copied'] as const
export type ImportOutcome = (typeof importOutcomes)[number]
