// What a message of a person says that is worth remembering, by rules for English. Pure.
import type { MemoryKind } from '@tandem/contract/memory'
import { isAboutSpeaker } from '../about.ts'
import { changes, hintsAtChange, isLocal, leaves } from '../replace/change.ts'
import { valuesIn } from '../replace/values.ts'
import { findSecrets, hasSecret, maskSecrets, type SecretSpan } from '../secret/secrets.ts'
import { type Judged, statementsOf } from './groups.ts'
import { type Judgment, judged, leastLikelihood } from './judgment.ts'
import { peopleIn } from './names.ts'
import { ownSentences, type Sentence } from './own-words.ts'
import { readingOf } from './reading.ts'
import { revocationOf } from './revocation.ts'
import { standalone } from './standalone.ts'

export interface SpokenMessage {
  readonly text: string
  readonly workspace: string | null
  readonly at: string
  /** Earlier messages of the conversation, oldest first, at most 6. */
  readonly before: readonly { readonly author: 'person' | 'agent'; readonly text: string }[]
}

export interface ExtractedMemory {
  readonly memory_kind: MemoryKind
  /** `user`, `workspace:NAME` or `entity:NAME`. */
  readonly subject: string
  /** A sentence that can be read alone, without secrets. */
  readonly content: string
  /** The exact words in the message. */
  readonly quote: { readonly start: number; readonly end: number }
  /** What the words themselves end, as words to look for; null if they end nothing. */
  readonly revokes: { readonly words: readonly string[] } | null
  readonly confidence: number
  /** The signals that spoke for it and against it. */
  readonly signals: readonly string[]
  /** It only ends or changes something: worth keeping if that is known, and nothing by itself. */
  readonly isTentative: boolean
  /** It is tentative, and its words only hint at a change. */
  readonly isHint: boolean
}

export function extractMemories(message: SpokenMessage): readonly ExtractedMemory[] {
  const secrets = findSecrets(message.text)
  const sentences = saidSentences(message.text).flatMap((sentence) => withoutSecrets(sentence, secrets))
  const earlier = message.before
    .filter(({ author }) => author === 'person')
    .flatMap(({ text }) => saidSentences(text).map((one) => one.text))
  const all = sentences.map((sentence) => ({ sentence, judgment: judged(readingOf(sentence.text)) }))
  const groups = statementsOf(all)
  const taken = new Set(groups.flat())
  const said = (index: number) => ({ near: sentences.slice(0, index).map(({ text }) => text), earlier })
  const kept = groups.flatMap((group) => {
    const members = group.flatMap((index) => all[index] ?? [])
    return (crossesSecret(members, secrets) ? members.map((member) => [member]) : [members]).map((some) => ({ first: group[0] ?? 0, some }))
  })
  const tentative = all.flatMap((member, index) => {
    const strength = taken.has(index) ? null : strengthOf(member, said(index).near.at(-1) ?? '')
    return strength === null ? [] : [{ first: index, some: [member], isHint: strength === 'hint' }]
  })
  return [
    ...kept.map(({ first, some }) => memoryOf(some, said(first), message)),
    ...tentative.map(({ first, some, isHint }) => ({ ...memoryOf(some, said(first), message), ...onlyChanges, isHint })),
  ]
}

const onlyChanges = { memory_kind: 'decision', confidence: 0.5, isTentative: true } as const
const never = ['asks', 'supposes', 'reports what others said', 'on a condition', 'about what the agent just did']

/** "The build is broken again" says nothing about what was decided. */
const passing = ['requests once', 'a passing state']

/** "So no skylight.", "bring the summary forward, 7:45" say that something known has changed; "I'm drinking coffee again" hints at it. */
function strengthOf({ sentence: { text }, judgment }: Judged, before: string): 'change' | 'hint' | null {
  if (judgment.signals.some((signal) => never.includes(signal))) return null
  if (revocationOf(text, before) !== null || (changes(text) && valuesIn(text).size > 0)) return 'change'
  const isHint = changes(text) || leaves(text) || hintsAtChange(text)
  return isHint && !judgment.signals.some((signal) => passing.includes(signal)) ? 'hint' : null
}

