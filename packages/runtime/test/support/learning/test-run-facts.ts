// Facts of runs for tests: calls are given by what they ran and how they ended.
import type { FailureContract } from '@tandem/contract/failure'
import type { CallFact, RunFacts } from '../../../src/learning/rule/run-facts.ts'

export interface TestCall {
  readonly tool?: string
  readonly arguments?: Readonly<Record<string, unknown>>
  /** Of `shell.exec`. */
  readonly command?: string
  readonly exit_code?: number
  readonly timed_out?: boolean
  readonly output?: string
  readonly outcome?: CallFact['outcome']
  readonly failure_contract?: FailureContract
}

export function testRunFacts(run_id: string, calls: readonly TestCall[], more: Partial<RunFacts> = {}): RunFacts {
  const { ended_at = 1_000 * calls.length } = more
  return {
    ...{ run_id, agent_id: 'agent', conversation_id: 'conversation', step_id: `${run_id}-end`, trigger: 'completed', state: 'completed' },
    ...{ failure_contract: null, workspace: '/w', asked_by_person: true, named_hosts: [], errors: [], turns: calls.length, answered: true },
    // Each takes a second, and the last one ends with the run.
    calls: calls.map((call, at) => testCall(run_id, call, at, ended_at - 1_000 * (calls.length - at))),
    usage: { input_tokens: 900 * calls.length, output_tokens: 100 * calls.length, cached_tokens: 0, estimated: false },
    ...{ duration_ms: 1_000 * calls.length, ended_at },
    ...{ corrected: false, restores: 0, open_todos: 0, usual: null },
    ...more,
  }
}

function testCall(run_id: string, call: TestCall, at: number, asked_at: number): CallFact {
  const { command, exit_code = 0, timed_out = false, output = '', failure_contract = null } = call
  return {
    ...{ run_id, call_id: `call-${at}`, step_id: `${run_id}-${at}`, seq: at + 1, tool: call.tool ?? 'shell.exec' },
    arguments: JSON.stringify(call.arguments ?? { command }),
    outcome: call.outcome ?? (failure_contract ? 'failed' : 'succeeded'),
    failure_contract,
    command:
      command === undefined ? null : { exit_code: timed_out ? null : exit_code, signal: timed_out ? 'SIGKILL' : null, timed_out, output },
    ...{ approval: null, asked_at, started_at: asked_at, duration_ms: 1_000, undone: false },
  }
}

export function testContract(reason_code: string, more: Partial<FailureContract> = {}): FailureContract {
  const details = { message: `It failed: ${reason_code}.` }
  return { taxonomy: 'none', stage: 'tool_execution', source: 'fs.read', reason_code, recoverability: 'user_action', details, ...more }
}
