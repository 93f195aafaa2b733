// The text of a step without a card: one plain line, the same in the window and in the terminal.
import type { RunStep } from './schema.ts'

type StepOf<Kind extends RunStep['kind']> = Extract<RunStep, { kind: Kind }>

/** Null for steps that have a card, belong to one, or are not shown at all. */
export function stepLine(step: RunStep): string | null {
  switch (step.kind) {
    case 'conversation.pinned':
      return step.pinned ? 'The conversation was pinned.' : 'The conversation was unpinned.'
    case 'conversation.deleted':
      return step.deleted ? 'The conversation was deleted.' : 'The conversation was restored.'
    case 'wait.started':
      return waitLine(step)
    case 'wait.ended':
      return waitEnds[step.outcome]
    case 'child.started':
      return `A run was started for part of the work: ${step.title}`
    case 'child.ended':
      return `The run for part of the work ${childEnds[step.state]}.`
    case 'team.message':
      return `${step.to_run_id === null ? 'Message to the team' : 'Message to another run of the team'}: ${beginning(step.text)}`
    case 'merge.applied':
      return `The result of another run was merged: ${count(step.changed_paths, 'path')} changed, ${count(step.conflicts, 'conflict')}.`
    case 'unknown':
      return unknownLine('a step', step.unknown_kind)
    default:
      return null
  }
}

/** For steps that only a newer version can read. */
export function unknownLine(noun: 'a step' | 'an event', kind: string): string {
  return `A newer version of Tandem recorded ${noun} here (${beginning(kind)}). Update Tandem to read it.`
}

const waitEnds = {
  completed: 'The wait is over.',
  timed_out: 'The wait timed out.',
  canceled: 'The wait was canceled.',
} as const satisfies Record<StepOf<'wait.ended'>['outcome'], string>

const childEnds = {
  completed: 'is complete',
  failed: 'failed',
  canceled: 'was stopped',
} as const satisfies Record<StepOf<'child.ended'>['state'], string>

export const waitSubjectNames = {
  approval: 'an approval',
  question: 'an answer',
  child: 'a run it started',
  workflow: 'a workflow',
} as const satisfies Record<Exclude<StepOf<'wait.started'>['for'], 'time'>, string>

function waitLine({ for: subject, until }: StepOf<'wait.started'>): string {
  if (subject === 'time') return `The run is waiting${until === null ? '' : ` until ${minuteOf(until)}`}.`
  return `The run is waiting for ${waitSubjectNames[subject]}${until === null ? '' : `, until ${minuteOf(until)} at the latest`}.`
}

/** With its zone, because the same line is shown on devices in different ones. */
function minuteOf(time: string): string {
  return `${time.replace('T', ' ').slice(0, 16)} UTC`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** One line, shortened if it is long. */
function beginning(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}
