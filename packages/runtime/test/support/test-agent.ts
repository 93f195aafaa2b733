// A whole runtime in its own folder, with a scripted model: what users have, except for the model.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import type { RunStep } from '@tandem/contract/run'
import type { ToolPolicy } from '@tandem/contract/tool'
import type { Clock } from '../../src/clock/clock.ts'
import { openRuntime, type RuntimeOptions } from '../../src/runtime.ts'
import { type Script, type ScriptedTurn, type ServerFacts, startTestModel } from './model/test-model.ts'
import { keepSelfTest, recallSelfTest } from './sandbox/command/test-self-test.ts'

export type RunResult = {
  readonly state: string
  readonly results: readonly Extract<RunStep, { kind: 'tool.result' }>[]
  readonly run_id: string
}

export async function startTestAgent(
  script: readonly ScriptedTurn[] | Script,
  options: {
    readonly clock?: Clock
    readonly environment?: Readonly<Record<string, string>>
    readonly facts?: ServerFacts
    readonly life?: 'resident' | 'errand'
    /** The folder the runtime is started in, if not `workspace`. */
    readonly startedIn?: string
    readonly features?: NonNullable<RuntimeOptions['features']>
  } = {},
) {
  const model = await startTestModel(script, options.facts)
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-agent-')))
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace)
  recallSelfTest(join(folder, 'home'))
  const logged: string[] = []
  const open = (environment: Readonly<Record<string, string>> = {}) =>
    openRuntime({
      home: join(folder, 'home'),
      workspace: options.startedIn ?? workspace,
      environment: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        TANDEM_MEMORY_MODEL: 'off',
        TANDEM_MODEL_URL: model.base_url,
        TANDEM_MODEL: 'test/model',
        ...options.environment,
        ...environment,
      },
      log: (line) => logged.push(line),
      ...(options.clock ? { clock: options.clock } : {}),
      ...(options.life ? { life: options.life } : {}),
      ...(options.features ? { features: options.features } : {}),
    })
  let runtime = open()

  async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
    const answer = await runtime.commands.call(name, params)
    if (!answer.ok) throw new Error(`${name}: ${answer.error.code}: ${answer.error.message}`)
    return answer.value
  }

  return {
    folder,
    workspace,
    get runtime() {
      return runtime
    },
    model,
    logged,
    call,
    agent: () => call('agent_create', { name: 'Tester' }).then(({ agent }) => agent.agent_id),
    /** Differences from the defaults of a tool. */
    async policy(agent_id: string, tool: string, fields: Partial<ToolPolicy>) {
      const { policy } = await call('agent_tool_policy_get', { agent_id, tool })
      await call('agent_tool_policy_set', { agent_id, tool, policy: { ...policy.policy, ...fields } })
    },
    /** Sends a prompt to an agent and waits until its run is no longer active. */
    async ask(agent_id: string, text: string, sandbox_mode?: 'trusted' | 'workspace' | 'strict'): Promise<RunResult> {
      const { conversation } = await call('conversation_create', { agent_id, workspace })
      const { conversation_id } = conversation
      const { run } = await call('agent_run_start', { conversation_id, text, ...(sandbox_mode ? { sandbox_mode } : {}) })
      await runtime.settled(run.run_id)
      const steps = runtime.journal.steps(run.run_id).map(({ step }) => step)
      const results = steps.filter((step) => step.kind === 'tool.result')
      return { state: runtime.journal.run(run.run_id)?.state ?? 'gone', results, run_id: run.run_id }
    },
    /** The same folder with another runtime, which may have another environment. `meanwhile`: while there is none. */
    async restart(environment?: Readonly<Record<string, string>>, meanwhile: () => void | Promise<void> = () => undefined) {
      await runtime.stop()
      await meanwhile()
      runtime = open(environment)
    },
    async stop() {
      await runtime.stop()
      await model.close()
      keepSelfTest(join(folder, 'home'))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type TestAgent = Awaited<ReturnType<typeof startTestAgent>>
