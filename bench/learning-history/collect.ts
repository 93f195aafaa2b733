// Plays the runs of both halves with real programs and stores them: node bench/learning-history/collect.ts
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PlannedRun, plan } from './plan.ts'
import { Random } from './random.ts'
import { fileOf, type Half, halves, type Run } from './run.ts'
import { World } from './world.ts'

/** Nothing is denied to `root`, so the runs are played by a user without privileges. */
const nobody = 65_534

const [, , given, wanted] = process.argv
if (given !== undefined) await collect(given, halves.find((half) => half === wanted) ?? 'tuning')
else {
  const folder = mkdtempSync(join(tmpdir(), 'learning-history-'))
  const root = process.getuid?.() === 0
  if (root) chownSync(folder, nobody, nobody)
  try {
    const user = root ? { uid: nobody, gid: nobody } : {}
    const codes = halves.map(async (half) => {
      const child = spawn(process.execPath, [import.meta.filename, folder, half], { ...user, stdio: 'inherit' })
      const [code] = await once(child, 'exit')
      return code === 0
    })
    if ((await Promise.all(codes)).includes(false)) process.exitCode = 1
    else for (const half of halves) copyFileSync(join(folder, `${half}.jsonl`), fileOf(half))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function collect(folder: string, half: Half): Promise<void> {
  const runs: Run[] = []
  for (const [at, planned] of plan(half).entries()) {
    const id = `${half === 'tuning' ? 't' : 'h'}${String(at + 1).padStart(3, '0')}`
    runs.push(await play(folder, half, id, at, planned))
    if ((at + 1) % 20 === 0) console.log(`${half}: ${at + 1}`)
  }
  writeFileSync(join(folder, `${half}.jsonl`), `${runs.map((run) => JSON.stringify(run)).join('\n')}\n`)
}

/** A run that does not go as planned, for example because a server of it starts too slowly, is played again elsewhere. */
async function play(folder: string, half: Half, id: string, at: number, planned: PlannedRun, attempt = 1): Promise<Run> {
  const base = join(folder, `${id}-${attempt}`)
  const world = new World(base, half, planned.language, new Random(seedOf(half) + at + 10_000 * attempt), nodeFolder(base, at))
  try {
    return await planned.play(id, world)
  } catch (error) {
    console.error(`${id}: ${String(error)}`)
    if (attempt === 3) throw error
  } finally {
    await world.close()
  }
  return play(folder, half, id, at, planned, attempt + 1)
}

function seedOf(half: Half): number {
  return half === 'tuning' ? 1_000 : 900_000
}

/** Every second run uses the Node that runs this program, the others the one of the system. */
function nodeFolder(base: string, at: number): string {
  if (at % 2 === 0) return '/usr/bin'
  const bin = join(base, 'usr/local/bin')
  mkdirSync(bin, { recursive: true })
  symlinkSync(process.execPath, join(bin, 'node'))
  return bin
}
