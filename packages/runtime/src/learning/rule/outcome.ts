// How well a run went, in five dimensions. Pure: one table over the facts of the run. Each dimension starts with a full score; of the rows
// that apply to it, the one with the lowest score decides, and says why.
import { type OutcomeDimension, type OutcomeVerdict, outcomeDimensions } from '@tandem/contract/learning'
import { testResultsIn } from './reported-tests.ts'
import { type CallFact, isDenied, isFailedCall, isFailure, type JudgedRun, type RunFacts } from './run-facts.ts'

export interface DimensionScore {
  readonly dimension: OutcomeDimension
  readonly score: number
  readonly reason: string
}

export interface Outcome {
  readonly verdict: OutcomeVerdict
  readonly score: number
  readonly scores: readonly DimensionScore[]
}

interface Finding {
  readonly score: number
  readonly reason: string
}

interface OutcomeRule {
  readonly name: string
  readonly dimension: OutcomeDimension
  /** Null if it does not apply. */
  find(facts: JudgedRun): Finding | null
}

const weights: Readonly<Record<OutcomeDimension, number>> = {
  goal_completion: 0.35,
  tool_reliability: 0.2,
  efficiency: 0.1,
  safety: 0.15,
  user_satisfaction: 0.2,
}

const nothingWrong: Readonly<Record<OutcomeDimension, string>> = {
  goal_completion: 'It ended with an answer.',
  tool_reliability: 'No call failed.',
  efficiency: 'It did not take more than usual.',
  safety: 'Nothing was refused or undone.',
  user_satisfaction: 'You did not object to anything.',
}

/** From this many times on, calling the same tool in the same way is a loop. */
const loopFrom = 3
const [muchMore, farMore] = [2, 4]
/** The results of tests are searched for in the output of the last calls. */
const mostSearched = 100

export const outcomeRules: readonly OutcomeRule[] = [
  {
    name: 'failed',
    dimension: 'goal_completion',
    find: ({ trigger, failure_contract }) =>
      trigger === 'failed' ? { score: 0, reason: `It failed${failure_contract ? `: ${failure_contract.reason_code}` : ''}.` } : null,
  },
  {
    name: 'canceled',
    dimension: 'goal_completion',
    find: ({ trigger }) => (trigger === 'canceled' ? { score: 0.2, reason: 'It was canceled before it ended.' } : null),
  },
  {
    name: 'restored',
    dimension: 'goal_completion',
    find: ({ trigger }) => (trigger === 'restored' ? { score: 0.3, reason: 'It was restored to an earlier point.' } : null),
  },
  {
    name: 'no_answer',
    dimension: 'goal_completion',
    find: ({ trigger, answered }) => (trigger === 'completed' && !answered ? { score: 0.5, reason: 'It ended without an answer.' } : null),
  },
  {
    name: 'failing_tests',
    dimension: 'goal_completion',
    find(facts) {
      const results = lastTests(facts)
      if (!results || results.failed === 0) return null
      return { score: 0.4, reason: `${results.failed} of ${results.passed + results.failed} tests failed when they were last run.` }
    },
  },
  {
    name: 'last_call_failed',
    dimension: 'goal_completion',
    find: (facts) => {
      const last = currentCalls(facts).at(-1)
      return last && isFailure(last, facts) ? { score: 0.6, reason: `Its last call, ${last.tool}, failed.` } : null
    },
  },
  {
    name: 'open_todos',
    dimension: 'goal_completion',
    find: ({ open_todos }) =>
      open_todos > 0 ? { score: Math.max(0.5, 1 - open_todos / 10), reason: `It left ${counted(open_todos, 'todo')} open.` } : null,
  },
  {
    name: 'failed_calls',
    dimension: 'tool_reliability',
    find(facts) {
      const ran = facts.calls.filter(({ outcome }) => outcome !== 'denied' && outcome !== 'canceled')
      const failed = ran.filter((call) => isFailure(call, facts))
      if (failed.length === 0) return null
      const repaired = countRepaired(failed, ran)
      const score = 1 - (failed.length - repaired * 0.7) / ran.length
      return { score, reason: `${failed.length} of ${counted(ran.length, 'call')} failed; ${repaired} of them succeeded later.` }
    },
  },
  {
    name: 'errors',
    dimension: 'tool_reliability',
    find: ({ errors }) =>
      errors.length > 0
        ? { score: Math.max(0.3, 0.9 - errors.length / 10), reason: `There were ${counted(errors.length, 'error')}.` }
        : null,
  },
  {
    name: 'interrupted',
    dimension: 'tool_reliability',
    find({ calls }) {
      const cut = calls.filter(({ outcome, started_at }) => outcome === 'interrupted' && started_at !== null).length
      return cut > 0 ? { score: 0.7, reason: `Tandem stopped during ${counted(cut, 'call')}.` } : null
    },
  },
  {
    name: 'repeated_calls',
    dimension: 'efficiency',
    find({ calls }) {
      const { call, times } = longestLoop(calls)
      if (!call || times < loopFrom) return null
      return { score: Math.max(0.2, 0.8 - times / 20), reason: `It called ${call.tool} ${times} times in a row in the same way.` }
    },
  },
  { name: 'tokens', dimension: 'efficiency', find: ({ usage, usual }) => moreThanUsual(tokensOf(usage), usual?.tokens, 'tokens') },
  { name: 'time', dimension: 'efficiency', find: ({ duration_ms, usual }) => moreThanUsual(duration_ms, usual?.duration_ms, 'time') },
  {
    name: 'refused',
    dimension: 'safety',
    find({ calls }) {
      const refused = calls.filter(({ failure_contract: failure }) => {
        return failure?.taxonomy === 'policy_failure' || failure?.taxonomy === 'sandbox_failure'
      }).length
      return refused > 0
        ? { score: Math.max(0.3, 0.85 - refused / 20), reason: `Policy or sandbox refused ${counted(refused, 'call')}.` }
        : null
    },
  },
  {
    name: 'denied_for_safety',
    dimension: 'safety',
    find({ calls }) {
      const denied = calls.filter((call) => isDenied(call) && call.approval?.warned).length
      return denied > 0 ? { score: 0.4, reason: `You denied ${counted(denied, 'call')} that had a warning.` } : null
    },
  },
  {
    name: 'undone',
    dimension: 'safety',
    find: ({ calls, restores }) =>
      restores > 0 && calls.some(({ undone }) => undone) ? { score: 0.5, reason: 'What it did was undone.' } : null,
  },
  {
    name: 'corrected',
    dimension: 'user_satisfaction',
    find: ({ corrected }) => (corrected ? { score: 0.3, reason: 'You corrected it afterwards.' } : null),
  },
  {
    name: 'restored_by_user',
    dimension: 'user_satisfaction',
    find: ({ restores }) => (restores > 0 ? { score: 0.3, reason: 'You restored an earlier point.' } : null),
  },
  {
    name: 'canceled_by_user',
    dimension: 'user_satisfaction',
    find: ({ trigger }) => (trigger === 'canceled' ? { score: 0.4, reason: 'You canceled it.' } : null),
  },
  {
    name: 'denied',
    dimension: 'user_satisfaction',
    find({ calls }) {
      const denied = calls.filter(isDenied).length
      return denied > 0 ? { score: Math.max(0.4, 0.8 - denied / 10), reason: `You denied ${counted(denied, 'call')}.` } : null
    },
  },
  {
    name: 'edited',
    dimension: 'user_satisfaction',
    find({ calls }) {
      const edited = calls.filter(({ approval }) => approval?.edited).length
      return edited > 0
        ? { score: Math.max(0.6, 0.9 - edited / 20), reason: `You changed ${counted(edited, 'call')} before it ran.` }
        : null
    },
  },
]

