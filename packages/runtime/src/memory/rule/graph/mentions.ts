// Who and what a text mentions. Pure.
import { type RelationshipEntityKind, userEntityName } from '@tandem/contract/memory'
import { compileExpressions } from '../../../scheduler/compile-expressions.ts'
import type { SlicedWork } from '../../../scheduler/slices.ts'
import { memoized } from '../memoized.ts'
import { aliasExpressions } from './aliases.ts'
import {
  afterPerson,
  beforePerson,
  channelWords,
  constraintPatterns,
  emptyWish,
  organisationWords,
  preferencePatterns,
  resourceHeads,
  vagueResourceHeads,
  wishEnd,
  wishVerbs,
  workflowWords,
} from './mention-words.ts'
import { type NamedSpan, names, peopleIn } from './people.ts'
import { phraseEnd, phraseStart } from './phrases.ts'

export interface Mention {
  readonly name: string
  readonly entity_kind: RelationshipEntityKind
  readonly start: number
  readonly end: number
  readonly ontology_domain: string
}

export const userName = userEntityName

const longestName = 120

/** In the order of the text. Mentions of one kind do not overlap; "every report in French" is a workflow and a preference. */
export const mentionsIn = memoized((content): readonly Mention[] => {
  const channels = channelsIn(content)
  const spans = peopleIn(content)
  const workflows = workflowsIn(content, spans)
  const resources = resourcesIn(content, spans).filter((one) => !overlaps(one, channels) && !overlaps(one, workflows))
  const people = spans.map((span) => ({ ...span, entity_kind: 'stakeholder' as const }))
  const named = people.filter((one) => !overlaps(one, channels) && !overlaps(one, resources))
  const found = [
    ...channels,
    ...workflows,
    ...resources,
    ...named,
    ...userIn(content),
    ...constraintsIn(content),
    ...preferencesIn(content),
  ]
  return found.sort((left, right) => left.start - right.start || left.end - right.end || (left.entity_kind < right.entity_kind ? -1 : 1))
})

