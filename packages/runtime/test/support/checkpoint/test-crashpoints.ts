// The crash points of storing, restoring and deleting, in the order they are reached: for kill -9, and for a full disk.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CrashpointName } from '../../../src/checkpoint/crashpoint.ts'
import type { CheckpointTestEnvironment } from './test-checkpoints.ts'

/** A crash point, and which of its occurrences. */
export type CrashPointOccurrence = readonly [CrashpointName, number]

export const crashPointOccurrences = {
  take: [
    ['take:begun', 1],
    ['take:file', 1],
    ['take:file', 5],
    ['pack:written', 1],
    ['pack:synced', 1],
    ['pack:named', 1],
    ['take:kept', 1],
    ['take:recorded', 1],
  ],
  clone: [['clone:written', 1]],
  settle: [
    ['settle:looked', 1],
    ['pack:written', 1],
    ['pack:synced', 1],
    ['pack:named', 1],
    ['settle:kept', 1],
  ],
  background: [
    ['settle:looked', 1],
    ['pack:named', 1],
    ['background:kept', 1],
  ],
  close: [
    ['settle:looked', 1],
    ['pack:written', 1],
    ['pack:named', 1],
    ['background:ended', 1],
  ],
  restore: [
    ['restore:planned', 1],
    ['take:file', 1],
    ['pack:written', 1],
    ['pack:synced', 1],
    ['pack:named', 1],
    ['restore:safe', 1],
    ['journal:written', 1],
    ['restore:journaled', 1],
    ['restore:recorded', 1],
    ['apply:path-done', 1],
    ['apply:path-done', 4],
    ['apply:path-done', 8],
    ['apply:file-written', 1],
    ['apply:file-written', 3],
    ['restore:applied', 1],
    ['settle:looked', 1],
    ['pack:written', 2],
    ['pack:synced', 2],
    ['pack:named', 2],
    ['restore:settled', 1],
    ['restore:unrecorded', 1],
    ['restore:done', 1],
  ],
  recover: [
    ['apply:file-written', 1],
    ['recover:applied', 1],
    ['recover:recorded', 1],
  ],
  retain: [
    ['retain:chosen', 1],
    ['retain:forgotten', 1],
    ['sweep:clone', 1],
    ['sweep:removed', 1],
    ['sweep:removed', 2],
    ['sweep:removed', 3],
  ],
} as const satisfies Record<string, readonly CrashPointOccurrence[]>

export type Action = keyof typeof crashPointOccurrences

/** The initial files, as shell commands. */
export const tree =
  'mkdir -p src/deep empty && for i in 1 2 3 4 5 6; do echo "file $i" > src/$i; done; echo x > src/deep/x; chmod 700 src/deep; ln -s src/1 link; head -c 300000 /dev/urandom > data'

/** What a run changes. */
export const runChanges =
  'rm -rf src/deep src/1 empty; echo changed > src/2; echo new > src/new; mkdir -p made/by/run; rm data; mkdir data; echo y > data/y; chmod 000 src/3; ln -sfn src/4 link'

/** What a background command changes after its call has returned. */
export const backgroundChanges = 'rm -f src/4; echo late > src/5; mkdir -p served; echo late > served/log'

/** Large enough for a clone, and unique. */
export const large = 'head -c 1200000 /dev/urandom > large'

/** Simulates a file system that shares blocks between files. */
export function cloneByCopy(from: string, to: string): boolean {
  writeFileSync(to, readFileSync(from))
  return true
}

/** From the restore's own record on it is completed; before it, nothing was changed. */
export function isRecorded(at: number): boolean {
  return at >= crashPointOccurrences.restore.findIndex(([name]) => name === 'restore:recorded')
}

/** Files that only unfinished work has. */
export function leftovers({ home }: Pick<CheckpointTestEnvironment, 'home'>): string[] {
  return readdirSync(join(home, 'blobs'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.tmp') || name.endsWith('.journal'))
}

/** Packs of earlier states. */
export function packs({ home }: Pick<CheckpointTestEnvironment, 'home'>): string[] {
  return readdirSync(join(home, 'blobs')).filter((name) => name.endsWith('.before'))
}
