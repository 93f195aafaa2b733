// The support bundle, which helps others diagnose a problem. It contains only names, numbers, times and ids; free text is never copied into it, so
// nothing has to be redacted afterwards.
import { mkdirSync, statfsSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import type { CommandResult, SupportBundle } from '@tandem/contract/command'
import type { RuntimeEvent } from '@tandem/contract/event'
import type { FailureContract } from '@tandem/contract/failure'
import type { Features } from './features.ts'

const mostEvents = 500

type Status = CommandResult<'runtime_status'>
type Parts = Pick<Features, 'events' | 'settings' | 'store'>
type SeenEvent = SupportBundle['events'][number]
type SeenFailure = NonNullable<SeenEvent['failure']>

export interface BundleCounts {
  readonly counts: SupportBundle['counts']
  readonly runs: SupportBundle['runs']
}

export function supportBundle({ events, settings, store }: Parts, status: Status, counted: BundleCounts, made_at: string): SupportBundle {
  const { model_key_set, search_provider, search_key_set, when_window_closes } = settings.read()
  const recent = lastEvents(events)
  return {
    format: 1,
    made_at,
    product: { version: identifierText(status.version), started_at: status.started_at },
    host: {
      platform: identifierText(platform()),
      release: identifierText(release()),
      arch: identifierText(arch()),
      node: identifierText(process.versions.node),
      cpus: cpus().length,
      memory_bytes: totalmem(),
      free_disk_bytes: freeDisk(store.home),
    },
    settings: {
      model: status.model.state,
      model_at: networkOf(status.model.base_url),
      model_key_set,
      search_provider,
      search_key_set,
      when_window_closes,
    },
    sandbox: {
      state: status.sandbox.state,
      backend: status.sandbox.backend === null ? null : identifierText(status.sandbox.backend),
      checks: status.sandbox.checks.map(({ name, held }) => ({ name: identifierText(name), held })),
    },
    features: status.features.map(({ name, works }) => ({ name: identifierText(name), works })),
    executors: executorCounts(status.executors),
    ...counted,
    failures: tally(recent),
    events: recent,
  }
}

/** Written to a new file that only its owner can read. */
export function writeBundle(home: string, bundle: SupportBundle): string {
  const folder = join(home, 'support')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `tandem-support-${bundle.made_at.replaceAll(/[^0-9]/g, '')}.json`)
  writeFileSync(file, `${JSON.stringify(bundle, null, 2)}\n`, { mode: 0o600 })
  return file
}

/** Keeps only the characters of an identifier; a path, an address or a sentence is not passed on. */
export function identifierText(text: string): string {
  const kept = text.replaceAll(/[^A-Za-z0-9 _.+-]/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return kept.slice(0, 60) || 'unnamed'
}

export function networkOf(url: string | null): SupportBundle['settings']['model_at'] {
  const host = url === null ? null : (URL.parse(url)?.hostname ?? null)
  if (host === null) return null
  if (host === 'localhost' || host === '[::1]' || /^127\./.test(host)) return 'this_machine'
  const isPrivate = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cde])|\.(?:local|internal|lan|home\.arpa)$/.test(host)
  return isPrivate || !host.includes('.') ? 'private_network' : 'internet'
}

function lastEvents(events: Parts['events']): SeenEvent[] {
  return events.list({ after: events.beforeLast(mostEvents), limit: mostEvents }).map(seen)
}

function seen({ no, event, ts, run_id, failure_contract, data }: RuntimeEvent & { readonly no: number }): SeenEvent {
  const facts = Object.entries(data)
  return {
    no,
    ts,
    event,
    run_id,
    failure: failure_contract ? seenFailure(failure_contract) : null,
    numbers: facts.flatMap(([name, value]) => (typeof value === 'number' ? [{ name: identifierText(name), value }] : [])),
    flags: facts.flatMap(([name, value]) => (typeof value === 'boolean' ? [{ name: identifierText(name), value }] : [])),
  }
}

function seenFailure({ taxonomy, stage, reason_code, recoverability }: FailureContract): SeenFailure {
  return { taxonomy, stage, reason_code, recoverability }
}

function tally(events: readonly SeenEvent[]): SupportBundle['failures'] {
  const found = new Map<string, { failure: SeenFailure; count: number; last_at: string }>()
  for (const { failure, ts } of events) {
    if (!failure) continue
    const key = JSON.stringify(failure)
    found.set(key, { failure, count: (found.get(key)?.count ?? 0) + 1, last_at: ts })
  }
  return [...found.values()].sort((left, right) => right.count - left.count)
}

function executorCounts(executors: Status['executors']): SupportBundle['executors'] {
  const found = new Map<string, SupportBundle['executors'][number]>()
  for (const { state, reason } of executors) {
    const key = `${state} ${reason}`
    found.set(key, { state, reason, count: (found.get(key)?.count ?? 0) + 1 })
  }
  return [...found.values()]
}

function freeDisk(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    // The bundle is useful even if the file system does not report its size.
    return null
  }
}
