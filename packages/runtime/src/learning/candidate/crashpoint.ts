// The crash points of policy candidates. Tests kill the process there; in the product they do nothing.
import { reachCrashpoint } from '../../store/crash-hook.ts'

export const crashpoints = [
  'candidate_created',
  'shadow_judged',
  'shadow_recorded',
  'canary_prepared',
  'canary_applied',
  'candidate_keeping',
  'candidate_kept',
  'candidate_rolled_back',
] as const
export type CandidateCrashpoint = (typeof crashpoints)[number]

export function crashPoint(point: CandidateCrashpoint): void {
  reachCrashpoint(point)
}
