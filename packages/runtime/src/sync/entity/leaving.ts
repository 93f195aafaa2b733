// How facts leave that were recorded before paths got markers: paths relative to the workspace, and of the folders of Tandem and its runs only
// the names of the files in them. Sent again they must be the same bytes, so nothing here may change. Newer facts never pass through it.
import { existsSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import type { FailureContract } from '@tandem/contract/failure'
import type { RunStep } from '@tandem/contract/run'
import type { ApprovalRule } from '@tandem/contract/tool'
import { tempsRoot } from '../../sandbox/temp.ts'
import type { Store } from '../../store/store.ts'

/** A run of this device, and the folders whose names are nobody else's business. */
export interface OwnRun {
  readonly home: string
  /** Where runs have their temporary folders. */
  readonly temp: string
  readonly run_id: string
  readonly workspace: string
}

export function ownFolders({ home, device_id }: Pick<Store, 'device_id' | 'home'>): Pick<OwnRun, 'home' | 'temp'> {
  const tmp = tmpdir()
  return { home: resolve(home), temp: tempsRoot(existsSync(tmp) ? realpathSync(tmp) : tmp, device_id) }
}

/** Nothing for the runs of others: what they say is told as they said it. */
export function openOwnRuns(store: Pick<Store, 'sql' | 'device_id' | 'home'>): (run_id: string) => OwnRun | null {
  const { sql, device_id } = store
  const folders = ownFolders(store)
  return (run_id) => {
    const row = sql.get<{ workspace: string }>`
      SELECT coalesce(r.older_workspace, c.workspace) AS workspace FROM runs r JOIN conversations c ON c.no = r.conversation
      WHERE r.run_id = ${run_id} AND r.device_id = ${device_id}`
    return row ? { ...folders, run_id, workspace: row.workspace } : null
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

export function failureLeaving(failure: FailureContract | null, run: OwnRun | null): FailureContract | null {
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

/** Tools name the files they left in the run's temporary folder, and models repeat it. Elsewhere there is no such folder. Once more changes nothing. */
export function leaving<Told>(told: Told, run: OwnRun | null): Told {
  return run === null ? told : (mapped(told, run) as Told)
}

function mapped(told: unknown, run: OwnRun): unknown {
  if (typeof told === 'string') return stringLeaving(told, run)
  if (Array.isArray(told)) return told.map((one) => mapped(one, run))
  if (typeof told !== 'object' || told === null) return told
  return Object.fromEntries(Object.entries(told).map(([name, value]) => [textLeaving(name, run), mapped(value, run)]))
}

/** Paths in the midst of a text, such as an output too long for its record. */
export function textLeaving(text: string, { home, temp, run_id }: OwnRun): string {
  return withoutRun(without(without(text, home), temp), run_id)
}

/** A line may be a path, or begin with one. */
function stringLeaving(text: string, run: OwnRun): string {
  const told = textLeaving(text, run)
  // What is left may read like a path into those folders only now.
  return isAbsolute(text) && !text.includes('\n') ? textLeaving(withoutBeginning(told, run.workspace), run) : told
}

/** Of a lone path into the folders that were cut the name, of one into the workspace the way from there; whatever follows is left as it is. */
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

/** A run's folder has its id for a name. A path that leads into it is cut from where the path begins. */
function withoutRun(text: string, run_id: string): string {
  const parts = text.split(run_id)
  const last = parts.pop() ?? ''
  const told: string[] = []
  for (const [index, part] of parts.entries()) {
    let from = part
    let at = beginningOfPath(from)
    // What was cut just before is where this path begins.
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

/** A folder whose name only begins the same is another one. */
const goesOn = /^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}_])/u
/** What runs have their folders in, whole or cut already. */
const holdsRuns = sep === '/' ? /(?:^…|(?:^|\/)tandem-[^/]+)\/$/ : /(?:^…|(?:^|[\\/])tandem-[^\\/]+)[\\/]$/
const endOfPath = sep === '/' ? /[\s"'`=:;,()<>[\]{}|\\]/ : /[\s"'`=;,()<>[\]{}|]/

/** Where the path at the end of `text` begins. A backslash before it escapes what is no part of it, but where it parts folders. */
function beginningOfPath(text: string): number {
  let at = text.length
  while (at > 0 && !endOfPath.test(text[at - 1] ?? '')) at -= 1
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
function isNamed(folder: string): boolean {
  return folder.length > 1 && dirname(folder) !== folder
}

/** Tandem's own folder may lie in the workspace, and goes first. */
function short(text: string, run: OwnRun): string {
  const { workspace } = run
  const parts = textLeaving(text, run).split(workspace)
  return parts.reduce((told, part) => {
    if (part.startsWith(sep)) return `${told}${part.slice(sep.length)}`
    return `${told}${/^[\w.-]/.test(part) ? workspace : '.'}${part}`
  })
}

/** A name that begins with two dots counts as outside here, which it is not: facts that left so must leave so again. */
function inside(workspace: string, path: string): string | null {
  const way = relative(workspace, path)
  if (way === '') return '.'
  return way.startsWith('..') || way.startsWith(sep) ? null : way
}
