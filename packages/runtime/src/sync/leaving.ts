// What is told elsewhere of this device's folders: paths relative to the workspace, and of the folders of Tandem and its runs only the names of the files in them.
import { basename, dirname, isAbsolute, relative, sep } from 'node:path'
import type { FailureContract } from '@tandem/contract/failure'
import type { RunStep } from '@tandem/contract/run'
import type { ApprovalRule } from '@tandem/contract/tool'
import type { Store } from '../store/store.ts'

/** A run of this device, and the folders whose names are nobody else's business. */
export interface OwnRun {
  readonly home: string
  readonly run_id: string
  readonly workspace: string
}

/** Nothing for the runs of others: what they say is told as they said it. */
export function openOwnRuns({ sql, device_id, home }: Pick<Store, 'sql' | 'device_id' | 'home'>): (run_id: string) => OwnRun | null {
  return (run_id) => {
    const row = sql.get<{ workspace: string }>`
      SELECT c.workspace FROM runs r JOIN conversations c ON c.no = r.conversation
      WHERE r.run_id = ${run_id} AND r.device_id = ${device_id}`
    return row ? { home, run_id, workspace: row.workspace } : null
  }
}

/** An approval shows where a call would run and what it touches, a failure what it happened to. Elsewhere that folder has another name: paths leave relative to it. */
export function stepLeaving(step: RunStep, run: OwnRun | null): RunStep {
  return leaving(withinWorkspace(step, run), run)
}

function withinWorkspace(step: RunStep, run: OwnRun | null): RunStep {
  if ('failure_contract' in step) return { ...step, failure_contract: failureLeaving(step.failure_contract, run) } as RunStep
  if (step.kind !== 'approval.requested' || run === null || !isNamed(run.workspace)) return step
  const { workspace } = run
  const { approval } = step
  const shorts = (texts: readonly string[]) => texts.map((text) => short(text, workspace))
  return {
    ...step,
    approval: {
      ...approval,
      working_directory: approval.working_directory === null ? null : inside(workspace, approval.working_directory),
      touches: shorts(approval.touches),
      protected: shorts(approval.protected),
      unprotected: shorts(approval.unprotected),
      remembers: approval.remembers.map((rule) => ruleLeaving(rule, workspace)),
      warnings: shorts(approval.warnings),
    },
  }
}

export function failureLeaving(failure: FailureContract | null, run: OwnRun | null): FailureContract | null {
  if (failure === null || run === null) return failure
  const { workspace } = run
  const { message, subject, remedy, facts } = failure.details
  const shortened = (text: string) => (isNamed(workspace) ? short(text, workspace) : text)
  return {
    ...failure,
    details: {
      message: shortened(message),
      ...(subject === undefined ? {} : { subject: shortened(subject) }),
      ...(remedy === undefined ? {} : { remedy: shortened(remedy) }),
      ...(facts === undefined ? {} : { facts: facts.map(({ name, value }) => ({ name, value: shortened(value) })) }),
    },
  }
}

/** Tools name the files they left in the run's temporary folder, and models repeat it. Elsewhere there is no such folder. */
export function leaving<Told>(told: Told, run: OwnRun | null): Told {
  return run === null ? told : (mapped(told, run) as Told)
}

function mapped(told: unknown, run: OwnRun): unknown {
  if (typeof told === 'string') return stringLeaving(told, run)
  if (Array.isArray(told)) return told.map((one) => mapped(one, run))
  if (typeof told !== 'object' || told === null) return told
  return Object.fromEntries(Object.entries(told).map(([name, value]) => [name, mapped(value, run)]))
}

/** Paths in the midst of a text, such as an output too long for its record. */
export function textLeaving(text: string, { home, run_id }: OwnRun): string {
  const parts = text.split(run_id)
  const told = parts.map((part, index) => {
    const next = parts[index + 1]
    if (next === undefined) return part
    return part.endsWith(sep) && next.startsWith(sep) ? `${part.slice(0, beginningOfPath(part))}…` : `${part}${run_id}`
  })
  return told.join('').replaceAll(`${home}${sep}`, '…/')
}

/** The whole may be a path, with spaces in its folders. */
function stringLeaving(text: string, run: OwnRun): string {
  if (!isAbsolute(text) || text.includes('\n')) return textLeaving(text, run)
  if (text.includes(`${sep}${run.run_id}${sep}`) || text.startsWith(run.home + sep)) return `…/${basename(text)}`
  return isNamed(run.workspace) ? (inside(run.workspace, text) ?? text) : text
}

/** Where the path at the end of `text` begins. A backslash before it escapes what is no part of it, but where it parts folders. */
function beginningOfPath(text: string): number {
  const ends = sep === '/' ? /[\s"'`=:;,()<>[\]{}|\\]/ : /[\s"'`=;,()<>[\]{}|]/
  let at = text.length
  while (at > 0 && !ends.test(text[at - 1] ?? '')) at -= 1
  // The letter that a backslash escapes goes with it.
  return text[at - 1] === '\\' && text[at] !== sep ? at + 1 : at
}

/** What «always» would have covered there; it covers nothing here. */
function ruleLeaving(rule: ApprovalRule, workspace: string): ApprovalRule {
  if (rule.kind === 'path') return { ...rule, path: inside(workspace, rule.path) ?? outside }
  if (rule.kind === 'command' && rule.folder !== undefined) return { ...rule, folder: inside(workspace, rule.folder) ?? outside }
  return rule
}

const outside = 'outside the workspace'

/** A root has no name that could be told. */
function isNamed(workspace: string): boolean {
  return workspace.length > 1 && dirname(workspace) !== workspace
}

/** A folder whose name only begins the same is another one. */
function short(text: string, workspace: string): string {
  const parts = text.split(workspace)
  return parts.reduce((told, part) => {
    if (part.startsWith(sep)) return `${told}${part.slice(sep.length)}`
    return `${told}${/^[\w.-]/.test(part) ? workspace : '.'}${part}`
  })
}

function inside(workspace: string, path: string): string | null {
  const way = relative(workspace, path)
  if (way === '') return '.'
  return way.startsWith('..') || way.startsWith(sep) ? null : way
}
