// What a gap asks of the policy: the user denied, undid or stopped the same again and again, or asked in their own words not to change it.
// The rules of candidates apply, and two more. Nothing that is proposed here allows more. Pure.
import { resolve } from 'node:path'
import type { PolicyCandidateRule, PolicyChange } from '@tandem/contract/policy-candidate'
import { exclusionsFor, longestGlob, mostGlobs } from './denied-path.ts'
import { widens } from './policy-change.ts'
import { type EarlierCandidate, isNew, openFor, proposalsOf, type RuledProposal, strongestFirst, toRecommended } from './recommend.ts'
import { change, type Recommended, runs, shown } from './recommended.ts'
import { type CallHistory, groupBy, type RecordedCall, runsOf } from './recorded-call.ts'

export interface PolicyWish {
  /** The tools whose calls the user denied, undid or stopped. */
  readonly tools: readonly string[]
  /** The runs in which this happened. */
  readonly run_ids: readonly string[]
  /** The user canceled the runs, after the last call of the tool. */
  readonly stopped: boolean
  /** What must not be changed, in the person's own words: paths, relative to the workspace or absolute. */
  readonly paths: readonly string[]
  readonly workspace: string
}

/** What only gaps propose. */
export const gapRules = ['undone_call', 'forbidden_path'] as const satisfies readonly PolicyCandidateRule[]

export type Wished =
  | { readonly is: 'new'; readonly recommended: Recommended }
  /** A candidate for the same field is open. */
  | { readonly is: 'open'; readonly candidate_id: string }
  | null

export function recommendFor(wish: PolicyWish, history: CallHistory, earlier: readonly EarlierCandidate[]): Wished {
  const found = strongestFirst([
    ...proposalsOf(history).filter((one) => isMeant(one, wish)),
    ...wish.tools.flatMap((tool) => askFirst(tool, wish, history)),
    ...excluded(wish, history),
  ]).filter(({ proposal }) => !widens(proposal.changes, history.policyOf))
  const [open] = found.flatMap(({ proposal }) => openFor(proposal, earlier) ?? [])
  if (open) return { is: 'open', candidate_id: open.id }
  const [strongest] = found.filter(({ proposal }) => isNew(proposal, earlier))
  return strongest ? { is: 'new', recommended: toRecommended(strongest, history) } : null
}

/** It changes a tool of the gap, because of calls in its runs. */
function isMeant({ proposal }: RuledProposal, { tools, run_ids }: PolicyWish): boolean {
  return proposal.changes.every(({ tool }) => tools.includes(tool)) && proposal.because.some(({ run_id }) => run_ids.includes(run_id))
}

const neededRuns = 3

/** A call that ran without a question, and that the user undid or stopped. */
function askFirst(tool: string, { run_ids, stopped }: PolicyWish, { calls, policyOf }: CallHistory): readonly RuledProposal[] {
  const { enabled, approval_mode } = policyOf(tool).policy
  if (!enabled || approval_mode !== 'auto') return []
  const ran = calls.filter((call) => call.tool === tool && run_ids.includes(call.run_id) && isUnasked(call))
  const because = stopped
    ? [...groupBy(ran, ({ run_id }) => run_id).values()].flatMap((group) => group.slice(-1))
    : ran.filter(({ undone }) => undone)
  const count = runsOf(because)
  if (count < neededRuns) return []
  const did = stopped ? 'you canceled the run after it' : 'you undid it'
  return [
    {
      rule: 'undone_call',
      proposal: {
        ...{ because, needed: neededRuns },
        changes: [change(tool, 'approval_mode', approval_mode, 'required')],
        title: `Ask before each call of ${tool}, because ${did} in ${runs(count)}.`,
        rationale: `${tool} ran without asking you, and ${did}, in ${runs(count)}. With this change, you are asked before each call.`,
      },
    },
  ]
}

function isUnasked({ answer, started_at }: RecordedCall): boolean {
  return answer === null && started_at !== null
}

/** The tools that change files at a path. Commands have scopes of their own. */
const changingTools = ['fs.write', 'fs.edit', 'fs.move', 'fs.delete', 'fs.mkdir'] as const

function excluded({ paths, run_ids, workspace }: PolicyWish, { policyOf }: CallHistory): readonly RuledProposal[] {
  return paths.flatMap((path): readonly RuledProposal[] => {
    const changes = changingTools.flatMap((tool): readonly PolicyChange[] => {
      const { enabled, fs_scope } = policyOf(tool).policy
      const exact = enabled ? exclusionsFor(fs_scope.roots, workspace, resolve(workspace, path)) : []
      // A folder with everything in it.
      const globs = [...new Set([...fs_scope.globs, ...exact, ...exact.map((glob) => `${glob}/**`)])]
      if (globs.length === fs_scope.globs.length || globs.length > mostGlobs || globs.some((glob) => glob.length > longestGlob)) return []
      return [change(tool, 'fs_scope', fs_scope, { roots: fs_scope.roots, globs })]
    })
    if (changes.length === 0) return []
    const title = `Exclude ${shown(path)} from what ${changes.map(({ tool }) => tool).join(', ')} may change, because you asked for it in ${runs(run_ids.length)}.`
    const rationale = `In ${runs(run_ids.length)} you asked not to change ${shown(path)}. With this change, such a call is refused without asking you.`
    return [{ rule: 'forbidden_path', proposal: { changes, title, rationale, because: [], needed: neededRuns, asked: run_ids.length } }]
  })
}
