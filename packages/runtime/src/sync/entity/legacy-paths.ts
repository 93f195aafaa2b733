// How facts are sent that were recorded before paths had markers: with paths relative to the workspace, and for the folders of Tandem and
// its runs only the names of the files in them. They must be sent again with the same bytes, so nothing here may change. Newer facts never
// pass through it.
import { existsSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import type { FailureContract } from '@tandem/contract/failure'
import type { RunStep } from '@tandem/contract/run'
import type { ApprovalRule } from '@tandem/contract/tool'
import { tempsRoot } from '../../sandbox/run-temps.ts'
import type { Store } from '../../store/store.ts'

/** A run of this device, and the folders whose names must not be revealed. */
export interface OwnRun {
  readonly home: string
  /** The parent of the temporary folders of runs. */
  readonly temp: string
  readonly run_id: string
  readonly workspace: string
}

export function ownFolders({ home, device_id }: Pick<Store, 'device_id' | 'home'>): Pick<OwnRun, 'home' | 'temp'> {
  const tmp = tmpdir()
  return { home: resolve(home), temp: tempsRoot(existsSync(tmp) ? realpathSync(tmp) : tmp, device_id) }
}

/** Null for runs of other devices: their facts are sent unchanged. */
export function openOwnRuns(store: Pick<Store, 'sql' | 'device_id' | 'home'>): (run_id: string) => OwnRun | null {
  const { sql, device_id } = store
  const folders = ownFolders(store)
  return (run_id) => {
    const row = sql.get<{ workspace: string }>`
      SELECT coalesce(r.older_workspace, r.own_workspace, c.workspace) AS workspace FROM runs r JOIN conversations c ON c.no = r.conversation
      WHERE r.run_id = ${run_id} AND r.device_id = ${device_id}`
    return row ? { ...folders, run_id, workspace: row.workspace } : null
  }
}

/**
 * An approval shows where a call would run and what it affects, a failure what it happened to. On other devices that folder has another
 * name: paths are sent relative to it.
 */
export function shortenStepPaths(step: RunStep, run: OwnRun | null): RunStep {
  return shortenPaths(withinWorkspace(step, run), run)
}

function withinWorkspace(step: RunStep, run: OwnRun | null): RunStep {
  if ('failure_contract' in step) return { ...step, failure_contract: shortenFailurePaths(step.failure_contract, run) } as RunStep
  if (step.kind !== 'approval.requested' || run === null || !isNamed(run.workspace)) return step
  const { workspace } = run
  const { approval } = step
  const shorts = (texts: readonly string[]) => texts.map((text) => short(text, run))
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
      ...(approval.notes === undefined ? {} : { notes: shorts(approval.notes) }),
    },
  }
}

