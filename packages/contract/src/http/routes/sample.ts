// The data that the examples of the routes use.
import type { Device } from '../../device/index.ts'
import type { StoredFile } from '../../file/index.ts'
import type { Task } from '../../task/index.ts'
import type { UserProfile } from '../../user/index.ts'
import type { WorkflowDefinition } from '../../workflow/index.ts'

export const ids = {
  user: '01996f2e-8a10-7c3b-9d52-6f1e0a4b7c21',
  session: '01996f2e-9b44-7d18-8e03-2a5c7d9e1f30',
  workflow: '01996f30-1c02-7a6f-b1d4-93e8c05a7b12',
  task: '01996f31-57ee-7e90-a2c8-4b6d1f3a5e07',
  file: '01996f32-0d3a-7b25-8f61-c7e92d4b0a58',
  log: '01996f33-6b91-7f04-9ac3-0e5d8b2f7c46',
  run: '01996f33-2e5d-7195-8b70-5d1a9c3e6f84',
}

export const early = '2026-09-21T07:40:12.345Z'
export const later = '2026-09-21T08:02:45.120Z'

export const profile: UserProfile = {
  id: ids.user,
  email: 'mara@example.org',
  display_name: 'Mara Lind',
  locale: 'en-GB',
  time_zone: 'Europe/Berlin',
  version: 1,
  created_at: early,
  updated_at: early,
}

export const device: Device = {
  device_id: 'mara-laptop',
  name: "Mara's laptop",
  platform: 'linux',
  app_version: '0.1.0',
  presence: 'online',
  created_at: early,
  last_seen_at: later,
  last_heartbeat: {
    ts: later,
    app_version: '0.1.0',
    sandbox_mode: 'workspace',
    running_runs: 1,
    paused_runs: 0,
    sync_lag: { pending_changes: 0, last_push_ts: later, last_pull_ts: later },
  },
}

export const definition: WorkflowDefinition = {
  inputs: [{ name: 'folder', type: 'text', description: 'The folder with the reports', required: true }],
  nodes: [
    { id: 'find', kind: 'tool', tool: 'fs.search', arguments: '{"path":"{{inputs.folder}}","pattern":"*.csv"}' },
    { id: 'summarize', kind: 'agent', prompt: 'Summarize these reports: {{nodes.find.output}}', timeout_seconds: 600 },
    { id: 'publish', kind: 'approval', message: 'Send this summary? {{nodes.summarize.output}}' },
    { id: 'send', kind: 'tool', tool: 'http.request', arguments: '{"method":"POST","url":"https://example.org/reports"}' },
  ],
  edges: [
    { from: 'find', to: 'summarize' },
    { from: 'summarize', to: 'publish' },
    { from: 'publish', to: 'send', when: 'approved' },
  ],
}

export const task: Task = {
  id: ids.task,
  title: 'Weekly report',
  input: '{"folder":"reports"}',
  workflow_id: ids.workflow,
  device_id: 'mara-laptop',
  status: 'pending',
  status_ts: early,
  version: 1,
  created_at: early,
  updated_at: early,
}

export const file: StoredFile = {
  id: ids.file,
  name: 'report.csv',
  size: 18_204,
  media_type: 'text/csv',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  created_at: early,
}
