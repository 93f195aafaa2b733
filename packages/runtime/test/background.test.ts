// A dev server that an agent starts in the background writes for a while; the runtime is killed during that and restarted. The user then
// restores with the background group selected, and everything is as before. Longer: npm run test:background.
import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTimeOf } from '../src/sandbox/command/process-tree.ts'
import { startTestModel, type TestModel } from './support/model/test-model.ts'

/** How long the server writes; the runtime is killed after a third of it. */
const seconds = Number(process.env.TANDEM_BACKGROUND_SECONDS ?? 6)
const patience = { timeout: 60_000 + seconds * 1_000, interval: 50 }

/**
 * From the next call of the run on, ten times per second: a log grows, a page is rebuilt and an old one deleted. It ends by itself when
 * its time is up, on a slow machine not before the test has looked at it. In the sandbox its pid cannot be written.
 */
const server = `
echo $$ > ../server.pid 2>/dev/null
until grep -q agent notes.md; do sleep 0.05; done
end=$((SECONDS + ${seconds}))
n=0
mkdir -p build/pages
while [ $SECONDS -lt $end ] || { [ ! -e ../checked ] && [ $SECONDS -lt 300 ]; }; do
  n=$((n + 1))
  echo "request $n" >> server.log
  echo "page $n" > build/pages/page-$((n % 7)).html
  echo "built $n" > build/index.html
  rm -f cache/entry-$((n % 5))
  sleep 0.1
done
echo done > build/finished
`

let folder: string
let workspace: string
let model: TestModel
let runtime: RuntimeProcess

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-background-')))
  workspace = join(folder, 'workspace')
  mkdirSync(join(workspace, 'build'), { recursive: true })
  mkdirSync(join(workspace, 'cache'))
  writeFileSync(join(workspace, 'server.sh'), server)
  writeFileSync(join(workspace, 'build/index.html'), 'before')
  writeFileSync(join(workspace, 'notes.md'), 'before')
  for (let n = 0; n < 5; n += 1) writeFileSync(join(workspace, 'cache', `entry-${n}`), `entry ${n}`)
})
afterEach(async () => {
  await runtime.stop()
  await model.close()
  rmSync(folder, { recursive: true, force: true })
})

interface RuntimeProcess {
  call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>>
  settled(run_id: string): Promise<void>
  kill(): Promise<void>
  stop(): Promise<void>
}

async function startRuntime(): Promise<RuntimeProcess> {
  const program = fileURLToPath(new URL('./support/test-runtime-process.ts', import.meta.url))
  const child: ChildProcess = fork(program, [folder, model.base_url], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const waiting = new Map<number, (answer: { ok: boolean; value: never; error: unknown }) => void>()
  let last = 0
  await once(child, 'message')
  child.on('message', ({ no, answer }: { no: number; answer: never }) => waiting.get(no)?.(answer))
  function ask(name: string, params: unknown): Promise<never> {
    last += 1
    const no = last
    return new Promise((resolve, reject) => {
      waiting.set(no, ({ ok, value, error }) => (ok ? resolve(value) : reject(new Error(`${name}: ${JSON.stringify(error)}`))))
      child.send({ no, name, params })
    })
  }
  const ended = async (end: () => void) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    end()
    await gone
  }
  return {
    call: ask,
    settled: (run_id) => ask('settled', run_id),
    kill: () => ended(() => child.kill('SIGKILL')),
    stop: () => ended(() => child.send({ no: 0, name: 'stop' })),
  }
}

/** Everything in the workspace, as `find` and `sha256sum` report it. */
function state(): string {
  const outline = String.raw`find . -printf '%y %m %l %P\n' | sort; find . -type f -print0 | sort -z | xargs -0r sha256sum`
  return spawnSync('bash', ['-c', outline], { cwd: workspace, encoding: 'utf8' }).stdout
}

const logLines = () => readFileSync(join(workspace, 'server.log'), 'utf8').split('\n').length

/** An agent has started the server in the background and asks the user a question, so that the run does not end. */
async function serverStarted(command: string, sandbox_mode: 'trusted' | 'workspace'): Promise<{ run_id: string; checkpoint_id: string }> {
  model = await startTestModel([
    { calls: [{ name: 'shell.exec', arguments: { command, background: true } }] },
    { calls: [{ name: 'fs.write', arguments: { path: 'notes.md', content: 'by the agent' } }] },
    { calls: [{ name: 'ask_user', arguments: { question: 'Is the page fine?' } }] },
  ])
  runtime = await startRuntime()
  const { agent } = await runtime.call('agent_create', { name: 'Tester' })
  const { agent_id } = agent
  for (const tool of ['shell.exec', 'fs.write']) {
    const { policy } = await runtime.call('agent_tool_policy_get', { agent_id, tool })
    await runtime.call('agent_tool_policy_set', { agent_id, tool, policy: { ...policy.policy, approval_mode: 'auto' } })
  }
  const { conversation } = await runtime.call('conversation_create', { agent_id, workspace })
  const { run } = await runtime.call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'Serve it', sandbox_mode })
  const { run_id } = run
  await vi.waitFor(async () => {
    for (const { approval } of (await runtime.call('approval_list', { run_id })).items) {
      const { approval_id, fingerprint } = approval
      await runtime.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
    }
    expect((await runtime.call('question_list', { run_id })).items).toHaveLength(1)
  }, patience)
  await vi.waitFor(() => expect(logLines()).toBeGreaterThan(3), patience)
  const { items } = await runtime.call('agent_run_list_checkpoints', { run_id })
  return { run_id, checkpoint_id: items.at(-1)?.checkpoint_id ?? '' }
}

