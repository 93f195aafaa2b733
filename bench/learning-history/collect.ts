// Plays the runs with real programs and stores them: node bench/learning-history/collect.ts [tuning|held-out|third|fourth]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { providePackages } from './fourth/tools.ts'
import { type PlannedRun, plan } from './plan.ts'
import { Random } from './random.ts'
import { fileOf, type Part, parts, type Run } from './run.ts'
import { World } from './world.ts'

/** Nothing is denied to `root`, so the runs are played by a user without privileges. */
const nobody = 65_534

const letters: Readonly<Record<Part, string>> = { tuning: 't', 'held-out': 'h', third: 'd', fourth: 'f' }
const seeds: Readonly<Record<Part, number>> = { tuning: 1_000, 'held-out': 900_000, third: 5_000_000, fourth: 8_000_000 }

const [, , first, folder, asked] = process.argv
if (first === '--into' && folder !== undefined) await collect(folder, parts.find((part) => part === asked) ?? 'tuning')
else await collectAll(first === undefined ? parts : parts.filter((part) => part === first))

async function collectAll(wanted: readonly Part[]): Promise<void> {
  if (wanted.length === 0) throw new Error(`Name one of ${parts.join(', ')}, or nothing to collect all of them`)
  const folder = mkdtempSync(join(tmpdir(), 'learning-history-'))
  const root = process.getuid?.() === 0
  if (root) chownSync(folder, nobody, nobody)
  try {
    if (wanted.includes('fourth')) providePackages(folder)
    const user = root ? { uid: nobody, gid: nobody } : {}
    const codes = wanted.map(async (part) => {
      const child = spawn(process.execPath, [import.meta.filename, '--into', folder, part], { ...user, stdio: 'inherit' })
      const [code] = await once(child, 'exit')
      return code === 0
    })
    if ((await Promise.all(codes)).includes(false)) process.exitCode = 1
    else for (const part of wanted) copyFileSync(join(folder, `${part}.jsonl`), fileOf(part))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function collect(folder: string, part: Part): Promise<void> {
  const runs: Run[] = []
  for (const [at, planned] of plan(part).entries()) {
    const id = `${letters[part]}${String(at + 1).padStart(3, '0')}`
    runs.push(await play(folder, part, id, at, planned))
    if ((at + 1) % 20 === 0) console.log(`${part}: ${at + 1}`)
  }
  writeFileSync(join(folder, `${part}.jsonl`), `${runs.map((run) => JSON.stringify(run)).join('\n')}\n`)
}

/** A run that does not go as planned, for example because a server of it starts too slowly, is played again elsewhere. */
async function play(folder: string, part: Part, id: string, at: number, planned: PlannedRun, attempt = 1): Promise<Run> {
  const base = join(folder, `${id}-${attempt}`)
  const world = new World(base, part, planned.language, new Random(seeds[part] + at + 10_000 * attempt), nodeFolder(base, at))
  try {
    return await planned.play(id, world)
  } catch (error) {
    console.error(`${id}: ${String(error)}`)
    if (attempt === 3) throw error
  } finally {
    await world.close()
  }
  return play(folder, part, id, at, planned, attempt + 1)
}

/** Every second run uses the Node that runs this program, the others the one of the system. */
function nodeFolder(base: string, at: number): string {
  if (at % 2 === 0) return '/usr/bin'
  const bin = join(base, 'usr/local/bin')
  mkdirSync(bin, { recursive: true })
  symlinkSync(process.execPath, join(bin, 'node'))
  return bin
}
