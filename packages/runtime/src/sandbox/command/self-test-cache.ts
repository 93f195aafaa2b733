// Remembers a passed self-test until one of its conditions changes. A self-test costs as much as the command that waits for it.
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { release } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Clock } from '../../clock/clock.ts'
import { programFolder } from '../../path/program-folder.ts'
import type { SandboxReport } from './self-test.ts'

export interface SelfTestCache {
  /** The result of a recent self-test under the same conditions. */
  remembered(): SandboxReport | null
  /** Remembers a passed self-test. A failed one is repeated each time. */
  remember(report: SandboxReport): void
}

export interface SelfTestCacheOptions {
  /** Tandem's own folder, which no command can write. */
  readonly home: string
  readonly clock: Clock
  /** The conditions of the self-test; null if they cannot be determined, in which case nothing is remembered. */
  readonly grounds?: () => string | null
}

const day_ms = 24 * 60 * 60 * 1_000

interface StoredSelfTest {
  readonly grounds: string
  readonly proven_at: number
  readonly report: SandboxReport
}

export function openSelfTestCache({ home, clock, grounds = groundsHere }: SelfTestCacheOptions): SelfTestCache {
  const file = join(home, 'sandbox.json')
  return {
    remembered() {
      const standing = grounds()
      const kept = standing === null ? null : keptIn(file)
      if (!kept || kept.grounds !== standing || kept.report.state !== 'enforced') return null
      const age_ms = clock.now() - kept.proven_at
      return age_ms >= 0 && age_ms < day_ms ? kept.report : null
    },
    remember(report) {
      const standing = grounds()
      if (standing === null || report.state !== 'enforced') return
      const kept: StoredSelfTest = { grounds: standing, proven_at: clock.now(), report }
      const arriving = `${file}.${process.pid}.part`
      try {
        writeFileSync(arriving, JSON.stringify(kept), { mode: 0o600 })
        renameSync(arriving, file)
      } catch {
        // Possibly a full disk: the self-test is repeated next time.
      }
    },
  }
}

function keptIn(file: string): StoredSelfTest | null {
  try {
    const { grounds, proven_at, report } = JSON.parse(readFileSync(file, 'utf8'))
    return typeof grounds === 'string' && typeof proven_at === 'number' && typeof report?.state === 'string'
      ? { grounds, proven_at, report }
      : null
  } catch {
    // Missing or incomplete: the self-test is repeated.
    return null
  }
}

/** The kernel and its boot id, our user and capabilities, the wrapper programs, their library, and our own code. */
function groundsHere(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const namespaces = readFileSync('/proc/self/status', 'utf8').match(/^(?:Cap\w+|Seccomp|NoNewPrivs):.*$/gm)
    const programs = ['bwrap', 'socat', 'rg', 'bash'].map((name) => markOf(name))
    const own = ownMarks(new URL('./', import.meta.url))
    const library = markIn(new URL(import.meta.resolve('@anthropic-ai/sandbox-runtime')))
    return JSON.stringify([boot, release(), process.getuid?.(), process.getgid?.(), namespaces, programs, library, own])
  } catch {
    // Not Linux: changes of the machine cannot be detected.
    return null
  }
}

/** A package has no sources, and is replaced as a whole. */
function ownMarks(here: URL): string[] {
  if (!existsSync(here)) return [markIn(join(programFolder(), 'package.json'))]
  return readdirSync(here, { recursive: true, encoding: 'utf8' }).map((name) => markIn(new URL(name, here)))
}

function markOf(program: string): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => markIn(join(folder, program))).find((mark) => mark !== '') ?? ''
}

function markIn(file: string | URL): string {
  const found = statSync(file, { throwIfNoEntry: false })
  return found ? [String(file), found.dev, found.ino, found.size, found.mtimeMs, found.ctimeMs].join(' ') : ''
}
