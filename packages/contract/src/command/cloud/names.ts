// What a person does with the cloud: their account, synchronization, devices, tasks and files. The names are ours.

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

/** `offer`: a person says yes to each task. `run`: those that name this device start by themselves, under the normal approvals. */
export const taskModes = ['offer', 'run'] as const
export type TaskMode = (typeof taskModes)[number]

/** What became of a task on this device. `claiming`: the cloud was asked for it and has not answered. `gone`: it is another device's. */
export const taskStages = ['offered', 'claiming', 'running', 'ended', 'gone'] as const
export type TaskStage = (typeof taskStages)[number]

/** `own`: a person put it there. `text`: the whole of a text that was too long to travel with its conversation. */
export const cloudFileKinds = ['own', 'text'] as const
export type CloudFileKind = (typeof cloudFileKinds)[number]
