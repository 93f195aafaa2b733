export type Language = 'en' | 'de'
export type Arguments = Record<string, unknown>
export type CallState = 'ok' | 'failed' | 'denied' | 'edited'
export type RemediationKind =
  | 'edited_arguments'
  | 'denied_call'
  | 'corrected_agent'
  | 'restored_checkpoint'
  | 'edited_file'
  | 'canceled_run'

export interface Call {
  tool: string
  /** As executed; for an edited call, as the person changed them. */
  arguments: Arguments
  proposed?: Arguments
  state: CallState
  output: string
  reason?: string
  duration_ms: number
  /** The step of the planted routine. Written to `planted.steps`, never to the call itself. */
  step?: string
}

export type RunEvent =
  | { what: 'message'; author: 'person' | 'agent'; text: string; constraint?: string }
  | { what: 'call'; call: Call }
  | { what: 'restore'; to: Call }

export interface EditedFile {
  path: string
  before: string
  after: string
}

/** What a run mainly is, for counting; `routine`, `constraints` and `remediations` say what is planted. */
export type Part = 'routine' | 'constraint' | 'near_miss' | 'remediation' | 'common' | 'ordinary' | 'random'

export interface Run {
  at: number
  language: Language
  agent: string
  workspace: string
  part: Part
  events: RunEvent[]
  end: 'completed' | 'failed' | 'canceled'
  edited_files: EditedFile[]
  routine: string | null
  variant: string | null
  missing: string[]
  constraints: string[]
  near_miss: string | null
  remediations: string[]
  /** A remediation that happens once and points to nothing. */
  decoy: RemediationKind | null
  poison: boolean
}

export function message(author: 'person' | 'agent', text: string): RunEvent {
  return { what: 'message', author, text }
}

export function call(tool: string, args: Arguments, output: string, state: CallState = 'ok'): Call {
  return { tool, arguments: args, state, output, duration_ms: 0 }
}

export const shell = (command: string, output = '', state: CallState = 'ok') => call('shell.exec', { command }, output, state)
export const read = (path: string, output: string) => call('fs.read', { path }, output)
export const edit = (path: string, old: string, replacement: string) =>
  call('fs.edit', { path, edits: [{ old, new: replacement }] }, '1 replacement')
