// A team: a run, the runs it started, the runs those started, and so on. Each member is a run of its own.
export * from './conflict.ts'
export * from './member-tree.ts'
export * from './resolution.ts'
export type {
  DelegationGraph,
  MergeConflict,
  MergedFile,
  Team,
  TeamBudget,
  TeamMember,
  TeamMessage,
  WithdrawnMember,
  WorkspaceCopy,
} from './schema.ts'

/**
 * Where a member works. `copy`: in a copy of the folder, created at its first write or command; its changes are merged later. `shared`: in
 * the folder itself, where it may write only below the paths that it claims.
 */
export const memberWorkspaces = ['copy', 'shared'] as const
export type MemberWorkspace = (typeof memberWorkspaces)[number]

/** What a restore does with the changes of members that the run started after the recovery point. */
export const withdrawnChoices = ['keep', 'restore'] as const
export type WithdrawnChoice = (typeof withdrawnChoices)[number]

/** `in_use`: its member has not ended. `unmerged`: kept until a person discards it. `merged`: deleted a day after the merge. */
export const copyStates = ['in_use', 'unmerged', 'merged'] as const
export type CopyState = (typeof copyStates)[number]

/** What happened to a path. */
export const pathChanges = ['added', 'edited', 'deleted', 'renamed', 'mode'] as const
export type PathChange = (typeof pathChanges)[number]

/** How much of a team may be used up, if neither the agent nor the settings say otherwise. */
export const defaultTeamLimits = { depth: 3, at_once: 6, total: 30 } as const
export const defaultTeamBudget = { tokens: 2_000_000, turns: 300, seconds: 4 * 3600 } as const

/** Longer messages between members are refused. */
export const teamMessageCharacters = 4_000
