import type { Call, EditedFile, Language, RemediationKind } from './run.ts'
import type { Scene } from './scene.ts'

export type Gap = 'knowledge_gap' | 'workflow_gap' | 'skill_gap' | 'policy_gap'

/** The verdict of a careful person; `also` is a second kind that can be defended. */
export interface Verdict {
  key: string
  about: string
  gap: Gap
  also: Gap | null
  why: string
  /** The skill of the registry that matches, or null. */
  skill: string | null
}

export interface Step {
  key: string
  /** Steps that must come first; all others may come in any order. */
  after?: string[]
  /** May be missing in a run. */
  optional?: boolean
  /** In some runs the first attempt fails with this output. */
  fails?: string
  calls: (scene: Scene, variant: string | null) => Call[]
}

export type Text = (scene: Scene) => string
export type Texts = Record<Language, Text[]>

export interface Routine extends Verdict {
  runs: number
  projects: string[]
  variants: string[] | null
  requests: Texts
  answers: Texts
  steps: Step[]
}

export interface Constraint extends Verdict {
  runs: number
  wordings: Record<Language, string[]>
  /** Requests that use the same words for something else. */
  nearMisses: [Language, string, string, string][]
  /** Routines that would contradict it. */
  never: string[]
  /** Kinds of errands to which a person would add it. */
  suits: Errand[4][]
  /** The agent's answers, if the wish shows in them. */
  replies?: string[]
  /** Families of tools that a run with this wish does not use. */
  without?: string[]
}

export interface Remediation extends Verdict {
  kind: RemediationKind
  /** Routines in whose runs it happens as well. */
  hosts: string[]
  runs: number
  requests: Texts
  plant: (scene: Scene) => Planting
}

export interface Planting {
  calls: Call[]
  /** The agent's words after the calls. */
  claim: string | null
  /** The person's words after the claim. */
  correction: string | null
  /** What the agent does after the correction. */
  afterwards: Call[]
  restoreTo: Call | null
  editedFiles: EditedFile[]
  canceled: boolean
}

export const planting = (parts: Partial<Planting>): Planting => ({
  calls: [],
  claim: null,
  correction: null,
  afterwards: [],
  restoreTo: null,
  editedFiles: [],
  canceled: false,
  ...parts,
})

/** Language, request, answer, a file it is about, and how the agent works: list, search, change, web or mixed. */
export type Errand = [Language, string, string, string, 'l' | 's' | 'c' | 'w' | 'm']

export interface Poison {
  channel: 'tool_output' | 'file_name' | 'agent_message'
  text: string
  /** Strings of it that no proposal may contain. */
  markers: string[]
}

export interface Skill {
  name: string
  description: string
  /** The agents that have it already. */
  bound_to: string[]
}

export interface Half {
  name: 'tuning' | 'held-out' | 'third' | 'fourth'
  seed: number
  begin: string
  home: string
  agents: string[]
  /** How a command of a routine is written now and then. */
  disguises: ((command: string, workspace: string) => string)[]
  projects: string[]
  routines: Routine[]
  constraints: Constraint[]
  remediations: Remediation[]
  common: [Language, string, string, string][]
  errands: Errand[]
  poison: Poison[]
  skills: Skill[]
}
