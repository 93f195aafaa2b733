// What a call tried outside its sandbox, as an event.
import { failureContract } from '../../call/outcome.ts'
import type { Violation } from '../../call/scope.ts'
import type { ReadyCall } from '../../pipeline/prepared-call.ts'
import type { ActiveRun } from '../active-run.ts'
import type { LoopPorts } from '../ports.ts'

export function reportViolation(
  { events }: LoopPorts,
  record: ReturnType<ActiveRun['run']>,
  started: { readonly seq: number; readonly step_id: string },
  call: ReadyCall,
  { attempted, resource, blocked }: Violation,
): void {
  const failure = failureContract('sandbox_enforcement', {
    source: call.tool,
    reason_code: blocked ? 'sandbox_blocked' : 'sandbox_let_pass',
    message: `${attempted} of ${resource} ${blocked ? 'was blocked' : 'was allowed in trusted mode'}`,
    subject: resource,
  })
  const data = {
    call_id: call.call_id,
    tool: call.tool,
    sandbox_mode: call.policy.sandbox_mode,
    attempted,
    resource: resource.slice(0, 60_000),
    blocked,
  }
  events.emit('sandbox_violation', { run: record, step: started }, data, failure)
}
