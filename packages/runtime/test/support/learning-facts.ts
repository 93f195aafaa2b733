// Facts for the tests of learning.
import type { CallFact, RunFacts } from '../../src/learning/rule/run-facts.ts'

export function callFact(fact: Partial<CallFact> = {}): CallFact {
  const seq = fact.seq ?? 1
  return {
    ...{ run_id: 'run-1', call_id: `call-${seq}`, step_id: `step-${seq}`, seq, tool: 'fs.read', arguments: '{}', outcome: 'succeeded' },
    ...{ failure_contract: null, command: null, approval: null, asked_at: seq * 1_000, started_at: seq * 1_000, duration_ms: 10 },
    undone: false,
    ...fact,
  }
}

export function commandFact(output: string, exit_code = 0, fact: Partial<CallFact> = {}): CallFact {
  return callFact({ tool: 'shell.exec', command: { exit_code, signal: null, timed_out: false, output }, ...fact })
}

export function runFacts(facts: Partial<RunFacts> = {}): RunFacts {
  return {
    ...{
      run_id: 'run-1',
      agent_id: 'agent-1',
      conversation_id: 'conversation-1',
      step_id: 'end-1',
      trigger: 'completed',
      state: 'completed',
    },
    ...{
      failure_contract: null,
      workspace: '/home/ada/project',
      asked_by_person: true,
      named_hosts: [],
      calls: [],
      errors: [],
      turns: 2,
      answered: true,
    },
    usage: { input_tokens: 1_000, output_tokens: 100, cached_tokens: 0, estimated: false },
    ...{ duration_ms: 5_000, ended_at: 5_000, corrected: false, restores: 0, open_todos: 0, usual: null },
    ...facts,
  }
}