async function pointOf(run_id: string, checkpoint_id: string) {
  return (await runtime.call('agent_run_get_checkpoint', { run_id, checkpoint_id })).checkpoint.background
}

async function restore(run_id: string, checkpoint_id: string, background: 'none' | 'all') {
  const done = await runtime.call('agent_run_restore_checkpoint', {
    ...{ action: 'restore', run_id, checkpoint_id, on_conflict: 'stop', background },
  })
  if (done.outcome !== 'restored') throw new Error(JSON.stringify(done))
  return done
}

/** As on a machine without control groups: with them, the next start ends what a killed runtime left running. */
function leaveControlGroups(pid: number): void {
  for (const line of readFileSync(`/proc/${pid}/cgroup`, 'utf8').split('\n')) {
    const [, controllers = '', group = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (!basename(group).startsWith('tandem-')) continue
    const roots = controllers === '' ? ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'] : [`/sys/fs/cgroup/${controllers}`]
    const root = roots.find((one) => existsSync(join(one, group, 'cgroup.procs')))
    if (root) writeFileSync(join(root, dirname(group), 'cgroup.procs'), String(pid))
  }
}

const third = () => new Promise((resolve) => setTimeout(resolve, (seconds * 1_000) / 3))

test('the runtime is killed and restarted, the server ends by itself, and a restore with its group restores everything', {
  timeout: 120_000 + seconds * 3_000,
}, async () => {
  const before = state()
  // Without a sandbox, in its own session and with a clean environment: it outlives the runtime.
  const { run_id, checkpoint_id } = await serverStarted('setsid env -i PATH="$PATH" bash server.sh & wait', 'trusted')
  expect(await pointOf(run_id, checkpoint_id)).toMatchObject({ closed_at: null, late: false })
  const pid = Number(readFileSync(join(folder, 'server.pid'), 'utf8'))
  leaveControlGroups(pid)
  await third()
  await runtime.kill()
  const written = logLines()
  runtime = await startRuntime()
  await vi.waitFor(() => expect(logLines()).toBeGreaterThan(written), patience)

  // It still runs: the point is open, and what it changes is listed separately from what the calls did.
  expect([startTimeOf(pid) !== null, await pointOf(run_id, checkpoint_id)]).toMatchObject([true, { closed_at: null }])
  const preview = await runtime.call('agent_run_restore_checkpoint', { action: 'preview', run_id, checkpoint_id })
  if (preview.outcome !== 'previewed') throw new Error(JSON.stringify(preview))
  expect(preview.background.running).toBe(1)
  expect(preview.entries.items.map(({ path, change }) => [path.slice(workspace.length + 1), change])).toEqual([['notes.md', 'changed']])
  await expect(restore(run_id, checkpoint_id, 'all')).rejects.toThrow('background_running')
  writeFileSync(join(folder, 'checked'), '')

  await vi.waitFor(async () => expect((await pointOf(run_id, checkpoint_id))?.closed_at).not.toBe(null), patience)
  expect([startTimeOf(pid), readFileSync(join(workspace, 'build/finished'), 'utf8')]).toEqual([null, 'done\n'])
  const { items } = await runtime.call('event_list', { run_id, last: 50 })
  const closed = items.filter(({ event }) => event.event === 'checkpoint_closed')
  expect(closed.map(({ event }) => event.data)).toMatchObject([{ checkpoint_id, late: false }])

  // Without the selection the group is not restored, and that is reported.
  const changed = state()
  const plain = await restore(run_id, checkpoint_id, 'none')
  expect([plain.background.restored, plain.background.left > 5]).toEqual([0, true])
  expect(readFileSync(join(workspace, 'notes.md'), 'utf8')).toBe('before')
  await restore(run_id, plain.safety_checkpoint_id, 'none')
  expect(state()).toBe(changed)

  const whole = await restore(run_id, checkpoint_id, 'all')
  expect([whole.background.left, state()]).toEqual([0, before])
  await restore(run_id, whole.safety_checkpoint_id, 'none')
  expect(state()).toBe(changed)
})

test('a server in the sandbox ends with the runtime: the next start closes its point, and its group can be restored', {
  timeout: 120_000 + seconds * 3_000,
}, async () => {
  const before = state()
  const { run_id, checkpoint_id } = await serverStarted('bash server.sh', 'workspace')
  await runtime.kill()
  runtime = await startRuntime()
  await vi.waitFor(async () => expect(await pointOf(run_id, checkpoint_id)).toMatchObject({ late: true }), patience)
  const written = logLines()
  await restore(run_id, checkpoint_id, 'all')
  expect([written > 3, state()]).toEqual([true, before])
})

test('selecting the group while the server runs ends it', { timeout: 120_000 + seconds * 3_000 }, async () => {
  const before = state()
  const { run_id, checkpoint_id } = await serverStarted('bash server.sh', 'workspace')
  const whole = await restore(run_id, checkpoint_id, 'all')
  expect([whole.background.left, state()]).toEqual([0, before])
  expect((await pointOf(run_id, checkpoint_id))?.closed_at).not.toBe(null)
})
