// Signals and their evidence, within the limits of the contract. Pure.
import type { Evidence, Memory, Signal } from '@tandem/contract/memory'

const mostSignals = 200
const mostEvidence = 20
const longestExcerpt = 500

/** The memory itself, and the words of the messages that it rests on. */
export function evidenceOf({ id, content, quotes }: Memory): Evidence[] {
  const said = quotes.map(({ message_id, conversation_id, excerpt }) => ({
    ...{ source: 'message' as const, id: message_id, excerpt: clipped(excerpt) },
    ...(conversation_id === undefined ? {} : { conversation_id }),
  }))
  return [{ source: 'memory' as const, id, excerpt: clipped(content) }, ...said]
    .filter(({ excerpt }) => excerpt !== '')
    .slice(0, mostEvidence)
}

export function sureness({ confirmed_by_user, confidence }: Memory): number {
  return confirmed_by_user ? 1 : confidence
}

/** Equal signals become one with the evidence of all; the surest first. Signals without evidence are left out. */
export function mergedSignals(signals: readonly Signal[]): Signal[] {
  const merged = new Map<string, Signal>()
  for (const signal of signals.toSorted(byEvidence)) {
    if (signal.evidence.length === 0 || signal.value === '') continue
    const key = `${signal.name}\n${signal.value
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()}`
    const known = merged.get(key)
    merged.set(key, known ? joined(known, signal) : signal)
  }
  return [...merged.values()].sort(bySureness).slice(0, mostSignals)
}

function joined(known: Signal, other: Signal): Signal {
  const seen = new Set(known.evidence.map(keyOf))
  const evidence = [...known.evidence, ...other.evidence.filter((one) => !seen.has(keyOf(one)))].slice(0, mostEvidence)
  return { ...known, confidence: Math.max(known.confidence, other.confidence), evidence }
}

function keyOf({ source, id, excerpt }: Evidence): string {
  return `${source} ${id} ${excerpt}`
}

/** Ids contain the time, so the first evidence is the oldest. */
function byEvidence(left: Signal, right: Signal): number {
  const [one, other] = [left.evidence[0]?.id ?? '', right.evidence[0]?.id ?? '']
  return one < other ? -1 : one > other ? 1 : left.name < right.name ? -1 : 1
}

function bySureness(left: Signal, right: Signal): number {
  return (
    right.confidence - left.confidence ||
    right.evidence.length - left.evidence.length ||
    byText(left.name, right.name) ||
    byText(left.value, right.value)
  )
}

function byText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

function clipped(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, longestExcerpt)
}
