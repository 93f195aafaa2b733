// The crash points of teams. Tests kill the process there; in the product they do nothing.
import { reachCrashpoint } from '../store/crash-hook.ts'

export const crashpoints = ['members_recorded', 'member_ending', 'member_ended', 'team_message_sent', 'team_message_delivered'] as const
export type TeamCrashpoint = (typeof crashpoints)[number]

export function crashPoint(point: TeamCrashpoint): void {
  reachCrashpoint(point)
}
