// Whole programs that do one task with one tool call: Tandem and the peers, each set up to need no approval, in its own home.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Peer } from './peer.ts'

export type Task = 'write' | 'command'

export interface Program {
  /** One task from start to end of the process. */
  run(task: Task): TaskCost
  remove(): void
}

export interface TaskCost {
  readonly wall_ms: number
  /** Of all its processes. */
  readonly worked_ms: number
  /** Of its largest process. */
  readonly peak_mib: number
}

const tandem = fileURLToPath(new URL('../packages/cli/bin/tandem.js', import.meta.url))

export function tandemProgram(url: string): Program {
  const place = openPlace()
  const environment = {
    TANDEM_HOME: join(place.folder, 'tandem'),
    TANDEM_MEMORY_MODEL: 'off',
    TANDEM_MODEL_URL: url,
    TANDEM_MODEL: 'bench',
  }
  const ours = (...args: string[]) => place.run([process.execPath, tandem, ...args], environment)
  ours('agents', 'create', 'Bench')
  for (const tool of ['fs.write', 'shell.exec']) ours('policy', 'set', tool, '--approval-mode', 'auto')
  return { run: (task) => place.did(() => ours('run', '--json', `bench: ${task} 1`)), remove: place.remove }
}

/** It writes files with commands: for an unknown model it offers no other way. */
export function codexProgram(peer: Peer, url: string): Program {
  const place = openPlace()
  const environment = { CODEX_HOME: join(place.folder, 'codex'), BENCH_KEY: 'bench' }
  mkdirSync(environment.CODEX_HOME)
  writeFileSync(
    join(environment.CODEX_HOME, 'config.toml'),
    `model = "bench"
model_provider = "bench"
check_for_update_on_startup = false
[model_providers.bench]
name = "Bench"
base_url = "${url}"
env_key = "BENCH_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`,
  )
  const program = join(peer.folder, 'node_modules/@openai/codex/bin/codex.js')
  const args = ['exec', '--skip-git-repo-check', '--json', '-s', 'workspace-write', 'bench: command 1']
  return { run: () => place.did(() => place.run([process.execPath, program, ...args], environment)), remove: place.remove }
}

export function opencodeProgram(peer: Peer, url: string): Program {
  const place = openPlace()
  const folder = join(peer.folder, 'node_modules/opencode-ai')
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'postinstall.mjs')], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`opencode could not be set up: ${stderr}`)
  const config = join(place.folder, '.config/opencode/opencode.json')
  mkdirSync(dirname(config), { recursive: true })
  const model = { name: 'bench', tool_call: true, limit: { context: 128_000, output: 4_096 } }
  const provider = { npm: '@ai-sdk/openai-compatible', options: { baseURL: url, apiKey: 'bench' }, models: { bench: model } }
  writeFileSync(
    config,
    JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      model: 'bench/bench',
      small_model: 'bench/bench',
      enabled_providers: ['bench'],
      provider: { bench: provider },
    }),
  )
  const program = join(folder, 'bin/opencode.exe')
  const environment = { OPENCODE_DISABLE_MODELS_FETCH: '1' }
  const once = (task: Task) => place.run([program, 'run', '--format', 'json', `bench: ${task} 1`], environment)
  return { run: (task) => place.did(() => once(task)), remove: place.remove }
}

/** Not in the folder for temporary files, which sandboxes treat specially. Profiles of login shells are not used. */
function openPlace() {
  const folder = mkdtempSync('/var/tmp/tandem-bench-')
  const workspace = join(folder, 'workspace')
  const report = join(folder, 'time')
  const made = join(workspace, 'hello.txt')
  mkdirSync(workspace)

  function run(command: readonly string[], environment: Readonly<Record<string, string>>): TaskCost {
    const started = performance.now()
    const { status, stdout, stderr } = spawnSync('/usr/bin/time', ['-v', '-o', report, ...command], {
      cwd: workspace,
      env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', ...environment },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 120_000,
    })
    const wall_ms = performance.now() - started
    if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${stderr}${stdout.slice(-2_000)}`)
    const told = readFileSync(report, 'utf8')
    const figure = (name: string) => Number(new RegExp(`${name}[^:]*: ([\\d.]+)`).exec(told)?.[1])
    const worked_ms = (figure('User time') + figure('System time')) * 1_000
    return { wall_ms, worked_ms, peak_mib: figure('Maximum resident set size') / 1_024 }
  }

  function did(work: () => TaskCost): TaskCost {
    const taken = work()
    if (!existsSync(made)) throw new Error('the task was not done')
    rmSync(made)
    return taken
  }

  return { folder, run, did, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
