// What users do with the cloud: account, synchronization, devices, tasks and files. The specification does not define these names.

export const cloudCommandNames = [
  'account_show',
  'account_sign_in',
  'account_sign_out',
  'account_change_password',
  'account_delete',
  'account_key_list',
  'account_key_create',
  'account_key_revoke',
  'sync_status',
  'sync_now',
  'sync_list_quarantine',
  'sync_retry_quarantined',
  'sync_discard_quarantined',
  'device_list',
  'device_rename',
  'device_remove',
  'task_list',
  'task_create',
  'task_accept',
  'task_decline',
  'task_get_mode',
  'task_set_mode',
  'cloud_file_list',
  'cloud_file_add',
  'cloud_file_save',
  'cloud_file_remove',
] as const

export type CloudCommandName = (typeof cloudCommandNames)[number]

/** `offer`: the user approves each task. `run`: tasks that name this device start automatically, with the normal approvals. */
export const taskModes = ['offer', 'run'] as const
export type TaskMode = (typeof taskModes)[number]

/** The state of a task on this device. `claiming`: requested from the cloud, no response yet. `gone`: another device has it. */
export const taskStages = ['offered', 'claiming', 'running', 'ended', 'gone'] as const
export type TaskStage = (typeof taskStages)[number]

/** `own`: added by the user. `text`: a complete text that was too long to be synchronized with its conversation. */
export const cloudFileKinds = ['own', 'text'] as const
export type CloudFileKind = (typeof cloudFileKinds)[number]
