// Whether a run may use a remote executor: its own agent was granted it, and so was that of each run above it.
import type { RemoteGrant } from '../call/remote.ts'
import type { Journal } from '../journal/journal.ts'
import type { StarterLayerPorts } from './starter-layer.ts'

export interface TeamGrantPorts extends Pick<StarterLayerPorts, 'starterOf'> {
  readonly journal: Pick<Journal, 'run'>
  grantOf(agent_id: string, executor: string): RemoteGrant
}

export interface GrantedRun {
  readonly run_id: string
  readonly agent_id: string
}

export function teamGrant({ starterOf, journal, grantOf }: TeamGrantPorts): (run: GrantedRun, executor: string) => RemoteGrant {
  return (run, executor) => {
    const own = grantOf(run.agent_id, executor)
    if (!own.ok) return own
    for (let above = starterOf(run.run_id); above; above = starterOf(above)) {
      const starter = journal.run(above)
      const grant = starter ? grantOf(starter.agent_id, executor) : null
      if (!grant?.ok)
        return {
          ok: false,
          reason_code: 'executor_not_granted',
          message: `the agent of the run that started this one may not use the remote executor ${own.machine.name}`,
          remedy: `The user can allow it for that agent too, with tandem executors grant "${own.machine.name}" --agent AGENT.`,
        }
    }
    return own
  }
}
