// A tool's context for tests: real network, real spool, its own temporary folder.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { ToolContext } from '../../../../src/call/context.ts'
import type { CallScope } from '../../../../src/call/scope.ts'
import type { Tool } from '../../../../src/call/tool.ts'
import { systemClock } from '../../../../src/clock/clock.ts'
import { type NetworkOptions, openNetwork } from '../../../../src/sandbox/network/scoped-network.ts'
import { openSpool } from '../../../../src/store/spool.ts'
import { type TestScope, testScope } from '../../sandbox/network/test-scope.ts'
import { checkedResult } from '../checked.ts'

export interface TestContext extends ToolContext {
  readonly violations: TestScope['violations']
  dispose(): void
}

let calls = 0

export function testContext(
  hosts: readonly string[],
  over: Partial<CallScope> & NetworkOptions & { signal?: AbortSignal } = {},
): TestContext {
  const { signal = new AbortController().signal, resolve, ca, ...scopeOver } = over
  const temp = over.temp ?? mkdtempSync(join(tmpdir(), 'tandem-tool-'))
  const ids = { agent_id: 'agent', conversation_id: 'conversation', run_id: 'run', call_id: `call-${++calls}` }
  const scope = testScope(hosts, { ids, ...scopeOver, temp })
  return {
    ...scope,
    signal,
    clock: systemClock,
    files: unused<ToolContext['files']>('files'),
    commands: unused<ToolContext['commands']>('commands'),
    network: openNetwork(scope, { ...(resolve ? { resolve } : {}), ...(ca ? { ca } : {}) }),
    spool: (name) => openSpool(join(temp, 'spool'), name),
    progress: () => undefined,
    dispose: () => rmSync(temp, { recursive: true, force: true }),
  }
}

/** As in the pipeline: input that does not match the schema never reaches the tool. */
export function call<Input extends TSchema>(tool: Tool<Input>, input: Static<Input>, context: ToolContext): Promise<unknown> {
  Value.Assert(tool.input, input)
  return checkedResult(tool, tool.run(input, context))
}

/** The reason code, or the error itself if it has none. */
export async function reason(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    (value) => new Error(`nothing failed: ${JSON.stringify(value)?.slice(0, 300)}`),
    (thrown: unknown) => thrown,
  )
  if (error instanceof Error && 'reason_code' in error) return error.reason_code
  throw error
}

function unused<Port>(name: string): Port {
  const refuse = () => {
    throw new Error(`no test of these tools uses ${name}`)
  }
  return new Proxy({}, { get: refuse }) as Port
}