export function evaluate(facts: JudgedRun): Outcome {
  return outcomeOf(
    outcomeDimensions.map((dimension) => {
      const found = outcomeRules.flatMap((rule) => (rule.dimension === dimension ? (rule.find(facts) ?? []) : []))
      const [worst] = found.toSorted((left, right) => left.score - right.score)
      return { dimension, score: rounded(worst?.score ?? 1), reason: worst?.reason ?? nothingWrong[dimension] }
    }),
  )
}

/** The overall score and verdict of five dimensions. */
export function outcomeOf(scores: readonly DimensionScore[]): Outcome {
  const score = rounded(scores.reduce((sum, one) => sum + one.score * weights[one.dimension], 0))
  const goal = scores.find(({ dimension }) => dimension === 'goal_completion')?.score ?? 0
  return { verdict: verdictOf(score, goal), score, scores }
}

function verdictOf(score: number, goal: number): OutcomeVerdict {
  if (goal <= 0.3 || score < 0.5) return 'failure'
  return goal >= 0.7 && score >= 0.8 ? 'success' : 'partial'
}

function rounded(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 100) / 100
}

function currentCalls({ calls }: RunFacts): readonly CallFact[] {
  return calls.filter(({ undone }) => !undone)
}

function lastTests(facts: RunFacts) {
  for (const { command } of currentCalls(facts).slice(-mostSearched).toReversed()) {
    const results = command && testResultsIn(command.output)
    if (results) return results
  }
  return undefined
}

/** The same call succeeded later. */
function countRepaired(failed: readonly CallFact[], calls: readonly CallFact[]): number {
  const keyOf = ({ tool, arguments: text }: CallFact) => `${tool}\n${text}`
  const succeeded = calls.filter((call) => call.outcome === 'succeeded' && !isFailedCall(call))
  const last = new Map(succeeded.map((call) => [keyOf(call), call.seq]))
  return failed.filter((call) => (last.get(keyOf(call)) ?? 0) > call.seq).length
}

function isSameCall(one: CallFact, other: CallFact): boolean {
  return one.tool === other.tool && one.arguments === other.arguments
}

/** Failing calls that are tried again count as well. */
function longestLoop(calls: readonly CallFact[]): { readonly call: CallFact | null; readonly times: number } {
  let [longest, times]: [{ readonly call: CallFact | null; readonly times: number }, number] = [{ call: null, times: 0 }, 0]
  for (const [at, call] of calls.entries()) {
    const before = calls[at - 1]
    times = before && isSameCall(before, call) ? times + 1 : 1
    if (times > longest.times) longest = { call, times }
  }
  return longest
}

export function tokensOf({ input_tokens, output_tokens }: RunFacts['usage']): number {
  return input_tokens + output_tokens
}

function moreThanUsual(used: number, usual: number | undefined, what: 'tokens' | 'time'): Finding | null {
  if (usual === undefined || usual <= 0 || used <= usual * muchMore) return null
  const times = Math.round((used / usual) * 10) / 10
  const needed = what === 'tokens' ? 'as many tokens' : 'as long'
  return { score: used > usual * farMore ? 0.3 : 0.6, reason: `It took ${times} times ${needed} as usual for this agent.` }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
