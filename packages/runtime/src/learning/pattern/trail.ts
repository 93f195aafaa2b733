// What a run did next about a failure: whether it came back to the same thing, and whether that went well. Pure.
import { type CallFact, isFailedCall } from '../rule/run-facts.ts'
import { isLookup, isOneLiner } from './lookup.ts'
import type { ReadCall } from './repair.ts'
import { specificsIn, specificsOfWords } from './specifics.ts'

export interface Trail {
  /** The things that the call or its error names, without those that a call used successfully before. */
  readonly specifics: ReadonlySet<string>
  /** The last call that succeeded with one of these things. */
  readonly last_success: number | null
  /** The calls of the run that did something and succeeded; looking for something does nothing. */
  readonly actions: readonly number[]
  /** The next call that succeeded with anything. */
  readonly next_success: number
  /** The next call, if it asked for something else of the same kind and got it. */
  readonly avoided: number | null
  /** The run completed: what failed in it and was left alone was not needed. */
  readonly completed: boolean
}

export const noTrail: Trail = {
  specifics: new Set(),
  last_success: null,
  actions: [],
  next_success: Number.POSITIVE_INFINITY,
  avoided: null,
  completed: false,
}

/** Both are about the same thing. */
export function nameSame(one: { readonly trail: Trail }, other: { readonly trail: Trail }): boolean {
  return !one.trail.specifics.isDisjointFrom(other.trail.specifics)
}

export interface Trails {
  after(call: CallFact, said: string): Trail
}

/** Calls after a failure in which the same thing is asked for in another way. */
const soon = 2

export function readTrails(calls: readonly ReadCall[], completed: boolean): Trails {
  const given = calls.map(specificsGiven)
  const firstUse = new Map<string, number>()
  const lastUse = new Map<string, number>()
  for (const [at, { call }] of calls.entries()) {
    if (call.outcome !== 'succeeded' || isFailedCall(call)) continue
    for (const name of given[at] ?? []) {
      if (!firstUse.has(name)) firstUse.set(name, call.seq)
      lastUse.set(name, call.seq)
    }
  }
  const actions = calls.filter(isAction).map(({ call }) => call.seq)
  const places = new Map(calls.map(({ call }, at) => [call.call_id, at]))
  function nextWay(at: number): number | null {
    const way = [at + 1, at + soon].find((next) => isAnotherWay(calls[at], calls[next]) && !isDisjoint(given[at], given[next]))
    return way === undefined ? null : (calls[way]?.call.seq ?? null)
  }
  return {
    after(call, said) {
      const at = places.get(call.call_id)
      const failed = at === undefined ? undefined : calls[at]
      if (at === undefined || failed === undefined) return { ...noTrail, completed }
      const named = new Set([...(given[at] ?? []), ...specificsIn(said)])
      const specifics = new Set([...named].filter((name) => (firstUse.get(name) ?? Number.POSITIVE_INFINITY) > call.seq))
      const last = [...named].map((name) => lastUse.get(name) ?? -1).filter((seq) => seq > call.seq)
      return {
        ...{ specifics, completed, actions, last_success: last.length > 0 ? Math.max(...last) : null },
        next_success:
          calls.slice(at).find(({ call: one }) => one.outcome === 'succeeded' && !isFailedCall(one))?.call.seq ?? Number.POSITIVE_INFINITY,
        avoided: nextWay(at),
      }
    },
  }
}

function isAction({ call, given, written }: ReadCall): boolean {
  if (call.outcome !== 'succeeded' || isFailedCall(call)) return false
  const { program = null, words = [] } = written.at(-1) ?? {}
  const asked = { tool: call.tool, program: program ?? (typeof given.language === 'string' ? given.language : null), words }
  return !isLookup(asked) && !isOneLiner(asked)
}

function specificsGiven({ programs, given, written }: ReadCall): ReadonlySet<string> {
  if (programs.length === 0 && written.length === 0) {
    return specificsOfWords(
      Object.values(given)
        .filter((value) => typeof value === 'string')
        .map((value) => value.slice(0, 500)),
    )
  }
  return specificsOfWords([...written, ...programs].flatMap(({ words }) => words))
}

/** The same tool or program, with success. */
function isAnotherWay(failed: ReadCall | undefined, next: ReadCall | undefined): boolean {
  if (!failed || !next || next.call.tool !== failed.call.tool || next.call.outcome !== 'succeeded' || isFailedCall(next.call)) return false
  return failed.written.at(-1)?.program === next.written.at(-1)?.program
}

function isDisjoint(one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined): boolean {
  return !one || !other || one.isDisjointFrom(other)
}