/** A longer one was not said by hand; the signals would also need too much time for it. */
const longestSentence = 500

function saidSentences(text: string): readonly Sentence[] {
  return ownSentences(text).filter(({ start, end }) => end - start <= longestSentence)
}

function crossesSecret(members: readonly Judged[], secrets: readonly SecretSpan[]): boolean {
  const [start, end] = [members[0]?.sentence.start ?? 0, members.at(-1)?.sentence.end ?? 0]
  return secrets.some((secret) => secret.start < end && secret.end > start)
}

/** What the user said before: in this message, and in those before it. */
interface Before {
  readonly near: readonly string[]
  readonly earlier: readonly string[]
}

function memoryOf(members: readonly Judged[], { near, earlier }: Before, { text, workspace }: SpokenMessage): ExtractedMemory {
  const [start, end] = [members[0]?.sentence.start ?? 0, members.at(-1)?.sentence.end ?? 0]
  const words = text.slice(start, end)
  const content = maskSecrets(standalone(words, near, earlier))
  const leading = members.reduce(
    (best, { judgment }) => (judgment.likelihood > best.likelihood ? judgment : best),
    members[0]?.judgment ?? none,
  )
  const ends = members.flatMap(({ sentence }, index) => {
    const before = members[index - 1]?.sentence.text ?? near.at(-1) ?? earlier.at(-1) ?? ''
    return revocationOf(sentence.text, before)?.words ?? []
  })
  return {
    memory_kind: leading.kind,
    subject: subjectOf(leading.kind, content, workspace),
    content,
    quote: { start, end },
    revokes: ends.length === 0 ? null : { words: [...new Set(ends)] },
    confidence: confidenceOf(leading.likelihood),
    signals: [...new Set(members.flatMap(({ judgment }) => judgment.signals))],
    isTentative: false,
    isHint: false,
  }
}

/** From 0.5 at the threshold to 0.95. */
function confidenceOf(likelihood: number): number {
  return Math.round(Math.min(0.95, Math.max(0.5, 0.5 + ((likelihood - leastLikelihood) * 0.45) / (1 - leastLikelihood))) * 100) / 100
}

const none: Judgment = { likelihood: 0, keeps: false, kind: 'semantic', signals: [] }

function subjectOf(kind: MemoryKind, content: string, workspace: string | null): string {
  const place = workspace === null ? 'user' : `workspace:${workspace}`
  if (kind === 'relationship') {
    const [someone] = peopleIn(content)
    return someone ? `entity:${someone.text}` : place
  }
  if (kind === 'preference') return isLocal(content) ? place : 'user'
  if (kind === 'semantic') return isAboutSpeaker(content) ? 'user' : place
  return place
}

/** The parts of a sentence between secrets, each without the clause that gives the secret away. */
function withoutSecrets(sentence: Sentence, secrets: readonly SecretSpan[]): readonly Sentence[] {
  const inside = secrets.filter(({ start, end }) => start < sentence.end && end > sentence.start)
  if (inside.length === 0) return hasSecret(sentence.text) ? [] : [sentence]
  const clauses = clausesOf(sentence).filter((clause) => !inside.some(({ start, end }) => start < clause.end && end > clause.start))
  return joinedClauses(clauses, sentence).filter(({ text }) => !hasSecret(text))
}

function clausesOf({ text, start }: Sentence): readonly Sentence[] {
  return [...text.matchAll(/[^,]+(?:,(?=\S)[^,]*)*,?\s*/g)].map((match) => ({
    text: match[0],
    start: start + match.index,
    end: start + match.index + match[0].length,
  }))
}

function joinedClauses(clauses: readonly Sentence[], { text, start }: Sentence): readonly Sentence[] {
  const runs: { start: number; end: number }[] = []
  for (const clause of clauses) {
    const last = runs.at(-1)
    if (last && last.end === clause.start) last.end = clause.end
    else runs.push({ start: clause.start, end: clause.end })
  }
  return runs.flatMap((run) => {
    const kept = text.slice(run.start - start, run.end - start).replace(/[,\s]+$/, '')
    return kept.trim() === '' ? [] : [{ text: kept, start: run.start, end: run.start + kept.length }]
  })
}