export function shortenFailurePaths(failure: FailureContract | null, run: OwnRun | null): FailureContract | null {
  if (failure === null || run === null) return failure
  const { message, subject, remedy, facts } = failure.details
  const shortened = (text: string) => (isNamed(run.workspace) ? short(text, run) : text)
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

/** Tools mention files in the run's temporary folder, and models repeat it. Other devices do not have that folder. Idempotent. */
export function shortenPaths<Told>(told: Told, run: OwnRun | null): Told {
  return run === null ? told : (mapped(told, run) as Told)
}

function mapped(told: unknown, run: OwnRun): unknown {
  if (typeof told === 'string') return stringLeaving(told, run)
  if (Array.isArray(told)) return told.map((one) => mapped(one, run))
  if (typeof told !== 'object' || told === null) return told
  return Object.fromEntries(Object.entries(told).map(([name, value]) => [shortenTextPaths(name, run), mapped(value, run)]))
}

/** Paths within a text, such as an output too long for its record. */
export function shortenTextPaths(text: string, { home, temp, run_id }: OwnRun): string {
  return withoutRun(without(without(text, home), temp), run_id)
}

/** A line may be a path, or start with one. */
function stringLeaving(text: string, run: OwnRun): string {
  const told = shortenTextPaths(text, run)
  // The result may now look like a path into those folders.
  return isAbsolute(text) && !text.includes('\n') ? shortenTextPaths(withoutBeginning(told, run.workspace), run) : told
}

/** For a single path into the removed folders its name, for one into the workspace the relative path; whatever follows is unchanged. */
function withoutBeginning(text: string, workspace: string): string {
  if (/^…[\\/]+[^\\/]/.test(text) && !endOfPath.test(text)) return `…/${basename(text)}`
  if (!isNamed(workspace) || !text.startsWith(workspace)) return text
  const rest = text.slice(workspace.length)
  if (rest !== '' && !rest.startsWith(sep)) return text
  return rest.slice(rest.search(sep === '/' ? /[^/]|$/ : /[^\\]|$/)) || '.'
}

function without(text: string, folder: string): string {
  if (!isNamed(folder)) return text
  return text.split(folder).reduce((told, part) => `${told}${goesOn.test(part) ? folder : '…'}${part}`)
}

/** A run's folder is named by its id. A path into it is cut from its beginning. */
function withoutRun(text: string, run_id: string): string {
  const parts = text.split(run_id)
  const last = parts.pop() ?? ''
  const told: string[] = []
  for (const [index, part] of parts.entries()) {
    let from = part
    let at = beginningOfPath(from)
    // If something was cut just before, the path starts there.
    const path = `${at === 0 && told.at(-1)?.endsWith('…') ? '…' : ''}${part.slice(at)}`
    const next = parts[index + 1] === '' ? run_id : (parts[index + 1] ?? last)
    if (!holdsRuns.test(path) || goesOn.test(next)) {
      told.push(`${part}${run_id}`)
      continue
    }
    while (at === 0 && told.length > 0) {
      from = told.pop() ?? ''
      at = beginningOfPath(from)
    }
    told.push(`${from.slice(0, at)}…`)
  }
  return `${told.join('')}${last}`
}

/** A folder whose name only starts with the same text is a different one. */
const goesOn = /^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}_])/u
/** The parent of the folders of runs, complete or already shortened. */
const holdsRuns = sep === '/' ? /(?:^…|(?:^|\/)tandem-[^/]+)\/$/ : /(?:^…|(?:^|[\\/])tandem-[^\\/]+)[\\/]$/
const endOfPath = sep === '/' ? /[\s"'`=:;,()<>[\]{}|\\]/ : /[\s"'`=;,()<>[\]{}|]/

/** Where the path at the end of `text` starts. A backslash before it escapes what is not part of it, unless it separates folders. */
function beginningOfPath(text: string): number {
  let at = text.length
  while (at > 0 && !endOfPath.test(text[at - 1] ?? '')) at -= 1
  // The character that a backslash escapes belongs to it.
  return text[at - 1] === '\\' && text[at] !== sep ? at + 1 : at
}

/** What "always" would have covered there; it covers nothing here. */
function ruleLeaving(rule: ApprovalRule, workspace: string): ApprovalRule {
  if (rule.kind === 'path') return { ...rule, path: inside(workspace, rule.path) ?? outside }
  if (rule.kind === 'command' && rule.folder !== undefined) return { ...rule, folder: inside(workspace, rule.folder) ?? outside }
  return rule
}

const outside = 'outside the workspace'

/** A root has no name that could be revealed. */
function isNamed(folder: string): boolean {
  return folder.length > 1 && dirname(folder) !== folder
}

/** Tandem's own folder may be in the workspace, and comes first. */
function short(text: string, run: OwnRun): string {
  const { workspace } = run
  const parts = shortenTextPaths(text, run).split(workspace)
  return parts.reduce((told, part) => {
    if (part.startsWith(sep)) return `${told}${part.slice(sep.length)}`
    return `${told}${/^[\w.-]/.test(part) ? workspace : '.'}${part}`
  })
}

/** A name that starts with two dots counts as outside here, which is wrong: facts that were sent like this must be sent like this again. */
function inside(workspace: string, path: string): string | null {
  const way = relative(workspace, path)
  if (way === '') return '.'
  return way.startsWith('..') || way.startsWith(sep) ? null : way
}
