import { isTerminalRunState } from '@tandem/contract/run'
import type { Team } from '@tandem/contract/team'
import { teamOf } from '../store/team.ts'
import { useRuntimeClient, useWindowState } from './use-client.ts'
import { type ReadRequest, useRequest } from './use-request.ts'
import { useSyncArrivals } from './use-sync-arrivals.ts'
import { useThrottled } from './use-throttled.ts'

/** Not every change of a team has an event: what a member spends, and what it does. */
const busy_ms = 1_500
const throttle_ms = 400

/** The team of a run as it is now: read again after each event of its members, when other devices wrote steps, and while a member works. */
export function useTeam(run_id: string): ReadRequest<Team> {
  const client = useRuntimeClient()
  const known = useWindowState((state) => teamOf(state, run_id))
  const event = useWindowState(({ events, teams }) => {
    const members = new Set(teamOf({ teams }, run_id)?.members.map((member) => member.run_id)).add(run_id)
    return events.findLast(({ event: { run_id: of } }) => of !== null && members.has(of))?.no ?? 0
  })
  const version = `${useThrottled(event, throttle_ms)} ${useSyncArrivals('agent_run_steps')}`
  const isOver = known?.members.every(({ state }) => isTerminalRunState(state)) ?? false
  return useRequest(`team ${run_id}`, () => client.readTeam(run_id), { version, ...(isOver ? {} : { every_ms: busy_ms }) })
}
