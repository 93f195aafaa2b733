// What behavior mining knows of a run. Everything is computed from these facts.
import { maskSecrets } from '../../memory/rule/secret/secrets.ts'

export interface BehaviorCall {
  readonly step_id: string
  readonly tool: string
  /** JSON text, as it ran: with the arguments that the user changed. */
  readonly arguments: string
  /** As the agent wrote them, if the user changed them. */
  readonly proposed: string | null
  readonly outcome: string
  /** A person said no. */
  readonly denied: boolean
  /** The restore that undid it. */
  readonly undone_by: string | null
}

export interface SaidMessage {
  readonly message_id: string
  readonly step_id: string | null
  readonly text: string
  /** It started the run. */
  readonly starts: boolean
  /** An agent had said something in this conversation before. */
  readonly follows_agent: boolean
  /** What happened around it: the agent then did again, in another way, what it had just done; or the person had just restored files. */
  readonly about: 'redone' | 'restored' | null
}

/** A file that a run wrote and the user changed by hand afterwards. */
export interface EditedFile {
  readonly path: string
  /** The lines that the user added. */
  readonly added: readonly string[]
}

export interface BehaviorFacts {
  readonly run_id: string
  readonly agent_id: string
  readonly conversation_id: string
  readonly workspace: string
  /** The date on which it was started. */
  readonly day: string
  /** Whether a person asked for it, and not a schedule, a workflow or another run. */
  readonly asked_by_person: boolean
  /** The step of its end if a person canceled it. */
  readonly canceled_by: string | null
  readonly calls: readonly BehaviorCall[]
  /** Only what a person wrote. */
  readonly said: readonly SaidMessage[]
  /** The steps of its restores, oldest first. */
  readonly restores: readonly string[]
  /** Found since the earlier run of the conversation ended. */
  readonly edited_files: readonly EditedFile[]
}

const longestLine = 240

/** The beginning of a text on one line, without secrets. */
export function lineOf(text: string): string {
  // Masked before it is cut: half a secret is not recognized. What is much longer is not looked at.
  return maskSecrets(text.slice(0, 10 * longestLine))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestLine)
}
