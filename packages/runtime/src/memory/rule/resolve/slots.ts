// The slot a statement fills, by its words. Pure.
import type { Memory, MemoryKind } from '@tandem/contract/memory'
import { compileExpressions } from '../../../scheduler/compile-expressions.ts'
import type { SlicedWork } from '../../../scheduler/slices.ts'
import { memoized } from '../memoized.ts'
import { codeSlots } from './code-slots.ts'
import { lifeSlots, personSlots } from './person-slots.ts'
import { compiled, slugOf } from './phrase.ts'
import { projectSlots } from './project-slots.ts'

export interface Slot {
  readonly key: string
  /** One value at a time, so that a newer one replaces it; or many beside each other. */
  readonly holds: 'one' | 'many'
  /** In the notation of `phrase.ts`. A group `thing` becomes a suffix of the key. */
  readonly aliases: readonly string[]
  /** Words without which no alias can match: most statements are decided by these alone. */
  readonly cue: string
  readonly kinds: readonly MemoryKind[]
  readonly subjects: readonly SubjectType[]
  /**
   * What the words beside the alias may contain. Elsewhere a denial only excludes one value, and a time, a condition or a place makes the
   * statement true only there: it must not replace one that holds in general.
   */
  readonly allows?: readonly ('denial' | 'time' | 'condition' | 'place')[]
  /** Used only where no other slot matches. */
  readonly isGeneral?: true
}

export type SubjectType = 'user' | 'agent' | 'workspace' | 'entity'

export const slots: readonly Slot[] = [...personSlots, ...lifeSlots, ...codeSlots, ...projectSlots]

const table = slots.map((slot) => ({ slot, cue: new RegExp(slot.cue, 'u') }))
/** At its first use: compiling all of them would delay every start, and a statement needs only those of a few slots. */
const patternOf = memoized(compiled)
const byKey = new Map(slots.map((slot) => [slot.key, slot]))

/** Longer contents are descriptions, not values. */
const mostCharacters = 400

const reason = /[,;:.]?\s(?:because|since|so that|although|though|but|which|while)\s.*$|,\s(?:as|so|having|and)\s.*$/iu
const contrast = /(?:[,;]\s(?:and\s|but\s)?(?:not|never|no longer|no more|nor)|,?\s(?:instead of|rather than))\s.*$/iu
/** What follows in the same sentence is another remark, unless it restricts this one. */
const nextClause = /[,;.!?]\s(?!(?:except|unless|but|only|if|when|and)\s).*$/iu
const past = /(?<![\p{L}])(?:used to|formerly|previously|in the past|back then|at the time|had been|would have|no longer)(?![\p{L}])/iu
const unsure =
  /(?<![\p{L}])(?:maybe|perhaps|might|could|considering|thinking (?:of|about)|not sure|some ?day|one day|eventually|wish)(?![\p{L}])/iu
