// What members of a team do, one line per event, with the title of the member in front.
import { callTitle, type RunStep, stepLine } from '@tandem/contract/run'
import { sentence } from '@tandem/contract/text'
import { columnsOf, styled } from '../terminal/style.ts'
import { singleLine } from '../terminal/terminal-text.ts'

export interface FollowedMember {
  readonly run_id: string
  readonly title: string
  /** 1 for a run that the followed run has started. */
  readonly depth: number
}

/** Null for steps that are not shown: of a member, what it calls, what fails, and its own team. Its end is a step of its parent. */
export function memberLine(member: FollowedMember, step: RunStep, names: TeamNames, beside: NodeJS.WriteStream): string | null {
  const text = textOf(step, names)
  if (text === null) return null
  const before = `${'  '.repeat(member.depth)}${singleLine(member.title, 40)}: `
  const isBad = step.kind === 'error' || step.kind === 'tool.result' || (step.kind === 'child.ended' && step.state === 'failed')
  return styled(isBad ? 'yellow' : 'dim', `${before}${singleLine(text, Math.max(40, columnsOf(beside) - before.length))}`, beside)
}

function textOf(step: RunStep, names: TeamNames): string | null {
  switch (step.kind) {
    case 'tool.call':
      return callTitle(step.tool, step.arguments) ?? step.tool
    case 'tool.result':
      return step.failure_contract === null ? null : sentence(step.failure_contract.details.message)
    case 'error':
      return sentence(step.failure_contract.details.message)
    case 'child.started':
    case 'child.ended':
    case 'team.message':
    case 'merge.applied':
      return teamText(step, names)
    default:
      return null
  }
}

/** The titles of runs, as far as they are known. */
export interface TeamNames {
  add(step: RunStep): void
  of(run_id: string): string | null
}

export function teamNames(): TeamNames {
  const titles = new Map<string, string>()
  return {
    add(step) {
      if (step.kind === 'child.started') titles.set(step.child_run_id, step.title)
      if (step.kind === 'run.started') titles.set(step.run_id, step.title)
    },
    of: (run_id) => titles.get(run_id) ?? null,
  }
}

type TeamStep = Extract<RunStep, { kind: 'child.started' | 'child.ended' | 'team.message' | 'merge.applied' }>

const ends = { completed: 'is done', failed: 'failed', canceled: 'was stopped' } as const

/** Like the line of the step, with the titles of the runs it is about. */
export function teamText(step: TeamStep, names: TeamNames): string {
  const title = (run_id: string) => {
    const known = names.of(run_id)
    return known === null ? null : `“${known}”`
  }
  switch (step.kind) {
    case 'child.started':
      return stepLine(step) ?? ''
    case 'child.ended': {
      const name = title(step.child_run_id)
      const why = step.failure_contract ? `: ${sentence(step.failure_contract.details.message)}` : '.'
      return name === null ? (stepLine(step) ?? '') : `${name} ${ends[step.state]}${why}`
    }
    case 'team.message': {
      const to = step.to_run_id === null ? 'all members' : (title(step.to_run_id) ?? 'another member')
      return `Message from ${title(step.from_run_id) ?? 'a member'} to ${to}: ${step.text}`
    }
    case 'merge.applied': {
      const name = title(step.child_run_id)
      const paths = `${step.changed_paths} ${step.changed_paths === 1 ? 'path' : 'paths'} changed`
      const conflicts = step.conflicts === 0 ? '' : `, ${step.conflicts} ${step.conflicts === 1 ? 'conflict' : 'conflicts'} resolved`
      return name === null ? (stepLine(step) ?? '') : `Merged the work on ${name}: ${paths}${conflicts}.`
    }
  }
}
