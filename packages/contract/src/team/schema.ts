import Type, { type Static } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { pauseReasons } from '../run/index.ts'
import { RunState, Usage } from '../run/schema.ts'
import { Count, Flag, Id, Key, Line, listOf, nullable, object, oneOf, Text, Timestamp } from '../shape.ts'
import { copyStates, memberWorkspaces } from './index.ts'

export * from './merge-schema.ts'

const Path = Type.String({ minLength: 1, maxLength: 4_096 })
const Spending = object({ tokens: Count, turns: Count, seconds: Count })

/** What a team may spend, counted over all its members, and what they have spent. */
export const TeamBudget = object({ limit: Spending, spent: Spending })
export type TeamBudget = Static<typeof TeamBudget>

export const TeamMember = object({
  run_id: Id,
  /** Null for the first run of the team. */
  parent_run_id: nullable(Id),
  conversation_id: Id,
  agent_id: Key,
  agent_name: Line,
  title: Line,
  /** What the agent was told to be in this run; null for an agent that works as itself. */
  role: nullable(Text),
  state: RunState,
  pause_reason: nullable(oneOf(pauseReasons)),
  /** The device that executes it. */
  device_id: Key,
  /** What it is doing now, or did last; null before its first step. */
  doing: nullable(Line),
  usage: Usage,
  turns: Count,
  /** Its share of the budget of the team; null for the first run, which has all of it. On another device: unknown, and null. */
  share: nullable(object({ tokens: Count, turns: Count })),
  workspace: nullable(oneOf(memberWorkspaces)),
  /** The paths that it may write in a shared folder. */
  claims: listOf(Path, { maxItems: 100 }),
  pending_approvals: Count,
  pending_questions: Count,
  failure_contract: nullable(FailureContract),
  started_at: Timestamp,
  ended_at: nullable(Timestamp),
})
export type TeamMember = Static<typeof TeamMember>

export const Team = object({
  root_run_id: Id,
  /** In the order they started. */
  members: listOf(TeamMember, { maxItems: 1_000 }),
  /** Null for a team of another device. */
  budget: nullable(TeamBudget),
})
export type Team = Static<typeof Team>

/** A member that a restore of the run that started it would withdraw, because it was started after that point. */
export const WithdrawnMember = object({
  run_id: Id,
  title: Line,
  state: RunState,
  workspace: oneOf(memberWorkspaces),
  changed_paths: Count,
  /** Restoring it undoes what the member changed in the shared folder. Null if there is nothing to restore, or no longer: a copy is separate. */
  checkpoint_id: nullable(Id),
})
export type WithdrawnMember = Static<typeof WithdrawnMember>

export const TeamMessage = object({
  team_message_id: Id,
  from_run_id: Id,
  /** Null: to all members. */
  to_run_id: nullable(Id),
  topic: nullable(Line),
  text: Text,
  sent_at: Timestamp,
})
export type TeamMessage = Static<typeof TeamMessage>

export const WorkspaceCopy = object({
  run_id: Id,
  title: Line,
  state: oneOf(copyStates),
  /** The folder it is a copy of. */
  copied_from: Text,
  folder: Text,
  files: Count,
  bytes: Count,
  created_at: Timestamp,
  merged_at: nullable(Timestamp),
  /** Its run was erased with its conversation. The copy stays until a user discards it, because it has changes that were not merged. */
  run_is_erased: Flag,
})
export type WorkspaceCopy = Static<typeof WorkspaceCopy>

/** Which agents may delegate to which, and how often they have. */
export const DelegationGraph = object({
  agents: listOf(object({ agent_id: Key, name: Line }), { maxItems: 1_000 }),
  edges: listOf(object({ from_agent_id: Key, to_agent_id: Key, allowed: Flag, delegated: Count, failed: Count }), { maxItems: 10_000 }),
})
export type DelegationGraph = Static<typeof DelegationGraph>
