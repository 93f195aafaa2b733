// A real browser of one run for tests, with its tools by name.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallScope } from '../../../../src/call/scope.ts'
import { systemClock } from '../../../../src/clock/clock.ts'
import type { NetworkOptions } from '../../../../src/sandbox/network/scoped-network.ts'
import { type Browsers, openBrowsers } from '../../../../src/tools/browser/browsers.ts'
import { browserTools } from '../../../../src/tools/browser/tools.ts'
import { call, type TestContext, testContext } from '../web/test-context.ts'

interface LogLine {
  readonly index: number
  readonly level: string
  readonly text: string
  readonly method: string
  readonly url: string
  readonly type: string
  readonly status: number | null
}

/** All fields that any of these tools returns; a test reads those of its tool. */
interface Output {
  readonly tab: string
  readonly url: string
  readonly title: string
  readonly status: number | null
  readonly loaded: boolean
  readonly snapshot: string
  readonly snapshot_file: string
  readonly text: string
  readonly tabs: readonly { readonly tab: string; readonly url: string }[]
  readonly dialogs: readonly unknown[]
  readonly downloads: readonly { readonly file: string }[]
  readonly refused: readonly unknown[]
  readonly value: unknown
  readonly truncated: boolean
  readonly items: readonly LogLine[]
  readonly next: number | null
  readonly total: number
  readonly dropped: number
  readonly width: number
  readonly height: number
  readonly bytes: number
  readonly file: string
}

export interface TestBrowser {
  readonly browsers: Browsers
  readonly temp: string
  run(tool: string, input: object, over?: Over): Promise<Output>
  context(tool: string, over?: Over): TestContext
  close(): Promise<void>
}

type Over = Partial<CallScope> & NetworkOptions & { readonly hosts?: readonly string[]; readonly signal?: AbortSignal }

let runs = 0

export function testBrowser(
  hosts: readonly string[],
  browsers: Browsers = openBrowsers({ clock: systemClock, log: () => undefined }),
): TestBrowser {
  const temp = mkdtempSync(join(tmpdir(), 'tandem-browser-'))
  const run_id = `run-${++runs}`
  let calls = 0
  const tools = browserTools(browsers)

  function context(name: string, { hosts: other, ...over }: Over = {}): TestContext {
    const ids = { agent_id: 'agent', conversation_id: 'conversation', run_id, call_id: `${run_id}-${++calls}` }
    return testContext(other ?? hosts, { ids, tool: name, temp, ...over })
  }

  return {
    browsers,
    temp,
    context,
    async run(name, input, over) {
      const tool = tools.find((known) => known.name === `browser.${name}`)
      if (!tool) throw new Error(`no tool browser.${name}`)
      return (await call(tool, input, context(tool.name, over))) as Output
    },
    async close() {
      await browsers.endRun(run_id)
      rmSync(temp, { recursive: true, force: true })
    },
  }
}

/** The ref of the first line of a snapshot that contains these words. */
export function refOf(snapshot: string, words: string): string {
  const line = snapshot.split('\n').find((text) => text.includes(words))
  const ref = /\[ref=(\w+)\]/.exec(line ?? '')?.[1]
  if (ref === undefined) throw new Error(`no ref for ${words} in\n${snapshot}`)
  return ref
}
