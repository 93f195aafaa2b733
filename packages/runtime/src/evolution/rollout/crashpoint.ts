// The crash points of recommendations. Tests kill the process there; in the product they do nothing.
import { reachCrashpoint } from '../../store/crash-hook.ts'

export const crashpoints = [
  'recommendation_created',
  'draft_written',
  'draft_recorded',
  'draft_validated',
  'shadow_prepared',
  'shadow_applied',
  'run_matched',
  'skill_canary_prepared',
  'skill_canary_applied',
  'live_written',
  'live_recorded',
  'rollback_recorded',
  'rollback_written',
  'recommendation_retired',
] as const

export function crashPoint(point: (typeof crashpoints)[number]): void {
  reachCrashpoint(point)
}
