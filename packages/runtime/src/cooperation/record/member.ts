import type { MemberWorkspace } from '@tandem/contract/team'
import type { MemberResult } from '@tandem/contract/tool/output'

/** A run that another run started. The first run of a team is not one. */
export interface MemberRecord {
  readonly run_id: string
  readonly parent_run_id: string
  readonly root_run_id: string
  /** The call that started it. */
  readonly call_id: string
  /** 1 for a member that the first run of the team started. */
  readonly depth: number
  readonly title: string
  readonly role: string | null
  /** Of its agent and its task, to notice a task that is delegated in a circle. */
  readonly task_sha256: string
  readonly workspace: MemberWorkspace
  /** Relative to the folder; what it may write there in a shared folder. */
  readonly claims: readonly string[]
  /** The folder of its parent when it started. */
  readonly started_in: string
  readonly share: { readonly tokens: number; readonly turns: number }
  /** The parent named the share. Otherwise it grows as long as the parent has something left. */
  readonly share_is_fixed: boolean
  /** As JSON text. */
  readonly output_schema: string | null
  /** Its parent waits for it in the call that started it. */
  readonly is_awaited: boolean
  /** A restore of its parent has undone the call that started it. */
  readonly is_withdrawn: boolean
  /** It is withdrawn, and no one has resumed it since. */
  readonly is_set_aside: boolean
  /** How it ended; null until then. */
  readonly result: MemberResult | null
}
