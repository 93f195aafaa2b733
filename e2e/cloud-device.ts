// A complete runtime on its own folder, opened as the product does, with a user who signs in and approves.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import type { RunStep } from '@tandem/contract/run'
import { type Clock, systemClock } from '../packages/runtime/src/clock/clock.ts'
import { openRuntime, type Runtime } from '../packages/runtime/src/runtime.ts'

export interface TestUser {
  readonly email: string
  readonly password: string
}

export interface CloudDevice extends AsyncDisposable {
  readonly folder: string
  readonly home: string
  readonly workspace: string
  readonly runtime: Runtime
  readonly logged: string[]
  /** Steps in the order in which the window would show them. */
  readonly steps: RunStep[]
  call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>>
  /** The code of the refusal. */
  refused<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<string>
  signIn(cloud_url: string, person: TestUser, account: 'known' | 'new'): Promise<void>
  /** Sends a message in a new conversation; returns the run id at its first pause or its end. */
  sendMessage(text: string): Promise<string>
  /** Approves everything the run asks for, until it has ended. */
  approveAll(run_id: string): Promise<readonly string[]>
  /** Closes and opens it again on the same folder; `meanwhile` runs in between. */
  restart(meanwhile?: () => void): Promise<void>
}

export interface CloudDeviceOptions {
  /** The offset of its wall clock. */
  readonly ahead_ms?: number
  readonly environment?: Readonly<Record<string, string>>
  /** An existing folder. */
  readonly folder?: string
}

/** The model is the one behind the account's gateway: nothing is configured. */
export function openCloudDevice(name: string, { ahead_ms = 0, environment = {}, folder }: CloudDeviceOptions = {}): CloudDevice {
  const place = folder ?? realpathSync(mkdtempSync(join(tmpdir(), `tandem-${name}-`)))
  const home = join(place, 'home')
  const workspace = join(place, 'workspace')
  mkdirSync(workspace, { recursive: true })
  writeFileSync(join(workspace, `of-${name}.txt`), `made on ${name}\n`)
  const clock: Clock = { ...systemClock, now: () => Date.now() + ahead_ms }
  const logged: string[] = []
  const heard: RunStep[] = []
  let runtime = open()

  function open(): Runtime {
    const opened = openRuntime({
      home,
      workspace,
      environment: { PATH: process.env.PATH, HOME: place, ...environment },
      clock,
      log: (line) => logged.push(line),
    })
    opened.bus.subscribe('step', (step) => heard.push(step))
    return opened
  }

  async function call<Name extends CommandName>(command: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
    const answer = await runtime.commands.call(command, params)
    if (!answer.ok) throw new Error(`${name}: ${command}: ${answer.error.code}: ${answer.error.message}`)
    return answer.value
  }

  return {
    folder: place,
    home,
    workspace,
    get runtime() {
      return runtime
    },
    logged,
    steps: heard,
    call,
    async refused(command, params) {
      const answer = await runtime.commands.call(command, params)
      if (answer.ok) throw new Error(`${command} was not refused`)
      return answer.error.code
    },
    async signIn(cloud_url, person, account) {
      await call('account_sign_in', { cloud_url, ...person, account })
    },
    async sendMessage(text) {
      const { conversation } = await call('conversation_create', {})
      const { run } = await call('agent_run_start', { conversation_id: conversation.conversation_id, text })
      await runtime.settled(run.run_id)
      return run.run_id
    },
    async approveAll(run_id) {
      const asked: string[] = []
      for (;;) {
        await runtime.settled(run_id)
        const run = runtime.journal.run(run_id)
        if (run?.state !== 'paused') return asked
        const { items } = await call('approval_list', { run_id })
        const [waiting] = items
        if (!waiting) throw new Error(`run ${run_id} is paused for ${run.pause_reason}`)
        const { approval_id, fingerprint, tool } = waiting.approval
        asked.push(tool)
        await call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
      }
    },
    async restart(meanwhile) {
      await runtime.stop()
      meanwhile?.()
      runtime = open()
    },
    async [Symbol.asyncDispose]() {
      await runtime.stop()
      rmSync(place, { recursive: true, force: true })
    },
  }
}

export function resultsOf({ runtime }: CloudDevice, run_id: string) {
  return runtime.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'tool.result' ? [step] : []))
}

/** The folders of a device that must not leave it. */
export async function foldersOf({ call, home, workspace, folder }: CloudDevice) {
  const { device_id } = await call('runtime_status', {})
  return { home, workspace, folder, temp: join(tmpdir(), `tandem-${device_id}`) }
}

/** The names of the canaries that a text contains. */
export function canariesIn(text: string, canaries: Readonly<Record<string, string>>): string[] {
  return Object.entries(canaries).flatMap(([name, canary]) => (text.includes(canary) ? [name] : []))
}
