// A context for the tools of this folder: a real workspace with the real file access, the real clock, no network and no commands.

import type { ToolContext } from '../../../../src/call/context.ts'
import type { Tool } from '../../../../src/call/tool.ts'
import { systemClock } from '../../../../src/clock/clock.ts'
import { openFiles } from '../../../../src/sandbox/files/scoped-files.ts'
import { openSpool } from '../../../../src/store/spool.ts'
import { runInChildProcess } from '../../child-program.ts'
import { type TestScope, type TestScopeOptions, testScope } from '../../sandbox/files/test-scope.ts'
import { checkedResult } from '../checked.ts'

export interface TestContext extends ToolContext, Pick<TestScope, 'outside' | 'reports'> {}

export interface TestContextOptions extends TestScopeOptions {
  readonly signal?: AbortSignal
}

export function testContext({ signal = new AbortController().signal, ...options }: TestContextOptions = {}): TestContext {
  const scope = testScope(options)
  return {
    ...scope,
    signal,
    clock: systemClock,
    files: openFiles(scope),
    network: notHere('network'),
    commands: notHere('commands'),
    spool: (name) => openSpool(scope.temp, name),
    progress: () => undefined,
  }
}

/** The result of a call: its output, or the code of its failure. */
export async function call<T = unknown>(tool: Tool, input: unknown, context: ToolContext): Promise<T | string> {
  return checkedResult(tool, tool.run(input, context) as Promise<T>).catch((error: unknown) => {
    if (error instanceof Error && 'reason_code' in error) return String(error.reason_code)
    throw error
  })
}

/** Calls of a tool in their own process: their results, and the maximum growth of its memory. */
export async function costOf(tool: { readonly name: string; readonly file: URL }, inputs: readonly object[], context: TestContext) {
  const { ids, workspace, temp, home, policy, sandbox_mode } = context
  const program = `
    import { openFiles } from {{files}}
    import { openSpool } from {{spool}}
    import { systemClock as clock } from {{clock}}
    import { ${tool.name} as tool } from {{tool}}
    const scope = { ...${JSON.stringify({ ids, tool: context.tool, workspace, temp, home, policy, sandbox_mode })}, report() {} }
    const { signal } = new AbortController()
    const spool = (name) => openSpool(scope.temp, name)
    const context = { ...scope, signal, clock, files: openFiles(scope), spool, progress() {} }
    const before = process.resourceUsage().maxRSS
    const outputs = []
    for (const input of ${JSON.stringify(inputs)}) outputs.push(await tool.run(input, context))
    console.log(JSON.stringify({ outputs, grown_bytes: (process.resourceUsage().maxRSS - before) * 1024 }))
  `
  const files = {
    files: new URL('../../../../src/sandbox/files/scoped-files.ts', import.meta.url),
    spool: new URL('../../../../src/store/spool.ts', import.meta.url),
    clock: new URL('../../../../src/clock/clock.ts', import.meta.url),
    tool: tool.file,
  }
  return (await runInChildProcess(program, files)) as { readonly outputs: readonly unknown[]; readonly grown_bytes: number }
}

/** The failure itself, for its message. */
export async function failure(tool: Tool, input: unknown, context: ToolContext): Promise<Error> {
  try {
    await tool.run(input, context)
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('it did not fail')
}

function notHere<T extends object>(port: string): T {
  return new Proxy({} as T, {
    get() {
      throw new Error(`tools for files use no ${port}`)
    },
  })
}
