// Where in the journals a message is, which message an answer belongs to, and what was changed since. Pure.
import type { ListedMessage } from '@tandem/contract/command'
import { isBefore, type ThreadSegment } from './branches.ts'
import type { RunJournal } from './journal.ts'

type Journals = ReadonlyMap<string, RunJournal>

interface StepPlace {
  readonly run_id: string
  readonly seq: number
}

export function placeOf(journals: Journals, message_id: string): StepPlace | null {
  for (const { run_id, steps } of journals.values()) {
    const step = steps.find((one) => isMessageStep(one.kind) && 'message_id' in one && one.message_id === message_id)
    if (step) return { run_id, seq: step.seq }
  }
  return null
}

/** The last message of the user before an answer; the message itself if the user wrote it. */
export function questionOf(journals: Journals, { message_id, role }: Pick<ListedMessage, 'message_id' | 'role'>): string | null {
  if (role === 'user') return message_id
  const place = placeOf(journals, message_id)
  const steps = place ? (journals.get(place.run_id)?.steps ?? []) : []
  const asked = steps.findLast((step) => step.seq < (place?.seq ?? 0) && (step.kind === 'run.started' || step.kind === 'message.received'))
  return asked && 'message_id' in asked ? asked.message_id : null
}

export interface ChangedSince extends StepPlace {
  readonly checkpoint_id: string
}

/** The first recovery point of each run after a message, in the thread that is shown. The newest run comes first: it is restored first. */
export function changedSince(journals: Journals, segments: readonly ThreadSegment[], from: StepPlace): readonly ChangedSince[] {
  const shown = new Set(segments.map(({ conversation_id }) => conversation_id))
  const first = journals.get(from.run_id)?.conversation_id
  return [...journals.values()]
    .filter(({ run_id, conversation_id }) => {
      const until = segments.find((one) => one.conversation_id === conversation_id)?.until
      const isShown = shown.has(conversation_id) && (!until || run_id <= until.run_id)
      return isShown && (conversation_id !== first || run_id >= from.run_id)
    })
    .filter(({ conversation_id }) => indexIn(segments, conversation_id) >= indexIn(segments, first ?? ''))
    .toSorted((one, other) => (one.run_id < other.run_id ? 1 : -1))
    .flatMap(({ run_id, steps }) => {
      const point = steps.find((step) => step.kind === 'checkpoint.created' && !isBefore({ run_id, seq: step.seq }, from))
      return point?.kind === 'checkpoint.created' ? [{ run_id, seq: point.seq, checkpoint_id: point.checkpoint_id }] : []
    })
}

function indexIn(segments: readonly ThreadSegment[], conversation_id: string): number {
  return segments.findIndex((one) => one.conversation_id === conversation_id)
}

function isMessageStep(kind: RunJournal['steps'][number]['kind']): boolean {
  return kind === 'run.started' || kind === 'message.received' || kind === 'message.completed'
}