function userIn(content: string): Mention[] {
  return [...content.matchAll(/(?<![\p{L}'’])(?:I|[Mm]e|[Mm]y|[Mm]ine|[Tt]he user)(?![\p{L}])/gu)].map(({ 0: text, index }) => ({
    ...at('stakeholder', 'person', index, index + text.length, userName),
  }))
}

function channelsIn(content: string): Mention[] {
  const tables = channelWords.flatMap(({ name, pattern }) =>
    [...content.matchAll(pattern)]
      .filter(({ 0: text, index }) => !isModifier(content, index + text.length))
      .map(({ 0: text, index }) => at('channel', 'communication', index, index + text.length, name)),
  )
  // "reach her on Foo", "a comment in Foo": the words say that it is a channel, whatever product it is.
  const products = [
    /\b(?:[Rr]each|[Gg]et|[Cc]ontact|[Ff]ind|[Mm]essage|[Pp]ing|[Tt]ell|[Ww]rite to) (?:him|her|them|me|us|[\p{Lu}][\p{L}]+(?: [\p{Lu}][\p{L}.]+)?) (?:only )?(?:on|in|via|through) ()(\p{Lu}[\p{L}\p{N}]+)/gu,
    /\b(?:lives? (?:in|on)|only (?:looks at|reads|checks|uses|answers on)|is only on|is reached (?:on|in|via)|reachable (?:on|in|via)) ()(\p{Lu}[\p{L}\p{N}]+)/gu,
    /\b(comments? (?:in|on) )(\p{Lu}[\p{L}\p{N}]+)/gu,
  ].flatMap((pattern) =>
    [...content.matchAll(pattern)].map(({ 0: text, 1: head = '', 2: product = '', index }) => {
      const end = index + text.length
      return at('channel', 'communication', end - product.length - head.length, end, head === '' ? product : `comment in ${product}`)
    }),
  )
  return withoutOverlaps([...tables, ...products])
}

/** "the mail server" is a server, no channel. */
function isModifier(content: string, end: number): boolean {
  const next = /^[ -]([\p{L}]+)/u.exec(content.slice(end, end + 30))?.[1]?.toLowerCase()
  return next !== undefined && (allHeads.includes(next) || next === 'template' || next === 'signature')
}

const paths =
  /(?<![\p{L}\p{N}_/@.-])(?:~?\.{0,2}\/)?(?:[\p{L}\p{N}_@.-]+\/)*[\p{L}\p{N}_@-]+\.(?:[cm]?[jt]sx?|json|jsonl|md|py|rs|go|java|kt|rb|php|sql|csv|xlsx?|docx?|pptx?|odt|ods|pdf|ya?ml|toml|ini|env|txt|html?|css|scss|svg|png|jpe?g|tiff?|sh|ipynb|tex|log|zip)\b|(?<![\p{L}\p{N}_/@.-])(?:~|\.{1,2})?\/[\p{L}\p{N}_@.-]+(?:\/[\p{L}\p{N}_@.-]+)*/gu
const hosts =
  /https?:\/\/[^\s<>"')\]]+|(?<![\p{L}\p{N}_/@.-])(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app|example|info|edu|gov|cloud|eu|uk|de|fr|es|pt|it|nl)(?![\p{L}\p{N}-])/gu
const allHeads = [...resourceHeads, ...vagueResourceHeads]
const heads = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${allHeads.join('|')})(?![\\p{L}\\p{N}_-])`, 'giu')
const keeperVerbs =
  /\b(?:guards?|protects?|owns|(?<=\b(?:I|we|they) )own|maintains?|safeguards?|looks? after|takes? care of|watch(?:es)? over|(?:is |are )?responsible for|(?:is |are )?in charge of|touch(?:es)?|signs? off(?: on)?|approves?) (?:(?:the|a|an|that|this|these|those|every|all|any|our|my|his|her|their) )*/giu

/** Before the first use, in slices. */
export function compileMentionPatterns(): SlicedWork<void> {
  const words = [...channelWords, ...workflowWords].map(({ pattern }) => pattern)
  const tables = [...aliasExpressions(), ...constraintPatterns, ...preferencePatterns, ...words]
  return compileExpressions([...tables, names, beforePerson, afterPerson, organisationWords, paths, hosts, heads, keeperVerbs, wishVerbs])
}

function resourcesIn(content: string, people: readonly NamedSpan[]): Mention[] {
  const files = [...content.matchAll(paths)].map(({ 0: text, index }) => at('resource', 'file', index, index + text.length, text))
  const services = [...content.matchAll(hosts)].map(({ 0: text, index }) => {
    const name = text.replace(/[.,;:!?]+$/, '')
    return at('resource', 'service', index, index + name.length, name)
  })
  const phrases = [...content.matchAll(heads)].flatMap(({ 0: text, index }) => {
    const [start, end] = [phraseStart(content, index, people), index + text.length]
    if (start === index && vagueResourceHeads.includes(text.toLowerCase())) return []
    return [at('resource', 'system', start, end, content.slice(start, end).toLowerCase())]
  })
  const kept = [...content.matchAll(keeperVerbs)].flatMap(({ 0: text, index }) => {
    const start = index + text.length
    const end = phraseEnd(content, start)
    return end > start ? [at('resource', 'asset', start, end, content.slice(start, end).toLowerCase())] : []
  })
  return withoutOverlaps([...files, ...services, ...phrases, ...kept])
}

function workflowsIn(content: string, people: readonly NamedSpan[]): Mention[] {
  return withoutOverlaps(
    workflowWords.flatMap(({ name, pattern }) =>
      [...content.matchAll(pattern)].map(({ 0: text, index }) => {
        const begin = index + text.length - (text.match(/[\p{L}-]+(?: notes| returns?| minutes)?$/u)?.[0].length ?? text.length)
        const start = Math.min(phraseStart(content, begin, people), begin)
        return at('workflow', 'work', start, index + text.length, `${content.slice(start, begin)}${name}`.toLowerCase())
      }),
    ),
  )
}

function constraintsIn(content: string): Mention[] {
  const all = constraintPatterns.flatMap((pattern) =>
    [...content.matchAll(pattern)].map(({ 0: text, index }) => {
      const name = text.replace(/^(?:the|on) /i, '').trimEnd()
      return at('constraint', 'limit', index, index + text.trimEnd().length, name.toLowerCase())
    }),
  )
  return withoutOverlaps(all)
}

function preferencesIn(content: string): Mention[] {
  const forms = preferencePatterns.flatMap((pattern) =>
    [...content.matchAll(pattern)].map(({ 0: text, index }) => at('preference', 'style', index, index + text.length, text)),
  )
  const wishes = [...content.matchAll(wishVerbs)].flatMap(({ 0: text, index }) => {
    const begin = index + text.length + 1
    const rest = content.slice(begin, begin + longestName)
    const stop = wishEnd.exec(rest)?.index ?? rest.length
    const phrase = rest.slice(0, stop).trimEnd()
    const isDenied = /(?:\b(?:not|never|no longer)|n['’]t) $/i.test(content.slice(0, index))
    const isDislike = /hate|dislike|stand/i.test(text) !== isDenied
    if (phrase.length < 3 || emptyWish.test(phrase)) return []
    return [at('preference', 'style', begin, begin + phrase.length, isDislike ? `no ${phrase}` : phrase)]
  })
  return withoutOverlaps([...wishes, ...forms])
}

function at(entity_kind: RelationshipEntityKind, ontology_domain: string, start: number, end: number, name: string): Mention {
  return { name: name.replace(/\s+/g, ' ').trim().slice(0, longestName), entity_kind, start, end, ontology_domain }
}

function overlaps(one: { start: number; end: number }, others: readonly { start: number; end: number }[]): boolean {
  return others.some((other) => one.start < other.end && other.start < one.end)
}

/** Of overlapping mentions the longest, then the first. */
function withoutOverlaps(mentions: readonly Mention[]): Mention[] {
  const kept: Mention[] = []
  for (const one of mentions
    .filter(({ name }) => name !== '')
    .toSorted((left, right) => right.end - right.start - (left.end - left.start) || left.start - right.start)) {
    if (!overlaps(one, kept)) kept.push(one)
  }
  return kept
}