const denial = /(?<![\p{L}])(?:not|never|no|none|neither|nor|without|nobody|cannot|\p{L}+n't)(?![\p{L}])/iu
const time =
  /(?<![\p{L}])(?:(?<!from |as of )today|tomorrow|yesterday|tonight|this (?:time|week|month|once|morning|afternoon|evening)|next (?:week|month)|temporarily|until)(?![\p{L}])/iu
const condition = /(?<![\p{L}])(?:if|unless|except|whenever|when|only (?:for|in|on|if))(?![\p{L}])/iu
/** "The database is down" says how it is, not which one it is. */
const copula = /(?:\s|^)(?:is|are|be|stays?|remains?)(?: (?:now|just|always|still))*$/iu
const state =
  /^\s+(?:(?:really|very|too|so|pretty|quite|again|a bit|rather|getting) )*(?:down|up|slow|slower|fast|faster|broken|full|empty|wrong|right|late|early|ready|done|gone|dead|old|great|good|bad|nice|terrible|awful|annoying|loud|huge|small|big|fine|ok|okay|stuck|missing|hard|easy|expensive|cheap|important|crashing|failing|hanging|running|leaking|rising|falling|growing|working|breaking|freezing|lagging|filling|acting|giving|making|driving|a (?:pain|mess|joke|problem|nightmare))(?![\p{L}-])/iu
/** "… in Python", "… for the old project": true only there. What is about a workspace is narrow enough already. */
const narrowed =
  /(?<![\p{L}])(?:[Ff]or|[Ii]n|[Oo]n|[Ii]nside|[Ww]ithin) (?:(?:the|my|our|this|that) )?(?:\p{Lu}|(?!both|all|every)(?:[\p{L}-]+ ){0,2}(?:projects?|repos?|repositor(?:y|ies)|files?|scripts?|apps?|sites?|courses?|clients?|customers?|laptop|phone)(?![\p{L}]))/u

/** The key of the slot, with a suffix where a slot exists per thing or per person; null if none matches, or several do. */
export function slotOf({ memory_kind, subject, content }: Pick<Memory, 'memory_kind' | 'subject' | 'content'>): string | null {
  if (content.length > mostCharacters || content.trimEnd().endsWith('?')) return null
  const type = subject.split(':', 1)[0] as SubjectType
  const found = matchesIn(content).flatMap(({ slot, matches }) => {
    if (!slot.kinds.includes(memory_kind) || !slot.subjects.includes(type)) return []
    const key = keyFrom(slot, matches, type)
    return key === null ? [] : [{ slot, key }]
  })
  const specific = found.filter(({ slot }) => slot.isGeneral !== true)
  const [first, second] = specific.length > 0 ? specific : found
  return first && !second ? first.key : null
}

interface Match {
  /** What is beside the alias. */
  readonly rest: string
  /** Whether it says how something is, not which one it is. */
  readonly isState: boolean
  readonly groups: Readonly<Record<string, string | undefined>>
}

/** What matches does not depend on whom the statement is about or which kind of memory it is; what follows from it does. */
const matchesIn = memoized((content): readonly { readonly slot: Slot; readonly matches: readonly Match[] }[] => {
  const plain = content.normalize('NFC').replaceAll('’', "'")
  const statement = plain.replace(reason, '').replace(contrast, '')
  if (past.test(statement) || unsure.test(statement)) return []
  const lower = statement.toLowerCase()
  return table
    .filter(({ cue }) => cue.test(lower))
    .map(({ slot }) => ({ slot, matches: slot.aliases.flatMap((alias) => matchOf(alias, statement)) }))
    .filter(({ matches }) => matches.length > 0)
})

const prepared = { latin: new Set<string>(), all: new Set<string>() }

/** Before statements are assigned to slots, in slices: the expressions of the slots that they may fill. */
export function* compileSlotsFor(contents: Iterable<string>): SlicedWork<void> {
  for (const content of contents) {
    const lower = content.toLowerCase()
    const texts = /[^\0-\xff]/.test(content) ? 'all' : 'latin'
    for (const { slot } of table.filter(({ cue }) => cue.test(lower))) {
      if (prepared[texts].has(slot.key) || prepared.all.has(slot.key)) continue
      yield* compileExpressions(slot.aliases.map(patternOf), texts)
      prepared[texts].add(slot.key)
    }
    yield
  }
}

function matchOf(alias: string, statement: string): readonly Match[] {
  const match = patternOf(alias).exec(statement)
  if (!match) return []
  const after = statement.slice(match.index + match[0].length).replace(nextClause, '')
  const rest = `${statement.slice(0, match.index)} | ${after}`
  return [{ rest, isState: copula.test(match[0]) && state.test(after), groups: match.groups ?? {} }]
}

/** The slot of a key as `slotOf` gives it. */
export function slotNamed(key: string): Slot | undefined {
  return byKey.get(key.split(':', 1)[0] ?? '')
}

function keyFrom(slot: Slot, matches: readonly Match[], type: SubjectType): string | null {
  const keys = new Set(
    matches.map(({ rest, isState, groups }) => (isState || isLimited(slot, rest, type) ? null : suffixed(slot, groups, type))),
  )
  const [key] = keys
  return keys.size === 1 ? (key ?? null) : null
}

function isLimited({ allows = [] }: Slot, rest: string, type: SubjectType): boolean {
  return (
    (!allows.includes('denial') && denial.test(rest)) ||
    (!allows.includes('time') && time.test(rest)) ||
    (!allows.includes('condition') && condition.test(rest)) ||
    (!allows.includes('place') && type === 'user' && narrowed.test(rest))
  )
}

const pronouns = new Set(['i', 'you', 'he', 'she', 'it', 'we', 'they', 'them', 'one', 'there'])

/** A memory about an entity is about that person already; elsewhere the name of a person keeps them apart. */
function suffixed({ key, aliases }: Slot, groups: Readonly<Record<string, string | undefined>>, type: SubjectType): string | null {
  const isPerThing = aliases.some((alias) => alias.includes('<thing>') || alias.includes('{thing}'))
  const person = type === 'entity' ? '' : slugOf(groups.who ?? '', 'name')
  const thing = isPerThing ? slugOf(groups.thing ?? '') : ''
  if (isPerThing && (thing === '' || pronouns.has(thing))) return null
  return [key, person, thing].filter((part) => part !== '').join(':')
}
