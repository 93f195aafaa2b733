// The crash points of checkpoints. Tests kill the process there, or fill the disk; in the product they do nothing.
import { reachCrashpoint } from '../store/crash-hook.ts'

export const crashpoints = [
  'take:begun',
  'take:file',
  'clone:written',
  'pack:written',
  'pack:synced',
  'pack:named',
  'take:kept',
  'take:recorded',
  'settle:looked',
  'settle:kept',
  'background:kept',
  'background:ended',
  'restore:planned',
  'restore:safe',
  'journal:written',
  'restore:journaled',
  'restore:recorded',
  'apply:file-written',
  'apply:path-done',
  'restore:applied',
  'restore:settled',
  'restore:unrecorded',
  'restore:done',
  'recover:applied',
  'recover:recorded',
  'retain:chosen',
  'retain:forgotten',
  'sweep:clone',
  'sweep:removed',
] as const
export type CrashpointName = (typeof crashpoints)[number]

export type Crashpoint = (name: CrashpointName) => void

export const crashPoint: Crashpoint = reachCrashpoint
